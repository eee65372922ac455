/**
 * Generated bonds: the few links that make each part of the bow tie what its name says.
 *
 *   core      found from an earlier core site, and leads back to one: all its home pages reach each other
 *   IN        leads to a core site
 *   OUT       found from a core site; tendrils from an IN site
 *
 * Core sites are ranked by the links their home page wants. A site leads to an earlier one with a strong taste for the
 * first, which then have more such links than any and want more still. The first is where a crawl starts.
 */
import type { GeneratedWebSettings } from './settings.ts'
import { webParts } from './sites.ts'
import type { SitePlan, WebPart } from './sites.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'

export interface SiteBonds {
  /** The site where a crawl starts. */
  readonly startSite: number
  /** The site that must link to the home page of this one. */
  foundFrom(site: number): number | undefined
  /** The sites whose home pages must link to the home page of this one. */
  leadingTo(site: number): Iterable<number>
  /** Whether the home page may have no link from outside at all. */
  mayBeUnknown(site: number): boolean
}

const none = 0xffff_ffff

export function bindSites({ seed, bowTie }: GeneratedWebSettings, sites: SitePlan, wanted: Uint32Array): SiteBonds {
  const random = createRandom(seedOf(seed, 'bonds'))
  const count = sites.parts.length
  const homeWants = (site: number): number => wanted[sites.pageStarts[site]!]!
  const members = (part: WebPart): number[] => sitesOf(sites, part)
  const core = members('core').toSorted((a, b) => homeWants(b) - homeWants(a) || a - b)
  const from = new Uint32Array(count).fill(none)
  // Guests of a site as a chain: the first of them, and after each the next.
  const firstGuest = new Uint32Array(count).fill(none)
  const nextGuest = new Uint32Array(count).fill(none)
  const lead = (site: number, host: number): void => {
    nextGuest[site] = firstGuest[host]!
    firstGuest[host] = site
  }
  if (bowTie) {
    for (const [rank, site] of core.entries()) {
      if (rank === 0) continue
      from[site] = core[earlier(random, rank)]!
      lead(site, core[earlier(random, rank)]!)
    }
    const inner = members('in')
    for (const site of inner) lead(site, core[earlier(random, core.length)]!)
    for (const site of members('out')) from[site] = core[random.int(core.length)]!
    for (const site of members('tendril')) from[site] = inner[random.int(inner.length)] ?? none
  }
  const unknown = new Set<number>(['in', 'disconnected'].map((part) => webParts.indexOf(part as WebPart)))
  return {
    startSite: core[0] ?? 0,
    foundFrom: (site) => (from[site] === none ? undefined : from[site]),
    *leadingTo(site) {
      for (let guest = firstGuest[site]!; guest !== none; guest = nextGuest[guest]!) yield guest
    },
    mayBeUnknown: (site) => !bowTie || unknown.has(sites.parts[site]!),
  }
}

/** One of the ranks before this one, the first ones most. */
const earlier = (random: Random, rank: number): number => Math.floor(rank * random.next() ** 3)

function sitesOf({ parts }: SitePlan, part: WebPart): number[] {
  const wanted = webParts.indexOf(part)
  const found: number[] = []
  for (const [site, own] of parts.entries()) if (own === wanted) found.push(site)
  return found
}
