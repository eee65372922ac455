/**
 * Sitemap files: entries in, files out, each within what https://www.sitemaps.org/protocol.html allows one file. What
 * fits is one file; what does not is split into parts, with an index in the place of the one.
 *
 *   entries → slices that fit → files: part 1, part 2, … and at last the index
 *
 * A file's head may say what only its end shows (is there an index, when do the next part's changes begin), so a file
 * is given out whole, in chunks. What is in it is up to a dialect: plain sitemaps or ResourceSync.
 */
import type { Instant } from '../instant.ts'
import { SITEMAP_LIMITS } from './sitemap.ts'

/** Where the files will stand. */
export interface SitemapPlace {
  /** Of the one file, or of the index when there are parts. */
  readonly url: string
  /** Of part 1, 2, …. */
  readonly partUrl: (number: number) => string
  /**
   * When the text of a part became what it is, for the index. Asked once the part was given out, so that a caller can
   * compare it with what it wrote last time. Its pages do not tell: an old page may be new in it, or have left it.
   */
  readonly partModifiedAt?: ((number: number) => Instant | undefined) | undefined
}

/** Of the one file and of the parts; smaller ones than the protocol's make one change rewrite less. */
export interface SitemapFileLimits {
  readonly maxBytes: number
  readonly maxEntries: number
}

export interface SitemapFile {
  readonly url: string
  /** 1, 2, … for parts, 0 for the one file or the index. */
  readonly number: number
  readonly entries: number
  /** Entries left out, because their URL is not http(s) or has 2,048 characters or more. */
  readonly skipped: number
  readonly bytes: number
  /** To be written as UTF-8. */
  readonly chunks: readonly string[]
}

export interface SitemapDialect<Entry> {
  /** The entry as XML, or undefined when it cannot be listed. */
  entry(entry: Entry): string | undefined
  /** Of the index when there is no slice. */
  head(slice: SitemapSlice<Entry> | undefined): SitemapHead
  /** What the index says of a part. */
  part(url: string, slice: SitemapSlice<Entry>, modifiedAt: Instant | undefined): string
}

export interface SitemapHead {
  /** Attributes of the root: its namespaces. */
  readonly attributes: string
  /** What comes before the entries. */
  readonly children: string
}

/** Entries that fit one file. */
export interface SitemapSlice<Entry> {
  /** 1, 2, …. */
  readonly number: number
  readonly entries: readonly Entry[]
  /** The first entry of the next slice. */
  readonly next: Entry | undefined
  readonly skipped: number
  readonly chunks: readonly string[]
}

/** Lazy: a part is made when it is asked for. */
export function* writeSitemapFiles<Entry>(
  dialect: SitemapDialect<Entry>,
  entries: Iterable<Entry>,
  place: SitemapPlace,
  limits: SitemapFileLimits = SITEMAP_LIMITS,
): Generator<SitemapFile> {
  const parts: string[] = []
  for (const slice of slicesOf(dialect, entries, limits)) {
    const isWhole = slice.number === 1 && slice.next === undefined
    const url = isWhole ? place.url : place.partUrl(slice.number)
    const { chunks, bytes } = sitemapText('urlset', dialect.head(slice), slice.chunks, limits)
    const number = isWhole ? 0 : slice.number
    yield { url, number, entries: slice.entries.length, skipped: slice.skipped, bytes, chunks }
    if (isWhole) return
    parts.push(dialect.part(url, slice, place.partModifiedAt?.(slice.number)))
  }
  if (parts.length > SITEMAP_LIMITS.maxEntries) throw tooLarge(`an index of ${parts.length} parts`)
  const { chunks, bytes } = sitemapText('sitemapindex', dialect.head(undefined), parts)
  yield { url: place.url, number: 0, entries: parts.length, skipped: 0, bytes, chunks }
}

/** The whole text of a file that is not to be split. Throws when it is larger than a file may be. */
export function sitemapText(
  root: 'urlset' | 'sitemapindex',
  head: SitemapHead,
  body: readonly string[],
  limits: SitemapFileLimits = SITEMAP_LIMITS,
): { readonly chunks: readonly string[]; readonly bytes: number } {
  const open = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${SITEMAP_NAMESPACE}"${head.attributes}>\n`
  const chunks = [`${open}${head.children}`, ...body, `</${root}>\n`]
  const bytes = chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0)
  if (bytes > limits.maxBytes) throw tooLarge(`a sitemap of ${bytes} bytes`)
  return { chunks, bytes }
}

const tooLarge = (what: string): RangeError =>
  new RangeError(`${what} is more than one file may have; give fewer entries, or less with each of them`)

function* slicesOf<Entry>(
  dialect: SitemapDialect<Entry>,
  entries: Iterable<Entry>,
  limits: SitemapFileLimits,
): Generator<SitemapSlice<Entry>> {
  const maxBytes = limits.maxBytes - headRoom(dialect)
  let number = 1
  let slice = new Slice<Entry>()
  for (const entry of entries) {
    const xml = dialect.entry(entry)
    if (xml === undefined) {
      slice.skipped += 1
      continue
    }
    const bytes = Buffer.byteLength(xml)
    if (slice.entries.length >= limits.maxEntries || (slice.entries.length > 0 && slice.bytes + bytes > maxBytes)) {
      yield slice.finish(number, entry)
      number += 1
      slice = new Slice()
    }
    slice.add(entry, xml, bytes)
  }
  yield slice.finish(number, undefined)
}

/** What a part's head may take: dates, a namespace and the XML around it come to less than half a kilobyte. */
function headRoom<Entry>(dialect: SitemapDialect<Entry>): number {
  const { attributes, children } = dialect.head({ number: 2, entries: [], next: undefined, skipped: 0, chunks: [] })
  return Buffer.byteLength(attributes) + Buffer.byteLength(children) + 512
}

class Slice<Entry> {
  readonly entries: Entry[] = []
  readonly #chunks: string[] = []
  #chunk = ''
  bytes = 0
  skipped = 0

  add(entry: Entry, xml: string, bytes: number): void {
    this.entries.push(entry)
    this.bytes += bytes
    this.#chunk += xml
    if (this.#chunk.length < CHUNK_CHARS) return
    this.#chunks.push(this.#chunk)
    this.#chunk = ''
  }

  finish(number: number, next: Entry | undefined): SitemapSlice<Entry> {
    return { number, entries: this.entries, next, skipped: this.skipped, chunks: [...this.#chunks, this.#chunk] }
  }
}

const SITEMAP_NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const CHUNK_CHARS = 1 << 16
