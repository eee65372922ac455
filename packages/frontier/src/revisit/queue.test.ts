import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@comity/testbed'
import type { Signal } from '@comity/protocol'
import fc from 'fast-check'
import { REVISIT_POLICIES, policyNamed } from './policies.ts'
import { RevisitQueue } from './queue.ts'
import type { RevisitOptions } from './queue.ts'
import { decodeRevisitRecord, encodeRevisitRecord } from './revisit-record.ts'
import { versionMark } from '../trust/signal-filter.ts'

const DAY = 86_400_000
const FREE = (): number => 0
const signal: Signal = { url: 'https://a.example/', change: 'updated', channel: 'sitemap' }

const chances = (seed: number): (() => number) => {
  const random = createRandom(seed)
  return () => random.next()
}

/** A queue that pays for a visit every minute. */
function queueOf(pages: number, sites: number, options: Partial<RevisitOptions> = {}): RevisitQueue {
  const queue = new RevisitQueue({
    policy: policyNamed('value'),
    budget: { requestsPerSecond: 1 / 60 },
    random: chances(1),
    auditShare: 0,
    ...options,
  })
  for (let page = 0; page < pages; page++) queue.added(page, { site: page % sites, visitedAt: 0 }, 0)
  return queue
}

/** All that is visited until then, each at once and unchanged. */
function visitsUntil(
  queue: RevisitQueue,
  from: number,
  until: number,
  changed: (page: number) => boolean = () => false,
): number[] {
  const pages: number[] = []
  for (let now = from; now < until;) {
    const taken = queue.take(now, FREE)
    if (taken === undefined) {
      now = Math.max(now + 1, Math.min(until, queue.nextAt(now)))
      continue
    }
    pages.push(taken.page)
    queue.visited(taken.page, { at: now, changed: changed(taken.page), bytes: 500 })
  }
  return pages
}

test('visits are as many as the budget pays for', () => {
  const pages = visitsUntil(queueOf(100, 10), DAY, 2 * DAY)
  assert.ok(Math.abs(pages.length - 1440) < 15, `${pages.length}`)
})

test('a page that changes is visited more often than one that does not', () => {
  const queue = queueOf(60, 6)
  const pages = visitsUntil(queue, DAY, 6 * DAY, (page) => page < 20)
  const often = pages.filter((page) => page < 20).length / pages.length
  assert.ok(often > 0.45, `${often}`)
})

test('an important page is visited more often', () => {
  const queue = queueOf(40, 4)
  for (let page = 0; page < 10; page++) queue.added(page, { site: page % 4, visitedAt: 0, importance: 20 }, 0)
  const pages = visitsUntil(queue, DAY, 5 * DAY, (page) => page % 2 === 0)
  assert.ok(pages.filter((page) => page < 10).length > 1.5 * pages.filter((page) => page >= 10 && page < 20).length)
})

test('when bytes are what is scarce, they are not overspent and small pages are preferred', () => {
  const queue = queueOf(60, 6, { budget: { requestsPerSecond: 1, bytesPerSecond: 1000 } })
  const visits = [0, 0]
  let bytes = 0
  for (let now = DAY; now < 3 * DAY;) {
    const taken = queue.take(now, FREE)
    if (taken === undefined) {
      now = Math.max(now + 1, queue.nextAt(now))
      continue
    }
    const size = taken.page % 2 === 0 ? 100_000 : 2_000
    visits[taken.page % 2]!++
    bytes += size
    queue.visited(taken.page, { at: now, changed: true, bytes: size })
  }
  assert.ok(bytes < 1.1 * 1000 * 2 * 86_400, `${bytes}`)
  assert.ok(visits[1]! > 3 * visits[0]!, visits.join(' '))
})

test('a signal brings a page forward, and a second one for the same change adds nothing', () => {
  const queue = queueOf(100, 10)
  visitsUntil(queue, DAY, 3 * DAY)
  const before = queue.factsOf(42, 3 * DAY)!
  assert.equal(queue.signalled(42, { ...signal, changedAt: 3 * DAY }, 3 * DAY), 'counted')
  assert.equal(queue.signalled(42, { ...signal, channel: 'indexnow', changedAt: 3 * DAY }, 3 * DAY + 1000), 'repeated')
  const after = queue.factsOf(42, 3 * DAY)!
  assert.deepEqual([before.signals, after.signals], [0, 1])
  assert.ok(after.suspicion > 0.2)
  assert.ok(visitsUntil(queue, 3 * DAY, 3 * DAY + 600_000).includes(42))
  assert.equal(queue.factsOf(42, 4 * DAY)!.signals, 0)
})

