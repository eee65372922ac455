/**
 * When is a list of changes cheaper than asking for each page? Sites from a few pages to very many are asked, by each list and by
 * conditional requests, after one page changed. A crawler that holds few pages of a large site asks for those alone, so the
 * question is how many pages it has to hold for a list to pay.
 */
import { newOffer } from '@comity/follow'
import type { Offer, OfferKind, ChangeOfferKind } from '@comity/follow'
import { trafficBytes } from '../../cooperating/counted-line.ts'
import type { CountedLine } from '../../cooperating/counted-line.ts'
import { CountedSite } from '../../cooperating/counted-site.ts'
import { editedBody, madePages } from '../../webs/made-pages.ts'
import { SITE_BASE } from '../../cooperating/server.ts'
import { SiteFollower } from '../../cooperating/site-follower.ts'
import { SiteCopy } from '../../cooperating/copy.ts'
import { createRandom, seedOf } from '@comity/testbed'

export const LISTS = ['sitemap', 'robots.rdf', 'metadata archives', 'change list'] as const
type ListName = (typeof LISTS)[number]

export interface ListCosts {
  readonly pages: number
  /** Bytes of a conditional request and its 304, on average. */
  readonly conditional: number
  readonly lists: Readonly<
    Record<ListName, { readonly nothing: number; readonly one: number; readonly requests: number }>
  >
}

/** Pages that a crawler has to hold for a list to be cheaper than asking for each of them. */
export const pagesToHold = ({ conditional, lists }: ListCosts, list: ListName): number => lists[list].one / conditional

const HOUR_MS = 3_600_000
const BEGINS = Date.UTC(2026, 0, 2)
/** Lists say nothing of content, so pages are as short as they can be. */
const SHORTEST = 1
const CONDITIONAL_PAGES = 50

export async function listCosts(pages: number, seed: number): Promise<ListCosts> {
  const made = madePages({ pages, meanBytes: SHORTEST, seed })
  const site = await CountedSite.open(made, { base: SITE_BASE, at: BEGINS })
  const conditional = await conditionalBytes(site)
  const followers = LISTS.map((name) => ({ name, line: site.line(), learn: listed(site, name) }))
  const ask = async (): Promise<ReadonlyMap<ListName, { bytes: number; requests: number }>> => {
    const costs = new Map<ListName, { bytes: number; requests: number }>()
    for (const { name, line, learn } of followers) {
      const before = line.traffic
      await learn(line)
      const bytes = trafficBytes(line.traffic) - trafficBytes(before)
      costs.set(name, { bytes, requests: line.traffic.requests - before.requests })
    }
    return costs
  }
  const random = createRandom(seedOf(seed, 'one', pages))
  const changeOne = async (): Promise<void> => {
    const [path, at] = [random.pick(site.paths), site.now + HOUR_MS]
    await site.put([{ path, body: editedBody(site.body(path)!, 1, 'place', random), modifiedAt: at }], at)
    // robots.rdf is made anew after a minute at the earliest.
    site.moveTo(at + HOUR_MS)
  }
  await ask()
  // Whoever has followed a site for a while is past the moment when all of its pages were new.
  await changeOne()
  await ask()
  const nothing = await ask()
  await changeOne()
  const one = await ask()
  const costOf = (name: ListName): ListCosts['lists'][ListName] => ({
    nothing: nothing.get(name)!.bytes,
    one: one.get(name)!.bytes,
    requests: one.get(name)!.requests,
  })
  return {
    pages,
    conditional,
    lists: Object.fromEntries(LISTS.map((name) => [name, costOf(name)])) as ListCosts['lists'],
  }
}

async function conditionalBytes(site: CountedSite): Promise<number> {
  const line = site.line('plain')
  const some = site.paths.slice(0, CONDITIONAL_PAGES)
  const tags: string[] = []
  for (const path of some) tags.push((await line.ask({ path })).headers.find(([name]) => name === 'ETag')![1])
  const before = trafficBytes(line.traffic)
  for (const [at, path] of some.entries()) await line.ask({ path, headers: [['if-none-match', tags[at]!]] })
  return (trafficBytes(line.traffic) - before) / some.length
}

/** The kind of each, and what else has to be known. The sitemap is that of search engines: our own lists pages as ResourceSync. */
const OFFERS: Readonly<Record<ListName, readonly [kind: ChangeOfferKind, offers: readonly (OfferKind | Offer)[]]>> = {
  sitemap: ['sitemap', [newOffer('sitemap', `${SITE_BASE}sitemap.xml`)]],
  'robots.rdf': ['robots-rdf', ['robots-rdf']],
  'metadata archives': ['metadata-archive', ['metadata-archive']],
  'change list': ['change-list', ['change-list', 'sitemap']],
}

function listed(site: CountedSite, name: ListName): (line: CountedLine) => Promise<unknown> {
  const [kind, offers] = OFFERS[name]
  const follower = new SiteFollower({ base: SITE_BASE, copy: new SiteCopy(), offers })
  return async (line) => await follower.learn(line, kind, site.now)
}
