/**
 * Pushed content: from the body that a proven sender sent to what goes into the inbox. Everything in it must be of the
 * sender's own site, and nothing may be larger than it looks: what a WARC or ZIP unpacks to is counted before it is believed.
 *
 *   notice (XML)   a change notification, a change list, or a feed ─▶ signals, one a line
 *   WARC           every record's target is looked at ─▶ as it came
 *   ZIP            directory and manifest are looked at ─▶ as it came
 *
 * A site whose content speaks of others is refused whole: either it is not what it says, or it is badly broken.
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { InboxEndpoint, InboxScheme } from '@comity/collection'
import {
  createWarcReader,
  readZipDirectory,
  readZipEntry,
  readSync,
  SYNC_MANIFEST,
  warcTarget,
  tableOf,
  TOO_MUCH_WORK,
  WARC_TYPE,
  WorkBudget,
} from '@comity/protocol'
import type { ByteSource, ZipEntry } from '@comity/protocol'
import { readNotice } from './notice-signals.ts'
import { PushRefusal, tooMuchWorkRefusal } from '../admit/push-refusal.ts'
import { checkRows } from './pushed-rows.ts'

export type ContentKind = 'notice' | 'warc' | 'zip' | 'rows'

// oxfmt-ignore
const KINDS: ReadonlyMap<string, ContentKind> = tableOf({
  'application/xml': 'notice', 'text/xml': 'notice', 'application/atom+xml': 'notice', 'application/rss+xml': 'notice',
  [WARC_TYPE]: 'warc',
  'application/zip': 'zip',
  'application/x-ndjson': 'rows',
})

/** A notice is always welcome: it may announce what else there is. */
// oxfmt-ignore
const TAKES: Readonly<Record<InboxScheme, readonly ContentKind[]>> = {
  changes: ['notice'],
  differences: ['warc', 'notice'], pages: ['warc', 'notice'],
  batches: ['zip', 'warc', 'notice'], site: ['zip', 'warc', 'notice'],
  agent: ['rows', 'warc', 'zip', 'notice'],
}

/** The kind of a body of this type under this scheme; throws a PushRefusal when it does not belong there. */
export function contentKind(type: string, scheme: InboxScheme, encoding: string | undefined): ContentKind {
  const kind = KINDS.get(type)
  const known = [...KINDS].flatMap(([name, one]) => (TAKES[scheme].includes(one) ? [name] : []))
  if (kind === undefined || !TAKES[scheme].includes(kind))
    throw new PushRefusal('wrong-type', `Content of this kind is ${known.join(', ')}; not "${type.slice(0, 100)}".`)
  // A WARC that was packed as a whole is a WARC, to all who read one; anything else packed twice only looks smaller.
  const isPlain = encoding === undefined || encoding.toLowerCase() === 'identity'
  if (!isPlain && !(kind === 'warc' && encoding.toLowerCase() === 'gzip'))
    throw new PushRefusal('wrong-type', 'Send the body without Content-Encoding.', { 'Accept-Encoding': 'identity' })
  return kind
}

/** By what a request says of itself, when nobody has subscribed: its topic, or else its type. */
export function schemeOf(type: string, topic: string | undefined): InboxScheme {
  const last =
    URL.parse(topic ?? '')
      ?.pathname.split('/')
      .at(-1) ?? ''
  const named = (Object.keys(TAKES) as InboxScheme[]).find((scheme) => scheme === last)
  return named ?? BY_KIND[KINDS.get(type) ?? 'notice']
}

const BY_KIND = { notice: 'changes', warc: 'pages', zip: 'batches', rows: 'agent' } as const

/** What was received: in memory, or in a file. */
export interface ContentBody {
  readonly bytes: Uint8Array
  readonly spool?: { readonly path: string; readonly bytes: number } | undefined
}

export interface ContentTerms {
  readonly kind: ContentKind
  readonly scheme: InboxScheme
  readonly type: string
  readonly origin: string
  readonly door: InboxEndpoint
  /** What relative addresses are relative to. */
  readonly topic: string
  readonly maxUnpackedBytes: number
}

/** What goes into the inbox: `body` undefined means the body as it came. */
export interface CheckedContent {
  readonly scheme: InboxScheme
  readonly type: string
  readonly body?: Uint8Array | undefined
}

/** Throws a PushRefusal when it is not what it should be. */
export async function checkContent(body: ContentBody, terms: ContentTerms): Promise<CheckedContent> {
  const { kind, scheme, type, origin, door, topic } = terms
  if (kind === 'notice') {
    const signals = readNotice(body.bytes, { origin, door, topic })
    // Where pages were expected, a notice is a notice; of dumps it tells where they are.
    const told = scheme === 'batches' || scheme === 'site' ? scheme : 'changes'
    return { scheme: told, type: 'application/x-ndjson', body: Buffer.from(signals) }
  }
  if (kind === 'warc') await checkWarc(body, terms)
  if (kind === 'zip') return { scheme: await checkZip(body, terms), type }
  if (kind === 'rows') await checkRows(body)
  return { scheme, type }
}

