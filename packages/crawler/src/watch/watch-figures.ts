/**
 * WatchFigures: what keeping fresh has cost and brought, counted by scheme, and how fresh the collection is thought to
 * be. The true freshness only those know who own the sites; the estimate comes from the same rates and trust that the
 * visits are chosen by, over a few hundred pages drawn at random.
 */
import type { Instant, SignalChannel } from '@comity/protocol'
import type { RevisitFacts, SignalVerdict } from '@comity/frontier'
import type { WatchSample } from '@comity/follow'
import type { SettledVisit } from '@comity/ingest'

/** Pages that came by a filter: `filter` is what asking it for names has cost. */
export const FILTER_PAGES = 'filter-pages'

const SAMPLE_PAGES = 300
/** Of so few pages all are looked at, which costs no more. */
const ALL_PAGES = 4 * SAMPLE_PAGES

export class WatchFigures {
  readonly #schemes = new Map<string, { requests: number; bytes: number; changed: number; unchanged: number }>()
  readonly #signals = new Map<string, { news: number; known: number }>()
  #requests = 0
  #bytes = 0
  #needless = 0

  asked(): void {
    this.#requests++
  }

  settled({ outcome, scheme, bytes, row, before }: SettledVisit): void {
    const figures = this.#of(scheme === 'filter' ? FILTER_PAGES : (scheme ?? 'page'))
    const isUnchanged = outcome === 'not-modified' || (before !== undefined && row.changes === before.changes)
    // Pages that came many at a time share a request; `looked` counts it.
    const isTogether = scheme === 'batch' || scheme === 'dump' || scheme === 'filter' || scheme === 'gateway'
    if (!isTogether) {
      figures.requests++
      figures.bytes += bytes
      this.#bytes += bytes
    }
    if (isUnchanged) figures.unchanged++
    else figures.changed++
    if (isUnchanged && before !== undefined && !isTogether) this.#needless++
  }

  /** Requests besides those for pages: a document was read, or pages came many at a time. */
  looked(scheme: string, bytes: number, requests = 1): void {
    const figures = this.#of(scheme)
    figures.requests += requests
    figures.bytes += bytes
    this.#bytes += bytes
  }

  heard(channel: SignalChannel, verdict: SignalVerdict | 'unknown page'): void {
    const figures = this.#signals.get(channel) ?? { news: 0, known: 0 }
    if (verdict === 'counted' || verdict === 'unknown page') figures.news++
    else figures.known++
    this.#signals.set(channel, figures)
  }

  /** `terms`: by which policy, within which budget. `spent`: on asking sites what they offer and what has changed, by what was asked. `told`: what was sent unasked. */
  sample(
    terms: Pick<WatchSample, 'policy' | 'requestsPerSecond' | 'dayMs'>,
    pages: number,
    estimate: FreshnessEstimate,
    spent: ReadonlyMap<string, { readonly requests: number; readonly bytes: number }> = new Map(),
    told: Pick<WatchSample, 'pushes' | 'gateways'> = {},
  ): WatchSample {
    const listings = [...spent].map(([name, cost]) => [name, { ...cost, changed: 0, unchanged: 0 }] as const)
    const listed = listings.reduce((sum, [, { bytes }]) => sum + bytes, 0)
    return {
      ...terms,
      pages,
      ...estimate,
      requests: this.#requests,
      bytes: this.#bytes + listed,
      needless: this.#needless,
      schemes: { ...copyOf(this.#schemes), ...Object.fromEntries(listings) },
      signals: copyOf(this.#signals),
      ...told,
    }
  }

  #of(scheme: string): { requests: number; bytes: number; changed: number; unchanged: number } {
    const known = this.#schemes.get(scheme) ?? { requests: 0, bytes: 0, changed: 0, unchanged: 0 }
    this.#schemes.set(scheme, known)
    return known
  }
}

function copyOf<Figures extends object>(map: ReadonlyMap<string, Figures>): Record<string, Figures> {
  return Object.fromEntries([...map].map(([name, figures]) => [name, { ...figures }]))
}

interface FreshnessEstimate {
  readonly freshness: number
  readonly ageSeconds: number
}

/** `factsOf` gives what is known of a page by its number, below `count`. */
export function estimateFreshness(
  count: number,
  factsOf: (page: number) => RevisitFacts | undefined,
  now: Instant,
  random: () => number,
): FreshnessEstimate {
  let [weight, fresh, age, seen] = [0, 0, 0, 0]
  const isWhole = count <= ALL_PAGES
  const [mostLooks, mostSeen] = isWhole ? [count, count] : [4 * SAMPLE_PAGES, SAMPLE_PAGES]
  for (let looks = 0; looks < mostLooks && seen < mostSeen; looks++) {
    const facts = factsOf(isWhole ? looks : Math.floor(random() * count))
    if (facts === undefined) continue
    seen++
    const days = Math.max(0, now - facts.visitedAt) / facts.dayMs
    weight += facts.importance
    fresh += facts.importance * Math.exp(-(facts.hiddenRate * days + facts.suspicion))
    age += facts.importance * expectedAgeDays(facts, days) * (facts.dayMs / 1000)
  }
  return weight === 0 ? { freshness: 1, ageSeconds: 0 } : { freshness: fresh / weight, ageSeconds: age / weight }
}

/** Of a copy made so many days ago: the mean of the days since the first change, which comes at the page's rate. */
function expectedAgeDays({ hiddenRate, suspicion }: RevisitFacts, days: number): number {
  const unheard =
    hiddenRate * days < 1e-6 ? (hiddenRate * days * days) / 2 : days + Math.expm1(-hiddenRate * days) / hiddenRate
  // A signal says that it has changed, but rarely when: half of the time since.
  return unheard + -Math.expm1(-suspicion) * Math.max(0, days / 2 - unheard)
}
