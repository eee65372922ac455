/**
 * ZIP layout: all of a ZIP file but the entries' own bytes, when sizes and sums are known beforehand (APPNOTE 6.3). So a
 * large file can be told byte by byte, and any part of it sent, while its entries are made again one at a time. Sizes
 * have 32 bits: what is bundled is kept far below 4 GiB.
 */
export interface ZipLayoutEntry {
  readonly name: string
  /** `deflate` as RFC 1951 has it, without head and sum. */
  readonly method: 'stored' | 'deflate'
  readonly crc32: number
  readonly bytes: number
  readonly packedBytes: number
}

export interface ZipLayout {
  /** What comes before the bytes of each entry, in their order. */
  readonly heads: readonly Uint8Array[]
  /** Where the bytes of each entry begin. */
  readonly offsets: readonly number[]
  /** The directory and the end. */
  readonly tail: Uint8Array
  readonly bytes: number
}

const MAX_32 = 0xffffffff
const MAX_16 = 0xffff
/** §4.4.3: 2.0 knows deflate. */
const VERSION = 20
/** §4.4.4: names are UTF-8. */
const FLAGS = 0x0800
/** Of every entry: the first day there is. Times are told by manifests, and equal pages are to be equal files. */
const FIRST_DAY = (1 << 5) | 1

/** Throws a RangeError for what 32 bits cannot say. */
export function zipLayout(entries: readonly ZipLayoutEntry[]): ZipLayout {
  const heads: Uint8Array[] = []
  const offsets: number[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const common = commonFields(entry, name)
    directory.push(directoryEntry(common, name, at))
    const head = Buffer.concat([Buffer.of(0x50, 0x4b, 3, 4), common, Buffer.alloc(2), name])
    heads.push(head)
    offsets.push(at + head.length)
    at += head.length + entry.packedBytes
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  if (entries.length >= MAX_16 || at + size >= MAX_32)
    throw new RangeError(`${entries.length} entries of ${at} bytes are more than this ZIP file may have: make parts`)
  const tail = Buffer.concat([...directory, endOf(entries.length, size, at)])
  return { heads, offsets, tail, bytes: at + tail.length }
}

/** What stands alike in an entry's head and in the directory: from the version needed to the length of the name. */
function commonFields({ method, crc32, bytes, packedBytes }: ZipLayoutEntry, name: Buffer): Buffer {
  const fields = Buffer.alloc(24)
  fields.writeUInt16LE(VERSION, 0)
  fields.writeUInt16LE(FLAGS, 2)
  fields.writeUInt16LE(method === 'deflate' ? 8 : 0, 4)
  fields.writeUInt16LE(FIRST_DAY, 8)
  fields.writeUInt32LE(crc32, 10)
  fields.writeUInt32LE(packedBytes, 14)
  fields.writeUInt32LE(bytes, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

function directoryEntry(common: Buffer, name: Buffer, offset: number): Buffer {
  const before = Buffer.alloc(6)
  before.writeUInt32LE(0x02014b50, 0)
  // Made on Unix, where 0644 are the file's permissions: without, unpackers make files that nobody may read.
  before.writeUInt16LE((3 << 8) | VERSION, 4)
  const behind = Buffer.alloc(16)
  behind.writeUInt32LE((0o100644 << 16) >>> 0, 8)
  behind.writeUInt32LE(offset, 12)
  return Buffer.concat([before, common, behind, name])
}

function endOf(entries: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(bytes, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
