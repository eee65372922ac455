/**
 * Log reader: all entries of an append-only log in their order, and what is wrong with it.
 *
 * A log ends where its process died, perhaps within a frame; a power cut may also leave holes in the last write. That is its
 * torn end, and nobody was told that it is durable. What is not whole further up is damage to what somebody was told.
 * Which of the two it is, the frames behind it tell: a whole one that was written later, or none.
 */
import { readSync } from 'node:fs'
import { SHORT_FRAME } from './log-framing.ts'
import type { LogFrame, LogFraming } from './log-framing.ts'

export interface LogTerms<Entry> {
  readonly framing: LogFraming<Entry>
  /** Where the first frame begins. */
  readonly from: number
  /** All up to here was durable before the log got its name, so that it has no torn end there; `from` unless given. */
  readonly durableTo?: number
  /** Some logs mean nothing when an entry is missing; of others, each entry is good without the rest. */
  readonly damage: 'refused' | 'passed over'
  /** Each whole entry and where it stands. False: it is none of this log's. May throw. */
  readonly take: (entry: Entry, at: number, end: number) => boolean | void
}

export interface LogReading {
  /** Where the last whole entry ends. */
  readonly end: number
  /** The torn end. */
  readonly cutBytes: number
  /** Before `end`, bytes that belong to no entry: damage that was passed over. */
  readonly lostBytes: number
  /** Damage that was refused, and where it begins. Nothing behind it was taken. */
  readonly damagedAt?: number
}

export interface LogSource {
  readonly size: number
  /** Fewer bytes than were asked for only where it ends. */
  read(at: number, bytes: number): Buffer
}

export function readLog<Entry>(source: LogSource, terms: LogTerms<Entry>): LogReading {
  const { framing, from, damage, take } = terms
  const window = new LogWindow(source, framing)
  let [at, end, lostBytes] = [from, from, 0]
  while (at < source.size) {
    const frame = window.frameAt(at)
    if (frame.kind === 'entry' && (at === end || frame.isSealed)) {
      if (at > end && damage === 'refused') return damagedLog(end, source.size)
      const frameEnd = window.from + frame.end
      if (take(frame.entry, at, frameEnd) !== false) {
        lostBytes += at - end
        at = end = frameEnd
        continue
      }
    }
    at = window.next(at)
  }
  if (end < (terms.durableTo ?? from)) return damagedLog(end, source.size)
  return { end, cutBytes: Math.max(0, source.size - end), lostBytes }
}

const damagedLog = (at: number, size: number): LogReading => ({
  end: at,
  cutBytes: 0,
  lostBytes: size - at,
  damagedAt: at,
})

const PIECE_BYTES = 1 << 20

/** A piece of the log at a time: it may be larger than memory. Places are of the log, those in a frame of the window. */
class LogWindow<Entry> {
  readonly #source: LogSource
  readonly #framing: LogFraming<Entry>
  #bytes: Buffer = Buffer.alloc(0)
  from = 0

  constructor(source: LogSource, framing: LogFraming<Entry>) {
    this.#source = source
    this.#framing = framing
  }

  /** A frame that is `short` ends behind the log. */
  frameAt(at: number): LogFrame<Entry> {
    for (;;) {
      const isInside = at >= this.from && at < this.from + this.#bytes.length
      const frame = isInside ? this.#framing.decode(this.#bytes, at - this.from) : SHORT_FRAME
      if (frame.kind !== 'short') return frame
      // A frame that is longer than what was read from its beginning: twice as much will do, or twice that.
      const isAll = isInside && at === this.from
      if (!this.#load(at, isAll ? 2 * this.#bytes.length : PIECE_BYTES)) return frame
    }
  }

  next(at: number): number {
    return this.from + this.#framing.next(this.#bytes, at - this.from)
  }

  /** False when there is no more than what is here: the log ends, or somebody cut it while it was read. */
  #load(at: number, bytes: number): boolean {
    const end = this.from + this.#bytes.length
    const more = this.#source.read(at, Math.min(bytes, this.#source.size - at))
    if (at >= this.from && at + more.length <= end) return false
    this.#bytes = more
    this.from = at
    return true
  }
}

export class FileSource implements LogSource {
  readonly size: number
  readonly #fd: number

  constructor(fd: number, size: number) {
    this.#fd = fd
    this.size = size
  }

  read(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    let done = 0
    while (done < length) {
      const got = readSync(this.#fd, bytes, done, length - done, at + done)
      if (got === 0) break
      done += got
    }
    return bytes.subarray(0, done)
  }
}

/** A log that is in memory. */
export const logSourceOf = (bytes: Buffer): LogSource => ({
  size: bytes.length,
  read: (at, length) => bytes.subarray(at, at + length),
})
