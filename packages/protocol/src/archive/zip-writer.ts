/**
 * ZIP writer: the bytes of a ZIP file, entry by entry, for whoever writes them (APPNOTE 6.3). No I/O.
 *
 *   begin(name) → bytes · add(chunk), and the chunk · end() → bytes      an entry that is written as it comes, stored
 *   place(entry) → bytes, and its own                                    one whose sizes and sum are known beforehand
 *   finish() → bytes
 *
 * What is written as it comes has its sums behind it (§4.3.9), and the directory at the end has them too. An entry
 * that has, or may get, 4 GiB is wide: its sizes have 64 bits (§4.5.3), in its head and in the directory alike, since
 * there are readers that take the two for one.
 */
import { crc32 } from 'node:zlib'

export interface ZipEntryToWrite {
  readonly name: string
  /** `deflate` as RFC 1951 has it, without head and sum. */
  readonly method: 'stored' | 'deflate'
  readonly crc32: number
  readonly bytes: number
  readonly packedBytes: number
}

interface Written extends Omit<ZipEntryToWrite, 'name'> {
  readonly name: Buffer
  readonly offset: number
  readonly isWide: boolean
  readonly version: number
  readonly flags: number
}

type Open = { -readonly [Key in keyof Written]: Written[Key] }

const MAX_32 = 0xffffffff
const MAX_16 = 0xffff
/** §4.4.3: 2.0 knows deflate, 4.5 knows 64-bit sizes. */
const [PLAIN_VERSION, WIDE_VERSION] = [20, 45]
/** §4.4.4: sizes follow the data; names are UTF-8. */
const [SUMS_FOLLOW, UTF_8] = [0x0008, 0x0800]
const NOTHING: Buffer = Buffer.alloc(0)

export class ZipWriter {
  readonly #date: { readonly time: number; readonly day: number }
  readonly #written: Written[] = []
  #open: Open | undefined
  #at = 0

  /** `date` is what every entry bears. */
  constructor(date: Date) {
    this.#date = dosDate(date)
  }

  /** Bytes written so far, which is where the next entry begins. */
  get offset(): number {
    return this.#at
  }

  /** `bytes` is how long it will be, where that is known. */
  begin(name: string, bytes: number = Infinity): Uint8Array {
    this.#checkEnded()
    const sizes = { crc32: 0, bytes: 0, packedBytes: 0, isWide: bytes >= MAX_32 }
    const flags = SUMS_FOLLOW | UTF_8
    const entry: Open = {
      ...sizes,
      name: Buffer.from(name),
      method: 'stored',
      offset: this.#at,
      version: WIDE_VERSION,
      flags,
    }
    this.#open = entry
    return this.#count(this.#head(entry))
  }

