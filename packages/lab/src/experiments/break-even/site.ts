/**
 * When is the entire site cheaper than what changed of it? A made site changes more and more of its pages between visits, and a
 * copy is brought up to date by the dump of the entire site, and by each way of sending only what changed (002 §6.2, §6.3).
 */
import { gzipSync } from 'node:zlib'
import { trafficBytes } from '../../cooperating/counted-line.ts'
import { CountedDeliveryWorker } from '../../cooperating/counted-delivery-worker.ts'
import { CountedSite } from '../../cooperating/counted-site.ts'
import { crossingOf } from '../../crossing.ts'
import type { Crossing } from '../../crossing.ts'
import { editedBody, madePages } from '../../webs/made-pages.ts'
import { countedFollower, countedPoller } from '../../cooperating/counted-poller.ts'
import type { CountedPoller } from '../../cooperating/counted-poller.ts'
import { SITE_BASE } from '../../cooperating/server.ts'
import { createRandom, seedOf } from '@comity/testbed'

export const ENTIRE_SITE = 'entire site'

export interface NamedCurve {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface SiteCurves {
  readonly pages: number
  readonly meanBytes: number
  /** Of all pages together. */
  readonly bytes: number
  /** What gzip makes of it, page by page. */
  readonly packed: number
  /** Bytes against the share of pages that changed; the entire site first. */
  readonly curves: readonly NamedCurve[]
  /** Of every other: up to which share it is cheaper than the entire site. */
  readonly crossings: ReadonlyMap<string, Crossing>
}

interface SitePlan {
  readonly pages: number
  readonly meanBytes: number
  readonly seed: number
  readonly changedShares: readonly number[]
  readonly editShare: number
}

const DAY_MS = 86_400_000
const BEGINS = Date.UTC(2026, 0, 2)

export async function siteCurves({
  pages: count,
  meanBytes,
  seed,
  changedShares,
  editShare,
}: SitePlan): Promise<SiteCurves> {
  const pages = madePages({ pages: count, meanBytes, seed, isEven: true })
  const site = await CountedSite.open(pages, { base: SITE_BASE, at: BEGINS })
  const dump = await dumpBytes(site)
  const contenders = contendersOf(site)
  for (const { poll } of contenders) await poll()
  const deliveryWorker = await CountedDeliveryWorker.open(site, 'batches')
  const random = createRandom(seedOf(seed, 'changes', count, meanBytes))
  const samples = new Map<string, [number, number][]>(contenders.map(({ name }) => [name, []]))
  for (const share of [0, ...changedShares]) {
    const at = site.now + DAY_MS
    const chosen = random.shuffle(site.paths).slice(0, Math.round(share * count))
    const edits = chosen.map((path) => ({
      path,
      body: editedBody(site.body(path)!, editShare, 'place', random),
      modifiedAt: at,
    }))
    await site.put(edits, at)
    site.moveTo(at + DAY_MS / 2)
    for (const { name, line, poll } of contenders) {
      const spent = trafficBytes(line.traffic)
      await poll()
      samples.get(name)!.push([share, trafficBytes(line.traffic) - spent])
    }
    add(samples, 'batch, sent', share, (await deliveryWorker.send()).bytes)
  }
  const flat = [0, ...changedShares].map((share): [number, number] => [share, dump])
  const others = Array.from(samples, ([name, points]): NamedCurve => ({ name, points }))
  return {
    pages: count,
    meanBytes,
    bytes: pages.reduce((sum, { body }) => sum + body.length, 0),
    packed: pages.reduce((sum, { body }) => sum + gzipSync(body).length, 0),
    curves: [{ name: ENTIRE_SITE, points: flat }, ...others],
    crossings: new Map(others.map(({ name, points }) => [name, crossingOf(points, flat)])),
  }
}

function add(samples: Map<string, [number, number][]>, name: string, x: number, y: number): void {
  const points = samples.get(name)
  if (points === undefined) samples.set(name, [[x, y]])
  else points.push([x, y])
}

interface Contender extends CountedPoller {
  readonly name: string
}

function contendersOf(site: CountedSite): readonly Contender[] {
  const { paths } = site
  const list = 'metadata-archive'
  return [
    { name: 'list, then GET', ...countedFollower(site, list) },
    { name: 'list, then GET, gzip', ...countedFollower(site, list, { pageHeaders: [['accept-encoding', 'gzip']] }) },
    { name: 'batch', ...countedPoller(site, {}, (follower, line) => follower.batch(line, paths, site.now)) },
    { name: 'filter, pages', ...countedFollower(site, 'filter', { brings: 'page' }) },
    { name: 'filter, differences', ...countedFollower(site, 'filter', { brings: 'difference', differences: 'delta' }) },
  ]
}

async function dumpBytes(site: CountedSite): Promise<number> {
  const { line, poll } = countedPoller(site, { offers: ['dump'] }, (follower, dumping) =>
    follower.dump(dumping, false, site.now),
  )
  await poll()
  return trafficBytes(line.traffic)
}