test('late signals and those about the copy we hold change nothing', () => {
  const queue = queueOf(2, 1)
  const digest = `sha-256:${'a'.repeat(64)}`
  queue.visited(0, { at: DAY, changed: true, bytes: 10, digest })
  assert.equal(queue.signalled(0, { ...signal, changedAt: DAY - 1 }, 2 * DAY), 'late')
  assert.equal(queue.signalled(0, { ...signal, digest }, 2 * DAY), 'known')
  assert.equal(queue.signalled(7, signal, 2 * DAY), 'unknown page')
  assert.equal(queue.factsOf(0, 2 * DAY)!.signals, 0)
})

test('of the channels that tell of one change, the one that is believed most is counted', () => {
  const queue = queueOf(50, 1, { budget: { requestsPerSecond: 100 } })
  for (let round = 1; round <= 60; round++) {
    const [page, at] = [round % 50, round * DAY]
    queue.signalled(page, { ...signal, channel: round % 2 === 0 ? 'feed' : 'sitemap' }, at)
    queue.visited(page, { at: at + 60_000, changed: round % 2 === 0, bytes: 10 })
  }
  const now = 70 * DAY
  queue.signalled(3, { ...signal, channel: 'sitemap' }, now)
  const alone = queue.factsOf(3, now)!.suspicion
  queue.signalled(3, { ...signal, channel: 'feed' }, now + 1000)
  const both = queue.factsOf(3, now + 1000)!
  assert.equal(both.signals, 1)
  assert.ok(both.suspicion > alone + 0.2, `${alone} ${both.suspicion}`)
})

test('sites that rest are passed over, and come back by themselves', () => {
  const queue = queueOf(20, 2)
  const restsUntil = 3 * DAY
  const freeAt = (site: number): number => (site === 0 ? restsUntil : 0)
  for (let i = 0; i < 30; i++) {
    const now = DAY + i * 60_001
    const taken = queue.take(now, freeAt)
    assert.equal(taken?.site, 1)
    queue.visited(taken.page, { at: now, changed: false, bytes: 10 })
  }
  const later = new Set<number>()
  for (let i = 0; i < 30; i++) {
    const now = restsUntil + i * 60_001
    const taken = queue.take(now, freeAt)!
    later.add(taken.site)
    queue.visited(taken.page, { at: now, changed: false, bytes: 10 })
  }
  assert.deepEqual(later, new Set([0, 1]))
})

test('no more visits to a site are out than it may have', () => {
  const queue = queueOf(40, 2, { outPerSite: 3, budget: { requestsPerSecond: 100 } })
  const out: number[] = []
  for (let now = DAY; now < DAY + 60_000; now += 50) {
    const taken = queue.take(now, FREE)
    if (taken !== undefined) out.push(taken.page)
  }
  assert.equal(out.length, 6)
  assert.equal(new Set(out).size, 6)
  queue.visited(out[0]!, { at: DAY + 60_000, changed: false, bytes: 1 })
  assert.equal(queue.take(DAY + 60_001, FREE)!.page % 2, out[0]! % 2)
})

test('a visit that came to nothing is not tried again before its time', () => {
  const queue = queueOf(1, 1)
  assert.equal(queue.take(DAY, FREE)?.page, 0)
  queue.postponed(0, 2 * DAY)
  assert.equal(queue.take(DAY + 600_000, FREE), undefined)
  assert.equal(queue.nextAt(DAY + 600_000), 2 * DAY)
  assert.equal(queue.take(2 * DAY, FREE)?.page, 0)
})

test('nobody starves: a page beyond the longest interval is visited, and not much else is given up for it', () => {
  const queue = queueOf(200, 10, { maxIntervalDays: 5 })
  // Some change so often that a visit is worth nothing: without a floor they would be given up.
  const seen = new Map<number, number>()
  for (let now = DAY; now < 40 * DAY;) {
    const taken = queue.take(now, FREE)
    if (taken === undefined) {
      now = Math.max(now + 1, queue.nextAt(now))
      continue
    }
    seen.set(taken.page, now)
    queue.visited(taken.page, { at: now, changed: taken.page < 20, bytes: 10 })
  }
  for (let page = 0; page < 200; page++) assert.ok(40 * DAY - seen.get(page)! < 7 * DAY, `page ${page}`)
})

