/**
 * Scheme units: what each scheme of 002 Table 6.1 costs for one page, one change, one poll, measured by doing it: a site with
 * these pages answers a crawler that polls, then some pages change, then it polls again. Bytes are of HTTP, heads and all,
 * both ways; processor time is the site's for making answers, without what a server takes for a request as such.
 *
 * Units are straight lines: a poll costs so much, and every changed page so much more. What a page adds is told as a share of
 * its own bytes where it is the content that counts.
 */
import { isTextType, ownValue, tableOf } from '@comity/protocol'
import type { ChangeOfferKind } from '@comity/follow'
import { SiteCopy } from './copy.ts'
import { SiteFollower } from './site-follower.ts'
import { trafficBytes } from './counted-line.ts'
import type { CountedLine } from './counted-line.ts'
import { countedFollower, countedPoller } from './counted-poller.ts'
import type { CountedPoller } from './counted-poller.ts'
import { CountedSite } from './counted-site.ts'
import type { CountedPage } from './counted-site.ts'
import { CountedDeliveryWorker, PUSH_KINDS } from './counted-delivery-worker.ts'
import type { PushKind, SentCost } from './counted-delivery-worker.ts'

export interface Cost {
  readonly requests: number
  readonly bytes: number
  /** Processor time of the site. */
  readonly siteMs: number
}

/** A poll that finds nothing; and what each changed page adds to one that does. */
export interface PollUnits {
  readonly nothing: Cost
  readonly change: Cost
}

/** Content that is made for each page: heads, and a share of the page's own bytes. */
export interface ContentUnits {
  readonly heads: number
  readonly share: number
  readonly siteMs: number
}

export const LIST_FORMS = ['change list', 'metadata archives', 'robots.rdf'] as const
type ListForm = (typeof LIST_FORMS)[number]

export interface SchemeUnits {
  readonly pages: number
  readonly meanBytes: number
  readonly changed: number
  /** GET of a page, as it is. Its bytes come on top of the heads. */
  readonly page: ContentUnits
  /** The same packed with gzip. */
  readonly packed: ContentUnits
  readonly notModified: Cost
  readonly lists: Readonly<Record<ListForm, PollUnits>>
  /** GET of a page that changed, as what differs. */
  readonly difference: ContentUnits
  /**
   * One request for many: each page that is asked for is a line of it, and those that changed are in the answer, as what
   * differs from the version that is held, or whole where none is.
   */
  readonly batch: {
    readonly poll: Cost
    readonly line: number
    readonly content: ContentUnits
    readonly whole: ContentUnits
  }
  readonly filterPages: { readonly poll: Cost; readonly content: ContentUnits }
  readonly filterDifferences: { readonly poll: Cost; readonly content: ContentUnits }
  /** All pages, packed: a share of the bytes of texts, others as they are; and milliseconds for each megabyte. */
  readonly dump: { readonly requests: number; readonly share: number; readonly msPerMegabyte: number }
  /** Each change by itself, but for `batches`: the sum of all is one post, and heads are those of the post. */
  readonly push: Readonly<Record<PushKind, ContentUnits>>
}

interface UnitOptions {
  readonly base: string
  /** What becomes of a page when it changes. */
  readonly edit: (page: CountedPage) => Uint8Array
  /** Pages that change, at most. */
  readonly changed: number
  /** Pages that may change; all unless given. */
  readonly isChanging?: ((page: CountedPage) => boolean) | undefined
}

const HOUR_MS = 3_600_000

/** Several times: the bytes are the same, and of processor times the least is nearest to what the work itself takes. */
export async function measureUnits(pages: readonly CountedPage[], options: UnitOptions): Promise<SchemeUnits> {
  if (pages.length === 0) throw new RangeError('there are no pages to measure on')
  await measureOnce(spread(pages, WARM_UP_PAGES), options)
  const rounds: SchemeUnits[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureOnce(pages, options))
  return leastTimes(rounds[0]!, rounds)
}

const WARM_UP_PAGES = 50
const ROUNDS = 3

/** The first, with the least of all for each time in it. */
function leastTimes<Units extends object>(units: Units, all: readonly Units[]): Units {
  const entries = Object.entries(units).map(([key, value]: [string, unknown]) => {
    const values = all.map((one) => ownValue(one as Record<string, unknown>, key))
    if (typeof value === 'object' && value !== null) return [key, leastTimes(value, values as object[])]
    return [key, TIMES.has(key) ? Math.min(...(values as number[])) : value]
  })
  return Object.fromEntries(entries) as Units
}

const TIMES: ReadonlySet<string> = new Set(['siteMs', 'msPerMegabyte'])

