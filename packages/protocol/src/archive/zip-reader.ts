/**
 * ZIP reader: the entries of a ZIP file and the bytes of one, by PKWARE's APPNOTE 6.3: stored or deflated, with the
 * 64-bit fields of §4.5.3. What WACZ files and resource dumps come in.
 *
 *   local head · data │ local head · data │ … │ directory │ end
 *
 * The directory at the end counts, as §4.3.6 says; what stands between entries is not looked at. Nothing a file holds
 * makes it throw: the result is a value, sizes are held to what the directory says, and every entry's sum is checked.
 */
import { crc32 } from 'node:zlib'
import { inflateStream } from '../coding/inflate-stream.ts'
import type { ZipEntry } from './zip-entries.ts'

/** Where the bytes are: a file, or a server that answers to ranges. */
export interface ByteSource {
  readonly size: number
  /** Fewer bytes than asked for only at the end. */
  read(offset: number, length: number): Promise<Uint8Array>
}

export type ZipDirectory =
  | { readonly kind: 'ok'; readonly entries: readonly ZipEntry[] }
  | { readonly kind: 'bad'; readonly message: string }

/** How reading an entry ended. */
export type ZipEntryResult = { readonly kind: 'sound' } | { readonly kind: 'bad'; readonly message: string }

export interface ZipLimits {
  readonly maxEntries: number
  readonly maxDirectoryBytes: number
}

const zipLimits: ZipLimits = { maxEntries: 100_000, maxDirectoryBytes: 32 << 20 }

const LOCAL_HEAD = 0x04034b50
const DIRECTORY_ENTRY = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const END_64_LOCATOR = 0x07064b50
/** The end with the longest comment, and the locator before it. */
const TAIL_BYTES = 22 + 0xffff + 20
const CHUNK_BYTES = 1 << 18

interface End {
  /** Where the directory should end. */
  readonly at: number
  readonly entries: number
  readonly bytes: number
  readonly offset: number
}

/** The directory as it stands in the file, and what has to be known to read it. */
export interface DirectoryBytes {
  readonly body: Uint8Array
  readonly entries: number
  /** Something before the first entry, such as a program that unpacks it, moves all offsets. */
  readonly before: number
  /** Of the file. */
  readonly size: number
}

/** All entries as objects; whoever must not be held up reads the bytes elsewhere. */
export async function readZipDirectory(source: ByteSource, limits: ZipLimits = zipLimits): Promise<ZipDirectory> {
  const found = await findZipDirectory(source, limits)
  return typeof found === 'string' ? bad(found) : readDirectoryBytes(found)
}

/** Where it is and whether it may be so large; what is wrong, when it is not. */
export async function findZipDirectory(source: ByteSource, limits: ZipLimits): Promise<DirectoryBytes | string> {
  const end = await findEnd(source)
  if (typeof end === 'string') return end
  if (end.entries > limits.maxEntries) return `it says to hold ${end.entries} entries`
  if (end.bytes > limits.maxDirectoryBytes) return `its directory says to be ${end.bytes} bytes long`
  const before = end.at - end.bytes - end.offset
  if (before < 0) return 'its directory stands outside the file'
  const body = await source.read(end.offset + before, end.bytes)
  return { body, entries: end.entries, before, size: source.size }
}

export function readDirectoryBytes({ body, entries: count, before, size }: DirectoryBytes): ZipDirectory {
  const view = viewOf(body)
  const entries: ZipEntry[] = []
  for (let at = 0; entries.length < count;) {
    const read = readEntry(view, at, before)
    if (typeof read === 'string') return bad(`entry ${entries.length + 1} of its directory ${read}`)
    entries.push(read.entry)
    at = read.next
  }
  // Entries that share their bytes are how a small file unpacks to a large one.
  if (entries.reduce((sum, { packedBytes }) => sum + packedBytes, 0) > size) return bad('its entries overlap')
  return { kind: 'ok', entries }
}

/** The bytes of an entry, as they are read. What was yielded before a bad end may be wrong. */
export async function* readZipEntry(source: ByteSource, entry: ZipEntry): AsyncGenerator<Uint8Array, ZipEntryResult> {
  if (entry.isEncrypted) return bad('it is encrypted')
  if (entry.method !== 0 && entry.method !== 8) return bad(`it is packed by method ${entry.method}, not deflate`)
  const head = viewOf(await source.read(entry.offset, 30))
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL_HEAD) return bad('there is no entry at its offset')
  const start = entry.offset + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  if (start + entry.packedBytes > source.size) return bad('the file ends inside it')
  const packed = chunksOf(source, start, start + entry.packedBytes)
  return yield* entry.method === 0 ? stored(packed, entry) : inflated(packed, entry)
}

async function* stored(
  packed: AsyncGenerator<Uint8Array>,
  entry: ZipEntry,
): AsyncGenerator<Uint8Array, ZipEntryResult> {
  let sum = 0
  let bytes = 0
  for await (const chunk of packed) {
    sum = crc32(chunk, sum)
    bytes += chunk.length
    yield chunk
  }
  if (bytes !== entry.bytes) return bad(`it has ${bytes} bytes instead of ${entry.bytes}`)
  return sum === entry.crc32 ? { kind: 'sound' } : bad('its sum does not fit')
}

