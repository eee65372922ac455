/**
 * Findings of an advice: the replays, one sweep after the other. Orders with what the crawl had; then pages a connection,
 * visits at once and rests, each with the best of those before.
 *
 * "Soonest" is the mean time at which importance came. Of settings that are nearly as good as the best, the mildest is
 * taken, and of orders the one that the crawl had.
 */
import { orderNamed, usableOrders } from '@comity/frontier'
import { realCurve } from './history.ts'
import type { CrawlHistory } from './history.ts'
import { Replays } from './replay.ts'
import type { CrawlChoice, Replay } from './replay.ts'
import type { AdviseHooks, AdviseSettings } from './settings.ts'
import { importanceOfWeb } from '../webs/importance-of-web.ts'
import type { Curve } from '../simulate/record.ts'
import { linksOf } from '../webs/graph/web-graph.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

/** All that the words and the plot are made from. */
export interface AdviceFindings {
  readonly web: WebGraph
  readonly real: Curve
  /** The crawl as it was, replayed; with the best order; and with the settings that are recommended. */
  readonly base: Replay
  readonly ordered: Replay
  readonly advised: Replay
  /** With an order that knows every page beforehand: no crawl can do this. */
  readonly optimal: Replay
  readonly orders: readonly Replay[]
  readonly connections: readonly Replay[]
  readonly robots: readonly Replay[]
  readonly waits: readonly Replay[]
}

const PAGES_PER_CONNECTION = [1, 2, 5, 10, 100]
const ROBOTS = [1, 4, 16, 64, 256]
const WAITS_MS = [1_000, 5_000, 15_000, 30_000, 60_000]
/** An order must be better by this much to be worth a change. */
export const WORTH_A_CHANGE = 0.02
/** More load, by k or r, must be. */
export const WORTH_LOAD = 0.05
/** A site gets at most a page in this time, all rests counted, unless it got more from the crawl itself. */
const LEAST_REST_MS = 1_000

/** Start pages, and what no link of what came leads to: it was found by a sitemap, or by a link that is gone. */
export function waysInto(web: WebGraph): { homes: readonly number[]; unlinked: number } {
  const reached = new Uint8Array(web.pages)
  const homes: number[] = []
  const enter = (home: number): void => {
    if (reached[home] === 1) return
    reached[home] = 1
    homes.push(home)
    const waiting = [home]
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
      for (const to of linksOf(web, page)) {
        if (reached[to] === 1) continue
        reached[to] = 1
        waiting.push(to)
      }
    }
  }
  web.homes.forEach(enter)
  const started = homes.length
  for (let page = 0; page < web.pages; page++) enter(page)
  // Start pages that another start page links to begin at once, too.
  return { homes: [...new Set([...web.homes, ...homes])], unlinked: homes.length - started }
}

interface Question {
  readonly web: WebGraph
  readonly homes: readonly number[]
  readonly settings: AdviseSettings
  readonly choice: CrawlChoice
  readonly history: CrawlHistory
  readonly hooks: AdviseHooks
}

export async function findings({ web, homes, settings, choice, history, hooks }: Question): Promise<AdviceFindings> {
  const names = [...new Set([choice.order, ...(settings.orders ?? usualOrders(web))])]
  const ranks = importanceOf(web, 'pagerank', history)
  const backlinks = importanceOf(web, 'backlink', history)
  const replays = new Replays(
    {
      web,
      homes,
      ranks,
      backlinks,
      bandwidth: settings.bandwidth,
      seed: settings.seed,
      signal: hooks.signal,
      onPart: hooks.onPart?.bind(hooks),
    },
    names.length + PAGES_PER_CONNECTION.length + ROBOTS.length + WAITS_MS.length,
  )
  const sweep = async <Value>(values: readonly Value[], change: (value: Value) => CrawlChoice): Promise<Replay[]> => {
    const done: Replay[] = []
    for (const value of values) done.push(await replays.of(change(value)))
    return done
  }
  const orders = await sweep(names, (order) => ({ ...choice, order }))
  const ordered = bestOrder(orders)
  const some = ascending([...PAGES_PER_CONNECTION, choice.pagesPerConnection])
  const connections = await sweep(some, (pagesPerConnection) => ({ ...ordered.choice, pagesPerConnection }))
  const connected = mildest(connections.filter((replay) => isPolite(replay.choice, choice)))
  const counts = ascending([...ROBOTS.map((count) => Math.min(count, web.sites)), choice.robots])
  const robots = await sweep(counts, (count) => ({ ...connected.choice, robots: count }))
  const advised = mildest(robots)
  const waits = await sweep(ascending([...WAITS_MS, choice.waitMs]), (waitMs) => ({ ...advised.choice, waitMs }))
  const optimal = await replays.of({ ...choice, order: 'optimal' })
  const real = realCurve(history, ranks)
  return { web, real, base: orders[0]!, ordered, advised, optimal, orders, connections, robots, waits }
}

/** Batches that leave a crawl of this size some twenty of them. */
const batchFor = ({ pages }: WebGraph): number => Math.max(1, Math.round(pages / 20))

function usualOrders(web: WebGraph): string[] {
  return usableOrders(batchFor(web)).filter((name) => orderNamed(name).needsTopic !== true)
}

/** Of the pages that have content; the sum is 1. All alike when nothing tells them apart. */
function importanceOf(web: WebGraph, name: string, { hasContent }: CrawlHistory): Float64Array {
  const values = importanceOfWeb(web, name).map((value, page) => value * hasContent[page]!)
  const sum = values.reduce((total, value) => total + value, 0)
  return sum > 0 ? values.map((value) => value / sum) : values.fill(1 / web.pages)
}

const ascending = (values: readonly number[]): number[] => [...new Set(values)].toSorted((a, b) => a - b)

/** The first is what the crawl had. */
function bestOrder(replays: readonly Replay[]): Replay {
  const base = replays[0]!
  const best = replays.reduce((a, b) => (b.ranks.meanMs < a.ranks.meanMs ? b : a))
  return best.ranks.meanMs < base.ranks.meanMs * (1 - WORTH_A_CHANGE) ? best : base
}

/** k must not undo w: a hundred pages at once and then a rest is no rest for a site that has a hundred. */
export const isPolite = ({ waitMs, pagesPerConnection }: CrawlChoice, before: CrawlChoice): boolean =>
  waitMs / pagesPerConnection >= Math.min(LEAST_REST_MS, before.waitMs / before.pagesPerConnection)

/** The first, in the order of load, that is nearly as good as the best. */
function mildest(replays: readonly Replay[]): Replay {
  const least = Math.min(...replays.map(({ ranks }) => ranks.meanMs))
  return replays.find(({ ranks }) => ranks.meanMs * (1 - WORTH_LOAD) <= least)!
}
