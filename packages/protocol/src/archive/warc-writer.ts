/**
 * WARC writer: the bytes of one record, plain or as one gzip member (ISO 28500:2017 §4, §6 and annex D).
 *
 * One member a record, so that any record can be read alone by its offset and a torn tail costs one record only.
 * No I/O. Called for every page, in worker threads: packing there beats the libuv pool, and level 3 is as fast as
 * level 1 on HTML and smaller.
 */
import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { crc32 } from 'node:zlib'
import type { HeaderList } from '../capture.ts'
import { payloadDigest } from './digest.ts'
import { gzipMember } from './member-packer.ts'
import type { Instant } from '../instant.ts'
import type { WarcRecord, WarcType } from './warc-record.ts'

/** Of all that we write. */
const VERSION = '1.1'

/** The bytes of a record, not compressed. */
export function encodeRecord(record: WarcRecord): Uint8Array {
  return writeRecord(record, [record.block], (bytes) => Buffer.allocUnsafe(bytes))
}

/** The bytes of a record as one whole gzip member. */
export function gzipRecord(record: WarcRecord, level = 3): Uint8Array<ArrayBuffer> {
  return gzipMember(writeRecord(record, [record.block], scratch), level)
}

/** The same as `gzipRecord` of `responseRecord`, without a copy of the body on the way: a crawl does this for every page. */
export function gzipResponse(parts: ResponseParts, level = 3): Uint8Array<ArrayBuffer> {
  const block = [parts.httpHead, parts.body]
  const fields = responseFields(parts, block)
  return gzipMember(writeRecord({ version: VERSION, fields }, block, scratch), level)
}

function writeRecord(
  { version, fields }: Pick<WarcRecord, 'version' | 'fields'>,
  block: readonly Uint8Array[],
  roomFor: (bytes: number) => Buffer<ArrayBuffer>,
): Buffer<ArrayBuffer> {
  const blockBytes = block.reduce((sum, { length }) => sum + length, 0)
  const head = headOf(version, fields, blockBytes)
  const headBytes = Buffer.byteLength(head)
  const bytes = roomFor(headBytes + blockBytes + 4)
  let at = bytes.write(head, 0, 'utf8')
  for (const part of block) {
    bytes.set(part, at)
    at += part.length
  }
  bytes.write('\r\n\r\n', at, 'latin1')
  return bytes
}

/** Where a record stands that is packed at once; one page of many megabytes must not hold as many for ever. */
const MOST_KEPT_BYTES = 1 << 20
let room = Buffer.allocUnsafeSlow(0)

function scratch(bytes: number): Buffer<ArrayBuffer> {
  if (bytes > MOST_KEPT_BYTES) return Buffer.allocUnsafeSlow(bytes)
  if (bytes > room.length) room = Buffer.allocUnsafeSlow(Math.min(2 * bytes, MOST_KEPT_BYTES))
  return room.subarray(0, bytes)
}

/**
 * The same for a record too small to gain by packing: its bytes as they are, in a deflate block of its own (RFC 1951
 * §3.2.4). Setting up a compressor takes longer than all the rest of a request record.
 */
export function storedRecord(record: WarcRecord): Uint8Array {
  const bytes = encodeRecord(record)
  if (bytes.length > MAX_STORED_BYTES) return gzipRecord(record)
  const member = Buffer.allocUnsafe(MEMBER_HEAD.length + 5 + bytes.length + 8)
  const at = MEMBER_HEAD.copy(member)
  // The last block, not packed; its length, and the complement of that.
  member.writeUInt8(1, at)
  member.writeUInt16LE(bytes.length, at + 1)
  member.writeUInt16LE(~bytes.length & 0xffff, at + 3)
  member.set(bytes, at + 5)
  member.writeUInt32LE(crc32(bytes), at + 5 + bytes.length)
  member.writeUInt32LE(bytes.length, at + 9 + bytes.length)
  return member
}

const MAX_STORED_BYTES = 2_048
/** RFC 1952 §2.3: deflate, no flags, no time, no hint, system unknown. */
const MEMBER_HEAD = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)

/** What every builder takes. `recordId` is a bare UUID; one is made when none is given. */
interface Common {
  readonly at: Instant
  readonly recordId?: string
}

