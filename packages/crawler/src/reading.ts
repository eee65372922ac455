/**
 * Reading: everything that can be learnt from one answer without asking anybody: decode, parse, resolve, hash, and
 * write the WARC records. Pure, and four fifths of a crawl's work, so it runs in worker threads (`reading-pool.ts`).
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
  headerOf,
  likelyKindOf,
  mediaKindOf,
  parseRobotsDirectives,
  payloadDigest,
  readHtml,
  requestHead,
  requestRecord,
  responseHead,
  responseRecord,
  simhash,
  siteOf,
  writeUrlKey,
} from '@comity/protocol'
import type { HeaderList, HtmlLinkKind, HtmlPage, Instant, MediaKind, UrlRules } from '@comity/protocol'
import { packAnchors } from '@comity/collection'

export interface ReadingOptions {
  readonly productToken: string
  readonly urlRules: UrlRules
  readonly maxDecodedBytes: number
  /** Media kinds that are followed. */
  readonly kinds: readonly MediaKind[]
  readonly gzipLevel: number
}

export interface Answered {
  readonly url: string
  readonly at: Instant
  readonly address: string
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderList
  readonly requestHeaders: HeaderList
  readonly body: Uint8Array<ArrayBuffer>
  readonly truncated?: 'length' | 'time' | 'disconnect' | undefined
}

/** What the page says about itself. */
export interface PageSense {
  readonly kind: MediaKind
  readonly title?: string | undefined
  readonly language?: string | undefined
  readonly charset?: string | undefined
  readonly canonical?: string | undefined
  readonly refreshTo?: string | undefined
  readonly words: number
  readonly simhash?: readonly [high: number, low: number] | undefined
  readonly noindex: boolean
  readonly nofollow: boolean
  readonly noarchive: boolean
}

export interface Reading {
  readonly digest: string
  /** The response and the request, one gzip member each. */
  readonly response: Uint8Array<ArrayBuffer>
  readonly request: Uint8Array<ArrayBuffer>
  readonly recordId: string
  /** The body's own buffer has changed threads; this is how long it was. */
  readonly bodyBytes: number
  readonly sense: PageSense
  readonly links: LinkTable
  /** A coding that could not be undone. */
  readonly problem?: { readonly outcome: 'bad-coding' | 'decoded-too-large'; readonly message: string } | undefined
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

export const LINK_WORDS = 5
/** The page asks not to follow it. */
export const NOFOLLOW = 1
/** Its kind, by the element or by its ending, is not among those wanted. */
export const UNWANTED_KIND = 2

const NO_LINKS: LinkTable = {
  sites: [],
  rows: new Uint32Array(0),
  texts: new Uint8Array(0),
  anchors: new Uint8Array(0),
}

export function read(answered: Answered, options: ReadingOptions): Reading {
  const { url, headers, body, truncated } = answered
  const digest = payloadDigest(body)
  const recordId = randomUUID()
  const records = recordsOf(answered, digest, recordId, options.gzipLevel)
  const kind = mediaKindOf(headerOf(headers, 'content-type'), url)
  const directives = parseRobotsDirectives(valuesOf(headers, 'x-robots-tag'), options.productToken)
  const bare: PageSense = { kind, words: 0, ...flags(directives) }
  const base = { digest, recordId, bodyBytes: body.length, ...records }
  // A body that is not whole is kept, but what it says is not believed.
  if (kind !== 'page' || truncated !== undefined || body.length === 0) return { ...base, sense: bare, links: NO_LINKS }
  const decoded = decodeBody(body, headerOf(headers, 'content-encoding'), { maxBytes: options.maxDecodedBytes })
  if (decoded.kind !== 'ok') {
    const outcome = decoded.kind === 'too-large' ? 'decoded-too-large' : 'bad-coding'
    return { ...base, sense: bare, links: NO_LINKS, problem: { outcome, message: codingProblem(decoded) } }
  }
  const { text, charset } = decodeText(decoded.body, headerOf(headers, 'content-type'))
  const page = readHtml(text)
  const sense = senseOf(page, kind, charset.label, url, valuesOf(headers, 'x-robots-tag'), options)
  return { ...base, sense, links: linkTable(page, url, sense.nofollow, options) }
}

function recordsOf(
  answered: Answered,
  digest: string,
  recordId: string,
  level: number,
): Pick<Reading, 'response' | 'request'> {
  const { url, at, address, status, statusText, headers, requestHeaders, body, truncated } = answered
  const common = { url, at, ip: address }
  const httpHead = responseHead({ status, statusText, headers })
  const cut = truncated === undefined ? {} : { truncated }
  const response = responseRecord({ ...common, recordId, httpHead, body, payloadDigest: digest, ...cut })
  const target = url.slice(siteOf(url).length)
  const head = requestHead({ method: 'GET', target, headers: requestHeaders })
  const request = requestRecord({ ...common, httpHead: head, concurrentTo: [recordId] })
  return { response: gzipped(response, level), request: gzipped(request, level) }
}

/** Its own buffer, so that it can change threads without a copy. */
function gzipped(record: Parameters<typeof gzipRecord>[0], level: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipRecord(record, level))
}

