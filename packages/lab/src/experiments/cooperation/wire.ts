/**
 * What it costs to learn which pages of a site changed, by scheme: on a first visit, and after nothing, one page, one page near
 * the home page, 1 % and 10 % of the pages have changed. Every byte of HTTP counts, both ways.
 *
 * Bodies of changed pages do not: whoever learns of a change fetches the page, whatever told of it.
 */
import { headerOf } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import type { CountedLine } from '../../cooperating/counted-line.ts'
import type { Answered, Asked, Traffic as LineTraffic } from '../../cooperating/http.ts'
import type { SitePages } from '../../webs/made-site.ts'
import { SCHEMES } from './schemes.ts'
import { openCooperatingSite } from './server.ts'
import type { CooperatingSite } from './server.ts'
import { createRandom, seedOf } from '@comity/testbed'

/** Each scheme has one connection. */
export type Traffic = Omit<LineTraffic, 'connections'>

export const VISITS = ['first', 'nothing', 'top', 'one', 'hundredth', 'tenth'] as const
export type VisitKind = (typeof VISITS)[number]

interface SchemeCost {
  readonly scheme: string
  readonly about: string
  readonly visits: Readonly<Record<VisitKind, Traffic>>
}

export interface SiteCosts {
  readonly name: string
  readonly pages: number
  readonly urlChars: number
  readonly changed: Readonly<Record<VisitKind, number>>
  readonly schemes: readonly SchemeCost[]
  /** Pages in the first part of a robots.rdf by levels, and how many parts there are. */
  readonly topPages: number
  readonly rdfParts: number
}

interface WireSettings {
  readonly seed: number
  readonly userAgent: string
  /** Up to so many pages every scheme has to tell of just the pages that changed. */
  readonly readPages: number
}

export const HEAD_EACH = 'HEAD on each page'
export const GET_EACH = 'GET if modified on each'

export const bytesOf = ({ sent, received }: Traffic): number => sent + received

export async function measureSite(pages: SitePages, settings: WireSettings): Promise<SiteCosts> {
  const site = await openCooperatingSite(pages)
  const changes = changesOf(pages, settings.seed)
  const each = await measureEach(site, pages, changes, settings)
  const visits = new Map<string, Map<VisitKind, Traffic>>(SCHEMES.map(({ name }) => [name, new Map()]))
  let topPages = 0
  const isChecked = pages.pages.length <= settings.readPages
  const readers = SCHEMES.map((scheme) => {
    const line = site.line(scheme.door, agentOf(settings))
    return { scheme, line, visit: scheme.start({ line, base: site.base, now: site.now }) }
  })
  for (const kind of VISITS) {
    if (kind !== 'first') await site.change(changes[kind])
    for (const { scheme, line, visit } of readers) {
      const before = line.traffic
      const told = await visit()
      visits.get(scheme.name)!.set(kind, difference(line.traffic, before))
      if (scheme.tells === 'top' && kind === 'first') topPages = told.size
      if (isChecked && scheme.tells === undefined) check(scheme.name, told, pages, changes[kind])
    }
  }
  const costs = SCHEMES.map(({ name, about }) => ({ scheme: name, about, visits: recordOf(visits.get(name)!) }))
  return {
    name: pages.name,
    pages: pages.pages.length,
    urlChars: pages.pages.reduce((sum, { url }) => sum + url.length, 0) / pages.pages.length,
    changed: byVisit((kind) => changes[kind].length),
    schemes: [...each, ...costs],
    topPages,
    rdfParts: visits.get('robots.rdf by levels')!.get('first')!.requests,
  }
}

const agentOf = ({ userAgent }: WireSettings): HeaderList => [['User-Agent', userAgent]]

type Changes = Readonly<Record<VisitKind, readonly number[]>>

