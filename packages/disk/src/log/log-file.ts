/**
 * Log file: an append-only log on disk, safe against kill -9 and power cuts. It has a header of its owner's, and behind that
 * entries, each in a frame with a sum (`log/log-framing.ts`).
 *
 *   open ─▶ its torn end is cut ─▶ append, append … ─▶ close
 *              create: a new one in the place of an old one; after a crash one of the two is there, whole
 *
 * Each append is one write and one sync. A write that failed is undone, so that the log ends with a whole entry again; after a
 * sync that failed nobody knows what the disk holds, and the log takes no more. One process at a time (`folder-lock.ts`), and
 * one append (`log/write-queue.ts`).
 */
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { syncPath } from '../durable-file.ts'
import { codeOf } from '../system-error.ts'
import { FileSource, readLog } from './log-reader.ts'
import type { LogTerms } from './log-reader.ts'
import type { LogFraming } from './log-framing.ts'

/** `damaged`: nothing was changed. */
export type OpenedLog<Entry> =
  | { readonly kind: 'open'; readonly log: LogFile<Entry>; readonly cutBytes: number; readonly lostBytes: number }
  | { readonly kind: 'missing' }
  /** Its header is not whole, or nobody's. */
  | { readonly kind: 'headless'; readonly bytes: number }
  | { readonly kind: 'damaged'; readonly at: number }

export interface NewLog<Entry> {
  readonly framing: LogFraming<Entry>
  readonly entries: Iterable<Entry>
  readonly headerBytes: number
  /** The header of a log that has so many bytes of entries. */
  readonly header: (bytes: number) => Uint8Array
  /** 0600 unless given. */
  readonly mode?: number
  /** Where each entry stands. */
  readonly placed?: (entry: Entry, at: number, end: number) => void
}

/** What an append could not do. Nothing of it is in the log, unless it may take no more: then nobody knows. */
export class LogUnwritable extends Error {
  override readonly name: string = 'LogUnwritable'
  /** It ends with a whole entry and goes on. */
  readonly isUsable: boolean
  constructor(path: string, cause: unknown, isUsable: boolean) {
    super(`${path} could not be written`, { cause })
    this.isUsable = isUsable
  }
}

interface Begun {
  /** Open already. */
  readonly fd?: number
  readonly isBroken: boolean
}

const [writeTo, dataSync, fullSync] = [promisify(write), promisify(fdatasync), promisify(fsync)]

export class LogFile<Entry> {
  readonly path: string
  readonly #framing: LogFraming<Entry>
  #fd: number | undefined
  #bytes: number
  #isBroken: boolean

  /** A file that is there and ends after `bytes` with a whole entry. */
  constructor(path: string, framing: LogFraming<Entry>, bytes: number, begun: Begun = { isBroken: false }) {
    this.path = path
    this.#framing = framing
    this.#bytes = bytes
    this.#fd = begun.fd
    this.#isBroken = begun.isBroken
  }

  /** Reads all of it, and cuts its torn end. `begin` is given the header, and tells how to go on; undefined: it is none. */
  static open<Entry>(
    path: string,
    headerBytes: number,
    begin: (header: Buffer) => LogTerms<Entry> | undefined,
  ): OpenedLog<Entry> {
    const fd = openIfThere(path)
    if (fd === undefined) return { kind: 'missing' }
    try {
      const source = new FileSource(fd, fstatSync(fd).size)
      const terms = begin(source.read(0, Math.min(headerBytes, source.size)))
      if (terms === undefined) return { kind: 'headless', bytes: source.size }
      const { end, cutBytes, lostBytes, damagedAt } = readLog(source, terms)
      if (damagedAt !== undefined) return { kind: 'damaged', at: damagedAt }
      if (cutBytes > 0) cut(fd, end)
      return { kind: 'open', log: new LogFile(path, terms.framing, end), cutBytes, lostBytes }
    } finally {
      closeSync(fd)
    }
  }

  /** Piece by piece, so that whoever answers beside it does not stand still. When it throws, what was there before is. */
  static async create<Entry>(path: string, terms: NewLog<Entry>): Promise<LogFile<Entry>> {
    using draft = new LogDraft(path, terms)
    for (const [piece, at] of draft.pieces()) await writeWhole(draft.fd, piece, at)
    await fullSync(draft.fd)
    return draft.named()
  }

