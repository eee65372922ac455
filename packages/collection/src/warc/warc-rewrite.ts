/**
 * WARC rewrite: a file without some of its records, and with others changed, written beside the old one.
 *
 * What stays is copied as the bytes it is, so nothing is compressed twice. Where a record stands afterwards follows
 * from its old place and what was left out or changed before it: the map is as long as the changes, not as the file.
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { createWarcReader, gzipRecord } from '@comity/protocol'
import type { WarcRecord } from '@comity/protocol'
import { collectionDamaged } from '../errors.ts'

/** What becomes of a record: itself to keep it as it is, another to put in its place, undefined to leave it out. */
export type WarcEdit = (record: WarcRecord, offset: number) => WarcRecord | undefined

export interface Place {
  readonly offset: number
  readonly length: number
}

/** Where the records of a rewritten file stand now. */
export class Relocation {
  /** From each of these old offsets on, records have moved by this many bytes. */
  readonly #from: number[] = [0]
  readonly #moved: number[] = [0]
  readonly #changed = new Map<number, Place>()

  /** The bytes up to the old offset `end` have become so many that the next record moves by `by`. */
  move(end: number, by: number): void {
    this.#from.push(end)
    this.#moved.push(by)
  }
  change(offset: number, place: Place): void {
    this.#changed.set(offset, place)
  }

  /** The new place of a record that was not left out. */
  of({ offset, length }: Place): Place {
    const changed = this.#changed.get(offset)
    if (changed !== undefined) return changed
    let [low, high] = [0, this.#from.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#from[middle] ?? Infinity) <= offset) low = middle
      else high = middle
    }
    return { offset: offset + (this.#moved[low] ?? 0), length }
  }
}

/** Records larger than this are never written: bodies are cut far below. */
const MAX_RECORD_BYTES = 1 << 30
const COPY_BYTES = 1 << 20

/** Write `to` from the first `bytes` of `from`. Resolves when it is on disk; holds one record in memory at a time. */
export async function rewriteWarc(
  from: string,
  bytes: number,
  to: string,
  edit: WarcEdit,
): Promise<{ relocation: Relocation; size: number }> {
  await using source = await open(from, 'r')
  await using target = await open(to, 'wx')
  const relocation = new Relocation()
  let [copied, size] = [0, 0]
  const copyUpTo = async (end: number): Promise<void> => {
    await copyRange(source, copied, end, target, size)
    size += end - copied
    copied = end
  }
  const items = createWarcReader(createReadStream(from, { end: Math.max(bytes - 1, 0) }), {
    limits: { maxRecordBytes: MAX_RECORD_BYTES },
  })
  for await (const item of items) {
    // Bytes that cannot be read may hold what is to be forgotten, or what is not: nobody can tell which.
    if (item.kind === 'problem' || item.length === 0) throw unreadable(from, item.offset)
    const { record, offset, length } = item
    const edited = edit(record, offset)
    if (edited === record) continue
    await copyUpTo(offset)
    if (edited !== undefined) {
      const member = gzipRecord(edited)
      await writeAt(target, member, size)
      relocation.change(offset, { offset: size, length: member.length })
      size += member.length
    }
    copied = offset + length
    relocation.move(copied, size - copied)
  }
  await copyUpTo(bytes)
  await target.sync()
  return { relocation, size }
}

async function copyRange(source: FileHandle, from: number, end: number, target: FileHandle, to: number): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(COPY_BYTES, end - from))
  for (let at = from; at < end;) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, end - at), at)
    if (bytesRead === 0) throw collectionDamaged(`A WARC file ends at ${at} of ${end} bytes.`)
    await writeAt(target, buffer.subarray(0, bytesRead), to + at - from)
    at += bytesRead
  }
}

async function writeAt(target: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await target.write(bytes, done, bytes.length - done, at + done)).bytesWritten
  }
}

const unreadable = (path: string, offset: number): Error =>
  collectionDamaged(`${path} cannot be read at byte ${offset}, so nothing in it can be forgotten.`)
