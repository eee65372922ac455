/**
 * Ground truth: what a polite crawler should hold in the end. It is read off the plan, never off the wire and not with
 * the crawler's own parsers, so a fault in those cannot hide itself.
 */
import type { Link } from '@comity/protocol'
import { isAllowed } from './living/site.ts'
import type { LivingSite, Resource } from './living/site.ts'
import type { Floors } from './politeness-audit.ts'

export interface GroundTruth {
  /** HTML pages that answer 200 once the troubled ones have recovered. Pictures and robots.txt are not among them. */
  readonly urls: ReadonlySet<string>
  /** From one of `urls` to another, each pair once. Links that lead through a redirect are not in it. */
  readonly links: readonly Link[]
}

export interface ReachableOptions {
  /** Where the crawl starts; the home page of every site unless told. */
  readonly from?: readonly string[]
  /** Whether the crawler reads sitemaps; it finds the orphans then. True unless told. */
  readonly sitemaps?: boolean
}

export function reachable(sites: readonly LivingSite[], options: ReachableOptions = {}): GroundTruth {
  const { from = sites.map(({ origin }) => `${origin}/`), sitemaps = true } = options
  const byOrigin = new Map(sites.map((site) => [site.origin, site]))
  const seen = new Set<string>()
  const urls = new Set<string>()
  const links = new Map<string, Link>()
  const waiting = [...from]
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (seen.has(url)) continue
    seen.add(url)
    const { origin, pathname } = new URL(url)
    const site = byOrigin.get(origin)
    if (site === undefined || !isAllowed(site.spec, pathname)) continue
    if (sitemaps && site.spec.sitemap) waiting.push(...sitemapOnly(site))
    const resource = site.resources.get(pathname)
    if (resource === undefined) continue
    waiting.push(...leadsTo(resource, url))
    if (resource.kind !== 'page') continue
    urls.add(url)
    for (const { url: to, anchor } of resource.links) {
      const pair = `${url} ${to}`
      if (!links.has(pair)) links.set(pair, { from: url, to, anchor })
    }
  }
  return { urls, links: [...links.values()].filter(({ to }) => urls.has(to)) }
}

/** What a polite crawler owes these sites: give it to `violations` together with the log of their web. */
export function floorsOf(sites: readonly LivingSite[], owed: Pick<Floors, 'connectionGapMs' | 'toleranceMs'>): Floors {
  const delays = sites.filter(({ spec }) => spec.robots === 'crawl-delay')
  const specs = new Map(sites.map(({ spec }) => [spec.name, spec]))
  return {
    ...owed,
    crawlDelayMs: Object.fromEntries(delays.map(({ spec }) => [spec.name, spec.crawlDelaySeconds * 1_000])),
    disallowed: (site, path) => {
      const spec = specs.get(site)
      return spec !== undefined && !isAllowed(spec, path)
    },
  }
}

function leadsTo(resource: Resource, url: string): readonly string[] {
  if (resource.kind === 'page') return resource.links.map((link) => link.url)
  return resource.kind === 'redirect' ? [new URL(resource.location, url).href] : []
}

const sitemapOnly = (site: LivingSite): string[] => (site.resources.has('/orphan') ? [`${site.origin}/orphan`] : [])
