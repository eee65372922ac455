/**
 * Equal work: a ratio says something only where both sides did the same, and a rate only where anything was done. Here alone
 * are both printed.
 *
 *   ours ─┐
 *         ├─ more than nothing, the same counts and digests in every round? ─yes─▶ both figures, and the ratio
 *   peer ─┘                                                                 └─no─▶ what differs; exit code 1, no figure
 *
 * A peer that this machine does not have is no failed proof: it is said how to get it, and there is no ratio.
 */
import { formatCount } from './measure.ts'

/** What was done, by name: how many of something, a digest of it, or a name for each thing, in any order. */
export type Work = Readonly<Record<string, number | string | readonly string[]>>

/** Whose work it was: one entry for each round, all of which must say the same. */
export interface Worked {
  /** Name with version. */
  readonly name: string
  readonly work: readonly Work[]
}

export interface Side extends Worked {
  readonly value: number
  /** Of the processor, for as much work on both sides, children's included; undefined where the figure is no matter of time, or is processor time itself. */
  readonly cpuSeconds: number | undefined
}

export interface Comparison {
  readonly what: string
  readonly unit: string
  /** More is better (a rate) or less is (a time, bytes). The ratio is above 1 where we are ahead. */
  readonly better: 'more' | 'less'
  readonly ours: Side
  readonly peer?: Side | undefined
}

/** Why nothing may be said of them beside each other: each did nothing, or another thing than the first. */
export function problemsOf(sides: readonly Worked[]): string[] {
  const [first, ...others] = sides
  if (first === undefined) return ['nobody took part']
  return [...sides.flatMap((side) => ownProblems(side)), ...others.flatMap((other) => differences(first, other))]
}

function ownProblems({ name, work }: Worked): string[] {
  const [first, ...others] = work
  if (first === undefined) return [`${name} made no round`]
  if (Object.keys(first).length === 0) return [`${name} tells nothing of its work`]
  const nothing = Object.entries(first).filter(([, done]) => isNothing(done))
  return [
    ...nothing.map(([what, done]) => `${name} did nothing: ${what} ${sizeOf(done)}`),
    ...others.flatMap((other, at) => differencesOf(first, other, `${name} at first`, `in round ${at + 2}`)),
  ]
}

/** A number that is no count, such as NaN, counts as nothing too. */
function isNothing(done: Work[string]): boolean {
  return typeof done === 'number' ? !(done > 0) : done.length === 0
}

function sizeOf(done: Work[string]): number | string {
  if (typeof done === 'number') return done
  return typeof done === 'string' ? 'none' : done.length
}

function differences(one: Worked, other: Worked): string[] {
  const [a, b] = [one.work[0], other.work[0]]
  return a === undefined || b === undefined ? [] : differencesOf(a, b, one.name, other.name)
}

function differencesOf(a: Work, b: Work, nameOfA: string, nameOfB: string): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return Array.from(names, (what) => {
    const difference = differenceOf(a[what], b[what], nameOfA, nameOfB)
    return difference === undefined ? [] : [`${what}: ${difference}`]
  }).flat()
}

function differenceOf(
  a: Work[string] | undefined,
  b: Work[string] | undefined,
  nameOfA: string,
  nameOfB: string,
): string | undefined {
  if (typeof a === 'object' && typeof b === 'object') return listDifference(a, b, nameOfA, nameOfB)
  // NaN is nothing, and said to be so.
  if (Object.is(a, b)) return undefined
  return `${nameOfA} ${shown(a)}, ${nameOfB} ${shown(b)}`
}

function shown(done: Work[string] | undefined): string {
  if (done === undefined) return 'does not say'
  return typeof done === 'number' ? formatExactly(done) : typeof done === 'string' ? done : `${done.length} of them`
}

const formatExactly = (count: number): string => count.toLocaleString('en-US')

