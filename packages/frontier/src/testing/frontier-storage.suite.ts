/** What a frontier keeps, over whatever store: one sentence a test. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { found, frontierOver, visitOnce } from './frontier-fixture.ts'
import type { MakeFrontierStore } from './frontier-fixture.ts'
import { reasonCode, reasonNamed } from '../queue/exclusion-reasons.ts'

export function frontierStorageSuite(name: string, makeStore: MakeFrontierStore): void {
  const says = (sentence: string, run: (t: TestContext) => Promise<void>): void =>
    void test(`${name}: ${sentence}`, run)

  says('gates that were left open by ignoring robots.txt are closed when it counts again', async (t) => {
    const store = await makeStore(t)
    const careless = frontierOver(store, { gates: false })
    for (const path of ['/1', '/2']) careless.offer(`https://a.example${path}`, found)
    visitOnce(careless, 0)
    await store.store(careless.drain())
    const careful = frontierOver(store, { gates: true })
    careful.restore(store, 10_000, true)
    assert.equal(visitOnce(careful, 10_000), 'https://a.example/robots.txt')
  })

  says('it comes back as it was, clocks, reasons and unread sitemaps included', async (t) => {
    const store = await makeStore(t)
    const frontier = frontierOver(store)
    for (let n = 0; n < 4; n++) frontier.offer(`https://a.example/${n}`, { depth: n, seed: 1, parent: (n - 1) >>> 0 })
    frontier.offer('https://a.example/out', { depth: 1, seed: 2, excluded: reasonCode('trap') })
    const lease = frontier.lease(0)!
    frontier.place(lease, '192.0.2.1', 0)
    frontier.runPrerequisite(0, { kind: 'sitemap', onBehalfOf: 0, path: '/sitemap.xml', hops: 0 })
    frontier.answered(lease, { endedAt: 10, tookMs: 10, overloaded: true, retryAt: 50_000 })
    frontier.settle(0, 'retry')
    frontier.release(lease, 10)
    await store.store(frontier.drain())
    frontier.stored()
    const again = frontierOver(store)
    again.restore(store, 20, true)
    assert.deepEqual([again.openOf(1), again.openOf(2), again.count('waiting'), again.count('excluded')], [4, 0, 4, 1])
    assert.deepEqual(again.sites[0]?.toRow(), frontier.sites[0]?.toRow())
    assert.equal(reasonNamed(again.pages.exclusionOf(4)), 'trap')
    assert.deepEqual([again.urlOf(3), again.textOf(3).parent], ['https://a.example/3', 2])
    assert.deepEqual([again.lease(49_999), again.wakesAt()], [undefined, 50_000])
    assert.equal(again.lease(50_000)?.first.url, 'https://a.example/sitemap.xml')
  })

  says('a nearer find, the count of known URLs and a sitemap being read survive a kill', async (t) => {
    const store = await makeStore(t)
    const given = { budgetOf: () => ({ maxPages: 9, maxBytes: 9, maxKnown: 1 }) }
    const frontier = frontierOver(store, given)
    frontier.offer('https://a.example/', { depth: 7, seed: 0 })
    frontier.runPrerequisite(0, { kind: 'sitemap', onBehalfOf: 0, path: '/sitemap.xml', hops: 0 })
    await store.store(frontier.drain())
    const changesBefore = frontier.drain().pageLog.length
    frontier.offer('https://a.example/', { depth: 2, seed: 0 })
    assert.equal(frontier.lease(0)?.first.kind, 'prerequisite')
    frontier.closeGate(0, 0)
    const batch = frontier.drain()
    await store.store(batch)
    const again = frontierOver(store, given)
    again.restore(store, 10_000, false)
    assert.ok(batch.pageLog.length > changesBefore)
    assert.deepEqual([again.pages.depthOf(0), again.hasRoom(0)], [2, false])
    assert.equal(again.lease(20_000)?.first.url, 'https://a.example/sitemap.xml')
  })

  says('a page that is new in a batch is told of once, however often it changed', async (t) => {
    const frontier = frontierOver(await makeStore(t))
    frontier.offer('https://a.example/', { depth: 9, seed: 0 })
    const once = frontier.drain().pageLog.length
    frontier.offer('https://a.example/2', { depth: 9, seed: 0 })
    for (let depth = 8; depth > 0; depth--) frontier.offer('https://a.example/2', { depth, seed: 0 })
    assert.equal(frontier.drain().pageLog.length, once)
  })

  says('queues come back in order, whatever order their pages were found in', async (t) => {
    const store = await makeStore(t)
    const frontier = frontierOver(store)
    const depths = [5, 3, 9, 0, 7, 1, 8, 2]
    for (const depth of depths) frontier.offer(`https://a.example/${depth}`, { depth, seed: 0 })
    await store.store(frontier.drain())
    const again = frontierOver(store)
    again.restore(store, 0, true)
    const visited = depths.map((_, n) => visitOnce(again, n * 10_000))
    assert.deepEqual(
      visited,
      depths.toSorted((a, b) => a - b).map((depth) => `https://a.example/${depth}`),
    )
  })

  says(
    'a page that was due again is so when whoever restores knows it, and comes before all that is new',
    async (t) => {
      for (const given of [{}, { batch: { size: 2, spread: false } }]) {
        const store = await makeStore(t)
        const frontier = frontierOver(store, given)
        for (const path of ['/old', '/new', '/newer']) frontier.offer(`https://a.example${path}`, found)
        assert.equal(visitOnce(frontier, 0), 'https://a.example/old')
        frontier.revisit(0)
        await store.store(frontier.drain())
        const again = frontierOver(store, given)
        again.restore(store, 10_000, true)
        again.resumeRevisit(0)
        assert.equal(again.isDueAgain(0), true)
        assert.equal(visitOnce(again, 10_000), 'https://a.example/old')
        assert.equal(again.count('waiting'), 2)
        // It is settled, and what never waited cannot go on to.
        again.resumeRevisit(0)
        assert.equal(again.count('waiting'), 2)
        assert.equal(visitOnce(again, 20_000), 'https://a.example/new')
      }
    },
  )

  says('after an unclean stop everyone rests, also at addresses nobody remembers', async (t) => {
    const store = await makeStore(t)
    const before = frontierOver(store)
    for (const host of ['a', 'b']) before.offer(`https://${host}.example/`, found)
    await store.store(before.drain())
    // a and b are visited at one address now, and the process is killed before it could say so.
    const after = frontierOver(store)
    after.restore(store, 5_000, false)
    const lease = after.lease(5_000)!
    assert.equal(after.place(lease, 'x', 5_000), false)
    const again = after.lease(6_000)!
    assert.ok(after.place(again, 'x', 6_000))
  })

  says('an unclean stop shortens no rest that was kept', async (t) => {
    const store = await makeStore(t)
    const before = frontierOver(store)
    for (const host of ['a', 'b']) {
      for (const path of ['/1', '/2']) before.offer(`https://${host}.example${path}`, found)
    }
    visitOnce(before, 0)
    const slow = before.lease(1_000)!
    before.place(slow, 'x', 1_000)
    before.answered(slow, { endedAt: 9_000, tookMs: 8_000, overloaded: false })
    before.release(slow, 9_000)
    await store.store(before.drain())
    const after = frontierOver(store)
    after.restore(store, 10_000, false)
    assert.deepEqual([after.lease(88_999), after.wakesAt()], [undefined, 89_000])
    assert.ok(after.lease(89_000))
  })

  says('a shortened journal tells the same', async (t) => {
    const [store, shorter] = [await makeStore(t), await makeStore(t)]
    const frontier = frontierOver(store)
    for (let n = 0; n < 10; n++) {
      frontier.offer(`https://a.example/${n}`, found)
      await store.store(frontier.drain())
      visitOnce(frontier, n * 10_000)
    }
    const last = frontier.drain()
    await store.store(last)
    for (const [i, pageLog] of [...frontier.snapshot(4)].entries()) {
      await shorter.store({ pageLog, first: 0, texts: [], sites: i === 0 ? [...store.sites()] : [], addresses: [] })
    }
    const [one, two] = [frontierOver(store), frontierOver(shorter)]
    assert.ok(one.restore(store, 0, true) > 0)
    assert.equal(two.restore(shorter, 0, true), 0)
    const states = [one, two].map(({ pages }) => Array.from({ length: pages.count }, (_, page) => pages.stateOf(page)))
    assert.deepEqual(states[1], states[0])
  })

  says('a journal and sites that do not fit together are refused with a reason', async (t) => {
    const frontier = frontierOver(await makeStore(t))
    frontier.offer('https://a.example/', found)
    const { pageLog, sites } = frontier.drain()
    const refusal = { name: 'FrontierError', code: 'JOURNAL_UNREADABLE' }
    const noSites = { pageLog: () => [pageLog], sites: () => [], addresses: () => [] }
    const other = frontierOver(await makeStore(t))
    assert.throws(() => other.restore(noSites, 0, true), refusal)
    const wrongIds = { ...noSites, sites: () => [[7, sites[0]![1]] as const] }
    const third = frontierOver(await makeStore(t))
    assert.throws(() => third.restore(wrongIds, 0, true), refusal)
  })
}
