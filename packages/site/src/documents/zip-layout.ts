/**
 * ZIP layout: all of a ZIP file but the entries' own bytes, when sizes and sums are known beforehand. So a large file can be
 * told byte by byte, and any part of it sent, while its entries are made again one at a time.
 */
import { ZipWriter } from '@comity/protocol'
import type { ZipEntryToWrite } from '@comity/protocol'

interface ZipLayout {
  /** What comes before the bytes of each entry, in their order. */
  readonly heads: readonly Uint8Array[]
  /** Where the bytes of each entry begin. */
  readonly offsets: readonly number[]
  /** The directory and the end. */
  readonly tail: Uint8Array
  readonly bytes: number
}

/** Every reader takes it: without 64-bit sizes, which what is bundled stays far below. */
const [MAX_BYTES, MAX_ENTRIES] = [0xffffffff, 0xffff]
/** Of every entry, the first that ZIP has. Times are told by manifests, and equal pages are to be equal files. */
const NO_DATE = new Date(0)

/** Throws a RangeError for what 32 bits cannot say. */
export function zipLayout(entries: readonly ZipEntryToWrite[]): ZipLayout {
  const zip = new ZipWriter(NO_DATE)
  const heads: Uint8Array[] = []
  const offsets: number[] = []
  for (const entry of entries) {
    const at = zip.offset
    const head = zip.place(entry)
    heads.push(head)
    offsets.push(at + head.length)
  }
  const tail = zip.finish()
  if (entries.length >= MAX_ENTRIES || zip.offset >= MAX_BYTES)
    throw new RangeError(`${entries.length} entries, ${zip.offset} bytes: more than this ZIP file may have: make parts`)
  return { heads, offsets, tail, bytes: zip.offset }
}
