/**
 * Journal recovery: from a file to the table it stands for.
 *
 * A file ends where its process died, perhaps within a record; a power cut may also leave holes in the last write. Both
 * are cut off: nobody was told that these changes are durable. Anything wrong further up is damage to what somebody was
 * told: it is refused by name and place, since a journal that silently lost changes would tell crawlers that nothing
 * happened. Which of the two it is, the frames tell (`journal/record.ts`).
 */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { ChangeTable } from './change-table.ts'
import { journalDamaged } from '../errors.ts'
import type { Change } from './journal.ts'
import { decodeHeader, HEADER_BYTES } from './header.ts'
import type { JournalHeader } from './header.ts'
import { decodeFrame, findSealed } from './record.ts'

export interface Recovered {
  readonly header: JournalHeader
  readonly table: ChangeTable
  /** The length of the file, without what was cut. */
  readonly bytes: number
  readonly cutBytes: number
}

const PIECE_BYTES = 1 << 20

/** Reads a file, and cuts its torn end if it has one. */
export function recoverJournal(file: string): Recovered {
  const fd = openSync(file, 'r+')
  try {
    const size = fstatSync(fd).size
    const header = decodeHeader(readAt(fd, 0, HEADER_BYTES), file)
    const table = new ChangeTable(header.since, header.last, header.lastAt)
    const reading = new JournalReading(file, header, table)
    const end = reading.readFrom(fd, size)
    if (end < size) {
      refuseDamage(fd, file, header, end, size)
      ftruncateSync(fd, end)
      fsyncSync(fd)
    }
    return { header, table, bytes: end, cutBytes: size - end }
  } finally {
    closeSync(fd)
  }
}

class JournalReading {
  readonly #file: string
  readonly #table: ChangeTable
  readonly #header: JournalHeader
  /** Where the snapshot ends and what was recorded since begins. */
  readonly #snapshotEnd: number
  #number = 0

  constructor(file: string, header: JournalHeader, table: ChangeTable) {
    this.#file = file
    this.#header = header
    this.#table = table
    this.#snapshotEnd = HEADER_BYTES + header.snapshotBytes
  }

  /** Puts every whole record into the table, and returns where the last one ends. */
  readFrom(fd: number, size: number): number {
    let [start, bytes, at]: [number, Buffer, number] = [HEADER_BYTES, Buffer.alloc(0), 0]
    for (;;) {
      const frame = decodeFrame(bytes, at)
      if (frame.kind === 'frame') {
        this.#take(frame.change, start + at)
        at = frame.end
      } else if (frame.kind === 'short' && start + bytes.length < size) {
        start += at
        bytes = readAt(fd, start, Math.min(PIECE_BYTES, size - start))
        at = 0
      } else return start + at
    }
  }

  #take(change: Change, at: number): void {
    // The snapshot leaves numbers out up to `since`; from there on there is one record for each.
    const isSparse = at < this.#snapshotEnd && change.number <= this.#header.since
    const before = at < this.#snapshotEnd ? Math.max(this.#number, this.#header.since) : this.#table.last
    const isRight = isSparse ? change.number > this.#number : change.number === before + 1
    if (!isRight) {
      const expected = isSparse ? `one above ${this.#number}` : String(before + 1)
      throw journalDamaged(this.#file, `change ${change.number} stands at byte ${at}, where ${expected} should`)
    }
    this.#number = change.number
    this.#table.append(change)
  }
}

/** Whatever was durable once is behind a whole record for ever; if it is not now, something else broke it. */
function refuseDamage(fd: number, file: string, header: JournalHeader, at: number, size: number): void {
  const damaged = (): Error =>
    journalDamaged(file, `what stands at byte ${at} is no whole record, but whole ones follow`)
  if (at < HEADER_BYTES + header.snapshotBytes) throw damaged()
  // Pieces overlap by more than a record, so that none is missed at a border.
  for (let start = at + 1; start < size; start += PIECE_BYTES / 2) {
    const bytes = readAt(fd, start, Math.min(PIECE_BYTES, size - start))
    if (findSealed(bytes, 0) !== undefined) throw damaged()
  }
}

function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const got = readSync(fd, bytes, read, length - read, position + read)
    if (got === 0) break
    read += got
  }
  return bytes.subarray(0, read)
}
