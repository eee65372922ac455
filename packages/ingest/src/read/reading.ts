/**
 * Reading: everything that can be learnt from one answer without asking anybody: decode, parse, resolve, hash, and
 * write the WARC records. Pure, and four fifths of a crawl's work, so it runs in worker threads (`read/pool.ts`).
 *
 * Links come back as one table of numbers and one run of text, so that the main thread can test nine in ten as already
 * known without making a string of them.
 */
import { randomUUID } from 'node:crypto'
import {
  createLinkResolver,
  decodeBody,
  decodeText,
  gzipRecord,
  gzipResponse,
  storedRecord,
  headerOf,
  isReadAsText,
  likelyKindOf,
  mediaKindOf,
  parseRobotsDirectives,
  payloadDigest,
  readHtml,
  requestHead,
  metadataRecord,
  needsScripts,
  requestRecord,
  resourceRecord,
  responseHead,
  simhash,
  siteOf,
  TOO_MUCH_WORK,
  writeUrlKey,
} from '@comity/protocol'
import type {
  DecodedBody,
  HeaderList,
  HtmlLinkKind,
  HtmlPage,
  Instant,
  LinkResolver,
  MediaKind,
  TooMuchWork,
  UrlRules,
  WarcRecord,
} from '@comity/protocol'
import { isBinary } from './binary-body.ts'
import { wordsOfPage, wordsOfText } from './term-sender.ts'
import type { TermSender } from './term-sender.ts'
import type { Topic, TopicReader, TopicSense } from './topic-reader.ts'
// Not the whole package: a thread that reads pages has no use for a database.
import { packAnchors } from '@comity/collection/internal'
import { contentKey } from '../content-key.ts'

export interface ReadingOptions {
  readonly productToken: string
  readonly urlRules: UrlRules
  readonly maxDecodedBytes: number
  /** Media kinds that are followed. */
  readonly kinds: readonly MediaKind[]
  readonly gzipLevel: number
  /** Without words nobody asks what a page is about. */
  readonly topic: Topic
}

export interface Answered {
  readonly url: string
  readonly at: Instant
  readonly address: string
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderList
  /** What we asked with; or, of a page that nobody asked for by itself, how it came. */
  readonly origin: { readonly requestHeaders: HeaderList } | Brought
  readonly body: Uint8Array<ArrayBuffer>
  readonly truncated?: 'length' | 'time' | 'disconnect' | undefined
  /** Somebody else has archived it: the record is as theirs is, and nothing stands beside it. */
  readonly archived?: ArchivedAs | undefined
}

export interface ArchivedAs {
  /** A bare UUID; undefined when the archive names it in another way. */
  readonly recordId?: string | undefined
  /** As the archive has it. */
  readonly httpHead: Uint8Array
  /** There was no HTTP answer: the page alone was archived, as one of this type. */
  readonly resourceType?: string | undefined
}

/** How a page came that was not asked for by itself, for the archive to say (WARC 1.1 §6.6). */
interface Brought {
  readonly how: string
  /** Who said so: a site, a document of it, a gateway, a program. */
  readonly via: string
  /** `answer`: an HTTP answer was seen. `resource`: the page alone. `extracted-text`: what somebody read in it. */
  readonly as: 'answer' | 'resource' | 'extracted-text'
}

/** What the page says about itself. */
export interface PageSense extends TopicSense {
  readonly kind: MediaKind
  readonly title?: string | undefined
  readonly language?: string | undefined
  readonly charset?: string | undefined
  readonly canonical?: string | undefined
  /** Of its site (ResourceSync 1.1 §6.3.2). */
  readonly capabilityList?: string | undefined
  /** Of its site, perhaps. */
  readonly feeds?: readonly string[] | undefined
  readonly simhash?: readonly [high: number, low: number] | undefined
  readonly noindex: boolean
  readonly nofollow: boolean
  readonly noarchive: boolean
  /** It shows next to nothing without them. */
  readonly needsScripts?: boolean | undefined
}

