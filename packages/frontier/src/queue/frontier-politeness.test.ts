/** Politeness as a property: whatever the sites do, and wherever we are cut off, the log of visits shows no offence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Frontier } from './frontier.ts'
import { frontierOver, politeness as patient } from '../testing/frontier-fixture.ts'
import { MemoryStore } from '../testing/memory-store.ts'
import { ORDERS, orderNamed } from '../order/orders.ts'
import type { Politeness } from './politeness.ts'
import { Rehearsal } from '../testing/rehearsal.ts'
import type { Reply, Stage, Visit } from '../testing/rehearsal.ts'
import { audit } from '../testing/rehearsal-audit.ts'

/** Orders that a crawl can use. */
const CRAWLABLE = ORDERS.filter(({ isLabOnly }) => isLabOnly !== true).map(({ name }) => name)

interface Town {
  readonly seed: number
  readonly sites: number
  readonly addresses: number
  readonly pages: number
  /** Of a hundred answers. */
  readonly overloaded: number
  readonly k: number
  readonly parallel: number
  readonly order: number
}

const town: fc.Arbitrary<Town> = fc.record({
  seed: fc.nat(),
  sites: fc.integer({ min: 1, max: 8 }),
  addresses: fc.integer({ min: 1, max: 4 }),
  pages: fc.integer({ min: 1, max: 12 }),
  overloaded: fc.constantFrom(0, 0, 20, 60),
  k: fc.constantFrom(1, 1, 3),
  parallel: fc.constantFrom(1, 2, 10),
  order: fc.nat(CRAWLABLE.length - 1),
})

/** The same seed and words always give the same number below `n`. */
function pick(n: number, seed: number, ...words: (string | number)[]): number {
  let hash = seed | 1
  for (const char of words.join(' ')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  return ((Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8) % n) >>> 0
}

const origin = (site: number): string => `https://${site}.example`

function stageOf({ seed, sites, addresses, pages, overloaded }: Town): Stage {
  const asked = new Map<string, number>()
  return {
    // Now and then a site moves.
    addressOf: (site, now) =>
      `192.0.2.${pick(addresses, seed, site, pick(4, seed, site) === 0 ? Math.floor(now / 60_000) : 0)}`,
    answer: (url): Reply => {
      const times = (asked.get(url) ?? 0) + 1
      asked.set(url, times)
      const tookMs = [1, 10, 200, 3_000][pick(4, seed, 'took', url)]!
      if (pick(100, seed, 'busy', url, times) < overloaded) {
        return { tookMs, overloaded: true, retryAfterMs: pick(3, seed, 'after', url, times) * 20_000 }
      }
      const site = Number(/\d+/.exec(url)?.[0])
      if (url.endsWith('/robots.txt')) return robotsOf(seed, site, sites, times, tookMs)
      const links = [0, 1, 2].map((n) => `${origin(pick(sites, seed, url, n))}/${pick(pages, seed, 'page', url, n)}`)
      return { tookMs, links }
    },
  }
}

function robotsOf(seed: number, site: number, sites: number, times: number, tookMs: number): Reply {
  const kind = pick(8, seed, 'robots', site)
  if (kind === 0) return { tookMs, movedTo: `${origin(pick(sites, seed, 'moved', site))}/elsewhere.txt` }
  if (kind === 1 && times < 3) return { tookMs, unreachable: true }
  return { tookMs, crawlDelayMs: [0, 0, 500, 1_700, 30_000][pick(5, seed, 'delay', site)]! }
}

function found(given: Town, politeness: Politeness, store: MemoryStore = new MemoryStore()): Frontier {
  const frontier = frontierOver(store, {
    gates: true,
    order: orderNamed(CRAWLABLE[given.order]!),
    politenessOf: () => politeness,
    maxTries: 50,
    random: () => pick(1_000, given.seed, 'jitter') / 1_000,
  })
  return frontier
}

function offerStart(frontier: Frontier, { sites }: Town): void {
  for (let site = 0; site < sites; site++) frontier.offer(`${origin(site)}/0`, { depth: 0, seed: site })
}

test('no crawl, of whatever sites, is ever impolite, and every page it finds is visited in the end', () => {
  fc.assert(
    fc.property(town, (given) => {
      const politeness = { ...patient, pagesPerConnection: given.k }
      const frontier = found(given, politeness)
      offerStart(frontier, given)
      const options = { parallel: given.parallel, from: 0, until: 1e12, resolveMs: 5, readMs: 40, gateMs: 120_000 }
      const rehearsal = new Rehearsal(frontier, stageOf(given), options).run()
      assert.deepEqual(audit(rehearsal, politeness), [])
      assert.deepEqual([frontier.out, frontier.count('leased'), frontier.count('waiting')], [0, 0, 0])
      assert.equal(frontier.count('done') + frontier.count('failed'), frontier.pages.count)
    }),
    { numRuns: 150 },
  )
})

test('the same sites give the same visits, moment by moment', () => {
  fc.assert(
    fc.property(town, (given) => {
      const logs = [0, 1].map(() => {
        const frontier = found(given, patient)
        offerStart(frontier, given)
        const options = { parallel: given.parallel, from: 0, until: 1e7 }
        return new Rehearsal(frontier, stageOf(given), options).run().visits
      })
      assert.deepEqual(logs[1], logs[0])
    }),
    { numRuns: 50 },
  )
})

test('killed at any moment and started again, it meets nobody too early', () => {
  // What was learnt after the last batch is lost, so only our own rest can be promised, and that is what is audited.
  const politeness: Politeness = { ...patient, slowdown: 0, backoffMs: 0 }
  fc.assert(
    fc.property(town, fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 5 }), (given, lives) => {
      const store = new MemoryStore()
      const stage = withoutDelays(stageOf({ ...given, overloaded: 0 }))
      const visits: Visit[] = []
      let now = 0
      for (const [life, lasts] of lives.entries()) {
        const frontier = found(given, politeness, store)
        frontier.restore(store, now, life === 0)
        offerStart(frontier, given)
        if (lasts % 3 !== 0) store.store(frontier.drain())
        const rehearsal = new Rehearsal(frontier, stage, {
          parallel: given.parallel,
          from: now,
          until: now + lasts,
          resolveMs: 5,
        })
        rehearsal.run()
        if (lasts % 2 === 0) store.store(frontier.drain())
        now += lasts
        visits.push(...rehearsal.visits.map((visit) => cutAt(visit, now)))
      }
      const gates = Array.from({ length: given.sites }, (_, site) => ({ site: origin(site), at: -1, until: Infinity }))
      assert.deepEqual(audit({ visits, gates }, { ...politeness, pagesPerConnection: given.k }), [])
    }),
    { numRuns: 150 },
  )
})

/** A visit that was under way when the process was killed ended then. */
function cutAt(visit: Visit, now: number): Visit {
  const requests = visit.requests.map((request) => ({ ...request, endedAt: Math.min(request.endedAt, now) }))
  return { ...visit, closedAt: Math.min(visit.closedAt, now), requests }
}

function withoutDelays(stage: Stage): Stage {
  return { ...stage, answer: (url, now) => ({ ...stage.answer(url, now), crawlDelayMs: 0 }) }
}
