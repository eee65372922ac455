/**
 * The experiments of 003, URL ordering, on one web: Graphs 1 to 10, the three crawl models, and an answer to each claim.
 *
 *   start pages ──▶ part of the web that each leads to ──▶ a virtual crawl for each order ──▶ curves ──▶ claims
 *
 * The crawls run on the frontier of a live crawl, and take their orders from the same table by name.
 */
import { DAMPING, HOT_BODY_WORDS, ORDERS } from '@comity/frontier'
import { untestedClaim } from '../../claims/claim-answer.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { areaUnder } from '../../simulate/crawl-model-curves.ts'
import { startPages } from '../../webs/graph/reach.ts'
import { hotPages } from '../../webs/importance-of-web.ts'
import { linkClaims, percent, siteClaims } from './claims.ts'
import type { ClaimContext } from './claims.ts'
import { partFrom } from './crawl.ts'
import type { CrawlPart } from './crawl.ts'
import { linkFigures, orderTitle, siteFigures, topicFigures } from './figures.ts'
import { PAPER_ORDERS, crawlLinks } from './links.ts'
import type { LinkResults } from './links.ts'
import { orderingSettings } from './settings.ts'
import type { OrderingHooks, OrderingSettings } from './settings.ts'
import { SITE_PAGES, crawlSite, smallSiteOf } from './site.ts'
import type { SiteResults } from './site.ts'
import { linkTables, topicTable } from './tables.ts'
import { LEAST_HOT, rounded, targetNote } from './targets.ts'
import { LINKED, crawlTopic, firstVariants, secondVariants } from './topics.ts'
import type { TopicResults } from './topics.ts'
import { topicClaims } from './topic-claims.ts'
import { selfLinkNote, webShapeOf } from '../../report/model.ts'
import type { ExperimentResult } from '../../report/model.ts'
import { createRandom, seedOf } from '@comity/testbed'
import { isFittedWeb } from '../../webs/generated/web.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

/** Throws a RangeError for settings that make no sense, and for a web in which no page leads to another. */
export function runOrdering(
  web: WebGraph,
  given: Partial<OrderingSettings> = {},
  hooks: OrderingHooks = {},
): ExperimentResult {
  const settings = orderingSettings(given)
  const parts = partsOf(web, settings)
  const orders = [...new Set([...PAPER_ORDERS, ...settings.orders])]
  const seed = settings.seeds[0]!
  const onCrawl = counter(hooks, orders.length * (parts.length + settings.starts))
  const [word] = settings.topics
  const hot = settings.topics.map((topic) => hotPages(web, [topic]))
  const links = crawlLinks(parts, { orders, seed, buffers: settings.buffers, topic: { word, hot: hot[0]! }, onCrawl })
  const smallSite = settings.site ?? smallSiteOf(web)
  const site = smallSite && crawlSite(smallSite, { orders, seed, starts: settings.starts, word, onCrawl })
  const topics = crawlTopics(hot, parts, settings, onCrawl)
  return reportOf({ web, settings, parts, links, site, topics })
}

interface Outcome {
  readonly web: WebGraph
  readonly settings: OrderingSettings
  readonly parts: readonly CrawlPart[]
  readonly links: LinkResults
  readonly site: SiteResults | undefined
  readonly topics: readonly [first: TopicResults | undefined, second: TopicResults | undefined]
}

function partsOf(web: WebGraph, { starts, seeds }: OrderingSettings): CrawlPart[] {
  const pages = seeds.flatMap((seed) => startPages(web, starts, createRandom(seedOf(seed, 'start pages'))))
  if (pages.length === 0) throw new RangeError(`${web.name} has no page to start at: it has no pages, or no links.`)
  return [...new Set(pages)].map((start) => partFrom(web, start))
}

function crawlTopics(
  hot: readonly Uint8Array[],
  parts: readonly CrawlPart[],
  { topics, seeds, maxTopicPages }: OrderingSettings,
  onCrawl: (what: string) => void,
): Outcome['topics'] {
  const some = parts.filter((part, n) => n === 0 || part.web.pages <= maxTopicPages)
  const [first, second] = topics.map((word, n) =>
    crawlTopic(some, hot[n]!, {
      word,
      seed: seeds[0]!,
      variants: n === 0 ? firstVariants : secondVariants,
      onCrawl,
    }),
  )
  return [first, second]
}

/** Counts crawls. How many a topic needs is not known before the words are read, so `of` may grow. */
function counter({ onCrawl }: OrderingHooks, guess: number): (what: string) => void {
  let done = 0
  return (what) => onCrawl?.(what, done++, Math.max(guess, done))
}

