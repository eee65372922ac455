/**
 * What gateways see of a web when people read it. Readers choose pages by Zipf's law: the page of rank r as often as r^-s
 * (requests to servers follow it with s from 0.6 to 0.9: Breslau et al., INFOCOM 1999, doi:10.1109/INFCOM.1999.749260). Which
 * page has which rank is not known of graphs, so there are two extremes: by PageRank, as if people only followed links, and by
 * chance, as if links had nothing to do with it.
 *
 * With views at random times a page that is read p times a day has been seen after t days with chance 1 − e^(−pt). Shares are
 * the means of that and have no noise.
 */
import { importanceOfWeb } from '../../webs/importance-of-web.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

export interface Readers {
  readonly name: string
  /** Views of each page in a day that pass an active gateway. */
  readonly viewsADay: Float64Array
}

interface ReaderSettings {
  readonly zipf: number
  /** Views a day over pages. */
  readonly viewsPerPage: number
  /** Part of the sites that lie behind an active gateway, in the third kind of readers. */
  readonly activeShare: number
  readonly seed: number
}

export function readersOf(web: WebGraph, settings: ReaderSettings): Readers[] {
  const { seed, activeShare } = settings
  const random = createRandom(seedOf(seed, 'readers'))
  const all = Array.from({ length: web.pages }, (_, page) => page)
  const ranks = importanceOfWeb(web, 'pagerank')
  const linked = viewsBy(
    all.toSorted((a, b) => ranks[b]! - ranks[a]! || a - b),
    settings,
  )
  const free = viewsBy(random.shuffle(all), settings)
  const isActive = Uint8Array.from({ length: web.sites }, () => (random.chance(activeShare) ? 1 : 0))
  return [
    { name: 'readers by links', viewsADay: linked },
    { name: 'readers by chance', viewsADay: free },
    ...(web.sites > 1
      ? [
          {
            name: `at ${activeShare * 100} % of the sites`,
            viewsADay: free.map((views, page) => (isActive[web.siteOf[page]!] === 1 ? views : 0)),
          },
        ]
      : []),
  ]
}

function viewsBy(order: readonly number[], { zipf, viewsPerPage }: ReaderSettings): Float64Array {
  const views = new Float64Array(order.length)
  let sum = 0
  order.forEach((page, at) => (sum += views[page] = (at + 1) ** -zipf))
  const scale = (viewsPerPage * order.length) / sum
  return views.map((value) => value * scale)
}

/** Share of the pages that are seen after so many days, of those that count; NaN when none does. */
export function seenAfter({ viewsADay }: Readers, days: number, counts: (page: number) => boolean): number {
  let [seen, all] = [0, 0]
  for (let page = 0; page < viewsADay.length; page++) {
    if (!counts(page)) continue
    all++
    seen -= Math.expm1(-viewsADay[page]! * days)
  }
  return all === 0 ? NaN : seen / all
}
