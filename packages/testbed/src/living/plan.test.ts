import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { floorsOf, reachable } from '../ground-truth.ts'
import { planWeb } from './plan.ts'
import { changedAt, versionOf } from './site.ts'
import type { LivingPage, LivingSite } from './site.ts'
import { specOf } from './site-specs.ts'

const planOf = (seed: number, count = 6): LivingSite[] => {
  const placed = Array.from({ length: count }, (_, rank) => ({
    spec: specOf(rank),
    origin: `http://127.0.1.${rank + 1}:8080`,
  }))
  return planWeb(seed, placed, 1_000_000)
}
const pagesOf = (site: LivingSite): LivingPage[] => [...site.resources.values()].filter((one) => one.kind === 'page')

test('the same seed plans the same web, another seed another', () => {
  assert.deepEqual(planOf(7), planOf(7))
  assert.notDeepEqual(planOf(7), planOf(8))
})

test('sizes fall with the rank and habits differ', () => {
  const sites = planOf(1)
  const sizes = sites.map((site) => site.spec.pages)
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => b - a),
  )
  assert.equal(new Set(sites.map((site) => site.spec.robots)).size, 5)
})

test('every ordinary page of an open site is found from its home page by links alone', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 8 }), (seed, count) => {
      const sites = planOf(seed, count)
      const { urls } = reachable(sites, { sitemaps: false })
      for (const site of sites.filter(({ spec }) => spec.robots !== 'server-error')) {
        for (const { path } of pagesOf(site)) {
          const expected = path !== '/orphan' && !path.startsWith('/drafts/')
          assert.equal(urls.has(site.origin + path), expected, path)
        }
      }
    }),
    { numRuns: 20 },
  )
})

test('the truth leaves out what is forbidden, closed, lost or looping, and takes in what a sitemap alone knows', () => {
  const { urls, links } = reachable(planOf(3))
  const has = (path: string): boolean => [...urls].some((url) => new URL(url).pathname === path)
  assert.ok(has('/orphan') && has('/shaky/queue'))
  for (const path of ['/drafts/unfinished', '/lost/page', '/round/a', '/moved/1', '/partner'])
    assert.ok(!has(path), path)
  assert.ok(![...urls].some((url) => url.startsWith('http://127.0.1.5:')), 'a site whose robots.txt answers 5xx')
  for (const { from, to } of links) assert.ok(urls.has(from) && urls.has(to))
  assert.ok(links.some(({ from, to }) => new URL(from).host !== new URL(to).host))
})

test('the floors of a web are its Crawl-delays and what its robots.txt forbid', () => {
  const { crawlDelayMs, disallowed } = floorsOf(planOf(3), { connectionGapMs: 100 })
  assert.deepEqual(crawlDelayMs, { 'copper-kettle': 1_000 })
  assert.deepEqual(
    ['/', '/robots.txt', '/drafts/hidden'].map((path) => disallowed?.('river-post', path)),
    [false, false, true],
  )
  assert.equal(disallowed?.('orchard-ledger', '/'), true, 'robots.txt answers 5xx')
})

test('a crawl from one seed reaches the other sites', () => {
  const sites = planOf(3)
  const hosts = new Set(
    [...reachable(sites, { from: ['http://127.0.1.1:8080/'] }).urls].map((url) => new URL(url).host),
  )
  assert.ok(hosts.size >= 3, String(hosts.size))
})

test('versions never fall, change about once a period, and a change happens when it says', () => {
  const page = { ...pagesOf(planOf(1)[0]!)[0]!, changeEveryMs: 1_000 }
  const epoch = 50_000
  fc.assert(
    fc.property(fc.nat(200_000), fc.nat(5_000), (at, later) => {
      const version = versionOf(page, epoch, at)
      assert.ok(versionOf(page, epoch, at + later) >= version)
      assert.ok(Math.abs(version - Math.max(0, at - epoch) / 1_000) <= 1)
      const since = changedAt(page, epoch, at)
      assert.ok(since <= at || version === 0)
      if (version > 0)
        assert.deepEqual([versionOf(page, epoch, since), versionOf(page, epoch, since - 1)], [version, version - 1])
    }),
  )
})