function reportOf(outcome: Outcome): ExperimentResult {
  const { web, settings, parts, links, site, topics } = outcome
  const id = idOf(web.name)
  const context = { id, web: web.name, isFitted: isFittedWeb(web) }
  const [first, second] = topics
  const pages = parts[0]!.web.pages
  const claims = claimsOf(context, outcome)
  return {
    id,
    name: `URL ordering on ${web.name}`,
    paper: '003',
    finding: findingOf(links, claims),
    parameters: [
      { name: 'start pages', value: parts.length },
      { name: 'pages the first leads to', value: pages, unit: 'pages' },
      { name: 'damping of PageRank', value: DAMPING },
      { name: 'orders', value: links.orders.map(({ order }) => order).join(', ') },
      { name: 'topics', value: settings.topics.join(', ') },
      { name: 'words in the body that make a page hot', value: HOT_BODY_WORDS },
    ],
    seeds: settings.seeds,
    webs: [webShapeOf(web), ...(site === undefined ? [] : [webShapeOf(site.site, 'Graphs 5 and 6')])],
    figures: [
      ...linkFigures(id, links),
      ...(site === undefined ? [] : siteFigures(id, site)),
      ...topicFigures(id, pages, first, second),
    ],
    tables: [
      ...linkTables(id, links, settings.buffers),
      ...[first, second].flatMap((results, n) => (results === undefined ? [] : [topicTable(id, results, n + 1)])),
    ],
    claims,
    notes: notesOf(outcome),
  }
}

function claimsOf(context: ClaimContext, { links, site, topics, settings }: Outcome): ClaimAnswer[] {
  const noTopic = `Fewer than ${LEAST_HOT} pages here have "${settings.topics[0]}" in a title or ten times in a body. It takes a web with words.`
  const noSite = `No site of this web has about ${SITE_PAGES} pages that lead to each other. It takes one, and URLs or --hosts that tell it.`
  const all = [
    ...linkClaims(context, links),
    ...(site === undefined ? untestedClaim('003.5', context, noSite) : siteClaims(context, site)),
    ...topicClaims(context, ...topics, noTopic),
  ]
  return all.toSorted((a, b) => a.number - b.number)
}

/** What only a lab can know is there to compare with, and wins nothing. */
const isReal = (name: string): boolean => ORDERS.find((order) => order.name === name)?.isLabOnly !== true

function findingOf(links: LinkResults, claims: readonly ClaimAnswer[]): string {
  const areas = links.orders.map(({ order, backlinks }) => ({ order, area: areaUnder(backlinks.at(-1)!.mean) }))
  const [best] = areas.filter(({ order }) => isReal(order)).toSorted((a, b) => b.area - a.area)
  const random = areas.find(({ order }) => order === 'random')!
  const numbers = (verdict: ClaimAnswer['verdict']): string =>
    claims.flatMap((claim) => (claim.verdict === verdict ? [claim.part] : [])).join(', ') || 'none'
  return (
    `Pages with ${rounded(links.targets.backlinks.at(-1)!.used)} or more backlinks are found soonest in ` +
    `${orderTitle(best!.order)} order: ${percent(best!.area)} of them, averaged over the crawl, random ${percent(random.area)}. ` +
    `Parts of claims that hold: ${numbers('holds')}; that do not: ${numbers('does not hold here')}.`
  )
}

function notesOf({ web, parts, links, site, topics: [first, second] }: Outcome): string[] {
  const unreached = web.pages - parts[0]!.web.pages
  const moved = [
    ...links.targets.backlinks.map((target) => targetNote('Backlinks', target)),
    targetNote('PageRank', links.targets.rank),
    site && targetNote('Graph 5', site.target),
  ]
  const notes = [
    `${unreached} of ${web.pages} pages cannot be reached from the first start page and count nowhere, nor do links from them (003 §6: 46,000 of 225,000).`,
    `One queue, as in Figure 1; of pages of equal rank the one known longest comes first. The paper does not say which does, and most pages are equal.`,
    ...selfLinkNote(web),
    ...moved.filter((note) => note !== undefined),
  ]
  if (first !== undefined) {
    notes.push(
      `The loops of Figures 4 and 5 are read with "or": as printed they would end before they begin. Breadth-first is the order in which pages are found; the order by clicks from the start page is drawn beside it.`,
    )
  }
  for (const results of [first, second]) {
    if (results === undefined || results.leastLinks === LINKED) continue
    notes.push(
      `"${results.word}": fewer than ${LEAST_HOT} pages on the topic have ${LINKED} backlinks, so ${results.leastLinks} are enough here.`,
    )
  }
  return notes
}

/** Letters, digits and hyphens; short enough for what is hung on it. */
const idOf = (name: string): string =>
  `ordering-${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 50)}`.replace(/-$/, '')
