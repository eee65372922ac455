/** Measuring, as every benchmark here does it: medians, time by the clock and of the processor, memory that is ours alone. */
import { readFileSync } from 'node:fs'

/** The middle of the numbers; of an even count the mean of the two in the middle. NaN for none. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** `1234567.8` as `1,234,568`; small numbers keep a digit or two. */
export function formatCount(value: number): string {
  // Something is never printed as nothing.
  if (value !== 0 && Math.abs(value) < 0.01) return value.toLocaleString('en-US', { maximumSignificantDigits: 2 })
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

export interface Took {
  /** By the clock. */
  readonly seconds: number
  readonly cpuSeconds: number
}

/** Time of this process alone; a stretch of it is the difference of two. */
export function ownTime(): Took {
  const { user, system } = process.cpuUsage()
  return { seconds: performance.now() / 1e3, cpuSeconds: (user + system) / 1e6 }
}

/**
 * Time with the processor time of all children that have ended, and theirs, to a hundredth of a second. Of one child at a time
 * the difference before its start and after its end is all that it took. Without /proc it is NaN.
 */
export function childTime(): Took {
  return { seconds: performance.now() / 1e3, cpuSeconds: ticksOf('self').children }
}

/** Since an earlier one of the same kind. */
export function since(before: Took, now: Took): Took {
  return { seconds: now.seconds - before.seconds, cpuSeconds: now.cpuSeconds - before.cpuSeconds }
}

/** Processor time of a process that runs, and of its children that have ended, in seconds. */
export function processSeconds(pid: number): number {
  const { own, children } = ticksOf(pid)
  return own + children
}

/** In seconds; Linux counts hundredths whatever the kernel's own clock. */
function ticksOf(pid: number | 'self'): { own: number; children: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of a program may have spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system, ofChildren, systemOfChildren] = fields.slice(11, 15).map((ticks) => Number(ticks) / 100)
    return { own: user! + system!, children: ofChildren! + systemOfChildren! }
  } catch {
    return { own: Number.NaN, children: Number.NaN }
  }
}

/**
 * Anonymous memory of a process in MB (10⁶ bytes): what it alone holds. Pages of mapped files, such as LMDB's, belong
 * to the kernel and are not counted. NaN where there is no /proc, or no such process.
 */
export function rssAnonMb(pid: number | 'self' = 'self'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return (Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / 1e6
  } catch {
    return Number.NaN
  }
}
