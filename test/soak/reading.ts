/** Soak reading: what a process has at a moment, as Linux tells, and whether a row of such moments grows. */
import { readFileSync, readdirSync } from 'node:fs'

export interface Reading {
  /** Milliseconds since the soak began. */
  readonly at: number
  /** Memory of its own: what it maps of files comes and goes as the system likes. */
  readonly memory: number
  readonly files: number
  readonly threads: number
}

export const MEASURES = ['memory', 'files', 'threads'] as const
export type Measure = (typeof MEASURES)[number]

/** Undefined for a process that is no more. */
export function readingOf(pid: number, at: number): Reading | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const field = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN)
    const files = readdirSync(`/proc/${pid}/fd`).length
    const memory = field('RssAnon') * 1_024
    return Number.isNaN(memory) ? undefined : { at, memory, files, threads: field('Threads') }
  } catch {
    return undefined
  }
}

/** What may come and go by itself, of each. */
const ROOM: Readonly<Record<Measure, { readonly least: number; readonly share: number }>> = {
  memory: { least: 24 << 20, share: 0.1 },
  files: { least: 16, share: 0.2 },
  threads: { least: 3, share: 0.2 },
}

export interface Growth {
  readonly measure: Measure
  /** Medians of the third and of the last quarter. */
  readonly from: number
  readonly to: number
  readonly perHour: number
}

/**
 * What goes on growing when all is warm: between the third quarter and the last. A process that grows and stays is warming up;
 * one that has found its size is as large in the last quarter as before.
 */
export function growths(readings: readonly Reading[]): Growth[] {
  const quarter = Math.floor(readings.length / 4)
  if (quarter < 3) return []
  const [third, last] = [readings.slice(-2 * quarter, -quarter), readings.slice(-quarter)]
  const hours = (median(last, 'at') - median(third, 'at')) / 3_600_000
  return MEASURES.flatMap((measure) => {
    const [from, to] = [median(third, measure), median(last, measure)]
    const { least, share } = ROOM[measure]
    return to - from > Math.max(least, from * share) ? [{ measure, from, to, perHour: (to - from) / hours }] : []
  })
}

function median(readings: readonly Reading[], of: keyof Reading): number {
  const sorted = readings.map((one) => one[of]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}
