/**
 * ZIP writer: the bytes of a ZIP file, entry by entry, for whoever writes them (APPNOTE 6.3). No I/O.
 *
 * Entries are stored, not packed: what goes in is packed already, and an index must be able to point into it. Sums are
 * known only behind an entry's bytes, so they follow them (§4.3.9), and the directory at the end has them too. An entry
 * that has, or may get, 4 GiB is wide: its sizes have 64 bits (§4.5.3), in its head and in the directory alike, since
 * there are readers that take the two for one.
 *
 *   begin(name) → bytes · add(chunk), and the chunk · end() → bytes · … · finish() → bytes
 */
import { crc32 } from 'node:zlib'

interface Written {
  readonly name: Buffer
  readonly crc32: number
  readonly bytes: number
  readonly offset: number
  readonly isWide: boolean
}

type Open = Omit<Written, 'crc32' | 'bytes'> & { crc32: number; bytes: number }

const MAX_32 = 0xffffffff
const MAX_16 = 0xffff
/** §4.4.3: 4.5 knows 64-bit sizes. */
const VERSION = 45
/** §4.4.4: sizes follow the data; names are UTF-8. */
const FLAGS = 0x0008 | 0x0800

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
    if (this.#open !== undefined) throw new Error('end the entry before the next begins')
    const entry = { name: Buffer.from(name), offset: this.#at, crc32: 0, bytes: 0, isWide: bytes >= MAX_32 }
    this.#open = entry
    const extra = entry.isWide ? wideField([0, 0]) : Buffer.alloc(0)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(VERSION, 4)
    head.writeUInt16LE(FLAGS, 6)
    head.writeUInt16LE(this.#date.time, 10)
    head.writeUInt16LE(this.#date.day, 12)
    head.writeUInt32LE(entry.isWide ? MAX_32 : 0, 18)
    head.writeUInt32LE(entry.isWide ? MAX_32 : 0, 22)
    head.writeUInt16LE(entry.name.length, 26)
    head.writeUInt16LE(extra.length, 28)
    return this.#count(Buffer.concat([head, entry.name, extra]))
  }

  /** The caller writes `chunk` itself. */
  add(chunk: Uint8Array): void {
    const entry = this.#opened()
    entry.crc32 = crc32(chunk, entry.crc32)
    entry.bytes += chunk.length
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
    if (this.#open !== undefined) throw new Error('end the entry before the file ends')
    const start = this.#at
    const directory = Buffer.concat(this.#written.map((entry) => this.#directoryEntry(entry)))
    return this.#count(Buffer.concat([directory, endOf(this.#written.length, directory.length, start)]))
  }

  #directoryEntry({ name, crc32: sum, bytes, offset, isWide }: Written): Uint8Array {
    const wide = [...(isWide ? [bytes, bytes] : []), ...(offset >= MAX_32 ? [offset] : [])]
    const extra = wide.length === 0 ? Buffer.alloc(0) : wideField(wide)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    // Made on Unix, where 0644 are the file's permissions: without, unpackers make files that nobody may read.
    entry.writeUInt16LE((3 << 8) | VERSION, 4)
    entry.writeUInt16LE(VERSION, 6)
    entry.writeUInt16LE(FLAGS, 8)
    entry.writeUInt16LE(this.#date.time, 12)
    entry.writeUInt16LE(this.#date.day, 14)
    entry.writeUInt32LE(sum, 16)
    entry.writeUInt32LE(isWide ? MAX_32 : bytes, 20)
    entry.writeUInt32LE(isWide ? MAX_32 : bytes, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt16LE(extra.length, 30)
    entry.writeUInt32LE((0o100644 << 16) >>> 0, 38)
    entry.writeUInt32LE(Math.min(offset, MAX_32), 42)
    return Buffer.concat([entry, name, extra])
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
  end.writeUInt16LE((3 << 8) | VERSION, 12)
  end.writeUInt16LE(VERSION, 14)
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
