/**
 * URL traps: addresses a site makes up without end, told by their shape alone.
 *
 * A relative link that is wrong by one level (`a/b/` linking to `a/b/x`) makes paths that repeat and grow with each
 * visit; programs make addresses that are very long or very deep. The limits are set so that pages people wrote stay.
 */
interface TrapLimits {
  /** Longest URL, in characters. */
  readonly maxLength: number
  /** Most path segments. */
  readonly maxSegments: number
  /** A run of one to three segments that stands this many times in sequence is a trap. */
  readonly runRepeats: number
  /** A segment that stands this many times anywhere in the path is a trap. */
  readonly segmentRepeats: number
}

export const defaultTrapLimits: TrapLimits = { maxLength: 2_000, maxSegments: 20, runRepeats: 3, segmentRepeats: 4 }

export type Trap = 'too-long' | 'too-deep' | 'repeating'

/** The trap that a canonical URL looks like. Called for each new URL, so a common short path is done after a count. */
export function trapOf(url: string, limits: TrapLimits = defaultTrapLimits): Trap | undefined {
  if (url.length > limits.maxLength) return 'too-long'
  const path = pathOf(url)
  const count = countSegments(path)
  if (count > limits.maxSegments) return 'too-deep'
  if (count < Math.min(limits.runRepeats, limits.segmentRepeats)) return undefined
  const segments = path.split('/')
  if (path.endsWith('/')) segments.pop()
  return hasRun(segments, limits.runRepeats) || hasFrequent(segments, limits.segmentRepeats) ? 'repeating' : undefined
}

/** The path without its leading slash. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3) + 1
  if (start === 0) return ''
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

/** Segments that name something: the empty one behind a slash at the end is none. */
function countSegments(path: string): number {
  let count = path === '' || path.endsWith('/') ? 0 : 1
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) count++
  return count
}

const LONGEST_RUN = 3

/**
 * A run stands n times in sequence iff (n - 1) runs' worth of segments, one after the other, equal those one run
 * before them.
 */
function hasRun(segments: readonly string[], repeats: number): boolean {
  for (let length = 1; length <= LONGEST_RUN; length++) {
    let same = 0
    for (let i = length; i < segments.length; i++) {
      same = segments[i] === segments[i - length] ? same + 1 : 0
      if (same >= length * (repeats - 1)) return true
    }
  }
  return false
}

function hasFrequent(segments: readonly string[], repeats: number): boolean {
  if (segments.length < repeats) return false
  const counts = new Map<string, number>()
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1
    if (count >= repeats) return true
    counts.set(segment, count)
  }
  return false
}
