/**
 * Crawl history: what a crawl really did, out of its collection. When each page came first, which of them brought a
 * page at all, and how soon after another the visits to one site were.
 *
 * A crawl that was stopped and went on the next day has a pause in it, which says nothing about orders: it is cut out.
 */
import { Collection, knownPages } from '@comity/collection'
import type { Instant } from '@comity/protocol'
import { CurveRecorder } from '../simulate/record.ts'
import type { Curve } from '../simulate/record.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

export interface CrawlHistory {
  /** Milliseconds from the first visit to that of each page of the web. */
  readonly cameAt: Float64Array
  /** 1 for each page that has content; redirects, errors and what never answered have none. */
  readonly hasContent: Uint8Array
  /** Times that nothing came for longer than `PAUSE_MS`. */
  readonly pauses: number
  /** Mean time between two visits to one site; undefined when no site was visited twice. */
  readonly paceMs: number | undefined
}

/** Longer than a crawl is patient with a site that asks for a rest. */
export const PAUSE_MS = 3_600_000

/** Of the pages of `web`, which was read from the same collection. */
export async function historyOf(dir: string, web: WebGraph): Promise<CrawlHistory> {
  const visits = await visitsIn(dir)
  const urlOf = (page: number): string => web.words?.urlOf(page) ?? ''
  const instants = Float64Array.from({ length: web.pages }, (_, page) => visits.get(urlOf(page))?.at ?? 0)
  const hasContent = Uint8Array.from({ length: web.pages }, (_, page) => (visits.get(urlOf(page))?.hasContent ? 1 : 0))
  const { cameAt, pauses } = withoutPauses(instants)
  return { cameAt, hasContent, pauses, paceMs: paceOf(cameAt, web) }
}

interface FirstVisit {
  readonly at: Instant
  readonly hasContent: boolean
}

/** By URL, since a collection may be written to between two readings and pages then have other places. */
async function visitsIn(dir: string): Promise<ReadonlyMap<string, FirstVisit>> {
  await using collection = Collection.openReadOnly(dir)
  const visits = new Map<string, FirstVisit>()
  for (const { page, url, row } of knownPages(collection)) {
    if (row === undefined) continue
    visits.set(url, {
      at: firstCapture(collection, page) ?? row.visitedAt,
      hasContent: row.body !== undefined || row.isDropped === true,
    })
  }
  return visits
}

function firstCapture(collection: Collection, page: number): Instant | undefined {
  // oxlint-disable-next-line no-unreachable-loop -- captures stand in the order of time.
  for (const { key } of collection.captures(page)) return key[1]
  return undefined
}

function withoutPauses(instants: Float64Array): { cameAt: Float64Array; pauses: number } {
  const cameAt = new Float64Array(instants.length)
  let [pauses, cut] = [0, 0]
  let before: Instant | undefined
  for (const page of byTime(instants)) {
    const at = instants[page]!
    before ??= cut = at
    if (at - before > PAUSE_MS) {
      pauses++
      cut += at - before
    }
    cameAt[page] = at - cut
    before = at
  }
  return { cameAt, pauses }
}

function paceOf(cameAt: Float64Array, { sites, siteOf }: WebGraph): number | undefined {
  const last = new Float64Array(sites).fill(-1)
  let [gaps, sum] = [0, 0]
  for (const page of byTime(cameAt)) {
    const site = siteOf[page]!
    if (last[site]! >= 0) {
      gaps++
      sum += cameAt[page]! - last[site]!
    }
    last[site] = cameAt[page]!
  }
  return gaps === 0 ? undefined : sum / gaps
}

/** How much of the importance was there when, as the crawl really went. */
export function realCurve({ cameAt }: CrawlHistory, importance: Float64Array): Curve {
  const recorder = new CurveRecorder(cameAt.length)
  let end = 0
  for (const page of byTime(cameAt)) recorder.add(importance[page]!, (end = cameAt[page]!))
  recorder.end(end)
  return { pages: recorder.pages, timeMs: recorder.timeMs, rank: recorder.rank }
}

const byTime = (instants: Float64Array): Uint32Array =>
  Uint32Array.from(instants.keys()).toSorted((a, b) => instants[a]! - instants[b]! || a - b)