function senseOf(
  page: HtmlPage,
  kind: MediaKind,
  charset: string,
  url: string,
  tags: readonly string[],
  options: ReadingOptions,
): PageSense {
  const metas = page.robots.map(({ agent, content }) => (agent === 'robots' ? content : `${agent}: ${content}`))
  const directives = parseRobotsDirectives([...tags, ...metas], options.productToken)
  const resolve = createLinkResolver(page.base ?? url, options.urlRules)
  const words = countWords(page.text)
  return {
    kind,
    charset,
    words,
    title: page.title,
    language: page.lang,
    canonical: page.canonical === undefined ? undefined : resolve(page.canonical),
    refreshTo: page.refresh === undefined ? undefined : resolve(page.refresh.href),
    // Too few words say nothing: every empty page would be a near duplicate of every other.
    simhash: words < 20 ? undefined : simhash(page.text),
    ...flags(directives),
  }
}

function linkTable(page: HtmlPage, url: string, nofollow: boolean, options: ReadingOptions): LinkTable {
  const base = page.base === undefined ? url : (URL.parse(page.base, url)?.href ?? url)
  const resolve = createLinkResolver(base, options.urlRules)
  const found = new Map<string, { anchor: string; flags: number }>()
  for (const link of page.links) {
    const target = resolve(link.href)
    if (target === undefined || target === url) continue
    const flags =
      (nofollow || link.rel.includes('nofollow') ? NOFOLLOW : 0) |
      (isWanted(link.kind, target, options.kinds) ? 0 : UNWANTED_KIND)
    const known = found.get(target)
    if (known === undefined) found.set(target, { anchor: link.anchor, flags })
    else {
      // The link that asks least of us decides, and the first that has words for its target names it.
      known.flags &= flags
      if (known.anchor === '') known.anchor = link.anchor
    }
  }
  return packLinks(found)
}

function packLinks(found: ReadonlyMap<string, { anchor: string; flags: number }>): LinkTable {
  const sites = new Map<string, number>()
  const rows = new Uint32Array(found.size * LINK_WORDS)
  const paths: string[] = []
  let at = 0
  let end = 0
  for (const [target, { flags }] of found) {
    const site = siteOf(target)
    const path = target.slice(site.length)
    const number = sites.get(site) ?? sites.size
    if (number === sites.size) sites.set(site, number)
    end += path.length
    rows[at] = number
    writeUrlKey(path, rows, at + 1)
    rows[at + 3] = flags
    rows[at + 4] = end
    at += LINK_WORDS
    paths.push(path)
  }
  // Canonical URLs are ASCII: a character is a byte.
  const texts = new Uint8Array(end)
  Buffer.from(texts.buffer).write(paths.join(''), 'latin1')
  const anchors = packAnchors(Array.from(found.values(), (link) => link.anchor))
  return { sites: [...sites.keys()], rows, texts, anchors: new Uint8Array(anchors) }
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
function isWanted(element: HtmlLinkKind, target: string, kinds: readonly MediaKind[]): boolean {
  const kind = KIND_OF_ELEMENT[element] ?? likelyKindOf(target)
  return kind === undefined ? true : kinds.includes(kind)
}

function flags(d: { noindex: boolean; nofollow: boolean; noarchive: boolean }): {
  noindex: boolean
  nofollow: boolean
  noarchive: boolean
} {
  return { noindex: d.noindex, nofollow: d.nofollow, noarchive: d.noarchive }
}

function valuesOf(headers: HeaderList, name: string): string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)
}

function countWords(text: string): number {
  let words = 0
  let inside = false
  for (let i = 0; i < text.length; i++) {
    const space = text.charCodeAt(i) <= 32
    if (inside && space) words++
    inside = !space
  }
  return inside ? words + 1 : words
}

function codingProblem(decoded: { kind: string; coding?: string; message?: string }): string {
  if (decoded.kind === 'too-large') return 'the decoded body passes the limit'
  return decoded.coding === undefined ? (decoded.message ?? decoded.kind) : `unknown content coding ${decoded.coding}`
}
