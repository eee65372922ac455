/**
 * The WARC files of a collection: append, make durable, repair, read back.
 *
 * Records are appended to memory; `flush` writes and syncs them, and only then may the state refer to them. The state
 * remembers how far the newest file is good. What a killed process wrote past that was never acknowledged: it is cut.
 */
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipRecord, warcinfoRecord } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { collectionDamaged } from './errors.ts'
import type { WarcPosition } from './rows.ts'

/** The size the WARC guidelines advise; tools copy and index files of this size comfortably. */
const MAX_FILE_BYTES = 1 << 30

/** What the state must remember: every file by number, and how far the newest is good. */
export interface WarcState {
  readonly names: readonly string[]
  readonly goodBytes: number
}

export class WarcStore {
  readonly #folder: string
  readonly #software: string
  #names: string[]
  #size: number
  #handle: FileHandle | undefined
  /** Handles of full files; one may still be in use by a flush under way, so the next flush closes them. */
  #retired: FileHandle[] = []
  #pending: Uint8Array[] = []
  #pendingFrom = 0

  constructor(dir: string, state: WarcState, software: string) {
    this.#folder = join(dir, 'warc')
    this.#software = software
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

  /** Cut what was never acknowledged, remove files the state does not know. Returns the number of bytes cut. */
  repair(): number {
    const known = new Set(this.#names)
    for (const name of readdirSync(this.#folder)) if (!known.has(name)) rmSync(join(this.#folder, name))
    const newest = this.#names.at(-1)
    if (newest === undefined) return 0
    const path = join(this.#folder, newest)
    if (!existsSync(path)) throw collectionDamaged(`${path} is missing, though the state refers to it.`)
    const fd = openSync(path, 'r+')
    try {
      const { size } = fstatSync(fd)
      if (size < this.#size) throw collectionDamaged(`${path} has ${size} bytes of the ${this.#size} the state refers to.`)
      if (size > this.#size) ftruncateSync(fd, this.#size)
      return size - this.#size
    } finally {
      closeSync(fd)
    }
  }

  /** Append one gzip member. Nothing is written before `flush`. */
  append(member: Uint8Array, now: Instant): WarcPosition {
    if (this.#names.length === 0 || this.#wouldOverflow(member.length)) this.#startFile(now)
    const position = { file: this.#names.length - 1, offset: this.#size, length: member.length }
    this.#pending.push(member)
    this.#size += member.length
    return position
  }

  /** Write and sync all that was appended; when this resolves, a power cut cannot take it away. */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return
    const chunks = this.#pending
    const from = this.#pendingFrom
    this.#pending = []
    this.#pendingFrom = this.#size
    const name = this.#names.at(-1) as string
    const path = join(this.#folder, name)
    this.#handle ??= await open(path, existsSync(path) ? 'r+' : 'wx+')
    const handle = this.#handle
    await writeAll(handle, chunks, from)
    await handle.datasync()
    for (const full of this.#retired.splice(0)) await full.close()
  }

  read({ file, offset, length }: WarcPosition): Uint8Array {
    const name = this.#names[file]
    if (name === undefined) throw collectionDamaged(`WARC file ${file} is not known.`)
    const fd = openSync(join(this.#folder, name), 'r')
    try {
      const bytes = Buffer.alloc(length)
      const got = readSync(fd, bytes, 0, length, offset)
      if (got !== length) throw collectionDamaged(`${name} ends inside the record at ${offset}.`)
      return bytes
    } finally {
      closeSync(fd)
    }
  }

  pathOf(file: number): string {
    return join(this.#folder, this.#names[file] as string)
  }

  async close(): Promise<void> {
    for (const full of this.#retired.splice(0)) await full.close()
    await this.#handle?.close()
    this.#handle = undefined
  }

  /** A file is only left behind between two flushes, so all that is pending belongs to the newest. */
  #wouldOverflow(bytes: number): boolean {
    return this.#pending.length === 0 && this.#size + bytes > MAX_FILE_BYTES
  }

  #startFile(now: Instant): void {
    const stamp = new Date(now).toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')
    const name = `comity-${stamp}-${String(this.#names.length).padStart(5, '0')}.warc.gz`
    if (this.#handle !== undefined) this.#retired.push(this.#handle)
    this.#handle = undefined
    this.#names.push(name)
    this.#size = 0
    this.#pendingFrom = 0
    const fields: [string, string][] = [
      ['format', 'WARC File Format 1.1'],
      ['conformsTo', 'https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'],
    ]
    const info = gzipRecord(warcinfoRecord({ at: now, filename: name, software: this.#software, fields }))
    this.#pending.push(info)
    this.#size = info.length
  }
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[], from: number): Promise<void> {
  const bytes = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, from + done)
    done += bytesWritten
  }
}
