/**
 * Document work: what is done to a stranger's document before anybody acts on it: its coding undone, its difference applied,
 * its archive or list taken apart. Pure, and each has a budget (`work-budget.ts` of protocol). It is done in a thread
 * (`documents/guarded-thread.ts`), never in the one that runs the crawl; what is small and packed in nothing is read where it is, as
 * sending it would take longer. Without threads, which is the user's choice, everything is.
 */
import { hash } from 'node:crypto'
import {
  applyDelta,
  canonicalUrl,
  createSitemapReader,
  decodeBody,
  decodeWithDictionary,
  headerOf,
  packRobots,
  parseCdxjLine,
  readBatchAnswer,
  TOO_MUCH_WORK,
  typeOfMarks,
  unpackedPieces,
  WorkBudget,
  isPackedList,
} from '@comity/protocol'
import type {
  AppliedDelta,
  CdxjEntry,
  DirectoryBytes,
  DecodedDictionary,
  DictionaryCoding,
  HeaderList,
  PackedRobots,
  ReadBatch,
  TooMuchWork,
  UnpackedEnd,
  UrlRules,
  ZipEntry,
} from '@comity/protocol'
import { readStretch } from './archive-stretch.ts'
import type { ArchiveStretch, StretchWork } from './archive-stretch.ts'
import { contentKey } from '../content-key.ts'
import { replyOf } from './reply.ts'
import type { Ask, Reply } from './reply.ts'
import type { Exchange } from '../exchange.ts'
import { release } from './leftovers.ts'
import { ownUnpackedBatch, unpackGatewayBatch } from '../gateway/unpacked-batch.ts'
import type { ReadUnpackedBatch } from '../gateway/unpacked-batch.ts'
import { ownPages, readSyncDocument } from './read-document.ts'
import type { ReadSyncDocument } from './read-document.ts'
import { directoryOf } from './zip-directory.ts'
import type { ReadDirectory } from './zip-directory.ts'
import { inMemory, unpackEntry } from './zip-unpack.ts'

interface Coded {
  readonly body: Uint8Array
  /** `Content-Encoding`. */
  readonly coding: string | undefined
  readonly maxBytes: number
}

/** What a body is told from others by: as pages are held, and as signals have it. */
interface BodyVersion {
  readonly key: Uint8Array
  readonly digest: string
}

export interface ListedLoc {
  readonly kind: 'page' | 'sitemap'
  readonly loc: string
  /** Its media type, where the list is one of ResourceSync and says it. */
  readonly type?: string | undefined
}

type UnpackedBatch =
  | (ReadBatch & { readonly kind: 'batch'; readonly isWhole: boolean })
  | { readonly kind: 'unreadable'; readonly problem: string }

/** On one body. */
interface BodyWorks {
  /** Undefined when its coding cannot be undone. */
  version(args: Coded): BodyVersion | undefined
  delta(args: DeltaWork): AppliedDelta
  dictionary(args: DictionaryWork): DecodedDictionary
}

/** On what somebody says of pages. */
interface ToldWorks {
  /** What a robots.txt says to us. */
  rules(args: RulesWork): Promise<ReadRules>
  sitemap(args: SitemapWork): Promise<readonly ListedLoc[]>
  /** What a gateway saw pass. */
  news(args: { readonly body: Uint8Array }): ReadUnpackedBatch
  /** The answer to a question, read as the question wants. */
  reply(args: ReplyWork): Reply
}

/** On many pages in one. */
interface PackedWorks {
  /** Many pages in one answer. */
  batch(args: Coded): UnpackedBatch
  /** What a package says of itself. */
  manifest(args: ManifestWork): Promise<ReadSyncDocument | 'damaged'>
  /** What a ZIP holds. */
  directory(args: DirectoryBytes): ReadDirectory
  /** The index of a web archive. */
  captures(args: { readonly body: Uint8Array; readonly isPacked: boolean }): readonly CdxjEntry[] | string
  /** Some of the pages of such an archive. */
  stretch(args: StretchWork): ArchiveStretch
}

/** Every kind of work, by name. */
type Works = BodyWorks & ToldWorks & PackedWorks

export const DOCUMENT_WORK: Works = {
  rules: rulesOf,
  version: versionOf,
  delta: ({ headers, body, baseName, base, maxBytes }) =>
    applyDelta({ status: 226, headers, body }, new Map([[baseName, base]]), { maxBytes }),
  dictionary: ({ coding, body, base, maxBytes }) => decodeWithDictionary(coding, body, base, { maxBytes }),
  batch: batchOf,
  sitemap: locsOf,
  manifest: manifestOf,
  directory: directoryOf,
  captures: capturesOf,
  stretch: readStretch,
  news: ({ body }) => ownUnpackedBatch(unpackGatewayBatch(body)),
  reply: ({ ask, exchange, address }) => replyOf(ask, exchange, address),
}