export interface Reading {
  readonly digest: string
  /** Of the body without its content coding; undefined when it is not whole or could not be decoded. */
  readonly contentKey?: Uint8Array | undefined
  /** What came, and what was asked or who brought it, one gzip member each. */
  readonly record: Uint8Array<ArrayBuffer>
  readonly beside: Uint8Array<ArrayBuffer>
  /** It came without an HTTP answer, and is of this type. */
  readonly resourceType?: string | undefined
  readonly recordId: string
  /** The body's own buffer has changed threads; this is how long it was. */
  readonly bodyBytes: number
  readonly sense: PageSense
  readonly links: LinkTable
  /** A coding that could not be undone, or what is no text. */
  readonly problem?:
    | { readonly outcome: 'bad-coding' | 'decoded-too-large' | 'not-text' | TooMuchWork; readonly message: string }
    | undefined
}

/** Links of a page, once each: site number, key, flags and end of text for each, and the texts after their sites. */
export interface LinkTable {
  readonly sites: readonly string[]
  /** Per link: index into `sites`, key high, key low, flags, end of its text. */
  readonly rows: Uint32Array<ArrayBuffer>
  readonly texts: Uint8Array<ArrayBuffer>
  /** As `packAnchors` makes it, one anchor a row. */
  readonly anchors: Uint8Array<ArrayBuffer>
}

type Kinds = readonly MediaKind[]

export const LINK_WORDS = 5
/** The page asks not to follow it. */
export const NOFOLLOW = 1
/** Its kind, by the element or by its ending, is not among those wanted. */
export const UNWANTED_KIND = 2

const MIN_SIMHASH_CHARS = 120

const NO_LINKS: LinkTable = {
  sites: [],
  rows: new Uint32Array(0),
  texts: new Uint8Array(0),
  anchors: new Uint8Array(0),
}

/** What learns from page to page, so that whoever reads keeps it. */
export interface ReadingMemory {
  readonly topic: TopicReader
  /** To whoever indexes. */
  readonly terms: TermSender
}

export function read(answered: Answered, options: ReadingOptions, memory?: ReadingMemory): Reading {
  return readDecoded(answered, decodedBody(answered, options.maxDecodedBytes), options, memory)
}

/** The same for whoever must not be held up: undefined when the body unpacks to more than this. */
export function readWithin(
  maxBytes: number,
  answered: Answered,
  options: ReadingOptions,
  memory?: ReadingMemory,
): Reading | undefined {
  const decoded = decodedBody(answered, Math.min(maxBytes, options.maxDecodedBytes))
  return decoded.kind === 'too-large' ? undefined : readDecoded(answered, decoded, options, memory)
}

/** An answer that nobody could read in time: kept as it came, and nothing is learnt from it. */
export function keepUnread(answered: Answered, options: ReadingOptions): Reading {
  const message = 'it takes more work to read than it can be worth'
  return { ...bareReading(answered, options), problem: { outcome: TOO_MUCH_WORK, message } }
}

/** What is not whole is not looked into. */
function decodedBody({ headers, body, truncated }: Answered, maxBytes: number): DecodedBody {
  if (truncated !== undefined) return { kind: 'truncated', body }
  return decodeBody(body, headerOf(headers, 'content-encoding'), { maxBytes })
}

function bareReading(answered: Answered, { gzipLevel, productToken }: ReadingOptions): Reading {
  const { url, headers, body } = answered
  const digest = payloadDigest(body)
  const recordId = answered.archived?.recordId ?? randomUUID()
  const records = recordsOf(answered, digest, recordId, gzipLevel)
  const kind = mediaKindOf(headerOf(headers, 'content-type'), url)
  const sense: PageSense = {
    kind,
    ...wishesOf(parseRobotsDirectives(valuesOf(headers, 'x-robots-tag'), productToken)),
  }
  return { digest, recordId, bodyBytes: body.length, ...records, sense, links: NO_LINKS }
}

