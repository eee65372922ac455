/**
 * Sitemap: the pages a site says it has (https://www.sitemaps.org/protocol.html), read as its bytes come.
 *
 * Takes every format of `feeds/list-formats.ts` (sitemaps, RSS, Atom, JSON Feed) and plain lists, also compressed with gzip. Whatever is wrong is counted by
 * name and the rest is read; no document makes it throw. Entries are claims: the caller decides which hosts a site may
 * speak for.
 */
import type { TextDecoder } from 'node:util'
import { constants, gunzipSync } from 'node:zlib'
import { ByteQueue } from '../http/byte-queue.ts'
import { isPackedList } from '../coding/packing.ts'
import { SNIFF_BYTES, xmlDecoder } from './xml-encoding.ts'
import { LenientXml, type XmlProblem } from './lenient-xml.ts'
import { EntryReader } from './sitemap-entry.ts'
import type { EntryProblem, SitemapEntry, SitemapMark } from './sitemap-entry.ts'
import { isFeed } from './list-formats.ts'
import type { SitemapFormat } from './list-formats.ts'
import { readJsonFeed } from './json-feed.ts'
import type { JsonFeedProblem } from './json-feed.ts'

export interface SitemapLimits {
  /** Uncompressed; compressed bytes are held to the same. */
  readonly maxBytes: number
  readonly maxEntries: number
  readonly maxLocChars: number
}

/** As sitemaps.org sets them; feeds are held to the same. */
export const SITEMAP_LIMITS: SitemapLimits = { maxBytes: 52_428_800, maxEntries: 50_000, maxLocChars: 2_048 }

/** Around a loc in a plain list. */
const MOST_BLANKS = 64

/** Parsed at once, and many times as large in memory. Feeds have some hundred kilobytes. */
const MAX_JSON_CHARS = 4 << 20

export type SitemapProblem = XmlProblem | EntryProblem | JsonFeedProblem | 'too-large' | 'bad-gzip' | 'unknown-encoding'

export interface SitemapSummary {
  readonly format: SitemapFormat
  /** Entries given out. */
  readonly entries: number
  /** Entries beyond the limit: seen, not given out. */
  readonly dropped: number
  /**
   * It can stand for all pages of its site: a sitemap or a plain list of which no entry was lost. A feed and a sitemap of news
   * have the newest pages, and what nobody knows says nothing: a page that one of those does not name any more is not gone.
   */
  readonly isWhole: boolean
  readonly problems: Readonly<Partial<Record<SitemapProblem, number>>>
}

export interface SitemapReader {
  write(chunk: Uint8Array): void
  end(): SitemapSummary
}

interface SitemapReaderOptions {
  /** Where the sitemap stands; relative locs are resolved against it. */
  readonly url: string
  readonly onEntry: (entry: SitemapEntry) => void
  /** Takes the marks of the document itself; entries then carry theirs. */
  readonly onMark?: (mark: SitemapMark) => void
  readonly limits?: Partial<SitemapLimits> | undefined
}

export function createSitemapReader(options: SitemapReaderOptions): SitemapReader {
  return new StreamingReader(options)
}

/** Read a sitemap held in memory. */
export function readSitemap(
  bytes: Uint8Array,
  url: string,
  limits: Partial<SitemapLimits> = {},
): { readonly entries: readonly SitemapEntry[]; readonly summary: SitemapSummary } {
  const entries: SitemapEntry[] = []
  const reader = createSitemapReader({ url, limits, onEntry: (entry) => entries.push(entry) })
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) reader.write(bytes.subarray(at, at + SLICE_BYTES))
  return { summary: reader.end(), entries }
}

class StreamingReader implements SitemapReader {
  readonly #limits: SitemapLimits
  readonly #url: string
  readonly #onEntry: (entry: SitemapEntry) => void
  readonly #problems = new Map<SitemapProblem, number>()
  readonly #held: ByteQueue = new ByteQueue()
  readonly #elements: EntryReader
  #bytes = 0
  #decoder: TextDecoder | undefined
  #xml: LenientXml | undefined
  /** The unfinished last line of a plain list. */
  #line: string | undefined
  /** All of a JSON document. */
  #json: string | undefined
  #isJsonFeed = false
  #entries = 0
  #dropped = 0
  /** Of some page nobody can tell the address: it was misspelt, or in letters that could not be read. */
  #isGarbled = false