interface RulesWork extends Coded {
  readonly productToken: string
}

export interface ReadRules {
  /** How its coding ended. */
  readonly end: UnpackedEnd
  /** As much of it as is worth keeping. */
  readonly body: Uint8Array
  readonly robots: PackedRobots
}

interface ManifestWork {
  /** The entry from its local head on. */
  readonly body: Uint8Array
  readonly entry: ZipEntry
  readonly url: string
}

interface SitemapWork extends Coded {
  readonly url: string
  readonly urlRules: UrlRules
}

interface DeltaWork {
  readonly headers: HeaderList
  readonly body: Uint8Array
  readonly baseName: string
  readonly base: Uint8Array
  readonly maxBytes: number
}

interface DictionaryWork {
  readonly coding: DictionaryCoding
  readonly body: Uint8Array
  readonly base: Uint8Array
  readonly maxBytes: number
}

interface ReplyWork {
  readonly ask: Ask
  readonly exchange: Exchange
  readonly address: string
}

export type WorkName = keyof Works
export type WorkArgs<Name extends WorkName> = Parameters<Works[Name]>[0]
export type WorkValue<Name extends WorkName> = Awaited<ReturnType<Works[Name]>>

/** Whoever does such work. */
export interface Documents {
  work<Name extends WorkName>(name: Name, args: WorkArgs<Name>): Promise<WorkValue<Name> | TooMuchWork>
}

/**
 * The same with bytes of their own: a view sent to a thread takes along all that it is a view of, and what was read in one go
 * shares one buffer.
 */
export function withOwnBytes<Args>(args: Args): Args {
  if (args instanceof Uint8Array)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy of it.
    return (args.byteLength === args.buffer.byteLength ? args : Uint8Array.from(args)) as Args
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields.
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, withOwnBytes(value)])) as Args
}

/**
 * Large documents of which nobody has use any more once they are read, and those that were copied to be sent: they change
 * threads, and are not in memory twice.
 */
export function givenAway<Name extends WorkName>(
  name: Name,
  args: WorkArgs<Name>,
  before: WorkArgs<Name> = args,
): ArrayBuffer[] {
  const isLast = name === 'sitemap' || name === 'reply' || name === 'captures'
  const body = bodyIn(args)
  const isNobodys = isLast || body !== bodyIn(before)
  if (!isNobodys || body === undefined || body.length <= MAX_LIGHT_BYTES) return []
  const { buffer, byteLength } = body
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}

function bodyIn<Name extends WorkName>(args: WorkArgs<Name>): Uint8Array | undefined {
  if (!('exchange' in args)) return args.body
  return args.exchange.kind === 'answered' ? args.exchange.body : undefined
}

export interface DocumentJob {
  readonly name: WorkName
  readonly args: unknown
}

