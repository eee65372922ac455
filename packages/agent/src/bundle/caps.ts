/**
 * Caps: what a run may use, and what all runs of a day may. A manifest asks, the owner grants, and the smaller counts.
 *
 * Memory is the sandbox's whole memory, its own needs included: WebAssembly memory that cannot grow beyond it. Processor
 * time counts while the agent computes; the wall clock also while it waits for pages, and is kept from outside.
 */

export interface AgentCaps {
  readonly cpuMs: number
  readonly wallMs: number
  readonly memoryBytes: number
  /** Pages read, whatever of them: text, bytes or links. */
  readonly reads: number
  readonly readBytes: number
  readonly records: number
  readonly outputBytes: number
  /** What it remembers from run to run. */
  readonly stateBytes: number
}

export interface DayCaps {
  readonly runs: number
  readonly cpuMs: number
  readonly readBytes: number
  readonly outputBytes: number
}

/** What an owner grants who says nothing: a site of some ten thousand pages, read once an hour at the most. */
export const defaultCaps: AgentCaps = {
  cpuMs: 60_000,
  wallMs: 300_000,
  memoryBytes: 64 << 20,
  reads: 100_000,
  readBytes: 1 << 30,
  records: 100_000,
  outputBytes: 128 << 20,
  stateBytes: 16 << 20,
}

export const defaultDayCaps: DayCaps = {
  runs: 48,
  cpuMs: 1_200_000,
  readBytes: 16 * (1 << 30),
  outputBytes: 1 << 30,
}

/** What QuickJS's memory begins with; less cannot be had. */
export const LEAST_MEMORY: number = 16 << 20
/** What its memory may grow to at all. */
const MOST_MEMORY = 2 ** 31 - (64 << 10)

/** The largest value of each; an owner who wants more wants another program. */
export const MOST_CAPS: AgentCaps = {
  cpuMs: 86_400_000,
  wallMs: 86_400_000,
  memoryBytes: MOST_MEMORY,
  reads: 1e9,
  readBytes: 2 ** 50,
  records: 1e9,
  outputBytes: 2 ** 40,
  stateBytes: 2 ** 30,
}

export const CAP_NAMES: readonly (keyof AgentCaps)[] = [
  'cpuMs',
  'wallMs',
  'memoryBytes',
  'reads',
  'readBytes',
  'records',
  'outputBytes',
  'stateBytes',
]

/** The smaller of what is asked for and what is granted, cap by cap. */
export function grantedCaps(asked: Partial<AgentCaps>, granted: AgentCaps = defaultCaps): AgentCaps {
  const caps = CAP_NAMES.map((name) => [name, Math.min(asked[name] ?? granted[name], granted[name])] as const)
  return Object.fromEntries(caps) as Record<keyof AgentCaps, number>
}

/** Why a value can be no cap; undefined when it can. */
export function capProblem(name: keyof AgentCaps, value: number): string | undefined {
  const least = name === 'memoryBytes' ? LEAST_MEMORY : 0
  if (Number.isSafeInteger(value) && value >= least && value <= MOST_CAPS[name]) return undefined
  return `${name} must be a whole number from ${least} to ${MOST_CAPS[name]}`
}