/** Which pages change before each visit, by their place in the list. */
function changesOf({ base, pages }: SitePages, seed: number): Changes {
  const random = createRandom(seedOf(seed, 'changes', pages.length))
  const depths = pages.map(({ url }) => url.slice(base.length).split('/').length - 1)
  const least = depths.reduce((low, depth) => Math.min(low, depth), Infinity)
  const all = [...pages.keys()]
  const [top, deep] = [all.filter((page) => depths[page] === least), all.filter((page) => depths[page]! > least)]
  const some = (share: number): number[] => random.shuffle(all).slice(0, Math.max(1, Math.round(share * pages.length)))
  return {
    first: all,
    nothing: [],
    top: [random.pick(top)],
    one: [random.pick(deep.length > 0 ? deep : top)],
    hundredth: some(0.01),
    tenth: some(0.1),
  }
}

/** The crawler's own fields for a page. */
const PAGE_HEADERS = [
  ['Accept', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'],
  ['Accept-Encoding', 'gzip, br, zstd, deflate'],
] as const

/**
 * Every page by itself. Each is asked once with HEAD and once with GET and the tag it has, which gives the size of every
 * request and of both answers to it. A poll costs the sum of those that apply: an answer to GET has the head of the answer
 * to HEAD (RFC 9110 §9.3.2), so nothing needs to be asked again for each number of changes.
 */
async function measureEach(
  site: CooperatingSite,
  { pages }: SitePages,
  changes: Changes,
  settings: WireSettings,
): Promise<SchemeCost[]> {
  const line = site.line('parts', agentOf(settings))
  const { origin } = new URL(site.base)
  const paths = pages.map(({ url }) => url.slice(origin.length))
  const tags: string[] = []
  const [fresh, same] = [new Uint32Array(paths.length), new Uint32Array(paths.length)]
  for (const [page, path] of paths.entries()) {
    const { headers, received } = await askFor(line, { path, method: 'HEAD', headers: PAGE_HEADERS }, 200)
    tags.push(headerOf(headers, 'etag') ?? '')
    fresh[page] = received
  }
  const byHead = difference(line.traffic, NOTHING)
  for (const [page, path] of paths.entries()) {
    const headers: HeaderList = [...PAGE_HEADERS, ['If-None-Match', tags[page]!]]
    same[page] = (await askFor(line, { path, headers }, 304)).received
  }
  const byGet = difference(line.traffic, byHead)
  const afterChange = (changed: readonly number[]): Traffic => ({
    ...byGet,
    received: changed.reduce((sum, page) => sum - same[page]! + fresh[page]!, byGet.received),
  })
  return [
    { scheme: HEAD_EACH, about: 'one request a page, whose address is known', visits: byVisit(() => byHead) },
    {
      scheme: GET_EACH,
      about: 'If-None-Match with the tag of the copy; 304 where it is the same',
      visits: byVisit((kind) => (kind === 'first' ? byHead : afterChange(changes[kind]))),
    },
  ]
}

const NOTHING = { requests: 0, sent: 0, received: 0 }

/** The answer, and what of it came over the line. */
async function askFor(
  line: CountedLine,
  asked: Asked,
  status: number,
): Promise<Answered & { readonly received: number }> {
  const before = line.traffic.received
  const answer = await line.ask(asked)
  if (answer.status !== status) throw new Error(`the site answers ${answer.status} for ${asked.path}`)
  return { ...answer, received: line.traffic.received - before }
}

const byVisit = <T>(value: (kind: VisitKind) => T): Record<VisitKind, T> =>
  Object.fromEntries(VISITS.map((kind) => [kind, value(kind)])) as Record<VisitKind, T>

const difference = (after: Traffic, before: Traffic): Traffic => ({
  requests: after.requests - before.requests,
  sent: after.sent - before.sent,
  received: after.received - before.received,
})

const recordOf = (visits: ReadonlyMap<VisitKind, Traffic>): Record<VisitKind, Traffic> =>
  Object.fromEntries(visits) as Record<VisitKind, Traffic>

/** What a scheme is paid for: a price for something else would mean nothing. */
function check(scheme: string, told: ReadonlySet<string>, { pages }: SitePages, changed: readonly number[]): void {
  const missed = changed.find((page) => !told.has(new URL(pages[page]!.url).pathname))
  if (missed === undefined && told.size === changed.length) return
  throw new Error(
    `${scheme} tells of ${told.size} pages where ${changed.length} changed` +
      (missed === undefined ? '' : `, and not of ${pages[missed]!.url}`),
  )
}
