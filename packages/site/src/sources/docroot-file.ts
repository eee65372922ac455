/**
 * Docroot file: what a file holds, if it holds still. A file that is being written would be recorded half; so one that was
 * written within the last second, or changes while it is read, is "unsettled" and looked at again later.
 */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import type { Instant } from '@comity/protocol'

type FileLook =
  | {
      readonly kind: 'settled'
      readonly digest: string
      readonly bytes: number
      readonly mtimeMs: Instant
      readonly head: Buffer
    }
  | { readonly kind: 'unsettled' }

const PIECE_BYTES = 1 << 20
/** File systems keep time in steps, some of them whole seconds: a second write within one leaves no trace. */
const SETTLED_AFTER_MS = 1_000

export const mtimeOf = (stats: Stats): Instant => Math.floor(stats.mtimeMs)

/** A date in the future says nothing about when it was written, so it does not make a file wait for ever. */
export function isSettled(stats: Stats, now: Instant): boolean {
  return Math.abs(now - mtimeOf(stats)) >= SETTLED_AFTER_MS
}

/** Reads a file; `head` is its first `headBytes`. System errors are thrown as they are. */
export async function lookAtFile(path: Buffer, headBytes: number, now: () => Instant): Promise<FileLook> {
  const handle = await open(path, 'r')
  try {
    const before = await handle.stat()
    if (!isSettled(before, now())) return { kind: 'unsettled' }
    const { digest, bytes, head } = await readThrough(handle, before.size, headBytes)
    const after = await handle.stat()
    const isSame = bytes === before.size && after.size === before.size && after.mtimeMs === before.mtimeMs
    return isSame && isSettled(after, now())
      ? { kind: 'settled', digest, bytes, mtimeMs: mtimeOf(before), head }
      : { kind: 'unsettled' }
  } finally {
    await handle.close()
  }
}

async function readThrough(
  handle: FileHandle,
  size: number,
  headBytes: number,
): Promise<{ digest: string; bytes: number; head: Buffer }> {
  const hash = createHash('sha256')
  const heads: Buffer[] = []
  let bytes = 0
  // No further than it was long: a file that grows faster than it is read would be read for ever.
  while (bytes < size) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - bytes))
    const { bytesRead } = await handle.read(piece, 0, piece.length, bytes)
    if (bytesRead === 0) break
    const read = piece.subarray(0, bytesRead)
    hash.update(read)
    if (bytes < headBytes) heads.push(read.subarray(0, headBytes - bytes))
    bytes += bytesRead
  }
  return { digest: `sha-256:${hash.digest('hex')}`, bytes, head: heads.length === 1 ? heads[0]! : Buffer.concat(heads) }
}