  /** The caller writes the entry's own bytes, packed as it says, behind what this gives. */
  place({ name, ...part }: ZipEntryToWrite): Uint8Array {
    this.#checkEnded()
    const isWide = Math.max(part.bytes, part.packedBytes) >= MAX_32
    const version = isWide || this.#at >= MAX_32 ? WIDE_VERSION : PLAIN_VERSION
    const entry = { ...part, name: Buffer.from(name), offset: this.#at, isWide, version, flags: UTF_8 }
    this.#written.push(entry)
    const head = this.#count(this.#head(entry))
    this.#at += part.packedBytes
    return head
  }

  /** The caller writes `chunk` itself. */
  add(chunk: Uint8Array): void {
    const entry = this.#opened()
    entry.crc32 = crc32(chunk, entry.crc32)
    entry.bytes += chunk.length
    entry.packedBytes += chunk.length
    this.#at += chunk.length
  }

  end(): Uint8Array {
    const entry = this.#opened()
    const { bytes, isWide } = entry
    if (!isWide && bytes >= MAX_32) throw new Error(`an entry that was to be short has ${bytes} bytes`)
    this.#open = undefined
    this.#written.push(entry)
    const behind = Buffer.alloc(isWide ? 24 : 16)
    behind.writeUInt32LE(0x08074b50, 0)
    behind.writeUInt32LE(entry.crc32, 4)
    if (isWide) {
      behind.writeBigUInt64LE(BigInt(bytes), 8)
      behind.writeBigUInt64LE(BigInt(bytes), 16)
    } else {
      behind.writeUInt32LE(bytes, 8)
      behind.writeUInt32LE(bytes, 12)
    }
    return this.#count(behind)
  }

  /** The directory and the end of the file. */
  finish(): Uint8Array {
    this.#checkEnded()
    const start = this.#at
    const directory = Buffer.concat(this.#written.map((entry) => this.#directoryEntry(entry)))
    return this.#count(Buffer.concat([directory, endOf(this.#written.length, directory.length, start)]))
  }

  #head(entry: Written): Buffer {
    const extra = entry.isWide ? wideField([entry.bytes, entry.packedBytes]) : NOTHING
    const behind = Buffer.alloc(2)
    behind.writeUInt16LE(extra.length)
    return Buffer.concat([Buffer.of(0x50, 0x4b, 3, 4), this.#common(entry), behind, entry.name, extra])
  }

  #directoryEntry(entry: Written): Uint8Array {
    const { name, bytes, packedBytes, offset, isWide, version } = entry
    const wide = [...(isWide ? [bytes, packedBytes] : []), ...(offset >= MAX_32 ? [offset] : [])]
    const extra = wide.length === 0 ? NOTHING : wideField(wide)
    const before = Buffer.alloc(6)
    before.writeUInt32LE(0x02014b50, 0)
    // Made on Unix, where 0644 are the file's permissions: without, unpackers make files that nobody may read.
    before.writeUInt16LE((3 << 8) | version, 4)
    const behind = Buffer.alloc(16)
    behind.writeUInt16LE(extra.length, 0)
    behind.writeUInt32LE((0o100644 << 16) >>> 0, 8)
    behind.writeUInt32LE(Math.min(offset, MAX_32), 12)
    return Buffer.concat([before, this.#common(entry), behind, name, extra])
  }

  /** What stands alike in an entry's head and in the directory: from the version needed to the length of the name. */
  #common({ name, method, crc32: sum, bytes, packedBytes, isWide, version, flags }: Written): Buffer {
    const fields = Buffer.alloc(24)
    fields.writeUInt16LE(version, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(method === 'deflate' ? 8 : 0, 4)
    fields.writeUInt16LE(this.#date.time, 6)
    fields.writeUInt16LE(this.#date.day, 8)
    fields.writeUInt32LE(sum, 10)
    fields.writeUInt32LE(isWide ? MAX_32 : packedBytes, 14)
    fields.writeUInt32LE(isWide ? MAX_32 : bytes, 18)
    fields.writeUInt16LE(name.length, 22)
    return fields
  }

  #checkEnded(): void {
    if (this.#open !== undefined) throw new Error('end the entry before the next begins, or the file ends')
  }

  #opened(): Open {
    if (this.#open === undefined) throw new Error('no entry has begun')
    return this.#open
  }

  #count(bytes: Uint8Array): Uint8Array {
    this.#at += bytes.length
    return bytes
  }
}

/** The end of 32 bits, with the one of 64 before it where that does not suffice (§4.3.14 to §4.3.16). */
function endOf(entries: number, bytes: number, offset: number): Uint8Array {
  const isWide = entries >= MAX_16 || bytes >= MAX_32 || offset >= MAX_32
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, MAX_16), 8)
  end.writeUInt16LE(Math.min(entries, MAX_16), 10)
  end.writeUInt32LE(Math.min(bytes, MAX_32), 12)
  end.writeUInt32LE(Math.min(offset, MAX_32), 16)
  return isWide ? Buffer.concat([end64(entries, bytes, offset), end]) : end
}

function end64(entries: number, bytes: number, offset: number): Uint8Array {
  const end = Buffer.alloc(56 + 20)
  end.writeUInt32LE(0x06064b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE((3 << 8) | WIDE_VERSION, 12)
  end.writeUInt16LE(WIDE_VERSION, 14)
  end.writeBigUInt64LE(BigInt(entries), 24)
  end.writeBigUInt64LE(BigInt(entries), 32)
  end.writeBigUInt64LE(BigInt(bytes), 40)
  end.writeBigUInt64LE(BigInt(offset), 48)
  end.writeUInt32LE(0x07064b50, 56)
  end.writeBigUInt64LE(BigInt(offset + bytes), 64)
  end.writeUInt32LE(1, 72)
  return end
}

function wideField(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * values.length, 2)
  for (const [i, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * i)
  return field
}

/** §4.4.6: years from 1980 on, and every second second. */
function dosDate(date: Date): { time: number; day: number } {
  const year = Math.max(0, Math.min(127, date.getUTCFullYear() - 1980))
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return { time, day: (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate() }
}
