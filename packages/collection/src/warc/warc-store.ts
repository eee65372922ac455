/**
 * The WARC files of a collection: append, make durable, repair, read back.
 *
 * Records are appended to memory; `flush` writes and syncs them, and only then may the state refer to them. The state
 * remembers how far the newest file is good. What a killed process wrote past that was never acknowledged: it is cut.
 *
 *   comity-20261114093000-00002.warc.gz        date and number of the file
 *   comity-20261114093000-00002-r1.warc.gz     the same after something in it was forgotten
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipRecord, warcinfoRecord } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { pathInside, syncPath } from '@comity/disk'
import { collectionDamaged } from '../errors.ts'
import type { WarcPosition } from '../rows/rows.ts'
import { PendingMembers } from './pending-members.ts'

/** What the state must remember: every file by number, and how far the newest is good. */
export interface WarcState {
  readonly names: readonly string[]
  readonly goodBytes: number
}

interface WarcStoreOptions {
  readonly software: string
  /** The next file is begun when one is this long. */
  readonly maxFileBytes: number
}

export class WarcStore {
  readonly #folder: string
  readonly #options: WarcStoreOptions
  readonly #names: string[]
  #size: number
  /** Members not written yet, all of the newest file, from this offset on. */
  readonly #pending = new PendingMembers()
  #pendingFrom: number
  #open: { readonly file: number; readonly handle: FileHandle } | undefined

  constructor(dir: string, state: WarcState, options: WarcStoreOptions) {
    this.#folder = join(dir, 'warc')
    this.#options = options
    this.#names = [...state.names]
    this.#size = state.goodBytes
    this.#pendingFrom = state.goodBytes
  }

