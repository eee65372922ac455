/**
 * A run of an installed agent: the version that is due is chosen and run with what is left of the day, and what came of it
 * is kept in one step: result, memory, counts, and whether the version goes on (`store/roll-out.ts`).
 *
 * One run of an agent at a time; a second is told so. After a crash in the middle there is the state before the run.
 */
import { readFileSync, rmSync } from 'node:fs'
import { ownValue } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { defaultCaps, defaultDayCaps } from '../bundle/caps.ts'
import type { AgentCaps, DayCaps } from '../bundle/caps.ts'
import { runAgent } from './host.ts'
import type { AgentRun } from './host.ts'
import { AgentMemory } from './memory.ts'
import type { AgentPages } from './pages.ts'
import type { AgentOutcome } from '../agent-outcome.ts'
import { endLine, headLine, recordLine } from '../bundle/result.ts'
import type { ServiceUse } from './services.ts'
import type { AgentStore } from '../store/agent-store.ts'
import { leftOf, spentOf, useOfDay, withRun } from '../day-use.ts'
import { codeOf, DurableFile, writeDurably, takeFolderLock } from '@comity/disk'
import { agentIdle, agentsDamaged, agentsHeld, resultsWaiting } from '../errors.ts'
import { afterRun, chosenVersion } from '../store/roll-out.ts'
import type { VersionState } from '../store/roll-out.ts'
import { memoryPath, resultPath } from '../store/store-file.ts'
import type { StoredAgent } from '../store/store-file.ts'

export interface InstalledRunOptions {
  readonly pages: AgentPages
  readonly at: Instant
  readonly caps?: AgentCaps | undefined
  readonly dayCaps?: DayCaps | undefined
  /** Handed on only where the owner lets the agent see it. */
  readonly log?: ReadonlyMap<string, number> | undefined
  readonly onProgress?: ((use: ServiceUse) => void) | undefined
  readonly onStart?: ((pid: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface InstalledRun {
  readonly outcome: AgentOutcome
  readonly message: string
  readonly version: string
  readonly number: number
  /** Undefined when the day was spent. */
  readonly run?: AgentRun | undefined
  /** Where the result stands; undefined unless it was done and had something to say. */
  readonly file?: string | undefined
}

const MAX_WAITING = 1_000

/** Throws AGENT_UNKNOWN, AGENT_IDLE, AGENTS_HELD or RESULTS_WAITING when there is nothing to run; else there is an outcome. */
export async function runInstalled(
  store: AgentStore,
  name: string,
  options: InstalledRunOptions,
): Promise<InstalledRun> {
  const { at, caps = defaultCaps, dayCaps = defaultDayCaps } = options
  const lock = takeFolderLock(store.dir, `run-${store.agent(name).name}`)
  if ('heldBy' in lock) throw agentsHeld(store.dir, `${lock.heldBy}, which runs ${name}`)
  using _ = lock
  const agent = store.agent(name)
  if (agent.results.length >= MAX_WAITING) throw resultsWaiting(name, agent.results.length)
  const choice = chosenVersion(agent, at)
  if (choice.kind === 'none') throw agentIdle(name, choice.reason)
  const { version } = choice
  const day = useOfDay(agent.day, at)
  const spent = spentOf(day, dayCaps)
  const number = agent.runs + 1
  if (spent !== undefined) return { outcome: 'day-spent', message: spent, version: version.version, number }
  const left = leftOf(day, dayCaps)
  const granted = {
    ...caps,
    cpuMs: Math.min(caps.cpuMs, left.cpuMs),
    readBytes: Math.min(caps.readBytes, left.readBytes),
    outputBytes: Math.min(caps.outputBytes, left.outputBytes),
  }
  using result = new DurableFile(resultPath(store.dir, name, number))
  const run = await runVersion(store, agent, version, { ...options, caps: granted }, result)
  store.changeAgent(name, (now) => kept(store, now, { version, run, number, at, result }))
  const file = hasResult(run) ? resultPath(store.dir, name, number) : undefined
  return { outcome: run.outcome, message: run.message, version: version.version, number, run, file }
}

async function runVersion(
  store: AgentStore,
  agent: StoredAgent,
  { digest, version }: VersionState,
  { pages, at, caps, log, onProgress, onStart, signal }: InstalledRunOptions,
  result: DurableFile,
): Promise<AgentRun> {
  const run = await runAgent({
    bundle: store.bundle(digest),
    pages,
    caps,
    memory: readMemory(store, agent, digest),
    log: agent.mayReadLog ? log : undefined,
    onBegin: (count, pagesDigest) =>
      result.write(headLine({ agent: agent.name, version, bundle: digest, at, pages: count, pagesDigest })),
    onRecord: (emitted) => result.write(recordLine(emitted)),
    onProgress,
    onStart,
    signal,
  })
  if (run.outcome === 'done') result.write(endLine(run.use.records))
  return run
}

const hasResult = ({ outcome, use }: AgentRun): boolean => outcome === 'done' && use.records > 0

interface Ran {
  readonly version: VersionState
  readonly run: AgentRun
  readonly number: number
  readonly at: Instant
  readonly result: DurableFile
}

function kept(store: AgentStore, agent: StoredAgent, { version, run, number, at, result }: Ran): StoredAgent {
  const { digest } = version
  const isDone = run.outcome === 'done'
  if (hasResult(run)) result.keep()
  if (isDone) writeDurably(memoryPath(store.dir, digest, number), run.memory.write())
  return {
    ...agent,
    ...afterRun(agent, digest, run.outcome),
    day: withRun(useOfDay(agent.day, at), run.use),
    last: {
      run: number,
      at,
      version: version.version,
      outcome: run.outcome,
      message: run.message,
      records: run.use.records,
    },
    memory: isDone ? { ...agent.memory, [digest]: number } : agent.memory,
    results: hasResult(run) ? [...agent.results, number] : agent.results,
  }
}

function readMemory(store: AgentStore, agent: StoredAgent, digest: string): AgentMemory {
  const run = ownValue(agent.memory, digest)
  if (run === undefined) return new AgentMemory()
  const path = memoryPath(store.dir, digest, run)
  const memory = AgentMemory.read(readFileSync(path, 'utf8'))
  if (memory === undefined) throw agentsDamaged(path, 'it is not what was remembered')
  return memory
}

/** Somebody has the result of a run: it need not be kept any more. */
export function takeResult(store: AgentStore, name: string, number: number): void {
  store.changeAgent(name, (agent) => ({ ...agent, results: agent.results.filter((one) => one !== number) }))
  try {
    rmSync(resultPath(store.dir, name, number))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}
