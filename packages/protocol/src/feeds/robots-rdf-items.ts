/**
 * Pages out of the elements of a robots.rdf.
 *
 * Namespaces are not trusted, since the paper's own example gets them wrong: elements count by their local names in any
 * letter case. An item's URL is its `rdf:about`, or else its link; its time is any `modified`, or else a `date`. A page
 * told of twice, as in Figure 6.5, has the later time; one that only the channel's sequence names has none.
 */
import { parseClaimedDate } from './claimed-date.ts'
import type { XmlProblem } from './lenient-xml.ts'
import type { PageEntry } from './page-entry.ts'
import type { XmlEvents } from './xml-scan.ts'

export interface RobotsRdfLimits {
  readonly maxBytes: number
  /** Pages, over all; more are not kept. */
  readonly maxPages: number
  readonly maxParts: number
  readonly maxUrlChars: number
}

export const robotsRdfLimits: RobotsRdfLimits = {
  maxBytes: 52_428_800,
  maxPages: 100_000,
  maxParts: 1_000,
  maxUrlChars: 2_048,
}

export type RobotsRdfProblem =
  | XmlProblem
  | 'unknown-root'
  | 'bad-url'
  | 'bad-date'
  | 'repeated'
  | 'too-large'
  | 'too-many'
  | 'torn'

export interface RobotsRdf {
  /** In the order they were first named. */
  readonly pages: readonly PageEntry[]
  /** URLs of the other parts. */
  readonly parts: readonly string[]
  readonly complete: boolean
  readonly problems: Readonly<Partial<Record<RobotsRdfProblem, number>>>
}

export class RobotsRdfItems implements XmlEvents {
  readonly #url: string
  readonly #limits: RobotsRdfLimits
  readonly #pages = new Map<string, PageEntry>()
  readonly #parts = new Set<string>()
  readonly #problems: Partial<Record<RobotsRdfProblem, number>> = {}
  /** Of the root element, with its colon: what attributes of RDF have in front. */
  #prefix: string | undefined
  #ended = false
  #about: string | undefined
  /** Values of the item we are in. */
  #item: Map<string, string> | undefined
  #field: string | undefined
  #value = ''

  constructor(url: string, limits: RobotsRdfLimits) {
    this.#url = url
    this.#limits = limits
  }

  report(problem: RobotsRdfProblem): void {
    this.#problems[problem] = (this.#problems[problem] ?? 0) + 1
  }

  open(qualified: string, attribute: (name: string) => string | undefined): void {
    const local = localOf(qualified)
    if (this.#prefix === undefined) return this.#root(qualified, local)
    if (local === 'item') {
      this.#finish()
      this.#item = new Map()
      this.#about = this.#rdf('about', attribute)
    } else if (this.#item !== undefined) {
      // A field inside a field: the first was never closed.
      this.#closeField()
      this.#field = FIELDS.has(local) ? local : undefined
    } else if (local === 'li') this.#list(this.#rdf('resource', attribute))
    else if (local === 'seealso') this.#part(this.#rdf('resource', attribute))
  }

  text(text: string): void {
    if (this.#field !== undefined && this.#value.length < VALUE_CHARS) this.#value += text.slice(0, VALUE_CHARS)
  }

  close(qualified: string): void {
    const local = localOf(qualified)
    if (local === 'item') this.#finish()
    else if (local === 'rdf') this.#ended = true
    else if (local === this.#field) this.#closeField()
  }

  end(): RobotsRdf {
    // An item that was cut counts as far as its fields were whole.
    this.#field = undefined
    this.#finish()
    if (!this.#ended) this.report('torn')
    const problems = this.#problems
    const complete = !('torn' in problems || 'too-large' in problems || 'too-many' in problems)
    return { pages: [...this.#pages.values()], parts: [...this.#parts], complete, problems }
  }

  #root(qualified: string, local: string): void {
    this.#prefix = qualified.slice(0, qualified.indexOf(':') + 1)
    if (local !== 'rdf') this.report('unknown-root')
  }

  #rdf(name: string, attribute: (name: string) => string | undefined): string | undefined {
    return attribute(`${this.#prefix}${name}`) ?? attribute(`rdf:${name}`) ?? attribute(name)
  }

  #closeField(): void {
    const value = this.#value.trim()
    if (this.#field !== undefined && value !== '' && this.#item?.has(this.#field) === false) {
      this.#item.set(this.#field, value)
    }
    this.#field = undefined
    this.#value = ''
  }

  #finish(): void {
    const item = this.#item
    if (item === undefined) return
    this.#closeField()
    this.#item = undefined
    const url = this.#resolve(this.#about ?? item.get('link'))
    if (url === undefined) return this.report('bad-url')
    const page = { url, ...this.#facts(item) }
    const known = this.#pages.get(url)
    // The sequence named it, and nothing was said of it yet.
    const isFirst = known === undefined || Object.keys(known).length === 1
    if (!isFirst) this.report('repeated')
    if (isFirst || (page.modifiedAt ?? -Infinity) > (known.modifiedAt ?? -Infinity)) this.#keep(url, page)
  }

  #facts(item: ReadonlyMap<string, string>): Omit<PageEntry, 'url'> {
    const date = item.get('modified') ?? item.get('date')
    const modifiedAt = date === undefined ? undefined : parseClaimedDate(date)
    if (date !== undefined && modifiedAt === undefined) this.report('bad-date')
    const bytes = countOf(item.get('extent'))
    const accesses = countOf(item.get('accesses'))
    const type = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}/.exec(item.get('format') ?? '')?.[0].toLowerCase()
    return {
      ...(modifiedAt === undefined ? {} : { modifiedAt }),
      ...(bytes === undefined ? {} : { bytes }),
      ...(type === undefined ? {} : { type }),
      ...(accesses === undefined ? {} : { accesses }),
    }
  }

  #list(resource: string | undefined): void {
    const url = this.#resolve(resource)
    if (url === undefined) this.report('bad-url')
    else if (!this.#pages.has(url)) this.#keep(url, { url })
  }

  #part(resource: string | undefined): void {
    const url = this.#resolve(resource)
    if (url === undefined) this.report('bad-url')
    else if (this.#parts.size >= this.#limits.maxParts) this.report('too-many')
    else this.#parts.add(url)
  }

  #keep(url: string, page: PageEntry): void {
    if (this.#pages.size < this.#limits.maxPages || this.#pages.has(url)) this.#pages.set(url, page)
    else this.report('too-many')
  }

  #resolve(reference: string | undefined): string | undefined {
    if (reference === undefined || reference.length > this.#limits.maxUrlChars) return undefined
    // In letters that could not be read.
    if (reference.includes('\ufffd')) return undefined
    const url = URL.parse(reference.trim(), this.#url)
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined
  }
}

const FIELDS: ReadonlySet<string> = new Set(['link', 'modified', 'date', 'extent', 'format', 'accesses'])

/** Longer than any of these fields that can be used. */
const VALUE_CHARS = 4_096

function localOf(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1).toLowerCase()
}

/** Digits, and perhaps a unit behind them: `5120 bytes`. */
function countOf(text: string | undefined): number | undefined {
  const digits = /^(\d{1,15})(?:\s*(?:bytes?|b))?$/i.exec(text ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}