interface Captured extends Common {
  readonly url: string
  readonly ip?: string
  /** UUIDs of the records of the same visit: a request names its response. */
  readonly concurrentTo?: readonly string[]
  /** What was spoken, outermost last, e.g. `['h2', 'tls/1.3']`: WARC-Protocol, an extension many tools read. */
  readonly protocol?: readonly string[]
}

interface WarcinfoParts extends Common {
  readonly filename: string
  readonly software: string
  readonly fields?: HeaderList
}

/** First record of a file: who wrote what follows (§6.2). */
export function warcinfoRecord({ at, recordId, filename, software, fields = [] }: WarcinfoParts): WarcRecord {
  const block = warcFields([['software', software], ['format', 'WARC File Format 1.1'], CONFORMS_TO, ...fields])
  const named = [
    ['WARC-Filename', filename],
    ['Content-Type', 'application/warc-fields'],
  ] as const
  return build('warcinfo', at, recordId, named, block)
}

interface ResponseParts extends Captured {
  /** As `responseHead` writes it. */
  readonly httpHead: Uint8Array
  /** Transfer codings off, content codings on. */
  readonly body: Uint8Array
  /** `payloadDigest(body)` when the caller has it already. */
  readonly payloadDigest?: string
  readonly truncated?: 'length' | 'time' | 'disconnect' | 'unspecified'
  /** What the payload really is, where it differs from what Content-Type says. */
  readonly identifiedPayloadType?: string
  /** False: no WARC-Block-Digest. The payload has its digest and the member its CRC; hashing the body twice costs. */
  readonly blockDigest?: false
}

/** What a server answered (§6.3). The payload digest is over the body, so equal bodies meet across pages. */
export function responseRecord(parts: ResponseParts): WarcRecord {
  const block = Buffer.concat([parts.httpHead, parts.body])
  return { version: VERSION, fields: responseFields(parts, [block]), block }
}

function responseFields(parts: ResponseParts, block: readonly Uint8Array[]): HeaderList {
  const named = [
    ...capturedFields(parts),
    ['WARC-Payload-Digest', parts.payloadDigest ?? payloadDigest(parts.body)],
    ...optional('WARC-Truncated', parts.truncated),
    ...optional('WARC-Identified-Payload-Type', parts.identifiedPayloadType),
    ['Content-Type', 'application/http;msgtype=response'],
  ] as const
  const digest = parts.blockDigest === false ? undefined : payloadDigest(Buffer.concat(block))
  return fieldsOf('response', parts.at, parts.recordId, named, digest)
}

interface ResourceParts extends Captured {
  /** Media type of the body, with its parameters. */
  readonly type: string
  readonly body: Uint8Array
  /** `payloadDigest(body)` when the caller has it already. */
  readonly payloadDigest?: string
}

/** What came without an HTTP answer: the block is the thing itself (§6.4). */
export function resourceRecord(parts: ResourceParts): WarcRecord {
  const { type, body, payloadDigest: digest = payloadDigest(body) } = parts
  const named = [...capturedFields(parts), ['WARC-Payload-Digest', digest], ['Content-Type', type]] as const
  return build('resource', parts.at, parts.recordId, named, body, false)
}

interface RequestParts extends Captured {
  /** As `requestHead` writes it. */
  readonly httpHead: Uint8Array
  readonly body?: Uint8Array
}

/** What we asked (§6.5). */
export function requestRecord(parts: RequestParts): WarcRecord {
  const named = [...capturedFields(parts), ['Content-Type', 'application/http;msgtype=request']] as const
  const block = parts.body === undefined ? parts.httpHead : Buffer.concat([parts.httpHead, parts.body])
  return build('request', parts.at, parts.recordId, named, block)
}

interface RevisitParts extends Captured {
  readonly profile: 'identical-payload-digest' | 'server-not-modified'
  readonly refersToUri: string
  readonly refersToDate: Instant
  /** Digest of the payload that was not stored again; `identical-payload-digest` must have it (§6.7.2). */
  readonly payloadDigest?: string
  readonly httpHead: Uint8Array
  /** Of a resource that comes again: its media type. It has no head. */
  readonly resourceType?: string | undefined
}

