/**
 * Inbox segment file: a segment on disk with the table of what stands where in it. The newest is appended to; each append is
 * one write and one sync, and counts only when both are done. After a sync that failed nobody knows what the disk holds, so
 * the caller must not go on.
 */
import { open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, syncPath } from '@comity/disk'
import type { WaitingItem } from './inbox.ts'
import { decodeRecord, encodeRecord } from './record.ts'
import type { InboxRecord } from './record.ts'
import { encodeSegmentHeader, SEGMENT_HEADER_BYTES } from './segment.ts'
import type { SegmentHeader } from './segment.ts'

const digits = (number: number): string => String(number).padStart(12, '0')
export const segmentPath = (folder: string, first: number): string => join(folder, `segment-${digits(first)}.log`)
export const bodyPath = (folder: string, number: number): string => join(folder, `body-${digits(number)}.bin`)

export class InboxSegmentFile {
  readonly first: number
  readonly path: string
  readonly #mark: Uint8Array
  /** One row an item, in the order of their numbers. */
  readonly #rows: { number: number; offset: number; origin: string; weight: number }[] = []
  /** Items whose bodies stand in files, and how large these are. */
  readonly #bodies = new Map<number, number>()
  #bytes = SEGMENT_HEADER_BYTES
  #bodyBytes = 0
  #frameBytes = 0
  #handle: FileHandle | undefined

  constructor(folder: string, { first, mark }: SegmentHeader) {
    this.first = first
    this.path = segmentPath(folder, first)
    this.#mark = mark
  }

  /** A new one, perhaps in the place of an old one: it appears with its header and these records, whole, or not at all. */
  static async begin(
    folder: string,
    header: SegmentHeader,
    records: readonly InboxRecord[] = [],
  ): Promise<InboxSegmentFile> {
    const segment = new InboxSegmentFile(folder, header)
    const handle = await open(`${segment.path}.new`, 'w+', 0o600)
    try {
      await writeAll(handle, encodeSegmentHeader(header), 0)
      for (const record of records) {
        const frame = encodeRecord(record, header.mark)
        await writeAll(handle, frame, segment.#bytes)
        segment.keep(record, segment.#bytes, segment.#bytes + frame.length)
      }
      await handle.sync()
      await rename(`${segment.path}.new`, segment.path)
      syncPath(folder)
    } catch (error) {
      await handle.close()
      throw error
    }
    segment.#handle = handle
    return segment
  }

  get bytes(): number {
    return this.#bytes
  }
  get count(): number {
    return this.#rows.length
  }
  get bodies(): ReadonlyMap<number, number> {
    return this.#bodies
  }
  get bodyBytes(): number {
    return this.#bodyBytes
  }
  /** Nothing stands in it that belongs to no record. */
  get holdsOnlyRecords(): boolean {
    return this.#frameBytes === this.#bytes - SEGMENT_HEADER_BYTES
  }

  /** Durable when it resolves. Two steps, as only the first can be undone. */
  async append(records: readonly InboxRecord[]): Promise<{ sync: () => Promise<void> }> {
    this.#handle ??= await open(this.path, 'r+')
    const handle = this.#handle
    const frames = records.map((record) => encodeRecord(record, this.#mark))
    await writeAll(handle, Buffer.concat(frames), this.#bytes)
    const sync = async (): Promise<void> => {
      await handle.datasync()
      for (const [place, record] of records.entries())
        this.keep(record, this.#bytes, this.#bytes + frames[place]!.length)
    }
    return { sync }
  }

  /** Cut what a write that failed has left behind. */
  async undo(): Promise<void> {
    await this.#handle?.truncate(this.#bytes)
  }

  /** A record that stands there. */
  keep(record: InboxRecord, offset: number, end: number): void {
    const { number, origin, fileBytes } = record
    this.#rows.push({ number, offset, origin, weight: end - offset + (fileBytes ?? 0) })
    this.#frameBytes += end - offset
    if (fileBytes !== undefined) {
      this.#bodies.set(number, fileBytes)
      this.#bodyBytes += fileBytes
    }
    this.#bytes = end
  }

  /** How many of its items have numbers up to this. */
  countUpTo(number: number): number {
    let [low, high] = [0, this.#rows.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#rows[middle]!.number > number) high = middle
      else low = middle + 1
    }
    return low
  }

  *waitingAfter(number: number): Generator<WaitingItem> {
    for (let i = this.countUpTo(number); i < this.#rows.length; i++) {
      const { number: it, origin, weight } = this.#rows[i]!
      yield { number: it, origin, bytes: weight }
    }
  }

  /** The next records, `count` at most and about `maxBytes`, but one at least. */
  async read(after: number, count: number, maxBytes: number): Promise<InboxRecord[]> {
    const place = this.countUpTo(after)
    const rows = this.#rows.slice(place, place + count)
    if (rows.length === 0) return []
    const from = rows[0]!.offset
    const endOf = (i: number): number => this.#rows[place + i + 1]?.offset ?? this.#bytes
    let most = 1
    while (most < rows.length && endOf(most) - from <= maxBytes) most++
    const bytes = await readStretch(this.path, from, endOf(most - 1))
    // Each was good when it was written or opened; a disk that loses one meanwhile takes only that one.
    return rows.slice(0, most).flatMap(({ offset }) => decodeRecord(bytes, offset - from, this.#mark)?.record ?? [])
  }

  forgetBody(number: number): void {
    this.#bodyBytes -= this.#bodies.get(number) ?? 0
    this.#bodies.delete(number)
  }

  /** Nothing more is appended. */
  async seal(): Promise<void> {
    await this.#handle?.close()
    this.#handle = undefined
  }

  async remove(): Promise<void> {
    await this.seal()
    await rm(this.path, { force: true })
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, from + done)
    done += bytesWritten
  }
}

const NOTHING = Buffer.alloc(0)

/** Nothing when the file is gone: then all in it was acknowledged. */
async function readStretch(path: string, from: number, to: number): Promise<Buffer> {
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return NOTHING
    throw error
  }
  try {
    const bytes = Buffer.alloc(to - from)
    for (let done = 0; done < bytes.length;) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, from + done)
      if (bytesRead === 0) return bytes.subarray(0, done)
      done += bytesRead
    }
    return bytes
  } finally {
    await handle.close()
  }
}
