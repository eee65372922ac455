import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateWeb } from '../../webs/generated/web.ts'
import { webOf } from '../../testing/ordering-fixture.ts'
import { crawlSite, smallSiteOf } from './site.ts'

test('of several sites the one nearest to 1,100 pages that hangs together is taken', () => {
  // Two sites of 1,100 and 1,300 pages: the first has no links inside.
  const sizes = [1_100, 1_300]
  const sites = sizes.flatMap((size, site) => Array.from({ length: size }, () => site))
  const links = sites.map((site, page) => (site === 1 && page + 1 < sites.length ? [page + 1] : []))
  const site = smallSiteOf(webOf(links, { sites }))
  assert.deepEqual([site?.pages, site?.sites, site?.name], [1_300, 1, 's1.example of small'])
})

test('a web of tiny sites has none', () => {
  assert.equal(smallSiteOf(webOf([[1], [0]])), undefined)
})

test('each order is crawled from each start page of the site', () => {
  const crawls: string[] = []
  const site = smallSiteOf(generateWeb({ pages: 6_000, sites: 30, maxSitePages: 3_000, seed: 3 }))!
  const { orders, backlinks } = crawlSite(site, {
    orders: ['depth', 'optimal'],
    seed: 1,
    starts: 2,
    word: 'computer',
    onCrawl: (what) => crawls.push(what),
  })
  assert.deepEqual([orders.length, crawls.length], [2, 4])
  assert.ok(backlinks.length >= site.pages / 2)
})
