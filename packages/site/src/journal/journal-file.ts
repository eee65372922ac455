/**
 * Journal file: what is appended to it, and how a new one takes its place.
 *
 * Each append is one write and one sync. A write that failed is undone, so that the file ends with a whole record again;
 * after a sync that failed nobody knows what the disk holds, and the file takes no more.
 */
import { open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { journalUnwritable } from '../errors.ts'
import type { Change } from './journal.ts'
import { encodeHeader, HEADER_BYTES } from './header.ts'
import type { JournalHeader } from './header.ts'
import { encodeFrame } from './record.ts'

const PIECE_BYTES = 256 * 1024

export class JournalFile {
  readonly path: string
  readonly #handle: FileHandle
  #bytes: number
  #isBroken = false

  private constructor(path: string, handle: FileHandle, bytes: number) {
    this.path = path
    this.#handle = handle
    this.#bytes = bytes
  }

  /** A file that is there and ends after `bytes` with a whole record. */
  static async open(path: string, bytes: number): Promise<JournalFile> {
    return new JournalFile(path, await open(path, 'r+'), bytes)
  }

  /** A new file in the place of `path`: after a crash the old one is there or the new one, whole. */
  static async replace(
    path: string,
    header: Omit<JournalHeader, 'snapshotBytes'>,
    changes: Iterable<Change>,
  ): Promise<JournalFile> {
    const draft = `${path}.new`
    const handle = await open(draft, 'w+')
    try {
      const snapshotBytes = await writeSnapshot(handle, changes)
      await handle.write(encodeHeader({ ...header, snapshotBytes }), 0, HEADER_BYTES, 0)
      await handle.sync()
      await rename(draft, path)
      const file = new JournalFile(path, handle, HEADER_BYTES + snapshotBytes)
      // The old one has no name any more, so there is no way back: whoever appends next is told.
      await syncFolder(dirname(path)).catch(() => (file.#isBroken = true))
      return file
    } catch (error) {
      await handle.close()
      await rm(draft, { force: true })
      throw journalUnwritable(path, error, true)
    }
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Durable when it resolves; none of them is in the file when it does not. */
  async append(changes: readonly Change[]): Promise<void> {
    if (this.#isBroken)
      throw journalUnwritable(this.path, 'an earlier write could neither be finished nor undone', false)
    const bytes = Buffer.concat(changes.map((change, place) => encodeFrame(change, place === 0)))
    try {
      await writeWhole(this.#handle, bytes, this.#bytes)
    } catch (error) {
      throw journalUnwritable(this.path, error, await this.#undo())
    }
    try {
      await this.#handle.datasync()
    } catch (error) {
      this.#isBroken = true
      throw journalUnwritable(this.path, error, false)
    }
    this.#bytes += bytes.length
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }

  async #undo(): Promise<boolean> {
    try {
      await this.#handle.truncate(this.#bytes)
    } catch {
      // The write's own fault is the one to be told; that it stays is told by the flag.
      this.#isBroken = true
    }
    return !this.#isBroken
  }
}

/** Piece by piece, so that a server that answers beside it does not stand still. */
async function writeSnapshot(handle: FileHandle, changes: Iterable<Change>): Promise<number> {
  let [pieces, held, written]: [Buffer[], number, number] = [[], 0, 0]
  const flush = async (): Promise<void> => {
    await writeWhole(handle, Buffer.concat(pieces), HEADER_BYTES + written)
    written += held
    ;[pieces, held] = [[], 0]
  }
  for (const change of changes) {
    const frame = encodeFrame(change, written + held === 0)
    pieces.push(frame)
    held += frame.length
    if (held >= PIECE_BYTES) await flush()
  }
  await flush()
  return written
}

async function writeWhole(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}

/** A name is safe only once its folder is. Windows cannot open folders and needs no such call. */
async function syncFolder(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