test('a copy that is outdated for sure does not wait for the longest interval, though no visit is worth its price', () => {
  const queue = queueOf(100, 10, { budget: { requestsPerSecond: 20 / 86_400 } })
  const waits: number[] = []
  const visitedAt = new Map<number, number>()
  for (let now = 0; now < 200 * DAY;) {
    const taken = queue.take(now, FREE)
    if (taken === undefined) {
      now = Math.max(now + 1, queue.nextAt(now))
      continue
    }
    // The first five change all the time, so that they are outdated again at once.
    const isHopeless = taken.page < 5
    if (isHopeless && now > 60 * DAY) waits.push((now - (visitedAt.get(taken.page) ?? 0)) / DAY)
    visitedAt.set(taken.page, now)
    queue.visited(taken.page, { at: now, changed: isHopeless, bytes: 500, lastModified: now - 10_000 })
  }
  assert.ok(waits.length > 20 && Math.max(...waits) < 25, `${waits.length} visits, ${Math.max(...waits)} days at most`)
})

test('audits go to pages that their site says nothing about', () => {
  const queue = queueOf(100, 2, { auditShare: 0.5 })
  queue.signalled(1, signal, DAY)
  const audited: number[] = []
  for (let i = 0; i < 200; i++) {
    const now = DAY + i * 60_001
    const taken = queue.take(now, FREE)!
    if (taken.reason === 'audit') audited.push(taken.page)
    queue.visited(taken.page, { at: now, changed: false, bytes: 1 })
  }
  assert.ok(audited.length > 60 && audited.length < 140, `${audited.length}`)
  assert.ok(
    audited.every((page) => page % 2 === 1),
    'site 0 has never claimed anything',
  )
})

test('a flood of false signals brings few visits more', () => {
  const queue = queueOf(300, 3)
  visitsUntil(queue, DAY, 2 * DAY)
  let samples = 0
  for (let now = 2 * DAY; now < 12 * DAY; now += 60_001) {
    for (let i = 0; i < 5; i++) queue.signalled((Math.floor(now / 60_001) * 5 + i) % 300, signal, now)
    const taken = queue.take(now, FREE)
    if (taken === undefined) continue
    if (taken.reason === 'sample') samples++
    queue.visited(taken.page, { at: now, changed: false, bytes: 1 })
  }
  assert.equal(queue.trustOf(0)!.weightOf('sitemap', 0.05, 12 * DAY), 0)
  assert.ok(samples < 400, `${samples}`)
})

test('metadata goes round by number and stops just at the pages that are announced', () => {
  const queue = queueOf(10, 2, { policy: policyNamed('metadata'), outPerSite: 10 })
  assert.equal(queue.take(DAY, FREE), undefined)
  for (const page of [7, 3, 5]) queue.signalled(page, signal, DAY)
  const visit = (now: number): number => {
    const { page } = queue.take(now, FREE)!
    queue.visited(page, { at: now, changed: true, bytes: 1 })
    return page
  }
  assert.deepEqual([visit(DAY + 60_001), visit(DAY + 120_002)], [3, 5])
  for (const page of [1, 6]) queue.signalled(page, signal, DAY + 180_000)
  const next = [DAY + 240_000, DAY + 300_001, DAY + 360_002].map(visit)
  assert.deepEqual(next, [6, 7, 1])
  assert.equal(queue.take(2 * DAY, FREE), undefined)
})

test('a removed page is gone, and comes back when it is added again', () => {
  const queue = queueOf(3, 1)
  queue.removed(1)
  queue.removed(1)
  assert.deepEqual([queue.size, queue.has(1), queue.recordOf(1)], [2, false, undefined])
  assert.ok(!visitsUntil(queue, DAY, DAY + 3_600_000).includes(1))
  queue.added(1, { site: 0, visitedAt: 0 }, 2 * DAY)
  assert.ok(visitsUntil(queue, 2 * DAY, 2 * DAY + 3_600_000).includes(1))
})

test('what it knows of pages and sites can be stored, and a new queue decides alike', () => {
  const old = queueOf(40, 4)
  for (let page = 0; page < 40; page += 3) old.signalled(page, signal, DAY)
  visitsUntil(old, DAY, 4 * DAY, (page) => page % 3 === 0)
  old.signalled(5, signal, 4 * DAY)
  const fresh = queueOf(0, 4)
  for (let page = 0; page < 40; page++) {
    const record = decodeRevisitRecord(encodeRevisitRecord(old.recordOf(page)!))!
    fresh.added(page, { site: page % 4, visitedAt: 0, record }, 4 * DAY)
  }
  for (let site = 0; site < 4; site++) {
    const trust = old.trustOf(site)?.state()
    if (trust !== undefined) fresh.restoreTrust(site, JSON.parse(JSON.stringify(trust)))
  }
  for (let page = 0; page < 40; page++) {
    const [a, b] = [old.factsOf(page, 5 * DAY)!, fresh.factsOf(page, 5 * DAY)!]
    assert.deepEqual({ ...a, changeRate: 0, hiddenRate: 0 }, { ...b, changeRate: 0, hiddenRate: 0 })
    assert.ok(Math.abs(a.changeRate / b.changeRate - 1) < 1e-6)
  }
})

