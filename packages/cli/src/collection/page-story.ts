/** Page story: all that a collection knows about one URL. */
import { basename } from 'node:path'
import { FACTS, storedPage } from '@comity/collection'
import type { PageRow, StoredPage, RobotsRow, WarcPosition } from '@comity/collection'
import { NO_PARENT, EXCLUDED, exclusionSentence, PAGE_STATES, reasonNamed, WRITTEN_STATES } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import { pageFacts } from '@comity/ingest'
import type { PageFact } from '@comity/ingest'
import { freshnessStory } from '@comity/follow'
import type { FreshnessStory } from '@comity/follow'
import { canonicalUrl, isAllowedInEverySpelling, parseRobots, siteOf } from '@comity/protocol'
import type { Instant, UrlRules } from '@comity/protocol'
import type { CollectionView } from './collection-view.ts'
import { NotThere, UsageError } from '../usage-error.ts'
import { withScheme } from '../crawl/options.ts'

export interface PageStory {
  readonly url: string
  readonly page: number
  /** As `WRITTEN_STATES` names it. */
  readonly state: string
  /** Why it is not fetched, or not yet. */
  readonly why: string | undefined
  readonly depth: number
  readonly tries: number
  /** From the page it was found on back to a start page. */
  readonly foundOn: readonly string[]
  readonly seed: string | undefined
  readonly row: PageRow | undefined
  /** The same as a person is told it. */
  readonly facts: readonly PageFact[]
  readonly nearDuplicateOf: string | undefined
  readonly sameBodyAs: string | undefined
  readonly captures: readonly StoryCapture[]
  readonly linksOut: readonly StoryLink[]
  readonly linksOutCount: number
  readonly linksIn: readonly StoryLink[]
  readonly linksInCount: number
  readonly robots: StoryRobots
  /** Of a page that is kept fresh. */
  readonly freshness: FreshnessStory | undefined
}

export interface StoryCapture {
  readonly at: string
  /** How we came by it: a crawl of ours, or the site sent it. */
  readonly source: string
  readonly outcome: string
  readonly status: number
  readonly bytes: number
  readonly digest: string | undefined
  readonly problem: string | undefined
  /** How the site served it, where it was not the whole page for one request. */
  readonly scheme: string | undefined
  /** Why it was asked for again. */
  readonly why: string | undefined
  readonly record: StoryRecord | undefined
  /** Where the body is, when it is stored in another record. */
  readonly body: StoryRecord | undefined
}

interface StoryRecord {
  readonly file: string
  readonly offset: number
  readonly length: number
}

export interface StoryLink {
  readonly url: string
  readonly anchor: string
}

interface StoryRobots {
  readonly verdict: string
  readonly allowed: boolean | undefined
  readonly rule?: string
  readonly line?: number
  readonly readAt?: string
}

type Stored = StoredPage['captures'][number]

/** A chain of parents longer than this is not a story any more. */
const MAX_CHAIN = 20

interface StoryWish {
  readonly links: number
  /** Whose rules in robots.txt count. */
  readonly agent: string
  readonly now: Instant
}

export function pageStory(view: CollectionView, typed: string, { links, agent, now }: StoryWish): PageStory {
  const { collection, frontier, urlOf } = view
  const rules = collection.urlRules()
  const page = findPage(frontier, typed, rules)
  const { row, captures, linksOut, nearDuplicateOf, robots } = storedPage(collection, page)
  const linksIn = [...collection.linksIn(page)]
  const { pages } = frontier
  // What was forgotten has no name any more but the one that was typed.
  const url = collection.url(page) ?? canonicalUrl(withScheme(typed), undefined, rules) ?? typed
  const body = row?.digest === undefined ? undefined : collection.body(row.digest)
  const sameBodyAs = body === undefined || body.url === url ? undefined : body.url
  return {
    url,
    page,
    state: WRITTEN_STATES[pages.stateOf(page)]!,
    why: whyNot(view, page),
    depth: pages.depthOf(page),
    tries: pages.stateOf(page) === EXCLUDED ? 0 : pages.triesOf(page),
    foundOn: chainOf(view, page),
    seed: collection.fact(FACTS.seeds)?.[pages.seedOf(page)],
    row: row && told(row),
    facts: pageFacts({ url, row, firstSeenAt: captures[0]?.at, sameBodyAs, nearDuplicateOf }),
    nearDuplicateOf,
    sameBodyAs,
    captures: captures.map((capture) => toldCapture(view, capture)),
    linksOut: linksOut.slice(0, links).map((link) => ({ url: link.url ?? '', anchor: link.anchor })),
    linksOutCount: linksOut.length,
    linksIn: linksIn.slice(0, links).map(({ from, anchor }) => ({ url: urlOf(from), anchor })),
    linksInCount: linksIn.length,
    robots: robotsSaid(robots, url, agent),
    freshness: freshnessStory(collection, page, now),
  }
}