async function measureOnce(
  pages: readonly CountedPage[],
  { base, edit, changed, isChanging = () => true }: UnitOptions,
): Promise<SchemeUnits> {
  const begins = pages.reduce((latest, { modifiedAt }) => Math.max(latest, modifiedAt), 0) + HOUR_MS
  const site = await CountedSite.open(pages, { base, at: begins })
  const changing = pages.filter(isChanging)
  const some = spread(changing.length === 0 ? pages : changing, changed)
  const bytes = some.reduce((sum, { body }) => sum + body.length, 0)
  const singles = await measureSingles(site, some, bytes)
  const pollers = pollersOf(site)
  for (const { poll } of pollers.values()) await poll()
  // Whoever has followed a site for a while is past the moment when all of its pages were new.
  const first = { path: '/first-change.html', body: Buffer.from('<p>'), modifiedAt: site.now + HOUR_MS }
  await site.put([first], first.modifiedAt)
  site.moveTo(site.now + HOUR_MS)
  for (const { poll } of pollers.values()) await poll()
  site.moveTo(site.now + HOUR_MS)
  const nothing = await each(pollers)
  const at = site.now + HOUR_MS
  const deliveryWorkers = await openDeliveryWorkers(site)
  let [count, after] = [0, 0]
  for (const [order, page] of some.entries()) {
    const change = { path: page.path, body: edit(page), modifiedAt: at + order, type: page.type }
    const changes = await site.put([change], at + order)
    count += changes.length
    after += changes.reduce((sum, { bytes: length }) => sum + length, 0)
    for (const { kind, deliveryWorker, sent } of deliveryWorkers)
      if (kind !== 'batches') sent.push(await deliveryWorker.send())
  }
  if (count === 0) throw new RangeError('none of the pages is another one after an edit')
  // A site dates its documents to the end of the second, and robots.rdf is made anew after a minute at the earliest.
  site.moveTo(at + 2 * HOUR_MS)
  for (const { kind, deliveryWorker, sent } of deliveryWorkers)
    if (kind === 'batches') sent.push(await deliveryWorker.send())
  const news = await each(pollers)
  const units = (name: string): PollUnits => ({
    nothing: nothing.get(name)!,
    change: scaled(minus(news.get(name)!, nothing.get(name)!), count),
  })
  const content = (name: string): ContentUnits => ({
    heads: 0,
    share: (news.get(name)!.bytes - nothing.get(name)!.bytes) / after,
    siteMs: (news.get(name)!.siteMs - nothing.get(name)!.siteMs) / count,
  })
  const dump = await measureDump(site)
  const all = pages.reduce((sum, { body }) => sum + body.length, 0)
  const texts = pages.reduce((sum, { body, type = 'text/html' }) => sum + (isTextType(type) ? body.length : 0), 0)
  // Of a batch that finds nothing only the questions and the heads are left.
  const { bytes: idle, requests } = nothing.get('batch')!
  const line = Math.max(0, (idle - BATCH_HEADS * requests) / pages.length)
  return {
    pages: pages.length,
    meanBytes: all / pages.length,
    changed: count,
    ...singles,
    lists: Object.fromEntries(LIST_FORMS.map((form) => [form, units(form)])) as Record<ListForm, PollUnits>,
    difference: differenceUnits(news.get('difference')!, count, after, singles.page.heads),
    batch: {
      poll: { requests: 1, bytes: (idle - line * pages.length) / requests, siteMs: 0 },
      line,
      content: { ...content('batch'), siteMs: news.get('batch')!.siteMs / count },
      whole: await measureWholeBatch(site, some, line),
    },
    filterPages: { poll: nothing.get('filter-page')!, content: content('filter-page') },
    filterDifferences: { poll: nothing.get('filter-difference')!, content: content('filter-difference') },
    dump: {
      requests: dump.requests,
      share: Math.max(0, dump.bytes - (all - texts)) / Math.max(1, texts),
      msPerMegabyte: dump.siteMs / (all / 1e6),
    },
    push: pushUnits(deliveryWorkers, count, after),
  }
}

/** About what a question and its answer take without the lines. */
const BATCH_HEADS = 600

/** Some of them, from all over the list. */
function spread<T>(list: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, list.length / Math.max(1, most))
  return Array.from({ length: Math.min(list.length, Math.max(1, most)) }, (_, at) => list[Math.floor(at * step)]!)
}

async function measureSingles(
  site: CountedSite,
  some: readonly CountedPage[],
  bytes: number,
): Promise<Pick<SchemeUnits, 'page' | 'packed' | 'notModified'>> {
  const count = some.length
  const tags = new Map<string, string>()
  const whole = await over(site.line('plain'), async (line) => {
    for (const { path } of some)
      tags.set(path, (await line.ask({ path })).headers.find(([name]) => name === 'ETag')?.[1] ?? '')
  })
  const packed = await over(site.line('plain'), async (line) => {
    for (const { path } of some) await line.ask({ path, headers: [['accept-encoding', 'gzip']] })
  })
  const same = await over(site.line('plain'), async (line) => {
    for (const { path } of some) await line.ask({ path, headers: [['if-none-match', tags.get(path)!]] })
  })
  const heads = (whole.bytes - bytes) / count
  return {
    page: { heads, share: 1, siteMs: whole.siteMs / count },
    packed: { heads, share: (packed.bytes - heads * count) / bytes, siteMs: packed.siteMs / count },
    notModified: scaled(same, count),
  }
}