  static createSync<Entry>(path: string, terms: NewLog<Entry>): LogFile<Entry> {
    using draft = new LogDraft(path, terms)
    for (const [piece, at] of draft.pieces()) writeWholeSync(draft.fd, piece, at)
    fsyncSync(draft.fd)
    return draft.named()
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Durable when it resolves, to where each of them ends. Throws `LogUnwritable`. */
  async append(entries: readonly Entry[]): Promise<readonly number[]> {
    const frames = this.#framed(entries)
    const fd = this.#writable()
    await writeWhole(fd, Buffer.concat(frames), this.#bytes).catch((error: unknown) => this.#undo(fd, error))
    await dataSync(fd).catch((error: unknown) => this.#break(error))
    return this.#grown(frames)
  }

  /** The same, for whoever cannot wait. */
  appendSync(entries: readonly Entry[]): readonly number[] {
    const frames = this.#framed(entries)
    const fd = this.#writable()
    try {
      writeWholeSync(fd, Buffer.concat(frames), this.#bytes)
    } catch (error) {
      this.#undo(fd, error)
    }
    try {
      fdatasyncSync(fd)
    } catch (error) {
      this.#break(error)
    }
    return this.#grown(frames)
  }

  /** It is opened again when something is appended. */
  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  #framed(entries: readonly Entry[]): readonly Uint8Array[] {
    return entries.map((entry, place) => this.#framing.encode(entry, place === 0))
  }

  #writable(): number {
    if (this.#isBroken)
      throw new LogUnwritable(this.path, new Error('an earlier write could neither be finished nor undone'), false)
    try {
      return (this.#fd ??= openSync(this.path, 'r+'))
    } catch (error) {
      throw new LogUnwritable(this.path, error, true)
    }
  }

  #undo(fd: number, error: unknown): never {
    try {
      ftruncateSync(fd, this.#bytes)
    } catch {
      // The write's own fault is the one to be told; that it stays is told by the flag.
      this.#isBroken = true
    }
    throw new LogUnwritable(this.path, error, !this.#isBroken)
  }

  #break(error: unknown): never {
    this.#isBroken = true
    throw new LogUnwritable(this.path, error, false)
  }

  #grown(frames: readonly Uint8Array[]): readonly number[] {
    return frames.map(({ length }) => (this.#bytes += length))
  }
}

const PIECE_BYTES = 256 << 10

/** A log that has no name yet; without one it is gone when it is let go. */
class LogDraft<Entry> implements Disposable {
  readonly fd: number
  readonly #path: string
  readonly #draft: string
  readonly #terms: NewLog<Entry>
  #bytes: number
  #isNamed = false

  constructor(path: string, terms: NewLog<Entry>) {
    this.#path = path
    this.#draft = `${path}.new`
    this.#terms = terms
    this.#bytes = terms.headerBytes
    // A new file always: what stands there may be a link to somewhere else.
    rmSync(this.#draft, { force: true })
    this.fd = openSync(this.#draft, 'wx+', terms.mode ?? 0o600)
  }

  /** What to write, and where. The header comes last, as it may tell of the rest. */
  *pieces(): Generator<readonly [piece: Uint8Array, at: number]> {
    const { framing, entries, headerBytes, header, placed } = this.#terms
    let [frames, from]: [Uint8Array[], number] = [[], headerBytes]
    for (const entry of entries) {
      const at = this.#bytes
      const frame = framing.encode(entry, at === headerBytes)
      frames.push(frame)
      this.#bytes += frame.length
      placed?.(entry, at, this.#bytes)
      if (this.#bytes - from < PIECE_BYTES) continue
      yield [Buffer.concat(frames), from]
      ;[frames, from] = [[], this.#bytes]
    }
    yield [Buffer.concat(frames), from]
    yield [header(this.#bytes - headerBytes), 0]
  }

  /** In the place of the old one, which has no name any more: there is no way back, and whoever appends next is told. */
  named(): LogFile<Entry> {
    renameSync(this.#draft, this.#path)
    this.#isNamed = true
    const isBroken = !isSynced(dirname(this.#path))
    return new LogFile(this.#path, this.#terms.framing, this.#bytes, { fd: this.fd, isBroken })
  }

  [Symbol.dispose](): void {
    if (this.#isNamed) return
    closeSync(this.fd)
    rmSync(this.#draft, { force: true })
  }
}

function isSynced(folder: string): boolean {
  try {
    syncPath(folder)
    return true
  } catch {
    return false
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function cut(fd: number, bytes: number): void {
  ftruncateSync(fd, bytes)
  fsyncSync(fd)
}

async function writeWhole(fd: number, bytes: Uint8Array, from: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await writeTo(fd, bytes, done, bytes.length - done, from + done)).bytesWritten
}

function writeWholeSync(fd: number, bytes: Uint8Array, from: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, from + done)
}
