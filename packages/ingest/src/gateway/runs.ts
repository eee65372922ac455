/**
 * GatewayRuns: which batches of a gateway were taken, so that each counts once however often it is sent. A gateway numbers
 * its batches 1, 2, 3 … within a run, and begins another run when it has lost its state. Numbers nearly always come in order,
 * so of a run one number says it all; those that came before their turn are listed until the gap is closed. Pure.
 */
import type { Instant } from '@comity/protocol'

/** Field names are part of the format. */
export interface GatewayRun {
  readonly run: string
  /** All up to this one were taken. */
  readonly upTo: number
  /** And these, in order. */
  readonly above: readonly number[]
  readonly lastAt: Instant
}

/** Runs that are remembered: one is begun when a disk was lost. */
const MOST_RUNS = 8
/** Beyond so many the lowest gap is given up: what stands in it is taken for a repetition, as nothing may count twice. */
const MOST_ABOVE = 1_000

export function isTaken(runs: readonly GatewayRun[], run: string, number: number): boolean {
  const known = runs.find((one) => one.run === run)
  return known !== undefined && (number <= known.upTo || known.above.includes(number))
}

/** The runs with one more batch taken. */
export function withBatch(runs: readonly GatewayRun[], run: string, number: number, at: Instant): GatewayRun[] {
  const known = runs.find((one) => one.run === run) ?? { run, upTo: 0, above: [], lastAt: at }
  const others = runs.filter((one) => one.run !== run).toSorted((a, b) => b.lastAt - a.lastAt)
  const above = [...new Set([...known.above, number])].filter((one) => one > known.upTo).toSorted((a, b) => a - b)
  return [{ run, ...closed(known.upTo, above), lastAt: Math.max(at, known.lastAt) }, ...others.slice(0, MOST_RUNS - 1)]
}

function closed(upTo: number, above: readonly number[]): Pick<GatewayRun, 'upTo' | 'above'> {
  let [last, place] = [upTo, 0]
  while (place < above.length && (above[place] === last + 1 || above.length - place > MOST_ABOVE))
    last = above[place++]!
  return { upTo: last, above: above.slice(place) }
}
