/**
 * What a frontier does, one sentence a test. What is due again is in `testing/due-again.suite.ts`,
 * what it keeps in `testing/frontier-storage.suite.ts`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frontier } from '../queue/frontier.ts'
import { found, frontierOver, politeness, visitOnce } from './frontier-fixture.ts'
import type { FrontierOptions } from '../queue/frontier-options.ts'
import type { Lease } from '../queue/lease.ts'
import { MemoryStore } from './memory-store.ts'
import { orderNamed } from '../order/orders.ts'
import { FORGOTTEN, WAITING } from '../queue/page-table.ts'
import { reasonCode } from '../queue/exclusion-reasons.ts'
import { Rehearsal } from './rehearsal.ts'
import type { Reply, Stage } from './rehearsal.ts'
import { audit } from './rehearsal-audit.ts'

const pageOf = ({ first }: Lease): number => (first.kind === 'page' ? first.page : -1)
const urlsOf = ({ visits }: Rehearsal): string[] => visits.flatMap(({ requests }) => requests.map(({ url }) => url))

/** Every site at its own address, every answer quick and fine, unless told otherwise. */
function stageOf(replies: Record<string, Reply>, addressOf: Stage['addressOf'] = (origin) => `at ${origin}`): Stage {
  return { addressOf, answer: (url) => replies[url] ?? { tookMs: 10 } }
}

const fresh = (given?: Partial<FrontierOptions>): Frontier => frontierOver(new MemoryStore(), given)

