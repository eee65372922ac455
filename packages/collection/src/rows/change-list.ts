/**
 * Change list: which pages' content a commit changed, in the order of commits, so that whoever makes something of the
 * content (an index) can follow: it remembers the number of the last commit it has seen, and asks what came after.
 *
 * Only changes that a reader would notice are listed. A visit that finds the same body again is none; neither is a
 * failed one, as we keep what we had.
 */
import { knownAs } from './known-as.ts'
import type { PageRow } from './rows.ts'

/** What one commit changed. */
export interface Change {
  /** Rises from commit to commit. */
  readonly number: number
  readonly pages: Uint32Array
}

/**
 * The version of a page's content that may be found: undefined when there is none, because it was never there, is gone,
 * moved, was dropped, or asks not to be indexed.
 */
export function contentVersion(row: PageRow | undefined): string | undefined {
  if (row?.body === undefined || row.noindex === true) return undefined
  return isGoneOrMoved(row) ? undefined : `${row.body.file}:${row.body.offset}`
}

/** It is not there any more, or is elsewhere. */
export function isGoneOrMoved(row: PageRow): boolean {
  const { status } = knownAs(row)
  return status === 404 || status === 410 || row.redirectTo !== undefined
}

export function encodeChanges(pages: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(pages.length * 4)
  for (const [i, page] of pages.entries()) bytes.writeUInt32LE(page, i * 4)
  return bytes
}

export function decodeChanges(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Uint32Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => view.getUint32(i * 4, true))
}