  constructor({ url, onEntry, onMark, limits }: SitemapReaderOptions) {
    this.#limits = { ...SITEMAP_LIMITS, ...limits }
    this.#url = url
    this.#onEntry = onEntry
    this.#elements = new EntryReader(url, {
      offer: (kind, loc, facts) => this.#offer(kind, loc, facts),
      report: (problem) => this.#report(problem),
      mark: onMark,
    })
  }

  write(chunk: Uint8Array): void {
    const bytes = this.#capped(chunk)
    if (this.#decoder !== undefined) return this.#decode(bytes)
    this.#held.push(bytes)
    // Gzip is held to the end: Node inflates piece by piece only asynchronously.
    if (this.#held.size >= SNIFF_BYTES && !isPackedList(this.#held.bytes())) this.#start(this.#held.bytes())
  }

  end(): SitemapSummary {
    if (this.#decoder === undefined) {
      const held = this.#held.bytes()
      this.#start(isPackedList(held) ? this.#gunzip(held) : held)
    }
    this.#text(this.#decoder?.decode() ?? '')
    if (this.#line !== undefined) this.#listed(this.#line)
    if (this.#json !== undefined) this.#readJson(this.#json)
    this.#xml?.end()
    this.#elements.end()
    const format = this.#format()
    const problems = Object.fromEntries(this.#problems)
    return { format, entries: this.#entries, dropped: this.#dropped, isWhole: this.#isWhole(format), problems }
  }

  #format(): SitemapFormat {
    if (this.#isJsonFeed) return 'json-feed'
    // What names no page is no list of pages, but whatever a server says in plain text.
    if (this.#line !== undefined) return this.#entries > 0 ? 'text' : 'unknown'
    return this.#elements.format
  }

  #isWhole(format: SitemapFormat): boolean {
    const losses = format === 'text' ? LOSSES_OF_LINES : LOSSES
    const isLost = this.#dropped > 0 || this.#isGarbled || losses.some((problem) => this.#problems.has(problem))
    return !isLost && format !== 'unknown' && !isFeed(format) && !this.#elements.isNewsOnly
  }

  #readJson(text: string): void {
    if (text.length > MAX_JSON_CHARS) return this.#report('too-large')
    this.#isJsonFeed = readJsonFeed(text, {
      offer: (kind, loc, facts) => this.#offer(kind, loc, facts),
      report: (problem) => this.#report(problem),
    })
  }

  #capped(chunk: Uint8Array): Uint8Array {
    const left = this.#limits.maxBytes - this.#bytes
    this.#bytes += chunk.length
    if (chunk.length <= left) return chunk
    if (left >= 0) this.#report('too-large')
    return chunk.subarray(0, Math.max(0, left))
  }

  /** Enough bytes to know the encoding. */
  #start(bytes: Uint8Array): void {
    const { decoder, isKnown } = xmlDecoder(bytes)
    if (!isKnown) this.#report('unknown-encoding')
    this.#decoder = decoder
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) this.#decode(bytes.subarray(at, at + SLICE_BYTES))
    this.#held.drop(this.#held.size)
  }

  #decode(bytes: Uint8Array): void {
    this.#text(this.#decoder?.decode(bytes, { stream: true }) ?? '')
  }

  #text(text: string): void {
    if (this.#xml !== undefined) return this.#xml.write(text)
    if (this.#line !== undefined) return this.#list(text)
    if (this.#json !== undefined) return this.#hold(text)
    // Blank lines before an XML declaration are an error to XML and common.
    const begun = text.trimStart()
    if (begun.startsWith('<')) {
      this.#xml = new LenientXml(this.#elements, (problem) => this.#report(problem))
      this.#xml.write(begun)
    } else if (begun.startsWith('{')) this.#hold(begun)
    else if (begun !== '') this.#list(begun)
  }

  #hold(text: string): void {
    if (this.#json !== undefined && this.#json.length > MAX_JSON_CHARS) return
    // One character more than is read is enough to tell that it has too many.
    this.#json = `${this.#json ?? ''}${text}`.slice(0, MAX_JSON_CHARS + 1)
  }

  #list(text: string): void {
    const lines = `${this.#line ?? ''}${text}`.split(/[\r\n]+/)
    // One character more than a line may have is enough to tell that it has too many.
    this.#line = lines.pop()?.slice(0, this.#limits.maxLocChars + MOST_BLANKS + 1) ?? ''
    for (const line of lines) this.#listed(line)
  }

  #listed(line: string): void {
    // Blanks count, or a line that came in pieces would be cut where another is refused.
    if (line.length > this.#limits.maxLocChars + MOST_BLANKS) this.#report('loc-too-long')
    else if (line.trim() !== '') this.#offer('page', line.trim(), {}, /^https?:/i.test(line.trim()))
  }

  #offer(kind: SitemapEntry['kind'], loc: string, facts: object, plausible = true): void {
    if (loc.length > this.#limits.maxLocChars) return this.#report('loc-too-long')
    const url = plausible ? URL.parse(loc, this.#url) : null
    if (url === null || loc.includes('\ufffd')) this.#isGarbled = true
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return this.#report('bad-loc')
    if (this.#entries >= this.#limits.maxEntries) {
      this.#dropped += 1
      return
    }
    this.#entries += 1
    this.#onEntry({ kind, loc: url.href, ...facts })
  }

  #report(problem: SitemapProblem): void {
    this.#problems.set(problem, (this.#problems.get(problem) ?? 0) + 1)
  }

  /** As much as can be inflated: half the input, and half again, when the whole is too large, torn or broken. */
  #gunzip(bytes: Uint8Array): Uint8Array {
    for (let length = bytes.length; length > 18; length = Math.floor(length / 2)) {
      const inflated = tryGunzip(bytes.subarray(0, length), this.#limits.maxBytes, length < bytes.length)
      if (typeof inflated !== 'string') return inflated
      if (length === bytes.length) this.#report(inflated)
      const torn = inflated === 'bad-gzip' ? tryGunzip(bytes.subarray(0, length), this.#limits.maxBytes, true) : ''
      if (typeof torn !== 'string') return torn
    }
    return new Uint8Array()
  }
}

function tryGunzip(bytes: Uint8Array, maxBytes: number, torn: boolean): Uint8Array | 'too-large' | 'bad-gzip' {
  try {
    return gunzipSync(bytes, {
      maxOutputLength: maxBytes,
      finishFlush: torn ? constants.Z_SYNC_FLUSH : constants.Z_FINISH,
    })
  } catch (error) {
    const large = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    return large ? 'too-large' : 'bad-gzip'
  }
}

/** What was said of a page whose address nobody knows; in XML that is none, of how many nobody can tell. Another scheme is no loss there. */
const LOSSES: readonly SitemapProblem[] = ['missing-loc', 'loc-too-long', 'too-large', 'malformed-xml', 'bad-gzip']
const LOSSES_OF_LINES: readonly SitemapProblem[] = [...LOSSES, 'bad-loc']

const SLICE_BYTES = 1 << 16