function listDifference(
  a: readonly string[],
  b: readonly string[],
  nameOfA: string,
  nameOfB: string,
): string | undefined {
  const [onlyA, onlyB] = [without(a, b), without(b, a)]
  if (onlyA.length === 0 && onlyB.length === 0) return undefined
  const parts = [
    [nameOfA, onlyA],
    [nameOfB, onlyB],
  ] as const
  const words = parts.flatMap(([name, only]) =>
    only.length === 0 ? [] : [`${formatExactly(only.length)} only of ${name}, such as ${only[0]}`],
  )
  return words.join('; ')
}

/** Those of `a` that `b` does not have as often. */
function without(a: readonly string[], b: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const name of b) left.set(name, (left.get(name) ?? 0) + 1)
  return a.filter((name) => {
    const count = left.get(name) ?? 0
    left.set(name, count - 1)
    return count <= 0
  })
}

/** Whether anything may be said of them. Says it where not, once for all of a program, and the exit code tells. */
export function proven(what: string, sides: readonly Worked[]): boolean {
  const problems = problemsOf(sides)
  if (problems.length === 0) return true
  process.exitCode = 1
  const names = sides.map(({ name }) => name).join(' and ')
  console.error(`${what}: ${sides.length > 1 ? 'no ratio' : 'no figure'} of ${names}, as the work is not proven:`)
  for (const problem of problems) console.error(`  ${problem}`)
  return false
}

/** `decode 1M postings   ours 4.0 ms (3.9 ms of processor)   peer@9.1 6.0 ms (6.0 ms of processor)   1.50x (1.54x of processor)` */
export function printRatio(comparison: Comparison): void {
  const { what, ours, peer } = comparison
  const sides = peer === undefined ? [ours] : [ours, peer]
  if (sides.some(({ value }) => Number.isNaN(value))) {
    process.exitCode = 1
    console.error(`${what}: no figure, as none was taken`)
  } else if (proven(what, sides)) console.log(formatRatio(comparison))
}

/** A figure of ours that stands alone. */
export function printFigure(what: string, unit: string, ours: Side, note = ''): void {
  if (proven(what, [ours])) console.log(`${formatRatio({ what, unit, better: 'more', ours })}${note}`)
}

/** Only for what was proven. */
function formatRatio({ what, unit, better, ours, peer }: Comparison): string {
  const columns = [`${what.padEnd(52)} ${figureOf(ours, unit)}`]
  if (peer !== undefined) columns.push(figureOf(peer, unit), ratioOf(ours, peer, better))
  return columns.join('   ')
}

function figureOf({ name, value, cpuSeconds }: Side, unit: string): string {
  // NaN where there is no /proc.
  const cpu = cpuSeconds === undefined || !(cpuSeconds >= 0) ? '' : ` (${formatSeconds(cpuSeconds)} of processor)`
  return `${name} ${formatCount(value)} ${unit}${cpu}`
}

/** What is measured as a difference may come out as nothing, or less, where the machine is busy or the work small. */
function ratioOf(ours: Side, peer: Side, better: 'more' | 'less'): string {
  if (ours.value <= 0 || peer.value <= 0) return 'within the noise'
  const ratio = better === 'more' ? ours.value / peer.value : peer.value / ours.value
  const [mine, theirs] = [ours.cpuSeconds ?? 0, peer.cpuSeconds ?? 0]
  const cpu = mine > 0 && theirs > 0 ? ` (${(theirs / mine).toFixed(2)}x of processor)` : ''
  return `${ratio.toFixed(2)}x${cpu}`
}

/** 0.0021 as `2.1 ms`. */
export function formatSeconds(seconds: number): string {
  if (seconds >= 1) return `${formatCount(seconds)} s`
  // The kernel counts the time of other processes in ticks.
  if (seconds === 0) return 'less than 10 ms'
  return seconds >= 1e-3 ? `${formatCount(seconds * 1e3)} ms` : `${formatCount(seconds * 1e6)} µs`
}

/** Nothing is compared with it, and that is no fault. */
export function sayMissing(peer: string, howToGet: string): void {
  console.error(`${peer} is missing, so there is no ratio to it: ${howToGet}`)
}
