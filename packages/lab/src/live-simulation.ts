/**
 * Live simulation: the crawl of a served web as a simulation has it, with the same w, k and r.
 *
 * r robots share one virtual crawl: each takes the best site that has rested and is away for as long as its answer takes.
 * On loopback the link is no bottleneck, so nobody waits for anybody else; then this is the crawl of `simulation.ts`, page
 * for page, as a test shows. Two things are added that a live crawl has and that simulator has not: robots.txt, which is
 * asked for on the first connection to each site, and what the machine itself takes for each request.
 */
import { isHot, orderNamed, similarity } from '@comity/frontier'
import type { Lease } from '@comity/frontier'
import type { Instant } from '@comity/protocol'
import type { LiveSettings } from './live-settings.ts'
import { mannersOf } from './scheduling-runs.ts'
import { createRandom, seedOf } from './seeded-random.ts'
import { servedText } from './served-page.ts'
import type { WrittenWeb } from './served-page.ts'
import type { ServedGraph } from './served-web.ts'
import { VirtualCrawl, noManners } from './virtual-crawl.ts'

export interface LiveSimulationSettings extends Pick<
  LiveSettings,
  'waitMs' | 'pagesPerConnection' | 'robots' | 'topic'
> {
  readonly order: string
  readonly seed: number
  /** Whether each site is asked for its robots.txt first. */
  readonly robotsTxt: boolean
  /** What requests took longer than the web says, as measured: each takes one of them, by chance. None: nothing. */
  readonly overheadsMs: Float64Array
}

/** Pages in the order in which their answers are complete. */
export function simulatedVisits(web: ServedGraph, settings: LiveSimulationSettings): Uint32Array {
  return new Robots(web, settings).visits()
}

/** Pages in the order itself: one robot, no manners, and nothing takes any time. */
export function idealVisits(
  web: WrittenWeb,
  { order, topic, seed }: Pick<LiveSimulationSettings, 'order' | 'topic' | 'seed'>,
): Uint32Array {
  const random = createRandom(seed)
  const base = { order: orderNamed(order), manners: noManners, random: () => random.next() }
  return Uint32Array.from(new VirtualCrawl(web, { ...base, ...topicOptions(web, order, topic) }).inOrder())
}

interface Visit {
  readonly lease: Lease
  readonly endsAt: Instant
}

class Robots {
  readonly #web: ServedGraph
  readonly #settings: LiveSimulationSettings
  readonly #crawl: VirtualCrawl
  readonly #chance: () => number
  readonly #known: Set<number>
  /** Visits under way, the next to end first. */
  readonly #out: Visit[] = []

  constructor(web: ServedGraph, settings: LiveSimulationSettings) {
    const { order, topic, waitMs, pagesPerConnection, seed, robotsTxt } = settings
    const random = createRandom(seed)
    const chance = createRandom(seedOf(seed, 'overheads'))
    this.#web = web
    this.#settings = settings
    this.#crawl = new VirtualCrawl(web, {
      order: orderNamed(order),
      manners: mannersOf(waitMs, pagesPerConnection),
      random: () => random.next(),
      ...topicOptions(web, order, topic),
    })
    this.#chance = () => settings.overheadsMs[chance.int(settings.overheadsMs.length)] ?? 0
    this.#known = new Set(robotsTxt ? [] : web.siteOf)
  }

  visits(): Uint32Array {
    const { frontier } = this.#crawl
    const { robots } = this.#settings
    const visits: number[] = []
    for (let now: Instant = 0; now < Infinity;) {
      for (let lease = this.#lease(now); lease !== undefined; lease = this.#lease(now)) this.#ask(lease, now)
      const wakesAt = this.#out.length < robots ? frontier.wakesAt() : Infinity
      now = Math.max(now, Math.min(wakesAt, this.#out[0]?.endsAt ?? Infinity))
      const isEnd = this.#out[0] !== undefined && this.#out[0].endsAt <= now
      if (isEnd) visits.push(this.#end(this.#out.shift()!.lease, now))
    }
    return Uint32Array.from(visits)
  }

  #lease(now: Instant): Lease | undefined {
    return this.#out.length < this.#settings.robots ? this.#crawl.frontier.lease(now) : undefined
  }

  #ask(lease: Lease, now: Instant): void {
    const { latencyMs, bandwidth, bytes, siteOf } = this.#web
    const page = this.#crawl.pageOf(lease)
    const site = siteOf[page]!
    const waitMs = this.#known.has(site) ? 0 : latencyMs[site]! + this.#chance()
    this.#known.add(site)
    const endsAt = now + waitMs + latencyMs[site]! + this.#chance() + (bytes[page]! / bandwidth[site]!) * 1_000
    const place = this.#out.findIndex((other) => other.endsAt > endsAt)
    this.#out.splice(place === -1 ? this.#out.length : place, 0, { lease, endsAt })
  }

  #end(lease: Lease, now: Instant): number {
    const { frontier } = this.#crawl
    const page = this.#crawl.pageOf(lease)
    this.#crawl.fetched(page)
    frontier.answered(lease, { endedAt: now, tookMs: this.#web.latencyMs[this.#web.siteOf[page]!]!, overloaded: false })
    if (frontier.next(lease, now) !== undefined) this.#ask(lease, now)
    else frontier.release(lease, now)
    return page
  }
}

/** For orders that look for a topic: what a crawler reads in a page as it is served. */
function topicOptions(
  web: WrittenWeb,
  order: string,
  topic: string,
): Pick<ConstructorParameters<typeof VirtualCrawl>[1], 'importance' | 'similarityOf'> {
  if (!/\b(topic|anchor)\b/.test(order)) return {}
  const query = [topic]
  return {
    importance: { topic: query },
    similarityOf: (page) => {
      const text = { title: web.words.titleOf(page), body: servedText(web, page) }
      return { similarity: similarity(text, query), isHot: isHot(text, query) }
    },
  }
}