/** One is in memory at a time. */
const MAX_RECORD_BYTES = 32 << 20
/** The record is read all the same. */
const HARMLESS: ReadonlySet<string> = new Set(['missing-field', 'missing-crlf'])

async function checkWarc(body: ContentBody, { origin, maxUnpackedBytes }: ContentTerms): Promise<void> {
  let [unpacked, records] = [0, 0]
  const limits = { maxRecordBytes: Math.min(MAX_RECORD_BYTES, maxUnpackedBytes) }
  const work = WorkBudget.ofArchive(body.spool?.bytes ?? body.bytes.length)
  for await (const item of createWarcReader(chunksOf(body), { limits, work })) {
    if (item.kind === 'problem') {
      if (HARMLESS.has(item.problem)) continue
      if (item.problem === TOO_MUCH_WORK) throw tooMuchWorkRefusal()
      if (item.problem === 'too-large') throw unpacksTooLarge(limits.maxRecordBytes)
      throw new PushRefusal('malformed', `The WARC cannot be read: ${item.message}.`)
    }
    records++
    unpacked += item.record.block.length
    if (unpacked > maxUnpackedBytes) throw unpacksTooLarge(maxUnpackedBytes)
    const target = warcTarget(item.record)
    if (target !== undefined) checkOwn(target, origin)
  }
  if (records === 0) throw new PushRefusal('malformed', 'There is no record in the WARC.')
}

function chunksOf(body: ContentBody): AsyncIterable<Uint8Array> {
  if (body.spool !== undefined) return createReadStream(body.spool.path, { highWaterMark: 256 << 10 })
  const { bytes } = body
  return (async function* whole() {
    yield bytes
  })()
}

const MAX_MANIFEST_BYTES = 16 << 20

async function checkZip(body: ContentBody, terms: ContentTerms): Promise<InboxScheme> {
  const { spool } = body
  if (spool === undefined) {
    const { bytes } = body
    const read = async (offset: number, length: number): Promise<Uint8Array> => bytes.subarray(offset, offset + length)
    return await checkPackage({ size: bytes.length, read }, terms)
  }
  const handle = await open(spool.path, 'r')
  try {
    const read = async (offset: number, length: number): Promise<Uint8Array> => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, spool.bytes - offset)))
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset)
      return bytes.subarray(0, bytesRead)
    }
    return await checkPackage({ size: spool.bytes, read }, terms)
  } finally {
    await handle.close()
  }
}

async function checkPackage(source: ByteSource, terms: ContentTerms): Promise<InboxScheme> {
  const { origin, topic, scheme, maxUnpackedBytes } = terms
  const directory = await readZipDirectory(source)
  if (directory.kind === 'bad') throw new PushRefusal('malformed', `The ZIP cannot be read: ${directory.message}.`)
  if (directory.entries.reduce((sum, { bytes }) => sum + bytes, 0) > maxUnpackedBytes)
    throw unpacksTooLarge(maxUnpackedBytes)
  const manifest = directory.entries.find(({ name }) => name === SYNC_MANIFEST)
  if (manifest === undefined || manifest.bytes > MAX_MANIFEST_BYTES)
    throw new PushRefusal(
      'malformed',
      `The ZIP has no ${SYNC_MANIFEST}, or one of more than ${MAX_MANIFEST_BYTES} bytes.`,
    )
  const { entries, summary } = readSync(await unpack(source, manifest), topic)
  if (summary.format !== 'urlset') throw new PushRefusal('malformed', 'The manifest of the ZIP lists no pages.')
  for (const entry of entries) if (entry.kind === 'page' || entry.kind === 'change') checkOwn(entry.url, origin)
  // A manifest says whether it is of changes or of everything.
  if (summary.capability === 'resourcedump-manifest') return 'site'
  return summary.capability === 'changedump-manifest' ? 'batches' : scheme
}

async function unpack(source: ByteSource, entry: ZipEntry): Promise<Uint8Array> {
  const body = new Uint8Array(entry.bytes)
  let at = 0
  const chunks = readZipEntry(source, entry)
  let step = await chunks.next()
  for (; step.done !== true; step = await chunks.next()) {
    if (at + step.value.length > body.length) throw damagedManifest()
    body.set(step.value, at)
    at += step.value.length
  }
  if (step.value.kind !== 'sound') throw damagedManifest()
  return body
}

const damagedManifest = (): PushRefusal => new PushRefusal('malformed', 'The manifest of the ZIP is damaged.')

function checkOwn(url: string, origin: string): void {
  if (URL.parse(url)?.origin === origin) return
  throw new PushRefusal('foreign', `${url.slice(0, 200)} is not a page of ${origin}: a site sends its own pages only.`)
}

const unpacksTooLarge = (maxBytes: number): PushRefusal =>
  new PushRefusal('too-large', `It unpacks to more than ${maxBytes} bytes. Send less at a time.`, {
    Connection: 'close',
  })
