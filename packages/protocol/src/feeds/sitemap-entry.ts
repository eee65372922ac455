/**
 * Sitemap entries out of XML elements, whatever the format names them (`feeds/list-formats.ts`).
 *
 * Namespaces are not trusted, since many sites get them wrong: a field counts when it is a child of its entry and
 * carries the same prefix. That takes `<sit:loc>` in `<sit:url>` and leaves out `<image:loc>`.
 */
import { parseClaimedDate } from './claimed-date.ts'
import type { Instant } from '../instant.ts'
import { fieldOf, formatOfRoot, isEntryOf, isFeed } from './list-formats.ts'
import type { ListField, SitemapFormat } from './list-formats.ts'
import type { XmlAttributes, XmlEvents } from './xml-scan.ts'

type ChangeFreq = 'always' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly' | 'never'

/** A claim of the site; whoever uses it checks the host and learns whom to trust. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap'
  /** Absolute, http or https. */
  readonly loc: string
  readonly lastmod?: Instant
  readonly changefreq?: ChangeFreq
  /** 0 to 1. */
  readonly priority?: number
  /** Only where the reader was told to keep marks. */
  readonly marks?: readonly SitemapMark[]
}

/** What an element without text says in its attributes: the root, or the `md` and `ln` of ResourceSync. */
export interface SitemapMark {
  /** Without its prefix, in lower case. */
  readonly name: string
  readonly attributes: XmlAttributes
}

export type EntryProblem = 'unknown-root' | 'missing-loc' | 'bad-loc' | 'loc-too-long' | 'bad-date' | 'too-many-marks'

interface EntrySink {
  /** A loc as it stood there, and what was said of it. */
  offer(kind: SitemapEntry['kind'], loc: string, facts: Omit<SitemapEntry, 'kind' | 'loc'>): void
  report(problem: EntryProblem): void
  /** A mark of the document itself. Without this, marks are not looked at. */
  readonly mark?: ((mark: SitemapMark) => void) | undefined
}

export class EntryReader implements XmlEvents {
  readonly #sink: EntrySink
  /** Entries that are news, and those that are not. */
  #news = 0
  #others = 0
  #format: SitemapFormat | undefined
  #entry: Draft | undefined
  /** Open elements below the entry. */
  #depth = 0
  #field: ListField | undefined
  #text = ''
  /** What addresses are resolved against (XML Base), and where that is said to begin with. */
  #base: string

  /** `url`: where the document stands. */
  constructor(url: string, sink: EntrySink) {
    this.#sink = sink
    this.#base = url
  }

  get format(): SitemapFormat {
    return this.#format ?? 'unknown'
  }

  /** Each entry is news, of which a list has the last two days (Google's `news:news`). */
  get isNewsOnly(): boolean {
    return this.#news > 0 && this.#others === 0
  }