function readDecoded(
  answered: Answered,
  decoded: DecodedBody,
  options: ReadingOptions,
  memory?: ReadingMemory,
): Reading {
  const { url, headers, body, truncated } = answered
  const bare = bareReading(answered, options)
  const { kind } = bare.sense
  // A body that is not whole is kept, but what it says is not believed.
  if (truncated !== undefined || body.length === 0) return bare
  if (kind !== 'page') {
    if (decoded.kind === 'ok') tellText(answered, bare, decoded.body, memory?.terms)
    return { ...bare, contentKey: keyOf(decoded) }
  }
  if (decoded.kind !== 'ok') {
    const outcome = decoded.kind === 'too-large' ? 'decoded-too-large' : 'bad-coding'
    return { ...bare, problem: { outcome, message: codingProblem(decoded) } }
  }
  const { text, charset } = decodeText(decoded.body, headerOf(headers, 'content-type'))
  if (isBinary(decoded.body, charset.label)) {
    const message = `it is called ${typeOf(headers)}, and its bytes are no text`
    return { ...bare, contentKey: keyOf(decoded), problem: { outcome: 'not-text', message } }
  }
  const page = readHtml(text)
  const resolve = createLinkResolver(baseOf(page, url), options.urlRules)
  const said = valuesOf(headers, 'x-robots-tag')
  const about = memory?.topic.read({ title: page.title ?? '', body: page.text })
  const scripts = needsScripts(text, page) || undefined
  const told = senseOf(page, resolve, said, options.productToken)
  const sense = { kind, charset: charset.label, ...told, ...about, needsScripts: scripts }
  const links = linkTable(page, url, resolve, sense.nofollow, options.kinds)
  const terms = memory?.terms
  if (isFound(answered, sense, terms))
    terms.add(url, bare.digest, headerOf(headers, 'content-type') ?? '', wordsOfPage(page))
  return { ...bare, contentKey: keyOf(decoded), sense, links }
}

function tellText(answered: Answered, { sense, digest }: Reading, body: Uint8Array, terms?: TermSender): void {
  const { url, headers } = answered
  const type = headerOf(headers, 'content-type')
  if (!isFound(answered, sense, terms) || !isReadAsText(sense.kind, type)) return
  terms.add(url, digest, type ?? '', wordsOfText(decodeText(body, type).text))
}

/** It may be found by its words, and somebody wants them. */
const isFound = ({ status }: Answered, { noindex }: PageSense, terms?: TermSender): terms is TermSender =>
  status === 200 && !noindex && terms?.isOpen === true

function keyOf(decoded: DecodedBody): Uint8Array | undefined {
  return decoded.kind === 'ok' ? contentKey(decoded.body) : undefined
}

function recordsOf(
  answered: Answered,
  digest: string,
  recordId: string,
  level: number,
): Pick<Reading, 'record' | 'beside' | 'resourceType'> {
  const { url, at, address, headers, origin, body, archived } = answered
  const common = { url, at, ...(address === '' ? {} : { ip: address }) }
  const isBare = 'as' in origin && origin.as !== 'answer'
  const resourceType = archived?.resourceType ?? (isBare ? typeOf(headers) : undefined)
  const record =
    resourceType === undefined
      ? gzipResponse(answerParts(answered, common, digest, recordId), level)
      : gzipRecord(resourceRecord({ ...common, recordId, type: resourceType, body, payloadDigest: digest }), level)
  const beside = archived === undefined ? storedRecord(besideRecord(answered, common, recordId)) : []
  return { record, beside: new Uint8Array(beside), resourceType }
}

interface Common {
  readonly url: string
  readonly at: Instant
  readonly ip?: string
}

const typeOf = (headers: HeaderList): string => headerOf(headers, 'content-type') ?? 'application/octet-stream'