export function doWork({ name, args }: DocumentJob): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Documents.work` has put the two together.
  return (DOCUMENT_WORK[name] as (given: unknown) => unknown)(args)
}

/** In this thread. */
export const ownDocuments: Documents = {
  work: async <Name extends WorkName>(name: Name, args: WorkArgs<Name>): Promise<WorkValue<Name>> =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above.
    (await doWork({ name, args })) as WorkValue<Name>,
}

/** Read in a few milliseconds at most, whatever it is. */
const MAX_LIGHT_BYTES = 32 << 10

const ALWAYS_HEAVY: ReadonlySet<WorkName> = new Set(['delta', 'dictionary', 'batch', 'captures', 'stretch', 'news'])

/** Small, also when it is unpacked, and no difference or archive. */
export function isLight<Name extends WorkName>(name: Name, args: WorkArgs<Name>): boolean {
  if (ALWAYS_HEAVY.has(name)) return false
  if ('entry' in args && args.entry.bytes > MAX_LIGHT_UNPACKED_BYTES) return false
  if (!('exchange' in args)) return isSmall(args.body, 'coding' in args ? args.coding : undefined)
  const { ask, exchange } = args
  if (exchange.kind === 'failed') return true
  const isArchive = ask.reads?.reader === 'batch' || ask.reads?.reader === 'archive'
  return !isArchive && isSmall(exchange.body, headerOf(exchange.head.headers, 'content-encoding'))
}

function isSmall(body: Uint8Array, coding: string | undefined): boolean {
  const isPlain = coding === undefined || coding === '' || coding.toLowerCase() === 'identity'
  if (body.length > MAX_LIGHT_BYTES || (isPlain && isPackedList(body))) return false
  return isPlain || unpacksToLittle(body, coding)
}

/** Most rules and lists that come packed: a thread takes longer to start than they take to read. */
const MAX_LIGHT_UNPACKED_BYTES = 256 << 10

const unpacksToLittle = (body: Uint8Array, coding: string): boolean =>
  decodeBody(body, coding, { maxBytes: MAX_LIGHT_UNPACKED_BYTES }).kind === 'ok'

function versionOf({ body, coding, maxBytes }: Coded): BodyVersion | undefined {
  const decoded = decodeBody(body, coding, { maxBytes })
  if (decoded.kind !== 'ok') return undefined
  return { key: contentKey(decoded.body), digest: `sha-256:${hash('sha256', decoded.body, 'hex')}` }
}

async function manifestOf({ body, entry, url }: ManifestWork): Promise<ReadSyncDocument | 'damaged'> {
  const unpacked = await unpackEntry(inMemory(body), entry)
  return unpacked === undefined ? 'damaged' : readSyncDocument(unpacked, url)
}

function batchOf({ body, coding, maxBytes }: Coded): UnpackedBatch {
  const decoded = decodeBody(body, coding, { maxBytes })
  if (!('body' in decoded)) return { kind: 'unreadable', problem: `its answer cannot be unpacked: ${decoded.kind}` }
  return { kind: 'batch', ...ownPages(readBatchAnswer(decoded.body)), isWhole: decoded.kind === 'ok' }
}

/** Twice what RFC 9309 §2.5 wants read at least; what a site is asked for by itself is not longer either. */
const MAX_KEPT_RULES = 1 << 20

async function rulesOf({ body, coding, maxBytes, productToken }: RulesWork): Promise<ReadRules> {
  const head: Uint8Array[] = []
  let room = MAX_KEPT_RULES
  const end = await eachPiece(unpackedPieces(body, coding, { maxBytes }), (piece) => {
    if (room > 0) head.push(new Uint8Array(piece.subarray(0, room)))
    room -= piece.length
    release(piece)
  })
  const text = new Uint8Array(Buffer.concat(head))
  return { end, body: text, robots: packRobots(text, productToken) }
}

/** What a cut or corrupt coding still gave is read: a sitemap is a list of claims, each good by itself. */
async function locsOf({ body, coding, maxBytes, url, urlRules }: SitemapWork): Promise<readonly ListedLoc[]> {
  const locs: ListedLoc[] = []
  const reader = createSitemapReader({
    url,
    onMark: () => undefined,
    onEntry: ({ kind, loc: told, marks = [] }) => {
      const loc = canonicalUrl(told, url, urlRules)
      if (loc !== undefined) locs.push({ kind, loc, type: typeOfMarks(marks) })
    },
  })
  let isHeld: boolean | undefined
  await eachPiece(unpackedPieces(body, coding, { maxBytes, alsoGzip: true }), (piece) => {
    // Packed once more, the reader has to have all of it first.
    isHeld ??= isPackedList(piece)
    reader.write(piece)
    if (!isHeld) release(piece)
  })
  reader.end()
  return locs
}

/** Whoever reads gives each back when it was read: however much there is of it, little is in memory. */
async function eachPiece(
  pieces: AsyncGenerator<Uint8Array, UnpackedEnd>,
  read: (piece: Uint8Array) => void,
): Promise<UnpackedEnd> {
  for (;;) {
    const { value, done } = await pieces.next()
    if (done === true) return value
    read(value)
  }
}

const MAX_UNPACKED_INDEX = 256 << 20
const MAX_CAPTURES = 1_000_000

/** What is wrong with it, where it cannot be read. */
function capturesOf({
  body,
  isPacked,
}: {
  readonly body: Uint8Array
  readonly isPacked: boolean
}): CdxjEntry[] | string {
  const work = WorkBudget.of('list')
  const decoded = decodeBody(body, isPacked ? 'gzip' : undefined, { maxBytes: MAX_UNPACKED_INDEX })
  if (decoded.kind === 'too-large') return 'its index is too large'
  if (decoded.kind !== 'ok') return 'its index is damaged'
  const bytes = Buffer.from(decoded.body.buffer, decoded.body.byteOffset, decoded.body.length)
  const captures: CdxjEntry[] = []
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(NEWLINE, at)
    const end = found < 0 ? bytes.length : found
    const capture = parseCdxjLine(bytes.toString('utf8', at, end))
    at = end + 1
    if (capture !== undefined) captures.push(capture)
    if (captures.length > MAX_CAPTURES) return `it has more than ${MAX_CAPTURES} pages`
    if (!work.spend(capture === undefined ? 'badLine' : 'line')) return TOO_MUCH_WORK
  }
  return captures
}

const NEWLINE = 10