  open(
    qualified: string,
    attribute: (name: string) => string | undefined,
    attributes: () => XmlAttributes = () => new Map(),
  ): void {
    const { prefix, local } = split(qualified)
    if (this.#sink.mark !== undefined && (this.#format === undefined || MARKS.has(local))) {
      this.#mark({ name: local, attributes: attributes() })
    }
    const base = attribute('xml:base')
    if (this.#format === undefined) return this.#root(local, base)
    if (this.#isEntry(prefix, local)) return this.#begin(prefix, local, base)
    if (this.#entry === undefined) return
    if (prefix === 'news' && local === 'news') this.#entry.isNews = true
    const field = this.#entry.fieldOf(prefix, local)
    // A field inside a field: the first was never closed.
    if (field !== undefined && this.#depth === 1 && this.#field !== undefined) this.#closeField()
    else this.#depth += 1
    if (this.#depth !== 1) return
    this.#field = field
    if (field === 'loc' && local === 'link') this.#entry.link(attribute('href'), attribute('rel'), base)
  }

  text(text: string): void {
    if (this.#entry === undefined || this.#depth > 1 || (this.#depth === 1 && this.#field === undefined)) return
    if (this.#text.length < TEXT_CHARS) this.#text += text.slice(0, TEXT_CHARS)
  }

  close(qualified: string): void {
    if (this.#entry === undefined) return
    const { prefix, local } = split(qualified)
    if (prefix === this.#entry.prefix && local === this.#entry.local) return this.#finish()
    if (this.#depth === 1) this.#closeField()
    this.#depth = Math.max(0, this.#depth - 1)
  }

  /** The document is over; an entry it was cut in counts when its loc was whole. */
  end(): void {
    if (this.#entry?.get('loc') !== undefined) this.#finish()
  }

  #root(local: string, base: string | undefined): void {
    this.#format = formatOfRoot(local)
    this.#base = resolved(base, this.#base)
    if (this.#format === 'unknown') this.#sink.report('unknown-root')
  }

  #mark(mark: SitemapMark): void {
    if (this.#entry === undefined) this.#sink.mark?.(mark)
    else if (!this.#entry.mark(mark)) this.#sink.report('too-many-marks')
  }

  #isEntry(prefix: string, local: string): boolean {
    if (!isEntryOf(this.format, local)) return false
    return this.#entry === undefined || (this.#entry.prefix === prefix && this.#entry.local === local)
  }

  #begin(prefix: string, local: string, base: string | undefined): void {
    if (this.#entry !== undefined) this.#finish()
    this.#entry = new Draft(this.format, prefix, local, resolved(base, this.#base))
    this.#depth = 0
    this.#text = ''
  }

  #closeField(): void {
    if (this.#field !== undefined) this.#entry?.set(this.#field, this.#text.trim())
    this.#field = undefined
    this.#text = ''
  }

  #finish(): void {
    const entry = this.#entry
    if (entry === undefined) return
    // Some sites write the URL straight into <sitemap>, without a <loc>.
    if (this.#depth === 0 && /^\s*https?:/i.test(this.#text)) entry.set('loc', this.#text.trim())
    this.#closeField()
    this.#entry = undefined
    if (entry.isNews) this.#news += 1
    else this.#others += 1
    const loc = entry.loc() ?? entry.otherLoc()
    if (loc === undefined) return this.#sink.report('missing-loc')
    this.#sink.offer(entry.local === 'sitemap' ? 'sitemap' : 'page', loc, this.#facts(entry))
  }

  #facts(entry: Draft): Omit<SitemapEntry, 'kind' | 'loc'> {
    const date = entry.get('date') ?? entry.get('other-date')
    const lastmod = date === undefined ? undefined : parseClaimedDate(date)
    if (date !== undefined && lastmod === undefined) this.#sink.report('bad-date')
    const changefreq = FREQUENCIES.find((frequency) => frequency === entry.get('changefreq')?.toLowerCase())
    const priority = Number(entry.get('priority') ?? NaN)
    return {
      ...(lastmod === undefined ? {} : { lastmod }),
      ...(changefreq === undefined ? {} : { changefreq }),
      ...(priority >= 0 && priority <= 1 ? { priority } : {}),
      ...(this.#sink.mark === undefined ? {} : { marks: entry.marks }),
    }
  }
}

/** An entry being read: the first value of each field that was not empty. */
class Draft {
  readonly #format: SitemapFormat
  readonly prefix: string
  readonly local: string
  readonly marks: SitemapMark[] = []
  isNews = false
  readonly #values = new Map<ListField, string>()
  #base: string

  constructor(format: SitemapFormat, prefix: string, local: string, base: string) {
    this.#base = base
    this.#format = format
    this.prefix = prefix
    this.local = local
  }

  fieldOf(prefix: string, local: string): ListField | undefined {
    // Dublin Core is how RSS 1.0 dates its items.
    if (prefix === 'dc' && local === 'date') return 'other-date'
    return prefix === this.prefix ? fieldOf(this.#format, this.local, local) : undefined
  }

  set(field: ListField, value: string): void {
    if (value !== '' && !this.#values.has(field)) this.#values.set(field, value)
  }

  get(field: ListField): string | undefined {
    return this.#values.get(field)
  }

  /** False when it has too many already. */
  mark(mark: SitemapMark): boolean {
    return this.marks.length < MAX_MARKS && this.marks.push(mark) > 0
  }

  /** Atom: the page is the link without a relation or with `alternate` (RFC 4287 §4.2.7.2). */
  link(href: string | undefined, rel: string | undefined, base: string | undefined): void {
    if (href === undefined || (rel !== undefined && !ALTERNATE.test(rel)) || this.#values.has('loc')) return
    this.set('loc', href.trim())
    this.#base = resolved(base, this.#base)
  }

  /** Absolute; as it stood there when it cannot be. */
  loc(): string | undefined {
    const loc = this.get('loc')
    return loc === undefined || !isFeed(this.#format) ? loc : resolved(loc, this.#base, loc)
  }

  /** What may be an address and looks like one. */
  otherLoc(): string | undefined {
    const other = this.get('other-loc')
    return other !== undefined && /^https?:\/\//i.test(other) ? other : undefined
  }
}

/** Where neither makes an address, what is given. */
function resolved(written: string | undefined, base: string, otherwise: string = base): string {
  return written === undefined ? otherwise : (URL.parse(written, base)?.href ?? otherwise)
}

function split(qualified: string): { readonly prefix: string; readonly local: string } {
  const colon = qualified.indexOf(':')
  return { prefix: qualified.slice(0, Math.max(0, colon)), local: qualified.slice(colon + 1).toLowerCase() }
}

/** A relation may stand there by its address, too. */
const ALTERNATE = /^\s*(?:http:\/\/www\.iana\.org\/assignments\/relation\/)?alternate\s*$/i

const MARKS: ReadonlySet<string> = new Set(['md', 'ln'])
/** A page with more mirrors, versions and formats than this has no use for the rest of them. */
const MAX_MARKS = 64

const FREQUENCIES: readonly ChangeFreq[] = ['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never']
/** Twice the longest loc we take: enough to tell that it is too long. */
const TEXT_CHARS = 8_192
