/**
 * Generated sites: how large each site is, which part of the bow tie it lies in, what it writes about, how fast it is.
 *
 *              ┌──────────────▶ tendrils ─────────────┐
 *   IN ────────┼──────────────▶ core ─────────────────┼───▶ OUT          disconnected
 *              └──────────────────────────────────────┘
 *
 * Shares are those of Broder et al. 2000 (001 §II names the parts). A part is decided for a whole site, so links inside
 * a site need no check. Sites of a part are kept together with their pages in `webs/generated/links.ts`.
 */
import { lognormal, powerLawSizes } from './distributions.ts'
import type { GeneratedWebSettings } from './settings.ts'
import { topicCount } from './vocabulary.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'

export type WebPart = 'core' | 'in' | 'out' | 'tendril' | 'disconnected'
export const webParts: readonly WebPart[] = ['core', 'in', 'out', 'tendril', 'disconnected']

/** Share of all pages (Broder et al. 2000: 56, 44, 44, 44 and 17 of 203 million). */
export const partShares: Readonly<Record<WebPart, number>> = {
  core: 0.28,
  in: 0.21,
  out: 0.21,
  tendril: 0.22,
  disconnected: 0.08,
}

/** From which parts a page of a part may be linked by other sites. Disconnected sites are islands, one each. */
export const linkedFrom: Readonly<Record<WebPart, readonly WebPart[]>> = {
  core: ['core', 'in'],
  in: ['in'],
  out: ['out', 'core', 'in', 'tendril'],
  tendril: ['tendril', 'in'],
  disconnected: [],
}

export interface SitePlan {
  /** Site s holds the pages pageStarts[s] … pageStarts[s + 1] - 1; the first of them is its home page. */
  readonly pageStarts: Uint32Array
  readonly siteOf: Uint32Array
  /** Per site, a place in `webParts`. */
  readonly parts: Uint8Array
  /** Per site, the topic of its home page. */
  readonly topics: Uint8Array
  readonly latencyMs: Float32Array
  readonly bandwidth: Float32Array
  /** The density of site sizes falls with size to this power. */
  readonly exponent: number
}

export function planSites(settings: GeneratedWebSettings): SitePlan {
  const { pages, sites, seed, bowTie } = settings
  const random = createRandom(seedOf(seed, 'sites'))
  const { sizes, exponent } = powerLawSizes(sites, pages, largestSite(settings))
  // `places` scatters the ranks of size over the numbers of the sites, so that a low number means nothing.
  const places = random.shuffle(Array.from(sizes.keys()))
  const parts = new Uint8Array(sites)
  const topics = new Uint8Array(sites)
  const pageStarts = new Uint32Array(sites + 1)
  const left = webParts.map((part) => partShares[part] * pages)
  let round: number[] = []
  for (const [rank, size] of sizes.entries()) {
    const place = places[rank]!
    pageStarts[place + 1] = size
    // The largest site is always in the core: a web of one site is still a web to crawl.
    const part = bowTie && rank > 0 ? drawPart(random, left) : 0
    left[part]! -= size
    parts[place] = part
    // Sites of like size take the topics in turn, so that every topic gets about the same number of pages.
    if (round.length === 0) round = random.shuffle(Array.from({ length: topicCount }, (_, topic) => topic))
    topics[place] = round.pop() ?? 0
  }
  const siteOf = new Uint32Array(pages)
  for (let site = 0; site < sites; site += 1) {
    pageStarts[site + 1]! += pageStarts[site]!
    siteOf.fill(site, pageStarts[site], pageStarts[site + 1])
  }
  return { pageStarts, siteOf, parts, topics, exponent, ...speeds(settings) }
}

/** One site holds an eighth of a small web at most, or four times the mean: the parts would be lumps otherwise. */
function largestSite({ pages, sites, maxSitePages }: GeneratedWebSettings): number {
  return Math.min(maxSitePages, Math.max(Math.ceil(pages / 8), Math.ceil((4 * pages) / sites)))
}

/** Parts that still lack many pages are likelier; the shares come out right although sites are large and small. */
function drawPart(random: Random, left: readonly number[]): number {
  const total = left.reduce((sum, pages) => sum + Math.max(0, pages), 0)
  let mark = random.next() * total
  for (const [part, pages] of left.entries()) {
    mark -= Math.max(0, pages)
    if (mark < 0) return part
  }
  return 0
}

/** Spreads of ours: one site in ten is about three times slower to answer, and four times slower to send, than most. */
function speeds(settings: GeneratedWebSettings): Pick<SitePlan, 'latencyMs' | 'bandwidth'> {
  const random = createRandom(seedOf(settings.seed, 'speeds'))
  const latencyMs = new Float32Array(settings.sites)
  const bandwidth = new Float32Array(settings.sites)
  for (let site = 0; site < settings.sites; site += 1) {
    latencyMs[site] = lognormal(random, settings.latencyMs, 0.8)
    bandwidth[site] = Math.max(1, lognormal(random, settings.bandwidth, 1))
  }
  return { latencyMs, bandwidth }
}
