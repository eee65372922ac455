import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORDERS, orderNamed } from './order.ts'
import type { Order, PageFacts, SiteFacts } from './order.ts'

const site: SiteFacts = { origin: 'https://a.example', waiting: 3, visited: 0, best: 2 }
const page: PageFacts = { depth: 1, tries: 0, site }
const named = (name: string): Order => orderNamed(name)!

test('orders are found by name, and a name nobody knows is none', () => {
  assert.deepEqual(
    ORDERS.map(({ name }) => orderNamed(name)?.name),
    ['depth', 'length'],
  )
  assert.equal(orderNamed('shuffle'), undefined)
})

for (const order of ORDERS) {
  test(`${order.name}: pages nearer to a start page come first`, () => {
    assert.ok(order.rankPage(page) < order.rankPage({ ...page, depth: 2 }))
  })
  test(`${order.name}: a page that failed comes behind everything its site has`, () => {
    assert.ok(order.rankPage({ ...page, depth: 0xffff }) < order.rankPage({ ...page, depth: 0, tries: 1 }))
  })
}

const sites: [order: string, sentence: string, first: SiteFacts, second: SiteFacts][] = [
  ['depth', 'the site with the page nearest to a start page comes first', site, { ...site, best: 3, waiting: 99 }],
  ['length', 'the site with the longest queue comes first', { ...site, waiting: 4, best: 9 }, site],
]
for (const [order, sentence, first, second] of sites) {
  test(`${order}: ${sentence}`, () => assert.ok(named(order).rankSite(first) < named(order).rankSite(second)))
}
