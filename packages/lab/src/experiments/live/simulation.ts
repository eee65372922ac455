/**
 * Live simulation: the crawl of a served web as a simulation has it, with the same w, k and r.
 *
 * r robots share one virtual crawl: each takes the best site that has rested and is away for as long as its answer takes.
 * On loopback the link is no bottleneck, so nobody waits for anybody else; then this is the crawl of `simulate/simulation.ts`, page
 * for page, as a test shows. Two things are added that a live crawl has and that simulator has not: robots.txt, which is
 * asked for on the first connection to each site, and what the machine itself takes for each request. The page that
 * follows robots.txt is chosen when that has come, as the crawler does it: on a slow site the first page is then often
 * not the home page but one that was found and ranked higher in the meantime.
 */
import { isHot, orderNamed, topicSimilarity } from '@comity/frontier'
import type { Lease } from '@comity/frontier'
import type { Instant } from '@comity/protocol'
import type { LiveSettings } from './settings.ts'
import { politenessOf } from '../scheduling/runs.ts'
import { createRandom, seedOf } from '@comity/testbed'
import { servedText } from '../../webs/served/page.ts'
import type { WrittenWeb } from '../../webs/served/page.ts'
import type { ServedGraph } from '../../webs/served/web.ts'
import { VirtualCrawl, noPoliteness } from '../../simulate/virtual-crawl.ts'

export interface LiveSimulationSettings extends Pick<LiveSettings, 'waitMs' | 'robots' | 'topic'> {
  /** None is given: as the frontier has it. */
  readonly pagesPerConnection: number | undefined
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

/** Pages in the order itself: one robot, no politeness, and nothing takes any time. */
export function idealVisits(
  web: WrittenWeb,
  { order, topic, seed }: Pick<LiveSimulationSettings, 'order' | 'topic' | 'seed'>,
): Uint32Array {
  const random = createRandom(seed)
  const base = { order: orderNamed(order), politeness: noPoliteness, random: () => random.next() }
  return Uint32Array.from(new VirtualCrawl(web, { ...base, ...topicOptions(web, order, topic) }).inOrder())
}

interface Visit {
  readonly lease: Lease
  /** Undefined while robots.txt is what was asked for. */
  readonly page: number | undefined
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
      politeness: politenessOf(waitMs, pagesPerConnection),
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
      for (let lease = this.#lease(now); lease !== undefined; lease = this.#lease(now)) this.#begin(lease, now)
      const wakesAt = this.#out.length < robots ? frontier.wakesAt() : Infinity
      now = Math.max(now, Math.min(wakesAt, this.#out[0]?.endsAt ?? Infinity))
      const isEnd = this.#out[0] !== undefined && this.#out[0].endsAt <= now
      if (isEnd) visits.push(...this.#end(this.#out.shift()!, now))
    }
    return Uint32Array.from(visits)
  }

  #lease(now: Instant): Lease | undefined {
    return this.#out.length < this.#settings.robots ? this.#crawl.frontier.lease(now) : undefined
  }

  /** A site that was never visited is asked for robots.txt alone, and for a page when that is here. */
  #begin(lease: Lease, now: Instant): void {
    const site = this.#web.siteOf[this.#crawl.pageOf(lease)]!
    if (this.#known.has(site)) return this.#ask(lease, now)
    this.#known.add(site)
    // The site is taken, its page is not: it waits as before, and a better one may be found meanwhile.
    if (lease.task.kind === 'page') this.#crawl.frontier.settle(lease.task.page, 'waiting')
    this.#away({ lease, page: undefined, endsAt: now + this.#web.latencyMs[site]! + this.#chance() })
  }

  #ask(lease: Lease, now: Instant): void {
    const { latencyMs, bandwidth, bytes, siteOf } = this.#web
    const page = this.#crawl.pageOf(lease)
    const site = siteOf[page]!
    const sendMs = (bytes[page]! / bandwidth[site]!) * 1_000
    this.#away({ lease, page, endsAt: now + latencyMs[site]! + this.#chance() + sendMs })
  }

  #away(visit: Visit): void {
    const place = this.#out.findIndex((other) => other.endsAt > visit.endsAt)
    this.#out.splice(place === -1 ? this.#out.length : place, 0, visit)
  }

  /** The page that came; none with robots.txt. */
  #end({ lease, page }: Visit, now: Instant): number[] {
    const { frontier } = this.#crawl
    if (page !== undefined) {
      const tookMs = this.#web.latencyMs[this.#web.siteOf[page]!]!
      this.#crawl.fetched(page)
      frontier.answered(lease, { endedAt: now, tookMs, overloaded: false })
    }
    // This robot is no longer among those that are out.
    const isFull = this.#out.length + 1 >= this.#settings.robots
    if (frontier.next(lease, now, isFull) !== undefined) this.#ask(lease, now)
    else frontier.release(lease, now)
    return page === undefined ? [] : [page]
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
      return { similarity: topicSimilarity(text, query), isHot: isHot(text, query) }
    },
  }
}