function pollersOf(site: CountedSite): ReadonlyMap<string, CountedPoller> {
  const { paths } = site
  const told = (kind: ChangeOfferKind): CountedPoller =>
    countedPoller(site, { offers: [kind, 'sitemap'] }, (follower, line) => follower.learn(line, kind, site.now))
  return tableOf({
    'change list': told('change-list'),
    'metadata archives': told('metadata-archive'),
    'robots.rdf': told('robots-rdf'),
    difference: differencePoller(site),
    batch: countedPoller(site, {}, (follower, line) => follower.batch(line, paths, site.now)),
    'filter-page': countedFollower(site, 'filter', { brings: 'page' }),
    'filter-difference': countedFollower(site, 'filter', { brings: 'difference', differences: 'delta' }),
  })
}

/** Asks for what the site says has changed, and not for the list that says so: that is weighed by itself. */
function differencePoller(site: CountedSite): CountedPoller {
  let upTo = site.journal.last
  return countedPoller(site, { differences: 'delta' }, async (follower, line) => {
    for (const { path } of site.journal.changesAfter(upTo) ?? []) await follower.visit(line, path, site.now)
    upTo = site.journal.last
  })
}

const each = async (pollers: ReadonlyMap<string, CountedPoller>): Promise<ReadonlyMap<string, Cost>> => {
  const costs = new Map<string, Cost>()
  for (const [name, { line, poll }] of pollers) costs.set(name, await over(line, poll))
  return costs
}

function differenceUnits(news: Cost, count: number, bytes: number, pageHeads: number): ContentUnits {
  // Heads of a difference name its base and what it makes; they are counted with it.
  return { heads: pageHeads, share: Math.max(0, (news.bytes - pageHeads * count) / bytes), siteMs: news.siteMs / count }
}

/** Pages of which nothing is held. */
async function measureWholeBatch(site: CountedSite, some: readonly CountedPage[], line: number): Promise<ContentUnits> {
  const follower = new SiteFollower({ base: site.base, copy: new SiteCopy({ isRead: false }) })
  const paths = some.map(({ path }) => path)
  const cost = await over(site.line(), async (asking) => await follower.batch(asking, paths, site.now))
  const bytes = paths.reduce((sum, path) => sum + site.body(path)!.length, 0)
  const around = BATCH_HEADS * cost.requests + line * paths.length
  return { heads: 0, share: Math.max(0, cost.bytes - around) / bytes, siteMs: cost.siteMs / paths.length }
}

async function measureDump(site: CountedSite): Promise<Cost> {
  const { line, poll } = countedPoller(site, { offers: ['dump'] }, (follower, dumping) =>
    follower.dump(dumping, false, site.now),
  )
  return await over(line, poll)
}

interface Sending {
  readonly kind: PushKind
  readonly deliveryWorker: CountedDeliveryWorker
  readonly sent: SentCost[]
}

async function openDeliveryWorkers(site: CountedSite): Promise<readonly Sending[]> {
  const deliveryWorkers: Sending[] = []
  for (const kind of PUSH_KINDS)
    deliveryWorkers.push({ kind, deliveryWorker: await CountedDeliveryWorker.open(site, kind), sent: [] })
  return deliveryWorkers
}

function pushUnits(deliveryWorkers: readonly Sending[], count: number, bytes: number): SchemeUnits['push'] {
  const units = deliveryWorkers.map(({ kind, sent }): [PushKind, ContentUnits] => {
    const sum = (key: keyof SentCost): number => sent.reduce((total, cost) => total + cost[key], 0)
    const siteMs = sum('siteMs') / count
    // A notice weighs the same whatever the page does.
    if (kind === 'changes') return [kind, { heads: sum('bytes') / count, share: 0, siteMs }]
    const heads = (sum('bytes') - sum('bodyBytes')) / Math.max(1, sum('requests'))
    return [kind, { heads, share: sum('bodyBytes') / bytes, siteMs }]
  })
  return Object.fromEntries(units) as SchemeUnits['push']
}

async function over(line: CountedLine, work: (line: CountedLine) => Promise<unknown>): Promise<Cost> {
  const [before, ms] = [line.traffic, line.siteMs]
  await work(line)
  const { requests } = line.traffic
  const bytes = trafficBytes(line.traffic) - trafficBytes(before)
  return { requests: requests - before.requests, bytes, siteMs: line.siteMs - ms }
}

const minus = (a: Cost, b: Cost): Cost => ({
  requests: Math.max(0, a.requests - b.requests),
  bytes: Math.max(0, a.bytes - b.bytes),
  siteMs: Math.max(0, a.siteMs - b.siteMs),
})

const scaled = ({ requests, bytes, siteMs }: Cost, by: number): Cost => ({
  requests: requests / by,
  bytes: bytes / by,
  siteMs: siteMs / by,
})
