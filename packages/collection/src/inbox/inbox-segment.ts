/**
 * Inbox segment file: a segment on disk with the table of what stands where in it. The newest is appended to, and what is
 * appended counts only when it is durable.
 */
import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, LogFile } from '@comity/disk'
import type { OpenedLog } from '@comity/disk'
import { inboxFormat } from '../errors.ts'
import type { WaitingItem } from './inbox.ts'
import { decodeRecord, inboxFraming } from './record.ts'
import type { InboxRecord } from './record.ts'
import {
  decodeSegmentHeader,
  encodeSegmentHeader,
  INBOX_FORMAT,
  SEGMENT_HEADER_BYTES,
  segmentTerms,
} from './segment.ts'
import type { SegmentHeader } from './segment.ts'

const digits = (number: number): string => String(number).padStart(12, '0')
export const segmentPath = (folder: string, first: number): string => join(folder, `segment-${digits(first)}.log`)
export const bodyPath = (folder: string, number: number): string => join(folder, `body-${digits(number)}.bin`)

interface Row {
  readonly number: number
  readonly offset: number
  readonly end: number
  readonly origin: string
  readonly weight: number
}

/** What stands in a segment, in the order of its numbers. */
class SegmentRows {
  readonly rows: Row[] = []
  /** Items whose bodies stand in files, and how large these are. */
  readonly bodies = new Map<number, number>()
  bodyBytes = 0
  frameBytes = 0

  add({ number, origin, fileBytes }: InboxRecord, offset: number, end: number): void {
    this.rows.push({ number, offset, end, origin, weight: end - offset + (fileBytes ?? 0) })
    this.frameBytes += end - offset
    if (fileBytes === undefined) return
    this.bodies.set(number, fileBytes)
    this.bodyBytes += fileBytes
  }
}

type OpenedSegment =
  | { readonly segment: InboxSegmentFile; readonly cutBytes: number; readonly lostBytes: number }
  /** Nothing in it can be read. */
  | { readonly damagedBytes: number }

export class InboxSegmentFile {
  readonly first: number
  readonly path: string
  readonly #mark: Uint8Array
  readonly #log: LogFile<InboxRecord>
  readonly #held: SegmentRows

  private constructor({ first, mark }: SegmentHeader, log: LogFile<InboxRecord>, held: SegmentRows) {
    this.first = first
    this.path = log.path
    this.#mark = mark
    this.#log = log
    this.#held = held
  }

  /** One that is there. Throws when a newer version wrote it. */
  static open(folder: string, first: number): OpenedSegment {
    const held = new SegmentRows()
    let header: SegmentHeader | undefined
    const opened = openLog(segmentPath(folder, first), (found) => {
      header = found.first === first ? found : undefined
      return header === undefined ? undefined : segmentTerms(header, (record, at, end) => held.add(record, at, end))
    })
    if (opened.kind !== 'open') return { damagedBytes: opened.kind === 'headless' ? opened.bytes : 0 }
    return { ...opened, segment: new InboxSegmentFile(header!, opened.log, held) }
  }

  /** A new one, perhaps in the place of an old one: it appears with its header and these records, whole, or not at all. */
  static async begin(
    folder: string,
    header: SegmentHeader,
    records: readonly InboxRecord[] = [],
  ): Promise<InboxSegmentFile> {
    const held = new SegmentRows()
    const log = await LogFile.create(segmentPath(folder, header.first), {
      framing: inboxFraming(header.mark),
      entries: records,
      headerBytes: SEGMENT_HEADER_BYTES,
      header: () => encodeSegmentHeader(header),
      placed: (record, at, end) => held.add(record, at, end),
    })
    return new InboxSegmentFile(header, log, held)
  }

  get bytes(): number {
    return this.#log.bytes
  }
  /** The number of its last item; below the first when it has none. */
  get last(): number {
    return this.#held.rows.at(-1)?.number ?? this.first - 1
  }
  get count(): number {
    return this.#held.rows.length
  }
  get bodies(): ReadonlyMap<number, number> {
    return this.#held.bodies
  }
  get bodyBytes(): number {
    return this.#held.bodyBytes
  }
  /** Nothing stands in it that belongs to no record. */
  get holdsOnlyRecords(): boolean {
    return this.#held.frameBytes === this.bytes - SEGMENT_HEADER_BYTES
  }

  /** Durable when it resolves. Throws `LogUnwritable`. */
  async append(records: readonly InboxRecord[]): Promise<void> {
    let at = this.bytes
    for (const [place, end] of (await this.#log.append(records)).entries()) {
      this.#held.add(records[place]!, at, end)
      at = end
    }
  }

  /** How many of its items have numbers up to this. */
  countUpTo(number: number): number {
    let [low, high] = [0, this.#held.rows.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#held.rows[middle]!.number > number) high = middle
      else low = middle + 1
    }
    return low
  }

  *waitingAfter(number: number): Generator<WaitingItem> {
    for (let i = this.countUpTo(number); i < this.#held.rows.length; i++) {
      const { number: it, origin, weight } = this.#held.rows[i]!
      yield { number: it, origin, bytes: weight }
    }
  }

  /** The next records, `count` at most and about `maxBytes`, but one at least. */
  async read(after: number, count: number, maxBytes: number): Promise<InboxRecord[]> {
    const place = this.countUpTo(after)
    const rows = this.#held.rows.slice(place, place + count)
    if (rows.length === 0) return []
    const from = rows[0]!.offset
    let most = 1
    while (most < rows.length && rows[most]!.end - from <= maxBytes) most++
    const bytes = await readStretch(this.path, from, rows[most - 1]!.end)
    // Each was good when it was written or opened; a disk that loses one meanwhile takes only that one.
    return rows.slice(0, most).flatMap(({ offset }) => {
      const frame = decodeRecord(bytes, offset - from, this.#mark)
      return frame.kind === 'entry' ? frame.entry : []
    })
  }

  forgetBody(number: number): void {
    this.#held.bodyBytes -= this.#held.bodies.get(number) ?? 0
    this.#held.bodies.delete(number)
  }

  /** Nothing more is appended. */
  seal(): void {
    this.#log.close()
  }

  async remove(): Promise<void> {
    this.seal()
    await rm(this.path, { force: true })
  }
}

function openLog(
  path: string,
  begin: (header: SegmentHeader) => ReturnType<typeof segmentTerms> | undefined,
): OpenedLog<InboxRecord> {
  return LogFile.open(path, SEGMENT_HEADER_BYTES, (bytes) => {
    const decoded = decodeSegmentHeader(bytes)
    if (decoded.kind === 'format') throw inboxFormat(path, decoded.found, INBOX_FORMAT)
    return decoded.kind === 'damaged' ? undefined : begin(decoded.header)
  })
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
