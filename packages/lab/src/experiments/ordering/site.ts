/**
 * The crawls of 003 Graphs 5 and 6: one small site of about 1,100 pages, alone. Which site it is, when none is given:
 * the one nearest to that size of which its best page reaches at least half.
 */
import { spreadOf, overShare } from '../../simulate/crawl-model-curves.ts'
import type { Spread } from '../../simulate/crawl-model-curves.ts'
import { thresholdCurve } from '../../simulate/crawl-models.ts'
import { subWeb } from '../../webs/graph/graph-part.ts'
import { largestReach, startPages } from '../../webs/graph/reach.ts'
import { importanceOfWeb } from '../../webs/importance-of-web.ts'
import { partFrom, visitsOf } from './crawl.ts'
import type { CrawlPart } from './crawl.ts'
import { SITE_TARGET, targetFor } from './targets.ts'
import type { Target } from './targets.ts'
import { createRandom } from '@comity/testbed'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

/** Pages of www-db.stanford.edu. */
export const SITE_PAGES = 1_100
/** Sites from half to four times that are still "small"; below, the curves are stairs. */
const [LEAST_PAGES, MOST_PAGES] = [SITE_PAGES / 2, SITE_PAGES * 4]
/** Sites that are looked at before we give up. */
const TRIES = 50

export interface SiteResults {
  readonly site: WebGraph
  readonly target: Target
  readonly orders: readonly { readonly order: string; readonly found: Spread }[]
  /** IB of each page of the first part. */
  readonly backlinks: Float64Array
}

interface SitePlan {
  readonly orders: readonly string[]
  readonly seed: number
  readonly starts: number
  /** For orders that look at a topic. */
  readonly word: string
  readonly onCrawl: (what: string) => void
}

export function crawlSite(site: WebGraph, { orders, seed, starts, word, onCrawl }: SitePlan): SiteResults {
  const parts = startPages(site, starts, createRandom(seed)).map((start) => partFrom(site, start))
  const importance = parts.map(({ web }) => importanceOfWeb(web, 'backlink'))
  const target = targetFor(importance[0]!, ...SITE_TARGET)
  const found = (order: string, part: CrawlPart, n: number): Float64Array => {
    onCrawl(`${order}, one site of ${part.web.pages} pages`)
    const visits = visitsOf(part, { order, seed, oracle: importance[n], importance: { topic: [word] } })
    return overShare(thresholdCurve(visits, importance[n]!, target.used))
  }
  return {
    site,
    target,
    orders: orders.map((order) => ({ order, found: spreadOf(parts.map((part, n) => found(order, part, n))) })),
    backlinks: importance[0]!,
  }
}

/** A small site of this web; undefined when it has none. A web that is itself one small site will do. */
export function smallSiteOf(web: WebGraph): WebGraph | undefined {
  const sizes = new Uint32Array(web.sites)
  for (const site of web.siteOf) sizes[site]!++
  const distance = (site: number): number => Math.abs(Math.log(sizes[site]! / SITE_PAGES))
  const candidates = Array.from(sizes.keys())
    .filter((site) => sizes[site]! >= LEAST_PAGES && sizes[site]! <= MOST_PAGES)
    .toSorted((a, b) => distance(a) - distance(b) || a - b)
  for (const site of candidates.slice(0, TRIES)) {
    const part = subWeb(
      web,
      Uint8Array.from(web.siteOf, (of) => (of === site ? 1 : 0)),
    )
    if ((largestReach(part)?.count ?? 0) >= Math.max(LEAST_PAGES, part.pages / 2))
      return { ...part, name: nameOf(part, site) }
  }
  return undefined
}

function nameOf(part: WebGraph, site: number): string {
  const url = part.words?.urlOf(0) ?? ''
  const host = /^https?:\/\/([^/]+)/.exec(url)?.[1]
  return host === undefined ? `site ${site} of ${part.name}` : `${host} of ${part.name}`
}
