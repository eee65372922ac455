/**
 * Site specs: the characters of a living web. Sizes fall off as a power of the rank, as sizes of real sites do
 * (Adamic & Huberman 2002); habits come from a table, so that a handful of sites already shows every one of them.
 */
import type { SiteSpec } from './site.ts'
import { topicOf } from './site-topics.ts'

type Habits = Pick<
  SiteSpec,
  'latencyMs' | 'bytesPerSecond' | 'robots' | 'sitemap' | 'validators' | 'gzip' | 'changeEveryMs'
>

// oxfmt-ignore
const habits: readonly Habits[] = [
  { latencyMs: 8,   bytesPerSecond: Infinity, robots: 'allow',              sitemap: true,  validators: 'both',          gzip: true,  changeEveryMs: 20_000 },
  { latencyMs: 25,  bytesPerSecond: Infinity, robots: 'disallow-directory', sitemap: false, validators: 'etag',          gzip: true,  changeEveryMs: 45_000 },
  { latencyMs: 40,  bytesPerSecond: 400_000,  robots: 'crawl-delay',        sitemap: true,  validators: 'last-modified', gzip: false, changeEveryMs: 90_000 },
  { latencyMs: 120, bytesPerSecond: 60_000,   robots: 'missing',            sitemap: false, validators: 'none',          gzip: false, changeEveryMs: Infinity },
  { latencyMs: 15,  bytesPerSecond: Infinity, robots: 'server-error',       sitemap: false, validators: 'both',          gzip: true,  changeEveryMs: 60_000 },
  { latencyMs: 60,  bytesPerSecond: 200_000,  robots: 'allow',              sitemap: false, validators: 'both',          gzip: false, changeEveryMs: 30_000 },
]

/** What a spec is filled up with where it says nothing. */
interface SpecDefaults {
  /** Pages of the largest site. */
  readonly largestSite: number
  readonly crawlDelaySeconds: number
  readonly troubleMs: number
}

export const specDefaults: SpecDefaults = { largestSite: 48, crawlDelaySeconds: 1, troubleMs: 3_000 }

const sizeExponent = 0.8

/** The spec of the site with this rank, 0 being the largest. Whatever `given` says wins. */
export function specOf(rank: number, given: Partial<SiteSpec> = {}, defaults: SpecDefaults = specDefaults): SiteSpec {
  const topic = given.topic ?? topicOf(rank)
  return {
    name: topic.name,
    title: topic.title,
    topic,
    pages: Math.max(3, Math.round(defaults.largestSite / (rank + 1) ** sizeExponent)),
    odd: true,
    cooperates: false,
    changeOctaves: 8,
    stillShare: 0.4,
    crawlDelaySeconds: defaults.crawlDelaySeconds,
    troubleMs: defaults.troubleMs,
    ...habits[rank % habits.length]!,
    ...given,
  }
}
