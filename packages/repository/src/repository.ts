/**
 * Repository: a collection, its index and its crawl as one thing to ask. Reads only; what is asked of it becomes the
 * models of `model/models.ts`. Works while a crawl writes: every answer is of the moment.
 */
import { stat } from 'node:fs/promises'
import { CollectionError, letterSummary, storedContent } from '@comity/collection'
import { cooperationOf, cooperationStory, lastWatch } from '@comity/follow'
import type { PushStory } from '@comity/follow'
import type { CaptureRow, Collection, FollowedCollection } from '@comity/collection'
import { canonicalUrl, defaultUrlRules, mediaKindOf } from '@comity/protocol'
import type { Instant, UrlRules } from '@comity/protocol'
import type { HeldPart } from './copy/stored-copy.ts'
import { lineDifference } from './html/line-difference.ts'
import type {
  PushesModel,
  CopyModel,
  CrawlState,
  DifferenceModel,
  FreshnessModel,
  GraphModel,
  PageModel,
  PageRef,
  ReadingModel,
  SiteModel,
  SiteRowModel,
  Statistics,
} from './model/models.ts'
import type { SitesModel } from './model/page-models.ts'
import { describePage, nameOf } from './model/page-description.ts'
import type {
  CrawlPort,
  SearchPort,
  SiteChoice,
  SitesQuery,
  Stretch,
  SurveyedRow,
  SurveyPort,
  SurveyStatistics,
} from './ports.ts'
import { Problem } from '@comity/receiver'
import { readingModel } from './model/reading-model.ts'
import { soon } from './soon.ts'
import { isShownAsText, storedBody, storedText } from './http/stored-body.ts'
import type { StoredBody } from './http/stored-body.ts'

interface RepositoryParts {
  readonly collection: FollowedCollection
  readonly survey: SurveyPort
  readonly search: SearchPort
  readonly crawl: CrawlPort
  readonly now: () => Instant
  /** Path of the file that says which programs gateways are to run. */
  readonly programs?: string | undefined
}

/** How a page is named in a request: by its number here, or by its URL as people write it. */
export type PageName = { readonly key: number } | { readonly url: string }

const MAX_ROBOTS_CHARS = 20_000
const DAY_MS = 86_400_000
/** Of things that cannot be read. */
const MAX_DAMAGED_NAMED = 100
/** Files that grow with every commit need not be measured for every reader. */
const MEASURE_EVERY_MS = 2_000
/** A search page does not wait for the first count of a million pages; it shows the count before, or none. */
const COUNT_WAIT_MS = 500

const UNCOUNTED: SurveyStatistics = {
  pages: { known: 0, visited: 0, held: 0, waiting: 0 },
  sites: 0,
  visitedSites: 0,
  heldSites: 0,
  damaged: [],
  captures: 0,
  outcomes: {},
}

export class Repository {
  readonly #parts: RepositoryParts
  #counts = UNCOUNTED
  #warcBytes: Promise<number> | undefined
  #measuredAt: Instant = -Infinity

  constructor(parts: RepositoryParts) {
    this.#parts = parts
  }

  get search(): SearchPort {
    return this.#parts.search
  }
  get crawl(): CrawlPort {
    return this.#parts.crawl
  }