/** The same content again: only the head is kept, and where the body is (§6.7). */
export function revisitRecord(parts: RevisitParts): WarcRecord {
  const named = [
    ...capturedFields(parts),
    ['WARC-Profile', `http://netpreserve.org/warc/1.1/revisit/${parts.profile}`],
    ['WARC-Refers-To-Target-URI', parts.refersToUri],
    ['WARC-Refers-To-Date', warcDateText(parts.refersToDate)],
    ...optional('WARC-Payload-Digest', parts.payloadDigest),
    // §6.7.2: a block cut because its digest is known says so; a 304 had no body to cut.
    ...optional('WARC-Truncated', parts.profile === 'identical-payload-digest' ? 'length' : undefined),
    ['Content-Type', parts.resourceType ?? 'application/http;msgtype=response'],
  ] as const
  return build('revisit', parts.at, parts.recordId, named, parts.httpHead)
}

interface MetadataParts extends Captured {
  /** UUID of the record these fields are about, when it is another visit's. */
  readonly refersTo?: string
  readonly fields?: HeaderList
  /** In place of fields. */
  readonly json?: unknown
}

/** What else we know of a visit, e.g. how we came there (§6.6). */
export function metadataRecord(parts: MetadataParts): WarcRecord {
  const named = [
    ...capturedFields(parts),
    ...optional('WARC-Refers-To', parts.refersTo === undefined ? undefined : urn(parts.refersTo)),
    ['Content-Type', parts.json === undefined ? 'application/warc-fields' : 'application/json'],
  ] as const
  const block = parts.json === undefined ? warcFields(parts.fields ?? []) : Buffer.from(JSON.stringify(parts.json))
  return build('metadata', parts.at, parts.recordId, named, block)
}

function build(
  type: WarcType,
  at: Instant,
  id: string | undefined,
  named: HeaderList,
  block: Uint8Array,
  blockDigest = true,
): WarcRecord {
  const digest = blockDigest ? payloadDigest(block) : undefined
  return { version: VERSION, fields: fieldsOf(type, at, id, named, digest), block }
}

function fieldsOf(
  type: WarcType,
  at: Instant,
  id: string | undefined,
  named: HeaderList,
  blockDigest: string | undefined,
): HeaderList {
  return [
    ['WARC-Type', type],
    ['WARC-Record-ID', urn(id ?? randomUUID())],
    ['WARC-Date', warcDateText(at)],
    ...named.filter(hasValue),
    ...optional('WARC-Block-Digest', blockDigest),
  ]
}

function capturedFields({ url, ip, concurrentTo = [], protocol = [] }: Captured): HeaderList {
  return [
    ['WARC-Target-URI', url],
    // What was sent to us has none, and a name is none (§5.10).
    ...optional('WARC-IP-Address', ip === undefined || isIP(ip) === 0 ? undefined : ip),
    ...concurrentTo.map((id) => ['WARC-Concurrent-To', urn(id)] as const),
    ...protocol.map((name) => ['WARC-Protocol', name] as const),
  ]
}

function headOf(version: string, fields: HeaderList, blockBytes: number): string {
  let head = `WARC/${version}\r\n`
  for (const [name, value] of fields) head += `${name}: ${oneLine(value)}\r\n`
  return `${head}Content-Length: ${blockBytes}\r\n\r\n`
}

const warcFields = (fields: HeaderList): Uint8Array =>
  Buffer.from(
    fields
      .filter(hasValue)
      .map(([name, value]) => `${name}: ${oneLine(value)}\r\n`)
      .join(''),
  )

/** What is not known is left out: readers take an empty field for a wrong one. */
const hasValue = ([, value]: HeaderList[number]): boolean => value.trim() !== ''

/** A URL or header value from outside must not be able to write a field of its own. */
const oneLine = (value: string): string => (BREAKS.test(value) ? value.replace(/[\r\n\0]+/g, ' ') : value)
// oxlint-disable-next-line no-control-regex -- NUL ends a line for readers written in C.
const BREAKS = /[\r\n\0]/

const optional = (name: string, value: string | undefined): HeaderList => (value === undefined ? [] : [[name, value]])
const urn = (uuid: string): string => `<urn:uuid:${uuid}>`
/** WARC 1.1 allows fractions of a second (§5.4), and a crawler visits thousands of pages in one. */
const warcDateText = (at: Instant): string => new Date(at).toISOString()

const CONFORMS_TO = [
  'conformsTo',
  'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
] as const