export function frontierSuite(name: string): void {
  const says = (sentence: string, run: () => void | Promise<void>): void => void test(`${name}: ${sentence}`, run)

  says('a URL is one page however often it is offered, and the nearer find counts', () => {
    const frontier = fresh()
    const page = frontier.offer('https://a.example/x', { depth: 3, seed: 1 })
    assert.equal(frontier.offer('https://a.example/x', { depth: 1, seed: 2 }), page)
    assert.equal(frontier.offer('https://a.example/x', { depth: 2, seed: 2 }), page)
    assert.equal(frontier.findUrl('https://a.example/x'), page)
    assert.equal(frontier.findUrl('https://b.example/x'), -1)
    const counts = [frontier.pages.depthOf(page), frontier.count('waiting'), frontier.openOf(1), frontier.openOf(2)]
    assert.deepEqual(counts, [1, 1, 1, 0])
  })

  says('one lease per site at a time', () => {
    const frontier = fresh()
    for (const path of ['/1', '/2']) frontier.offer(`https://a.example${path}`, found)
    assert.ok(frontier.lease(0))
    assert.equal(frontier.lease(0), undefined)
    assert.equal(frontier.wakesAt(), Infinity)
  })

  says('one lease per address at a time, and the next site waits for its rest', () => {
    const frontier = fresh()
    for (const host of ['a', 'b']) frontier.offer(`https://${host}.example/`, found)
    const [one, two] = [frontier.lease(0)!, frontier.lease(0)!]
    assert.ok(frontier.place(one, '192.0.2.1', 0))
    assert.equal(frontier.place(two, '192.0.2.1', 0), false)
    assert.deepEqual([frontier.out, frontier.count('leased'), frontier.count('waiting')], [1, 1, 1])
    assert.equal(frontier.lease(0), undefined)
    frontier.answered(one, { endedAt: 10, tookMs: 10, overloaded: false })
    frontier.release(one, 10)
    assert.equal(frontier.lease(1_009), undefined)
    assert.equal(frontier.wakesAt(), 1_010)
    const later = frontier.lease(1_010)!
    assert.equal(later.site.origin, 'https://b.example')
    assert.ok(frontier.place(later, '192.0.2.1', 1_010))
  })

  says('an address with a rest of its own serves its next site sooner than either site is asked again', () => {
    const frontier = fresh({ politenessOf: () => ({ ...politeness, addressDelayMs: 100 }) })
    for (const url of ['https://a.example/1', 'https://a.example/2', 'https://b.example/']) frontier.offer(url, found)
    const visits = [0, 99, 100, 200, 999, 1_000].map((at) => visitOnce(frontier, at, 'cdn'))
    // The second site is met before its address is known, and waits for it.
    assert.deepEqual(visits, [
      'https://a.example/1',
      undefined,
      'https://b.example/',
      undefined,
      undefined,
      'https://a.example/2',
    ])
  })

  says(
    'a lease whose address is lent to somebody else is over, and nobody here goes to that address before it is said',
    () => {
      const frontier = fresh()
      for (const host of ['a', 'b']) frontier.offer(`https://${host}.example/`, found)
      const lease = frontier.lease(0)!
      assert.ok(frontier.place(lease, 'x', 0))
      frontier.postpone(lease, 500, 10)
      assert.deepEqual([frontier.out, frontier.count('leased'), frontier.count('waiting')], [0, 0, 2])
      const other = frontier.lease(20)!
      assert.equal(other.site.origin, 'https://b.example', 'another site may live elsewhere')
      assert.equal(frontier.place(other, 'x', 20), false)
      assert.equal(frontier.lease(499), undefined)
      assert.equal(frontier.wakesAt(), 500)
      assert.ok(frontier.place(frontier.lease(500)!, 'x', 500))
    },
  )

  says('a prerequisite that finds its address taken is not lost', () => {
    const frontier = fresh({ gates: true })
    for (const host of ['a', 'b']) frontier.offer(`https://${host}.example/`, found)
    const [one, two] = [frontier.lease(0)!, frontier.lease(0)!]
    assert.deepEqual([one.first.kind, two.first.kind], ['prerequisite', 'prerequisite'])
    assert.ok(frontier.place(one, 'x', 0))
    assert.equal(frontier.place(two, 'x', 0), false)
    frontier.release(one, 0)
    frontier.giveUp(one.site.id)
    assert.equal(frontier.lease(0)?.first.url, 'https://b.example/robots.txt')
  })

  says('a site that moves to another address frees the one it had', () => {
    const frontier = fresh()
    for (const host of ['a', 'b']) {
      for (const path of ['/1', '/2']) frontier.offer(`https://${host}.example${path}`, found)
    }
    visitOnce(frontier, 0, 'old')
    visitOnce(frontier, 2_000, 'old')
    const moved = frontier.lease(4_000)!
    assert.ok(frontier.place(moved, 'new', 4_000))
    const stayed = frontier.lease(4_000)!
    assert.notEqual(stayed.site, moved.site)
    assert.ok(frontier.place(stayed, 'old', 4_000))
  })

  says('politeness is that of the address a site turns out to have', () => {
    const frontier = fresh({
      politenessOf: ({ address }) => ({ ...politeness, delayMs: address === 'own' ? 0 : 9_000 }),
    })
    for (const path of ['/1', '/2']) frontier.offer(`https://a.example${path}`, found)
    visitOnce(frontier, 0, 'own')
    assert.ok(frontier.lease(0))
  })

  says('k pages go on one connection, and a page that was not asked for does not count', () => {
    const frontier = fresh({ politenessOf: () => ({ ...politeness, pagesPerConnection: 2 }) })
    for (let n = 0; n < 5; n++) frontier.offer(`https://a.example/${n}`, found)
    const lease = frontier.lease(0)!
    frontier.place(lease, 'x', 0)
    frontier.settle(pageOf(lease), 'excluded', 0, reasonCode('robots'))
    for (const path of ['/1', '/2']) {
      assert.equal(frontier.next(lease, 0)?.task.url, `https://a.example${path}`)
      frontier.answered(lease, { endedAt: 0, tookMs: 1, overloaded: false })
    }
    assert.equal(frontier.next(lease, 0), undefined)
  })

  says('where there is no rest a connection is kept as long as its site would be leased next', () => {
    const frontier = fresh({ politenessOf: () => ({ ...politeness, delayMs: 0 }) })
    for (let n = 0; n < 6; n++) frontier.offer(`https://a.example/${n}`, { ...found, depth: 1 })
    const lease = frontier.lease(0)!
    assert.ok(frontier.place(lease, 'x', 0))
    const next = (isFull: boolean): string | undefined => {
      frontier.answered(lease, { endedAt: 0, tookMs: 900, overloaded: false })
      return frontier.next(lease, 0, isFull)?.task.url
    }
    assert.equal(next(true), 'https://a.example/1')
    frontier.offer('https://b.example/', { ...found, depth: 2 })
    assert.equal(next(true), 'https://a.example/2', 'its own is better')
    frontier.offer('https://c.example/', { ...found, depth: 1 })
    assert.equal(next(false), 'https://a.example/3', 'there is a place for the other')
    assert.equal(next(true), undefined, 'there is none, and one as good has waited')
    const other = frontier.lease(0)!
    assert.equal(other.site.origin, 'https://c.example')
    assert.equal(frontier.place(other, 'x', 0), false, 'it turns out to live there')
    assert.equal(next(false), undefined, 'it waits for the address')
    assert.equal(frontier.isDry(lease), false)
  })

  says('a connection that could go on is dry when its site has nothing to be asked now', () => {
    const frontier = fresh({ politenessOf: () => ({ ...politeness, pagesPerConnection: 2 }) })
    frontier.offer('https://a.example/1', found)
    const lease = frontier.lease(0)!
    frontier.place(lease, 'x', 0)
    frontier.answered(lease, { endedAt: 0, tookMs: 1, overloaded: false })
    assert.deepEqual([frontier.next(lease, 0), frontier.isDry(lease)], [undefined, true])
    frontier.offer('https://a.example/2', found)
    assert.equal(frontier.isDry(lease), false)
    assert.ok(frontier.next(lease, 0))
    frontier.answered(lease, { endedAt: 0, tookMs: 1, overloaded: false })
    assert.deepEqual([frontier.next(lease, 0), frontier.isDry(lease)], [undefined, false])
  })

  says('what a site asks for holds on an open connection, and a long wait gives the connection back', () => {
    const frontier = fresh({ politenessOf: () => ({ ...politeness, pagesPerConnection: 9 }) })
    for (let n = 0; n < 3; n++) frontier.offer(`https://a.example/${n}`, found)
    frontier.openGate(0, 1e9, 1_500, 0)
    const lease = frontier.lease(1_500)!
    frontier.place(lease, 'x', 1_500)
    frontier.answered(lease, { endedAt: 1_600, tookMs: 100, overloaded: false })
    assert.equal(frontier.next(lease, 1_600)?.at, 3_100)
    frontier.openGate(0, 1e9, 5_000, 3_100)
    assert.equal(frontier.next(lease, 3_100), undefined)
  })

  says('an overloaded answer ends the connection, however short the back-off', () => {
    const frontier = fresh({ politenessOf: () => ({ ...politeness, pagesPerConnection: 9, backoffMs: 1 }) })
    for (let n = 0; n < 3; n++) frontier.offer(`https://a.example/${n}`, found)
    const lease = frontier.lease(0)!
    frontier.place(lease, 'x', 0)
    frontier.answered(lease, { endedAt: 0, tookMs: 1, overloaded: true })
    assert.equal(frontier.next(lease, 100), undefined)
  })

  says('a budget of pages counts those on their way, and a page that comes back frees its place', () => {
    const frontier = fresh({
      politenessOf: () => ({ ...politeness, pagesPerConnection: 9 }),
      budgetOf: () => ({ maxPages: 2, maxBytes: 1e9, maxKnown: 4 }),
    })
    for (let n = 0; n < 4; n++) frontier.offer(`https://a.example/${n}`, found)
    assert.equal(frontier.hasRoom(0), false)
    const lease = frontier.lease(0)!
    frontier.place(lease, 'x', 0)
    assert.ok(frontier.next(lease, 0))
    assert.equal(frontier.next(lease, 0), undefined)
    frontier.settle(0, 'excluded', 0, reasonCode('type'))
    assert.ok(frontier.next(lease, 0))
    frontier.settle(1, 'done')
    frontier.settle(2, 'failed')
    frontier.release(lease, 0)
    assert.deepEqual([frontier.lease(9e9), frontier.wakesAt(), frontier.sites[0]?.visited], [undefined, Infinity, 2])
  })

  says('a budget of bytes ends a site', () => {
    const frontier = fresh({ budgetOf: () => ({ maxPages: 9, maxBytes: 100, maxKnown: 9 }) })
    for (let n = 0; n < 2; n++) frontier.offer(`https://a.example/${n}`, found)
    const lease = frontier.lease(0)!
    frontier.settle(pageOf(lease), 'done', 100)
    frontier.release(lease, 0)
    assert.equal(frontier.wakesAt(), Infinity)
  })

  says('a page is tried so often and no more, behind the others', () => {
    const frontier = fresh()
    for (let n = 0; n < 2; n++) frontier.offer(`https://a.example/${n}`, found)
    const asked: number[] = []
    for (let at = 0; at < 100_000; at += 10_000) {
      const lease = frontier.lease(at)
      if (lease === undefined) break
      asked.push(pageOf(lease))
      frontier.settle(pageOf(lease), pageOf(lease) === 0 ? 'retry' : 'done')
      frontier.release(lease, at)
    }
    assert.deepEqual(asked, [0, 1, 0, 0])
    assert.deepEqual([frontier.count('failed'), frontier.count('done'), frontier.openOf(0)], [1, 1, 0])
  })

  says('a page put back unasked has not been tried', () => {
    const frontier = fresh()
    frontier.offer('https://a.example/', found)
    for (let round = 0; round < 5; round++) {
      const lease = frontier.lease(0)!
      assert.deepEqual(lease.first, { kind: 'page', page: 0, url: 'https://a.example/', depth: 0, tries: 0 })
      frontier.settle(0, 'waiting')
      frontier.release(lease, 0)
    }
    assert.deepEqual([frontier.count('waiting'), frontier.openOf(0)], [1, 1])
  })

  says('a page forgotten on its way stays forgotten', () => {
    const frontier = fresh()
    frontier.offer('https://a.example/', found)
    const lease = frontier.lease(0)!
    frontier.forget(0)
    frontier.settle(0, 'done')
    frontier.release(lease, 0)
    frontier.admit(0)
    assert.deepEqual([frontier.count('forgotten'), frontier.count('done'), frontier.wakesAt()], [1, 0, Infinity])
  })

  says('a page that was forgotten is so in every spelling, and no spelling leaves a text', () => {
    const frontier = fresh()
    const page = frontier.offer('https://a.example/p4', found)
    frontier.forget(page)
    for (const path of ['//p4', '/%2Fp4', '/x%2F..%2Fp4', '/p4;v=1']) {
      const other = frontier.offer(`https://a.example${path}`, found)
      assert.deepEqual([frontier.pages.stateOf(other), frontier.textOf(other).path], [FORGOTTEN, ''], path)
      frontier.offer(`https://a.example${path}`, found)
    }
    assert.equal(frontier.wakesAt(), Infinity)
    for (const url of ['https://b.example//p4', 'https://a.example//p5', 'https://a.example/p4/'])
      assert.equal(frontier.pages.stateOf(frontier.offer(url, found)), WAITING, url)
  })

  says('what was excluded is taken in when it is offered as allowed, unless robots.txt kept it out', () => {
    const frontier = fresh()
    frontier.offer('https://a.example/1', { ...found, excluded: reasonCode('scope') })
    frontier.offer('https://a.example/2', { ...found, excluded: reasonCode('robots') })
    assert.equal(frontier.wakesAt(), Infinity)
    for (const path of ['/1', '/2']) frontier.offer(`https://a.example${path}`, found)
    assert.deepEqual([frontier.count('waiting'), frontier.count('excluded')], [1, 1])
  })

  says('robots.txt comes first, and a closed gate lets nothing through until it is asked again', () => {
    const frontier = fresh({ gates: true })
    frontier.offer('https://a.example/', found)
    const lease = frontier.lease(0)!
    assert.equal(lease.first.url, 'https://a.example/robots.txt')
    frontier.place(lease, 'x', 0)
    frontier.answered(lease, { endedAt: 5, tookMs: 5, overloaded: false })
    frontier.closeGate(0, 60_000)
    assert.equal(frontier.next(lease, 5), undefined)
    frontier.release(lease, 5)
    assert.deepEqual([frontier.lease(59_999), frontier.wakesAt()], [undefined, 60_000])
    assert.equal(visitOnce(frontier, 60_000), 'https://a.example/robots.txt')
    frontier.openGate(0, 100_000, 0, 60_000)
    assert.equal(visitOnce(frontier, 70_000), 'https://a.example/')
    frontier.offer('https://a.example/2', found)
    assert.equal(visitOnce(frontier, 100_000), 'https://a.example/robots.txt', 'the gate has expired')
  })

  says('a robots.txt that moved to another site is asked for there, and opens the gate here', () => {
    const frontier = fresh({ gates: true })
    frontier.offer('https://a.example/', found)
    const stage = stageOf({ 'https://a.example/robots.txt': { tookMs: 5, movedTo: 'https://b.example/r.txt' } })
    const rehearsal = new Rehearsal(frontier, stage, { parallel: 4, from: 0, until: 1e6 }).run()
    const expected = ['https://a.example/robots.txt', 'https://b.example/r.txt', 'https://a.example/']
    assert.deepEqual(urlsOf(rehearsal), expected)
    assert.deepEqual(audit(rehearsal, politeness), [])
  })

  says('a site whose robots.txt is at a site that was given up is given up as well', () => {
    const frontier = fresh({ gates: true })
    frontier.offer('https://a.example/', found)
    visitOnce(frontier, 0)
    const prerequisite = { kind: 'robots', onBehalfOf: 0, path: '/r.txt', hops: 1 } as const
    frontier.runPrerequisite(frontier.site('https://b.example'), prerequisite)
    frontier.giveUp(1)
    assert.deepEqual([frontier.sites[0]?.givenUp, frontier.wakesAt()], [true, Infinity])
    frontier.runPrerequisite(1, prerequisite)
    assert.equal(frontier.lease(9e9), undefined)
  })

  says('depth goes breadth-first over all sites, length takes the longest queue as it is now', () => {
    const urls = ['https://a.example/1', 'https://a.example/2', 'https://b.example/1', 'https://b.example/2']
    const depths = [0, 3, 1, 2]
    const inOrder = (order: string): string[] => {
      const frontier = fresh({
        order: orderNamed(order),
        politenessOf: () => ({ ...politeness, delayMs: 0 }),
      })
      for (const [i, url] of urls.entries()) frontier.offer(url, { depth: depths[i]!, seed: 0 })
      const asked: string[] = []
      for (let n = 0; n < 2; n++) asked.push(visitOnce(frontier, 0, 'x')!)
      // b has two waiting by now or a has one; three more make c the longest.
      for (let n = 0; n < 5; n++) frontier.offer(`https://c.example/${n}`, { depth: 5, seed: 0 })
      for (let url = visitOnce(frontier, 0, 'x'); url !== undefined; url = visitOnce(frontier, 0, 'x')) asked.push(url)
      return asked.map((url) => url.slice(8).replace('.example', ''))
    }
    assert.deepEqual(inOrder('depth').slice(0, 5), ['a/1', 'b/1', 'b/2', 'a/2', 'c/0'])
    assert.deepEqual(inOrder('length').slice(0, 6), ['a/1', 'b/1', 'c/0', 'c/1', 'c/2', 'c/3'])
  })

  says('a thousand names on one address each get their turn, one at a time', () => {
    const frontier = fresh()
    for (let n = 0; n < 1_000; n++) {
      for (const path of ['/1', '/2']) frontier.offer(`https://${n}.example${path}`, found)
    }
    frontier.offer('https://elsewhere.example/', { depth: 9, seed: 0 })
    const stage = stageOf({}, (origin) => (origin.includes('elsewhere') ? 'y' : 'x'))
    const rehearsal = new Rehearsal(frontier, stage, { parallel: 50, from: 0, until: 1e8, resolveMs: 7 }).run()
    assert.deepEqual(audit({ visits: rehearsal.visits, gates: openGates(rehearsal) }, politeness), [])
    assert.equal(frontier.count('done'), 2_001)
    const firstRound = new Set(rehearsal.visits.slice(0, 1_001).map(({ site }) => site))
    assert.equal(firstRound.size, 1_001, 'everyone once before anyone twice')
    const elsewhere = rehearsal.visits.find(({ address }) => address === 'y')
    assert.ok(elsewhere!.openedAt < 60_000, 'the crowd holds up nobody else')
  })

  says('a dead host and a slow one hold up nobody, not even at the same address', () => {
    const frontier = fresh()
    for (const host of ['dead', 'slow', 'a', 'b']) {
      for (let n = 0; n < 5; n++) frontier.offer(`https://${host}.example/${n}`, found)
    }
    const stage: Stage = {
      addressOf: (origin) => (origin.includes('slow') ? 'y' : 'x'),
      answer: (url) => {
        if (url.includes('dead')) return { tookMs: 0, overloaded: true, retryAfterMs: 3_600_000 }
        return { tookMs: url.includes('slow') ? 60_000 : 10 }
      },
    }
    const rehearsal = new Rehearsal(frontier, stage, { parallel: 4, from: 0, until: 60_000 }).run()
    assert.deepEqual(audit({ visits: rehearsal.visits, gates: openGates(rehearsal) }, politeness), [])
    const fine = urlsOf(rehearsal).filter((url) => /\/\/[ab]\./.test(url))
    assert.equal(fine.length, 10)
  })
}

/** For crawls without gates: as if every one had been open all the time. */
function openGates({ visits }: Rehearsal): { site: string; at: number; until: number }[] {
  return [...new Set(visits.map(({ site }) => site))].map((site) => ({ site, at: -1, until: Infinity }))
}