function answerParts(
  answered: Answered,
  common: Common,
  digest: string,
  recordId: string,
): Parameters<typeof gzipResponse>[0] {
  const { status, statusText, headers, body, truncated, archived } = answered
  const httpHead = archived?.httpHead ?? responseHead({ status, statusText, headers })
  const cut = truncated === undefined ? {} : { truncated }
  return { ...common, recordId, httpHead, body, payloadDigest: digest, blockDigest: false, ...cut }
}

/** What we asked, where we did; otherwise who brought the page, and how. */
function besideRecord({ url, origin }: Answered, common: Common, recordId: string): WarcRecord {
  if ('requestHeaders' in origin) {
    const target = url.slice(siteOf(url).length)
    const httpHead = requestHead({ method: 'GET', target, headers: origin.requestHeaders })
    return requestRecord({ ...common, httpHead, concurrentTo: [recordId] })
  }
  const { how, via, as } = origin
  const content = as === 'extracted-text' ? ([['content', as]] as const) : []
  return metadataRecord({ ...common, refersTo: recordId, fields: [['via', via], ['how', how], ...content] })
}

/** What relative links start from (HTML §2.4.3): `<base href>` where there is one that means anything. */
function baseOf(page: HtmlPage, url: string): string {
  const base = page.base === undefined ? null : URL.parse(page.base, url)
  return base === null ? url : base.href
}

function senseOf(
  page: HtmlPage,
  resolve: LinkResolver,
  tags: readonly string[],
  productToken: string,
): Omit<PageSense, 'kind' | 'charset' | 'needsScripts'> {
  const metas = page.robots.map(({ agent, content }) => (agent === 'robots' ? content : `${agent}: ${content}`))
  return {
    title: page.title,
    language: page.lang,
    canonical: page.canonical === undefined ? undefined : resolve(page.canonical),
    capabilityList: page.capabilityList === undefined ? undefined : resolve(page.capabilityList),
    feeds: page.feeds?.flatMap((href) => resolve(href) ?? []),
    // Too few words say nothing: every empty page would be a near duplicate of every other.
    simhash: page.text.length < MIN_SIMHASH_CHARS ? undefined : simhash(page.text),
    ...wishesOf(parseRobotsDirectives([...tags, ...metas], productToken)),
  }
}

/** The links of a page that came as its words, as if it had been read here. */
export function shippedLinks(
  {
    url,
    links,
  }: { readonly url: string; readonly links: readonly { readonly url: string; readonly anchor: string }[] },
  { urlRules, kinds }: Pick<ReadingOptions, 'urlRules' | 'kinds'>,
): LinkTable {
  const shipped = links.map(({ url: href, anchor }) => ({ href, anchor, rel: '', kind: 'page' as const }))
  return linkTable({ links: shipped }, url, createLinkResolver(url, urlRules), false, kinds)
}

type ReadLink = Pick<HtmlPage['links'][number], 'href' | 'anchor' | 'rel' | 'kind' | 'type'>

/** Each target once. Keys are compared, not strings: hashing a hundred URLs twice is what this would cost otherwise. */
function linkTable(
  page: { readonly links: readonly ReadLink[] },
  url: string,
  resolve: LinkResolver,
  nofollow: boolean,
  kinds: Kinds,
): LinkTable {
  const table = new LinkCollector(page.links.length)
  for (const link of page.links) {
    const target = resolve(link.href)
    if (target === undefined || target === url) continue
    const flags =
      (nofollow || (link.rel !== '' && link.rel.includes('nofollow')) ? NOFOLLOW : 0) |
      (isWanted(link, target, kinds) ? 0 : UNWANTED_KIND)
    table.add(target, link.anchor, flags)
  }
  return table.done()
}

class LinkCollector {
  readonly #sites: string[] = []
  readonly #rows: Uint32Array<ArrayBuffer>
  readonly #slots: Int32Array
  readonly #paths: string[] = []
  readonly #anchors: string[] = []
  #site = ''
  #number = 0
  #end = 0