  /** The canonical URL of a page here, whether it is known or not; undefined for what is no address of a page. */
  pageUrl(typed: string): string | undefined {
    return canonicalUrl(typed, undefined, this.#collection.urlRules())
  }

  async statistics(): Promise<Statistics> {
    const { search } = this.#parts
    const [counts, crawl, warcBytes] = await Promise.all([
      soon(this.counted(), COUNT_WAIT_MS),
      this.crawlState(),
      this.#measure(),
    ])
    const surveyed = counts ?? this.#counts
    const damaged = [...new Set([...surveyed.damaged, ...this.#collection.damage.names])].slice(0, MAX_DAMAGED_NAMED)
    return { ...surveyed, damaged, warcBytes, index: search.statistics(), crawl }
  }

  /** When everything has been counted at least once, which takes a while for a large collection. */
  async counted(): Promise<SurveyStatistics> {
    this.#counts = await this.#parts.survey.statistics()
    return this.#counts
  }

  /** A crawl that does not answer has ended, or is about to. */
  async crawlState(): Promise<CrawlState> {
    try {
      return await this.#parts.crawl.state()
    } catch {
      return { kind: 'none' }
    }
  }

  async freshness({ offset, limit }: Stretch): Promise<FreshnessModel> {
    const [crawl, { total, ordinary, rows }] = await Promise.all([
      this.crawlState(),
      this.#parts.survey.cooperating({ offset, limit }),
    ])
    return { crawl, last: this.#last(crawl), sites: rows, total, ordinary, offset, limit }
  }

  async calls({ offset, limit }: Stretch): Promise<PushesModel> {
    const [crawl, { total, rows }] = await Promise.all([
      this.crawlState(),
      this.#parts.survey.cooperating({ offset, limit, only: 'calling' }),
    ])
    const sites = rows.flatMap(({ origin, held, calls }) => (calls === undefined ? [] : [{ origin, held, calls }]))
    const deadLetters = letterSummary(this.#collection.dir)
    return { crawl, last: this.#last(crawl), sites, total, offset, limit, deadLetters }
  }

  async reading(): Promise<ReadingModel> {
    const surveyed = await this.#parts.survey.reading()
    return readingModel(this.#collection, surveyed, this.#parts.now(), this.#parts.programs)
  }

  async sites(query: SitesQuery): Promise<SitesModel> {
    const { rows, ...counts } = await this.#parts.survey.sites(query)
    return { ...query, ...counts, sites: rows.map((row) => this.#siteRow(row)) }
  }

  async site(origin: string): Promise<SiteModel> {
    const site = await this.#parts.survey.site(canonicalOrigin(origin))
    if (site === undefined) {
      throw new Problem('site-unknown', 'No page of that site is known here. Name it as in https://example.org.')
    }
    const collection = this.#collection
    const robots = collection.robots(site.site)
    return {
      ...this.#siteRow(site),
      outcomes: site.outcomes,
      robotsText:
        robots === undefined || robots.body.length === 0
          ? undefined
          : Buffer.from(robots.body).toString('utf8').slice(0, MAX_ROBOTS_CHARS).toWellFormed(),
      topPages: site.topPages.map((page) => nameOf(collection, page)),
    }
  }

  async page(name: PageName): Promise<PageModel> {
    const { survey } = this.#parts
    const page = await this.#find(name)
    const [standing, linksIn] = await Promise.all([survey.standing(page), survey.linksIn(page, MAX_LINKS_IN)])
    if (standing === undefined) throw unknown()
    return describePage(this.#collection, page, standing, linksIn, this.#parts.now())
  }

  async difference(name: PageName, from: Instant, to: Instant): Promise<DifferenceModel> {
    const page = await this.#find(name)
    const ref = this.#shownPage(page)
    const [before, after] = [this.#textAt(page, ref.url, from), this.#textAt(page, ref.url, to)]
    return { ...ref, from, to, ...lineDifference(before, after) }
  }

  /** The body of one capture, or of the newest that has one. */
  async stored(name: PageName, at?: Instant): Promise<StoredBody & PageRef & { readonly at: Instant }> {
    const page = await this.#find(name)
    const ref = this.#shownPage(page)
    const capture = this.#captureAt(page, at)
    return { ...ref, at: capture.at, ...this.#reading((collection) => storedBody(collection, capture.body, ref.url)) }
  }

  /** The copy of a page that lies nearest to an instant, and the others there are; or why there is none. */
  async copy(name: PageName, near?: Instant): Promise<CopyModel> {
    const asked = 'url' in name ? name.url : undefined
    const page = await this.#heldPage(name)
    if (page === undefined) return { kind: 'absent', url: asked ?? '', why: 'unknown' }
    const ref = nameOf(this.#collection, page)
    const row = this.#collection.page(page)
    if (row?.noarchive === true) return { kind: 'absent', ...ref, why: 'noarchive' }
    const held = row?.isDropped === true ? [] : bodiesOf(this.#collection, page)
    const shown = nearest(held, near)
    if (shown === undefined) return { kind: 'absent', ...ref, why: row === undefined ? 'not-visited' : 'no-content' }
    const place = held.indexOf(shown)
    const media = mediaKindOf(row?.type, ref.url)
    return {
      kind: 'held',
      ...ref,
      site: this.#collection.origin(this.#collection.text(page).site),
      language: row?.language,
      shown,
      isFile: media !== 'page' && !isShownAsText(media, row?.type),
      older: held[place - 1],
      newer: held[place + 1],
      versions: held.slice(-MAX_VERSIONS),
      more: Math.max(0, held.length - MAX_VERSIONS),
      askedFor: asked !== undefined && !this.#isNameOf(asked, ref.url) ? asked : undefined,
      fragment: asked === undefined ? '' : (URL.parse(asked)?.hash ?? ''),
    }
  }

  /** What is held of an address that belongs to a page, as it was nearest to an instant; undefined for nothing. */
  async part(url: string, near: Instant, mostBytes: number): Promise<HeldPart | undefined> {
    const page = await this.#heldPage({ url })
    const row = page === undefined ? undefined : this.#collection.page(page)
    if (page === undefined || row === undefined || row.noarchive === true || row.isDropped === true) return undefined
    const capture = nearest(bodiesOf(this.#collection, page), near)
    if (capture === undefined || capture.bytes > mostBytes || capture.body.length > mostBytes) return undefined
    const content = storedContent(this.#collection, capture.body, mostBytes)
    if (content.kind !== 'ok') return undefined
    return { url: this.#collection.url(page) ?? url, bytes: content.bytes, type: content.type }
  }

  graph(show: SiteChoice): Promise<GraphModel> {
    return this.#parts.survey.graph(show)
  }

  get #collection(): Collection {
    return this.#parts.collection.current
  }

  #siteRow({ site, ...row }: SurveyedRow): SiteRowModel {
    return { ...row, robots: this.#collection.robots(site)?.verdict ?? 'not asked', calls: this.#callsOf(site) }
  }

  #callsOf(site: number): PushStory | undefined {
    const row = cooperationOf(this.#collection, site)
    if (row === undefined) return undefined
    const dayMs = lastWatch(this.#collection)?.sample.dayMs ?? DAY_MS
    return cooperationStory(row, dayMs, this.#parts.now()).calls
  }

  /** What the last watch came to, when none runs. */
  #last(crawl: CrawlState): FreshnessModel['last'] {
    const isRunning = crawl.kind !== 'none' && crawl.sample.watch !== undefined
    const memory = isRunning ? undefined : lastWatch(this.#collection)
    return memory && { at: memory.at, watch: memory.sample }
  }

  async #find(name: PageName): Promise<number> {
    const { survey } = this.#parts
    if ('key' in name) {
      const standing = await survey.standing(name.key)
      // What was forgotten has a number still, and no URL.
      if (standing === undefined || this.#collection.url(name.key) === undefined) throw unknown()
      return name.key
    }
    for (const url of spellingsOf(name.url, this.#collection.urlRules())) {
      const page = await survey.find(url)
      if (page !== undefined) return page
    }
    throw unknown()
  }

  #isNameOf(typed: string, url: string): boolean {
    return spellingsOf(typed, this.#collection.urlRules()).has(url)
  }

  /** The page itself, or where it leads on to. */
  async #heldPage(name: PageName): Promise<number | undefined> {
    let page = await this.#find(name).catch(nothingUnknown)
    for (let hops = 0; hops < MAX_HOPS && page !== undefined; hops++) {
      const row = this.#collection.page(page)
      if (row?.redirectTo === undefined || row.body !== undefined) return page
      const next = await this.#find({ url: row.redirectTo }).catch(nothingUnknown)
      if (next === undefined) return page
      page = next
    }
    return page
  }

  /** A page whose content may be shown: one that asks archives not to show it is stored, searched and not shown. */
  #shownPage(page: number): PageRef {
    const ref = nameOf(this.#collection, page)
    const row = this.#collection.page(page)
    if (ref.url === '' || row === undefined) throw noCapture()
    if (row.noarchive === true) {
      throw new Problem('not-shown', 'It says noarchive, so its copy is not shown. Its URL leads to the page itself.')
    }
    return ref
  }

  #captureAt(
    page: number,
    at: Instant | undefined,
  ): CaptureRow & { at: Instant; body: NonNullable<CaptureRow['body']> } {
    let newest: (CaptureRow & { at: Instant; body: NonNullable<CaptureRow['body']> }) | undefined
    for (const { key, value } of this.#collection.captures(page)) {
      if (value.body === undefined || (at !== undefined && key[1] !== at)) continue
      newest = { ...value, at: key[1], body: value.body }
    }
    // What was dropped for want of room is still named by its captures.
    if (newest === undefined || this.#collection.page(page)?.isDropped === true) throw noCapture()
    return newest
  }

  #textAt(page: number, url: string, at: Instant): string {
    const { body } = this.#captureAt(page, at)
    const text = this.#reading((collection) => storedText(collection, body, url))
    if (text !== undefined) return text
    throw new Problem('capture-unknown', 'That capture holds no text, so there are no lines to compare.')
  }

  /** A record that is not where the state says may have moved: `forget` wrote its file anew. */
  #reading<Value>(read: (collection: Collection) => Value): Value {
    try {
      return read(this.#collection)
    } catch (error) {
      if (!(error instanceof CollectionError)) throw error
      this.#parts.collection.look()
      throw new Problem(
        'capture-unknown',
        'Its record cannot be read now. Try again; if it stays so, the WARC file is damaged.',
        {},
        error,
      )
    }
  }

  #measure(): Promise<number> {
    if (this.#warcBytes === undefined || this.#parts.now() - this.#measuredAt >= MEASURE_EVERY_MS) {
      this.#measuredAt = this.#parts.now()
      this.#warcBytes = bytesOf(this.#collection.warcPaths)
    }
    return this.#warcBytes
  }
}

/** Of one page, as many as are offered. */
const MAX_VERSIONS = 60
/** From an address to where it leads on to. */
const MAX_HOPS = 4

type HeldVersion = CaptureRow & { readonly at: Instant; readonly body: NonNullable<CaptureRow['body']> }

/** Oldest first. */
function bodiesOf(collection: Collection, page: number): HeldVersion[] {
  const held: HeldVersion[] = []
  for (const { key, value } of collection.captures(page))
    if (value.body !== undefined) held.push({ ...value, at: key[1], body: value.body })
  return held
}

/** The newest of those that are as near. */
function nearest(held: readonly HeldVersion[], near: Instant = Infinity): HeldVersion | undefined {
  if (near === Infinity) return held.at(-1)
  let best: HeldVersion | undefined
  for (const one of held) if (best === undefined || Math.abs(one.at - near) <= Math.abs(best.at - near)) best = one
  return best
}

function nothingUnknown(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}

/** Pages listed that link to one. */
const MAX_LINKS_IN = 50

const unknown = (): Problem =>
  new Problem('page-unknown', 'No page that was fetched links there. Check the spelling, or find it with a search.')

const noCapture = (): Problem =>
  new Problem('capture-unknown', "The page's story lists the captures whose body is held: use one of their instants.")

const canonicalOrigin = (origin: string): string => {
  // No rules say anything of it.
  const url = canonicalUrl(/^https?:\/\//i.test(origin) ? origin : `https://${origin}`, undefined, defaultUrlRules)
  return url === undefined ? '' : new URL(url).origin
}

/** As people write URLs: without a scheme, with or without the last slash, http for https. */
function spellingsOf(typed: string, rules: UrlRules): Set<string> {
  const schemed = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`
  const spelled = [schemed, `${schemed}/`, schemed.replace(/\/$/, '')]
  const schemes = spelled.flatMap((url) => [url, url.replace(/^https:/i, 'http:'), url.replace(/^http:/i, 'https:')])
  return new Set(schemes.flatMap((url) => canonicalUrl(url, undefined, rules) ?? []))
}

async function bytesOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