test('it says why a page is visited', () => {
  const queue = queueOf(10, 1)
  queue.signalled(3, signal, DAY)
  visitsUntil(queue, DAY, DAY + 120_000)
  queue.signalled(4, signal, 2 * DAY)
  const words = queue.explain(4, 2 * DAY + 60_000)
  assert.match(words.join('\n'), /^Visited .* ago, .*: outdated with probability 0\.\d+/)
  assert.match(words.join('\n'), /a visit is worth .*; the price is .*\.\nsitemap: \d+ of \d+ announced pages/)
  assert.match(queue.explain(99, 0)[0]!, /not among the pages/)
})

test('the same calls with the same chances give the same visits', () => {
  const [once, again] = [1, 2].map(() =>
    visitsUntil(queueOf(80, 7, { auditShare: 0.02 }), DAY, 2 * DAY, (page) => page % 5 === 0),
  )
  assert.deepEqual(once, again)
})

for (const { name } of REVISIT_POLICIES) {
  test(`${name}: whatever happens, a page is out once at a time and no call fails`, () => {
    const step = fc.record({
      kind: fc.constantFrom('take', 'take', 'take', 'visit', 'visit', 'signal', 'postpone', 'remove', 'add'),
      page: fc.nat(19),
      after: fc.nat(3 * DAY),
      changed: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const queue = queueOf(20, 4, { policy: policyNamed(name), auditShare: 0.1, outPerSite: 2 })
        const out = new Set<number>()
        let now = DAY
        for (const { kind, page, after, changed } of steps) {
          now += after
          if (kind === 'take') {
            const taken = queue.take(now, (site) => (site === 3 ? now + 1000 : 0))
            if (taken === undefined) continue
            assert.ok(!out.has(taken.page) && queue.has(taken.page) && taken.site !== 3)
            out.add(taken.page)
            assert.ok([...out].filter((other) => other % 4 === taken.site).length <= 2)
          } else if (kind === 'visit')
            queue.visited(page, { at: now, changed, bytes: after, lastModified: now - after })
          else if (kind === 'signal') queue.signalled(page, { ...signal, changedAt: now - after }, now)
          else if (kind === 'postpone') queue.postponed(page, now + after)
          else if (kind === 'remove') queue.removed(page)
          else queue.added(page, { site: page % 4, visitedAt: now }, now)
          if (kind === 'visit' || kind === 'remove') out.delete(page)
          if (kind === 'postpone') out.delete(page)
          assert.ok(!Number.isNaN(queue.nextAt(now)))
        }
      }),
    )
  })
}

test('a visit that can bring several pages takes along what is due and what soon will be, of that site alone', () => {
  const queue = queueOf(40, 4)
  const first = queue.take(3 * DAY, FREE)!
  const also = queue.takeAlso(first.site, 5, 3 * DAY)
  assert.equal(also.length, 5)
  const pages = [first, ...also].map(({ page }) => page)
  assert.equal(new Set(pages).size, 6)
  assert.ok(pages.every((page) => page % 4 === first.site))
  for (const page of pages) queue.visited(page, { at: 3 * DAY, changed: false, bytes: 500 })
  assert.deepEqual(
    queue.takeAlso(first.site, 5, 3 * DAY + 1).filter(({ page }) => pages.includes(page)),
    [],
  )
  assert.deepEqual(queue.takeAlso(99, 5, 3 * DAY), [])
})

test('a page that was taken and not visited after all can be taken again', () => {
  const queue = queueOf(20, 1, { outPerSite: 10 })
  const first = queue.take(3 * DAY, FREE)!
  const also = queue.takeAlso(first.site, 5, 3 * DAY).map(({ page }) => page)
  for (const page of also) queue.putBack(page, 3 * DAY)
  const again = queue.takeAlso(first.site, 5, 3 * DAY).map(({ page }) => page)
  assert.deepEqual(new Set(again), new Set(also))
  queue.putBack(99, 3 * DAY)
})

test('of versions that are told of in a row the last is remembered, and they are one event', () => {
  const queue = queueOf(1, 1)
  const digests = ['a', 'b'].map((digit) => `sha-256:${digit.repeat(32)}`)
  const verdicts = digests.map((digest, n) => queue.signalled(0, { ...signal, digest }, DAY + n))
  assert.deepEqual(verdicts, ['counted', 'repeated'])
  assert.equal(queue.recordOf(0)?.lastMark, versionMark({ digest: digests[1] }, DAY))
  assert.equal(queue.factsOf(0, DAY)?.signals, 1)
})