  get state(): WarcState {
    return { names: [...this.#names], goodBytes: this.#size }
  }

  /** Bytes waiting to be written. */
  get pendingBytes(): number {
    return this.#size - this.#pendingFrom
  }

  /** Cut what was never acknowledged, and remove whole files of that kind. Returns the number of bytes cut. */
  repair(): number {
    for (const file of this.#names.keys()) warcPath(this.#folder, this.#names, file)
    // A folder that is a link says that it is this collection's, or nobody would write it (`manifest.ts`).
    for (const name of readdirSync(this.#folder)) if (this.#isLeftOver(name)) rmSync(join(this.#folder, name))
    const newest = this.#names.length - 1
    if (newest < 0) return 0
    const path = warcPath(this.#folder, this.#names, newest)
    if (!existsSync(path)) throw collectionDamaged(`${path} is missing, though the state refers to it.`)
    const fd = openSync(path, 'r+')
    try {
      const { size } = fstatSync(fd)
      if (size < this.#size)
        throw collectionDamaged(`${path} has ${size} bytes of the ${this.#size} the state refers to.`)
      if (size > this.#size) {
        ftruncateSync(fd, this.#size)
        fsyncSync(fd)
      }
      return size - this.#size
    } finally {
      closeSync(fd)
    }
  }

  /** Append one gzip member, whose bytes are copied. Nothing is written before `flush`. The records of one visit stay in one file. */
  append(member: Uint8Array, now: Instant): WarcPosition {
    if (this.#names.length === 0 || this.#isFull(member.length)) this.#startFile(now)
    const position = { file: this.#names.length - 1, offset: this.#size, length: member.length }
    this.#pending.append(member)
    this.#size += member.length
    return position
  }

  /** Write and sync all that was appended; when this resolves, a power cut cannot take it away. One at a time. */
  async flush(): Promise<void> {
    if (this.#pending.isEmpty) return
    const file = this.#names.length - 1
    const [blocks, from] = [this.#pending.take(), this.#pendingFrom]
    this.#pendingFrom = this.#size
    // From here on appends may begin another file; what we write belongs to `file`.
    const handle = await this.#handleOf(file)
    await writeAll(handle, blocks, from)
    this.#pending.giveBack(blocks)
    await handle.datasync()
  }

  async close(): Promise<void> {
    await this.#open?.handle.close()
    this.#open = undefined
  }

  async #handleOf(file: number): Promise<FileHandle> {
    if (this.#open?.file === file) return this.#open.handle
    await this.close()
    const path = warcPath(this.#folder, this.#names, file)
    const isNew = !existsSync(path)
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT)
    this.#open = { file, handle }
    if (isNew) syncPath(this.#folder)
    return handle
  }

  /** A file is only left behind between two flushes, so all that is pending belongs to the newest. */
  #isFull(bytes: number): boolean {
    return this.#pending.isEmpty && this.#size + bytes > this.#options.maxFileBytes
  }

  /** Ours, and no acknowledged state ever named it. Whatever else stands in the folder is the user's. */
  #isLeftOver(name: string): boolean {
    const number = WARC_NAME.exec(name)?.[1]
    if (number === undefined || this.#names.includes(name)) return false
    const known = this.#names[Number(number)]
    // Under a number that is taken, only the predecessor or successor of a file that `forget` was rewriting.
    return known === undefined || bareName(known) === bareName(name)
  }

  #startFile(now: Instant): void {
    const stamp = new Date(now).toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')
    const name = `comity-${stamp}-${String(this.#names.length).padStart(5, '0')}.warc.gz`
    this.#names.push(name)
    const info = gzipRecord(warcinfoRecord({ at: now, filename: name, software: this.#options.software }))
    this.#pending.append(info)
    this.#size = info.length
    this.#pendingFrom = 0
  }
}

/** Where the file with this number stands. A collection may come from a stranger: it is a file of ours, and inside, or none. */
export function warcPath(folder: string, names: readonly string[], file: number): string {
  const name = names[file]
  if (name === undefined) throw collectionDamaged(`WARC file ${file} is not known.`)
  const path = WARC_NAME.test(name) ? pathInside(folder, name) : undefined
  if (path === undefined)
    throw collectionDamaged(`WARC file ${file} is called ${JSON.stringify(name)}, which is no WARC file in ${folder}.`)
  return path
}

const WARC_NAME = /^comity-\d{14}-(\d{5,9})(?:-r(\d{1,9}))?\.warc\.gz$/

/** The name of a file after something in it was forgotten: never one that was used before. */
export function nextRevision(name: string): string {
  const revision = Number(WARC_NAME.exec(name)?.[2] ?? 0) + 1
  return `${bareName(name)}-r${revision}.warc.gz`
}

const bareName = (name: string): string => name.replace(/(?:-r\d+)?\.warc\.gz$/, '')

/** The bytes of one record. */
export function readMember(path: string, { offset, length }: WarcPosition): Uint8Array {
  // A row may come from a stranger.
  if (![offset, length].every((count) => Number.isSafeInteger(count) && count >= 0))
    throw collectionDamaged(`A record of ${path} stands nowhere in it.`)
  if (!existsSync(path)) throw collectionDamaged(`${path} is missing, though the state refers to it.`)
  const fd = openSync(path, 'r')
  try {
    const { size } = fstatSync(fd)
    if (offset + length > size) throw collectionDamaged(`${path} ends inside the record at ${offset}.`)
    const bytes = Buffer.alloc(length)
    for (let done = 0; done < length;) {
      const got = readSync(fd, bytes, done, length - done, offset + done)
      if (got === 0) throw collectionDamaged(`${path} ends inside the record at ${offset}.`)
      done += got
    }
    return bytes
  } finally {
    closeSync(fd)
  }
}

async function writeAll(handle: FileHandle, blocks: readonly Uint8Array[], from: number): Promise<void> {
  let at = from
  for (let left = blocks; left.length > 0;) {
    const { bytesWritten } = await handle.writev(left, at)
    at += bytesWritten
    left = withoutFirst(left, bytesWritten)
  }
}

/** What a write left: it may end anywhere. */
function withoutFirst(blocks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  const left: Uint8Array[] = []
  let skip = bytes
  for (const block of blocks) {
    if (skip < block.length) left.push(skip === 0 ? block : block.subarray(skip))
    skip = Math.max(0, skip - block.length)
  }
  return left
}
