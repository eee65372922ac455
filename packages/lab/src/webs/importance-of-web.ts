/**
 * The true importance of every page of a web (003 §2): what a crawler could know only after it had seen all of it.
 *
 * The names are those of the metrics of a crawl, so that `0.7*pagerank + 0.3*topic` as an importance is what the order of
 * the same name guesses: backlink is IB, pagerank IR, forward IF, location IL, topic whether a page is hot (§7), anchor
 * the similarity IS of the page itself, depth clicks from a start page, and an expression IC.
 *
 * Links from outside the web do not count, as in the paper (§3).
 */
import {
  PageRank,
  WordCounts,
  isHot,
  metricNamed,
  topicSimilarity,
  similarityDefaults,
  wordCounts,
  parseExpression,
} from '@comity/frontier'
import type { LocationRules, RankedWeb, SimilarityOptions } from '@comity/frontier'
import { tableOf } from '@comity/protocol'
import { linksOf } from './graph/web-graph.ts'
import type { WebGraph } from './graph/web-graph.ts'

interface ImportanceSettings {
  /** Words of the driving query Q. */
  readonly topic?: readonly string[] | undefined
  readonly location?: LocationRules | undefined
  /** `idf`: weigh words by how rare they are in the whole web. */
  readonly similarity?: Omit<SimilarityOptions, 'idf'> & { readonly idf: boolean }
}

/** One value a page. A RangeError for a name that is neither a metric nor an expression over metrics. */
export function importanceOfWeb(web: WebGraph, name: string, settings: ImportanceSettings = {}): Float64Array {
  const expression = parseExpression(name, (metric) => metricNamed(metric) !== undefined)
  if (typeof expression === 'string') throw new RangeError(`"${name}" is no importance: ${expression}`)
  const values = expression.names.map((metric) => trueValues(web, metric, settings))
  return each(web, (page) => expression.evaluate((n) => values[n]![page]!))
}

/** Pages that have the topic in their title, or often in their text: 1 for each of them (003 §7). */
export function hotPages({ pages, words }: WebGraph, topic: readonly string[]): Uint8Array {
  const hot = new Uint8Array(pages)
  if (words === undefined || topic.length === 0) return hot
  for (let page = 0; page < pages; page++)
    hot[page] = isHot({ title: words.titleOf(page), body: words.bodyOf(page) }, topic) ? 1 : 0
  return hot
}

/** Metrics whose value for a page that was seen is not what they say of one that waits, or that need more exactness. */
const OWN: ReadonlyMap<string, (web: WebGraph, settings: ImportanceSettings) => Float64Array> = tableOf({
  pagerank: rankValues,
  forward: (web) => each(web, (page) => web.starts[page + 1]! - web.starts[page]!),
  topic: (web, { topic = [] }) => Float64Array.from(hotPages(web, topic)),
  anchor: similarityValues,
})

function trueValues(web: WebGraph, name: string, settings: ImportanceSettings): Float64Array {
  const own = OWN.get(name)
  if (own !== undefined) return own(web, settings)
  const depths = name === 'depth' ? clicksFrom(web, web.homes) : undefined
  const metric = metricNamed(name)!.start(
    { ...seenWhole(web), ...(depths && { depthOf: (page: number) => depths[page]! }) },
    { random: () => 0, location: settings.location },
  )
  for (let page = 0; page < web.pages && metric.visited !== undefined; page++)
    metric.visited(page, { links: linksOf(web, page), anchorOf: () => '', similarity: 0, isHot: false })
  return each(web, (page) => metric.score(page))
}

/** A millionth of each rank: a thousand times as exact as the ranks a crawl orders by. */
const RANK_TOLERANCE = 1e-6

function rankValues(web: WebGraph): Float64Array {
  const ranks = new PageRank()
  ranks.grow(web.pages)
  for (let page = 0; page < web.pages; page++) ranks.set(page, linksOf(web, page))
  ranks.solve(RANK_TOLERANCE)
  return each(web, (page) => ranks.rankOf(page))
}

function similarityValues(web: WebGraph, settings: ImportanceSettings): Float64Array {
  const { topic = [], similarity: { idf: hasIdf, ...options } = { ...similarityDefaults, idf: false } } = settings
  const { words } = web
  if (words === undefined) return new Float64Array(web.pages)
  const idf = hasIdf ? collectionIdf(web) : undefined
  return each(web, (page) =>
    topicSimilarity({ title: words.titleOf(page), body: words.bodyOf(page) }, topic, { ...options, idf }),
  )
}

function collectionIdf({ pages, words }: WebGraph): WordCounts['idf'] {
  const counts = new WordCounts()
  for (let page = 0; page < pages; page++) counts.add(wordCounts(words!.titleOf(page), wordCounts(words!.bodyOf(page))))
  return counts.idf
}

/** A crawl that has seen everything, as far as a metric looks at it. */
export function seenWhole(web: WebGraph): RankedWeb {
  const site = { origin: '', waiting: 0, visited: web.pages, best: Infinity }
  return {
    count: web.pages,
    depthOf: () => 0,
    siteOf: () => site,
    isWaiting: () => false,
    urlOf: (page) => web.words?.urlOf(page) ?? '',
    moved: () => {},
    allMoved: () => {},
  }
}

/** Clicks to each page from the nearest of some; Infinity where no way leads. */
export function clicksFrom(web: WebGraph, homes: Iterable<number>): Float64Array {
  const clicks = new Float64Array(web.pages).fill(Infinity)
  const queue = new Uint32Array(web.pages)
  let found = 0
  const find = (page: number, depth: number): void => {
    if (clicks[page] !== Infinity) return
    clicks[page] = depth
    queue[found++] = page
  }
  for (const home of homes) find(home, 0)
  for (let at = 0; at < found; at++) for (const to of linksOf(web, queue[at]!)) find(to, clicks[queue[at]!]! + 1)
  return clicks
}

const each = ({ pages }: WebGraph, valueOf: (page: number) => number): Float64Array =>
  Float64Array.from({ length: pages }, (_, page) => valueOf(page))