async function* inflated(
  packed: AsyncGenerator<Uint8Array>,
  entry: ZipEntry,
): AsyncGenerator<Uint8Array, ZipEntryResult> {
  // The sums that the inflater expects behind the data stand in the directory here.
  const sums = new Uint8Array(8)
  viewOf(sums).setUint32(0, entry.crc32, true)
  viewOf(sums).setUint32(4, entry.bytes % 2 ** 32, true)
  const tail = [sums]
  const bytes = inflateStream(async () => {
    const { value, done } = await packed.next()
    return done === true ? tail.pop() : value
  })
  let size = 0
  let step = await bytes.next()
  for (; step.done !== true; step = await bytes.next()) {
    size += step.value.length
    if (size > entry.bytes) return bad(`it unpacks to more than its ${entry.bytes} bytes`)
    yield step.value
  }
  return step.value.outcome === 'sound' && size === entry.bytes ? { kind: 'sound' } : bad('its data are damaged')
}

/** Small pieces first when they are going to be unpacked: each can swell a thousandfold. */
async function* chunksOf(source: ByteSource, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to;) {
    const chunk = await source.read(at, Math.min(CHUNK_BYTES, to - at))
    if (chunk.length === 0) return
    at += chunk.length
    for (let i = 0; i < chunk.length; i += PIECE_BYTES) yield chunk.subarray(i, i + PIECE_BYTES)
  }
}

const PIECE_BYTES = 1 << 14

async function findEnd(source: ByteSource): Promise<End | string> {
  const start = Math.max(0, source.size - TAIL_BYTES)
  const tail = viewOf(await source.read(start, source.size - start))
  for (let at = tail.byteLength - 22; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END) continue
    // A comment may hold these four bytes; the true end's comment goes on to the end of the file.
    if (at + 22 + tail.getUint16(at + 20, true) !== tail.byteLength) continue
    const end: End = {
      at: start + at,
      entries: tail.getUint16(at + 10, true),
      bytes: tail.getUint32(at + 12, true),
      offset: tail.getUint32(at + 16, true),
    }
    const hasLocator = at >= 20 && tail.getUint32(at - 20, true) === END_64_LOCATOR
    return hasLocator ? await readEnd64(source, tail, at - 20) : end
  }
  return 'it has no directory: it is not a ZIP file, or its end is missing'
}

async function readEnd64(source: ByteSource, tail: DataView, locator: number): Promise<End | string> {
  const at = wide(tail, locator + 8)
  const view = viewOf(at === undefined ? new Uint8Array(0) : await source.read(at, 56))
  if (at === undefined || view.byteLength < 56 || view.getUint32(0, true) !== END_64) return 'its 64-bit end is damaged'
  const [entries, bytes, offset] = [wide(view, 32), wide(view, 40), wide(view, 48)]
  if (entries === undefined || bytes === undefined || offset === undefined) return 'its 64-bit end is damaged'
  return { at, entries, bytes, offset }
}

function readEntry(view: DataView, at: number, before: number): { entry: ZipEntry; next: number } | string {
  if (at + 46 > view.byteLength || view.getUint32(at, true) !== DIRECTORY_ENTRY) return 'is missing'
  const [nameBytes, extraBytes] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
  const extra = at + 46 + nameBytes
  const next = extra + extraBytes + view.getUint16(at + 32, true)
  if (next > view.byteLength) return 'is cut short'
  const narrow = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
  const sizes = widened(view, extra, extra + extraBytes, narrow)
  if (sizes === undefined) return 'has no sizes'
  const [bytes = 0, packedBytes = 0, offset = 0] = sizes
  const flags = view.getUint16(at + 8, true)
  const entry = {
    name: Buffer.from(view.buffer, view.byteOffset + at + 46, nameBytes).toString('utf8'),
    method: view.getUint16(at + 10, true),
    isEncrypted: (flags & 1) !== 0,
    crc32: view.getUint32(at + 16, true),
    packedBytes,
    bytes,
    offset: offset + before,
  }
  return { entry, next }
}

/** §4.5.3: a field of all ones stands in the extra field 1, in this order, and only then. */
function widened(view: DataView, from: number, to: number, narrow: readonly number[]): number[] | undefined {
  if (!narrow.includes(0xffffffff)) return [...narrow]
  let at = from
  while (at + 4 <= to && view.getUint16(at, true) !== 1) at += 4 + view.getUint16(at + 2, true)
  if (at + 4 > to) return undefined
  const end = Math.min(to, at + 4 + view.getUint16(at + 2, true))
  let field = at + 4
  const sizes: number[] = []
  for (const value of narrow) {
    const size = value === 0xffffffff ? (field + 8 <= end ? wide(view, field) : undefined) : value
    if (size === undefined) return undefined
    if (value === 0xffffffff) field += 8
    sizes.push(size)
  }
  return sizes
}

/** 64 bits as a number; undefined past 2⁵³, where no honest size is. */
function wide(view: DataView, at: number): number | undefined {
  const value = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32
  return Number.isSafeInteger(value) ? value : undefined
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const bad = (message: string): { kind: 'bad'; message: string } => ({ kind: 'bad', message })