  constructor(most: number) {
    this.#rows = new Uint32Array(most * LINK_WORDS + LINK_WORDS)
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(most * 2 + 2))).fill(-1)
  }

  add(target: string, anchor: string, flags: number): void {
    const number = this.#numberOf(target)
    const path = target.slice(this.#site.length)
    const rows = this.#rows
    const count = this.#paths.length
    const at = count * LINK_WORDS
    rows[at] = number
    writeUrlKey(path, rows, at + 1)
    const known = this.#knownAs(at)
    if (known === count) {
      this.#end += path.length
      rows[at + 3] = flags
      rows[at + 4] = this.#end
      this.#paths.push(path)
      this.#anchors.push(anchor)
      return
    }
    // The link that asks least of us decides, and the first that has words for its target names it.
    const row = known * LINK_WORDS + 3
    rows[row] = (rows[row] as number) & flags
    if (this.#anchors[known] === '') this.#anchors[known] = anchor
  }

  done(): LinkTable {
    // Canonical URLs are ASCII: a character is a byte.
    const texts = new Uint8Array(this.#end)
    Buffer.from(texts.buffer).write(this.#paths.join(''), 'latin1')
    const rows = this.#rows.slice(0, this.#paths.length * LINK_WORDS)
    return { sites: this.#sites, rows, texts, anchors: new Uint8Array(packAnchors(this.#anchors)) }
  }

  /** The row with the same site and key as the one at `at`, which is entered when there is none. */
  #knownAs(at: number): number {
    const rows = this.#rows
    const slots = this.#slots
    const mask = slots.length - 1
    for (let slot = (rows[at + 2] as number) & mask; ; slot = (slot + 1) & mask) {
      const row = slots[slot] as number
      if (row === -1) return (slots[slot] = at / LINK_WORDS)
      const other = row * LINK_WORDS
      if (rows[other + 2] === rows[at + 2] && rows[other + 1] === rows[at + 1] && rows[other] === rows[at]) return row
    }
  }

  /** Most links of a page lead to one site, so the last one is tried first. */
  #numberOf(target: string): number {
    if (this.#site !== '' && target.startsWith(this.#site) && target[this.#site.length] === '/') return this.#number
    this.#site = siteOf(target)
    const known = this.#sites.indexOf(this.#site)
    this.#number = known === -1 ? this.#sites.push(this.#site) - 1 : known
    return this.#number
  }
}

const KIND_OF_ELEMENT: Readonly<Record<HtmlLinkKind, MediaKind | undefined>> = {
  page: undefined,
  frame: 'page',
  refresh: 'page',
  alternate: undefined,
  image: 'image',
  style: 'style',
  script: 'script',
  media: 'media',
}

/** A link that could be anything is taken for a page; one that says what it is must be wanted. */
function isWanted({ kind: element, type }: ReadLink, target: string, kinds: Kinds): boolean {
  const kind = KIND_OF_ELEMENT[element] ?? (isMediaType(type) ? mediaKindOf(type, target) : likelyKindOf(target))
  return kind === undefined ? true : kinds.includes(kind)
}

/** `<a type="button">` is met on many pages, and says nothing of where it leads. */
const isMediaType = (type: string | undefined): boolean => type?.includes('/') === true

function wishesOf(d: { noindex: boolean; nofollow: boolean; noarchive: boolean }): {
  noindex: boolean
  nofollow: boolean
  noarchive: boolean
} {
  return { noindex: d.noindex, nofollow: d.nofollow, noarchive: d.noarchive }
}

function valuesOf(headers: HeaderList, name: string): string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)
}

function codingProblem(decoded: { kind: string; coding?: string; message?: string }): string {
  if (decoded.kind === 'too-large') return 'the decoded body passes the limit'
  return decoded.coding === undefined ? (decoded.message ?? decoded.kind) : `unknown content coding ${decoded.coding}`
}