/** Where a redirect leads has had two names here, and keeps them. */
const told = (row: PageRow): PageRow =>
  row.redirectTo === undefined ? row : Object.assign({ to: row.redirectTo }, row)

function toldCapture(
  view: CollectionView,
  { at, source, outcome, status, bytes, digest, problem, scheme, why, record, body }: Stored,
): StoryCapture {
  return {
    at: new Date(at).toISOString(),
    source,
    outcome,
    status,
    bytes,
    digest,
    problem,
    scheme,
    why,
    record: recordAt(view, record),
    body: body?.offset === record?.offset ? undefined : recordAt(view, body),
  }
}

/** The page that a typed URL means, in the spellings people use. */
function findPage(frontier: Frontier, typed: string, rules: UrlRules): number {
  const spelled = [typed, withScheme(typed), `${withScheme(typed)}/`, withScheme(typed).replace(/\/$/, '')]
  const schemes = spelled.flatMap((url) => [url, url.replace(/^https:/, 'http:'), url.replace(/^http:/, 'https:')])
  for (const url of schemes.map((one) => canonicalUrl(one, undefined, rules))) {
    const page = url === undefined ? -1 : frontier.findUrl(url)
    if (page !== -1) return page
  }
  const url = canonicalUrl(withScheme(typed), undefined, rules)
  if (url === undefined) throw new UsageError(`"${typed}" is not a URL: write it like https://example.org/page.`)
  const isKnownSite = frontier.sites.some(({ origin }) => origin === siteOf(url))
  throw new NotThere(
    `${url} is not known here: no page that was fetched links to it${isKnownSite ? '' : ', nor to any other page of its site'}.`,
  )
}

function whyNot(view: CollectionView, page: number): string | undefined {
  const { frontier, collection } = view
  const state = PAGE_STATES[frontier.pages.stateOf(page)]
  if (state === 'excluded') {
    const reason = reasonNamed(frontier.pages.exclusionOf(page))
    return `${reason}: ${exclusionSentence(reason)}`
  }
  if (state === 'forgotten') return 'it was forgotten on request and stays out'
  if (state === 'failed') return 'every try failed; a crawl with --revisit tries again'
  if (state !== 'waiting') return undefined
  const site = frontier.sites[frontier.pages.siteOf(page)]
  const robots = collection.robots(frontier.pages.siteOf(page))
  if (robots?.verdict === 'disallow-all') return 'its turn has not come: robots.txt of its site could not be had'
  if ((site?.strikes ?? 0) > 0) return `its turn has not come: its site failed ${site?.strikes} times in a row`
  return 'its turn has not come'
}

function chainOf({ collection, urlOf }: CollectionView, page: number): string[] {
  const chain: string[] = []
  for (let { parent } = collection.text(page); parent !== NO_PARENT && chain.length < MAX_CHAIN;) {
    chain.push(urlOf(parent))
    parent = collection.text(parent).parent
  }
  return chain
}

function recordAt({ collection }: CollectionView, position: WarcPosition | undefined): StoryRecord | undefined {
  if (position === undefined) return undefined
  const { file, offset, length } = position
  return { file: basename(collection.warcPaths[file] ?? String(file)), offset, length }
}

function robotsSaid(row: RobotsRow | undefined, url: string, productToken: string): StoryRobots {
  if (row === undefined) return { verdict: 'robots.txt was not asked for', allowed: undefined }
  const readAt = new Date(row.fetchedAt).toISOString()
  if (row.verdict === 'disallow-all')
    return { verdict: 'robots.txt could not be had, so all is disallowed', allowed: false, readAt }
  if (row.verdict === 'allow-all')
    return { verdict: 'there is no robots.txt, so all is allowed', allowed: true, readAt }
  return {
    verdict: `as robots.txt says for ${productToken}`,
    ...isAllowedInEverySpelling(parseRobots(row.body).rulesFor(productToken), url),
    readAt,
  }
}
