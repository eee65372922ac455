/**
 * Limits on a graph file of a stranger, and the log of what was wrong with it. A few bad lines in millions are left
 * out and counted; a file that is mostly something else is refused, with the first line that did not fit.
 */
import { webUnreadable } from '../../lab-error.ts'

export interface GraphLimits {
  readonly maxPages: number
  /** Places in `targets` are 32 bits. */
  readonly maxLinks: number
  /** After unpacking: a small file can unpack to any size. */
  readonly maxBytes: number
  readonly maxLineBytes: number
  /** Bad lines that are left out before the file is given up. */
  readonly maxMalformed: number
}

export const graphLimits: GraphLimits = {
  maxPages: 200_000_000,
  maxLinks: 2_000_000_000,
  maxBytes: 64 * 2 ** 30,
  // A page with five million links of eleven digits fits.
  maxLineBytes: 64 * 2 ** 20,
  maxMalformed: 100,
}

export class ReadLog {
  readonly path: string
  readonly limits: GraphLimits
  malformed = 0
  /** Links from or to pages the file does not have. */
  unknown = 0
  #first = ''

  constructor(path: string, limits: GraphLimits) {
    this.path = path
    this.limits = limits
  }

  /** Lines count from 1. */
  malformedLine(line: number, expected: string): void {
    this.malformed += 1
    if (this.malformed === 1) this.#first = `Line ${line} is not ${expected}.`
    if (this.malformed > this.limits.maxMalformed)
      throw webUnreadable(
        `${this.path}, line ${line}`,
        `This is not ${expected}, and neither are ${this.malformed - 1} \
lines before it. Name a graph file of another kind, or repair this one.`,
      )
  }

  /** Called when all is read: a file with more bad lines than good ones is none of ours, however short. */
  requireMostlyGood(good: number): void {
    if (good > 0 && this.malformed <= good) return
    const why = this.#first === '' ? 'The file is empty.' : this.#first
    throw webUnreadable(this.path, `${why} Nothing here can be read as a graph; name a file that holds one.`)
  }

  requireRoom(kind: 'pages' | 'links', count: number): void {
    const max = kind === 'pages' ? this.limits.maxPages : this.limits.maxLinks
    if (count > max)
      throw webUnreadable(this.path, `It has more than ${max} ${kind}, the most we read. Cut it down to a part of it.`)
  }
}
