import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageTable } from './page-table.ts'
import { Site } from './site.ts'
import { Workbench } from './workbench.ts'

const table = new PageTable(() => 0.5)

interface Crowd {
  readonly bench: Workbench
  readonly sites: readonly Site[]
  readonly ranks: Map<string, number>
  /** Sites that have nothing to be asked. */
  readonly idle: Set<Site>
}

/** Sites at one address, all due and in this order. Another has just been taken, so the first is ready, the rest parked. */
function crowdOf(...names: readonly string[]): Crowd {
  const ranks = new Map(names.map((name, i) => [name, i]))
  const idle = new Set<Site>()
  const bench = new Workbench(
    ({ origin }) => ranks.get(origin) ?? -1,
    (site) => !idle.has(site),
  )
  const sites = names.map((name, id) => new Site(id, name, table))
  const lone = new Site(names.length, 'lone', table)
  for (const site of sites) site.address = 'x'
  for (const site of [...sites, lone]) bench.schedule(site)
  assert.equal(bench.take(0), lone)
  return { bench, sites, ranks, idle }
}

const places = (sites: readonly Site[]): string[] => sites.map(({ place }) => place)

test('of several sites at one address one is ready, the best, and the others are parked', () => {
  const { bench, sites } = crowdOf('a', 'b', 'c')
  assert.deepEqual(places(sites), ['ready', 'parked', 'parked'])
  assert.deepEqual([bench.take(0)?.origin, bench.take(0), bench.ready, bench.out], ['a', undefined, 0, 2])
})

test('when a visit is over the next site goes after the rest, and everyone in turn', () => {
  const { bench } = crowdOf('a', 'b', 'c')
  const visited: string[] = []
  for (let now = 0; now < 30; now += 10) {
    const site = bench.take(now)!
    visited.push(site.origin)
    bench.release(site, now + 10)
    assert.deepEqual([bench.take(now + 9), bench.wakesAt()], [undefined, now + 10])
    // Its next page is far down.
    site.readyAt = 1_000
  }
  assert.deepEqual(visited, ['a', 'b', 'c'])
})

test('a parked site that becomes the best changes places with the one that was to go next', () => {
  const { bench, sites, ranks } = crowdOf('a', 'b', 'c')
  ranks.set('c', -5)
  bench.schedule(sites[2]!)
  assert.deepEqual(places(sites), ['parked', 'parked', 'ready'])
  assert.equal(bench.take(0), sites[2])
})

test('the one that was to go next falls behind when it gets worse', () => {
  const { bench, sites, ranks } = crowdOf('a', 'b', 'c')
  ranks.set('a', 9)
  bench.schedule(sites[0]!)
  assert.deepEqual(places(sites), ['parked', 'ready', 'parked'])
})

test('a site that was to go next and has nothing left makes way', () => {
  const { bench, sites, idle } = crowdOf('a', 'b')
  idle.add(sites[0]!)
  bench.schedule(sites[0]!)
  assert.equal(bench.wakesAt(), 0)
  assert.equal(bench.take(0), sites[1])
})

test('so does one that lost its work without a word, and one whose clock has moved', () => {
  const { bench, sites, idle } = crowdOf('a', 'b', 'c')
  idle.add(sites[0]!)
  sites[1]!.askedUntil = 1_000
  assert.equal(bench.take(0), sites[2])
  assert.deepEqual(places(sites), ['idle', 'resting', 'leased'])
})

test('a parked site that loses its work is gone, and its address does not wake for it', () => {
  const { bench, sites, idle } = crowdOf('a', 'b')
  bench.release(bench.take(0)!, 50)
  idle.add(sites[0]!).add(sites[1]!)
  bench.schedule(sites[0]!)
  assert.equal(bench.wakesAt(), 50)
  bench.schedule(sites[1]!)
  assert.deepEqual([bench.wakesAt(), bench.take(1_000), places(sites)], [Infinity, undefined, ['idle', 'idle']])
})

test('a visit that finds itself at the address of others goes before them, and they wait', () => {
  const { bench, sites, idle } = crowdOf('a', 'b')
  const stranger = new Site(9, 'stranger', table)
  bench.schedule(stranger)
  assert.equal(bench.take(0), stranger)
  assert.ok(bench.place(stranger, 'x', 0, 0))
  assert.deepEqual([places(sites), bench.take(0)], [['parked', 'parked'], undefined])
  idle.add(stranger)
  bench.release(stranger, 5)
  assert.equal(bench.take(5), sites[0])
})

test('an address that turns out to rest longer does not put off the waking of others', () => {
  const { bench, idle } = crowdOf('a', 'b')
  const [c, d, stranger] = ['c', 'd', 'stranger'].map((name, i) => new Site(10 + i, name, table))
  for (const site of [c!, d!]) {
    site.address = 'y'
    bench.schedule(site)
  }
  // At both addresses somebody is parked: x wakes at 10, y at 20.
  for (const site of [bench.take(0)!, bench.take(0)!]) {
    idle.add(site)
    bench.release(site, site.address === 'x' ? 10 : 20)
  }
  assert.equal(bench.wakesAt(), 10)
  bench.schedule(stranger!)
  assert.equal(bench.take(5), stranger)
  assert.equal(bench.place(stranger!, 'x', 5, 100), false)
  assert.equal(bench.wakesAt(), 20)
})

test('a hundred thousand sites at one address that lost their work are passed over', () => {
  const { bench, sites, idle } = crowdOf(...Array.from({ length: 100_000 }, (_, n) => `s${n}`))
  for (const site of sites) idle.add(site)
  assert.deepEqual([bench.take(1), bench.wakesAt()], [undefined, Infinity])
})

test('addresses that moved are told once', () => {
  const { bench } = crowdOf('a')
  bench.release(bench.take(0)!, 70)
  assert.deepEqual(bench.drainAddresses(), [['x', 70]])
  assert.deepEqual(bench.drainAddresses(), [])
})
