import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlerAccount, Fetches } from './account.ts'
import { moneyOf, usd, viewsFor } from './money.ts'
import type { Prices } from './money.ts'
import { savingsOf } from './savings.ts'
import { ADVISED_SCHEMES, loggedCost } from './schemes.ts'
import type { SchemeContext, SchemeCost } from './schemes.ts'
import { editedBody, madePages } from '../../webs/made-pages.ts'
import { measureUnits } from '../../cooperating/scheme-units.ts'
import { SITE_BASE } from '../../cooperating/server.ts'
import { createRandom } from '@comity/testbed'

const random = createRandom(1)
const units = await measureUnits(madePages({ pages: 20, meanBytes: 4_000, seed: 1, isEven: true }), {
  base: SITE_BASE,
  changed: 5,
  edit: ({ body }) => editedBody(body, 0.05, 'place', random),
})

const of = (count: number, bytes = 10_000, isText = true): Fetches => ({
  count,
  bytes: count * bytes,
  plain: count * bytes,
  text: isText ? count * bytes : 0,
})
/** Twenty pages, asked for daily in thirty days; two changes a day. */
const account: CrawlerAccount = {
  name: 'Bot',
  purpose: 'search',
  requests: 620,
  bytes: 0,
  first: of(20),
  changed: of(58),
  needless: of(522),
  notModified: of(0),
  other: of(20, 200),
  polls: 30,
  from: 0,
  until: 30,
  told: 58,
  pushed: of(58),
  batched: of(58),
  busy: 29,
}
const context: SchemeContext = { account, units, siteBytes: 200_000, siteText: 200_000, requestMs: 0.1 }
const costOf = (id: string, given: Partial<SchemeContext> = {}): SchemeCost =>
  ADVISED_SCHEMES.find((scheme) => scheme.id === id)!.cost({ ...context, ...given })
const logged = loggedCost(context)

test('there are the twelve of the paper, half of them pushed', () => {
  assert.equal(ADVISED_SCHEMES.length, 12)
  assert.equal(ADVISED_SCHEMES.filter(({ isPushed }) => isPushed).length, 6)
  assert.equal(new Set(ADVISED_SCHEMES.map(({ id }) => id)).size, 12)
})

test('what the log shows is all requests with their bodies and heads', () => {
  assert.equal(logged.requests, 620)
  assert.ok(Math.abs(logged.bytes - (600 * 10_000 + 20 * 200 + 620 * units.page.heads)) < 1)
  assert.equal(logged.pages, 600)
})

test('requests: as many with 304, one a poll with a list, one a poll in all with a filter', () => {
  assert.equal(costOf('only-if-modified').requests, 620)
  const list = costOf('serve-metadata').requests
  assert.ok(list >= 20 + 20 + 58 + 30 && list < 300, `${list}`)
  assert.equal(costOf('filter').requests, 20 + 30)
  assert.equal(costOf('send-differences').requests, 20 + 20 + 58)
  assert.equal(costOf('send-metadata').requests, 20 + 20 + 2 * 58)
  assert.equal(costOf('send-batches').requests, 20 + 20 + 29)
})

test('bytes: a 304 spares needless bodies, differences most of the changed ones', () => {
  const [same, list, differences, filter] = ['only-if-modified', 'serve-metadata', 'serve-differences', 'filter'].map(
    (id) => costOf(id).bytes,
  )
  assert.ok(same! < 0.25 * logged.bytes && list! < same! && differences! < list! && filter! < differences!)
  assert.ok(costOf('serve-site').bytes > list!)
})

test('what is no text is not packed and has no differences', () => {
  const pictures = { ...account, first: of(20, 10_000, false), changed: of(58, 10_000, false) }
  const [text, picture] = [costOf('filter').bytes, costOf('filter', { account: pictures }).bytes]
  assert.ok(picture > text && picture > 78 * 10_000)
})

test('a crawler that fetched nothing twice has nothing to gain from 304', () => {
  const once = { ...account, needless: of(0), changed: of(0) }
  assert.equal(costOf('only-if-modified', { account: once }).bytes, loggedCost({ ...context, account: once }).bytes)
})

const prices: Prices = {
  viewUsd: 0.05,
  networkUsd: 0.0015,
  processingUsd: 0.0005,
  pageBytes: 40_000,
  crawlerUsd: 0.002,
  downloadShare: 0.5,
  pageMs: 0.2,
  exchangeBytes: 10_000,
}

test('a page of the paper’s size costs a site c_n + c_p, and a page costs a crawler its price', () => {
  const { network, processing, site } = moneyOf({ requests: 1, bytes: 40_000, siteMs: 0.2, pages: 1 }, prices)
  assert.deepEqual([network, processing, site], [0.0015, 0.0005, 0.002])
  assert.equal(moneyOf({ requests: 1, bytes: 10_000, siteMs: 0, pages: 1 }, prices).crawler, 0.002)
})

test('so many views pay for something, after paying for themselves', () => {
  assert.ok(Math.abs(viewsFor(0.48, prices) - 10) < 1e-9)
  assert.equal(viewsFor(-1, prices), 0)
})

const amounts: [number, string][] = [
  [0, '$0'],
  [1_234.5, '$1,235'],
  [-2.5, '−$2.50'],
  [0.0123, '$0.012'],
  [0.000_31, '$0.00031'],
]
for (const [amount, text] of amounts) test(`${amount} is written ${text}`, () => assert.equal(usd(amount), text))

test('of each tier the cheapest scheme is chosen, and all crawlers add up', () => {
  const { tiers, crawlers, schemes } = savingsOf([account, account], context, prices)
  assert.deepEqual(
    tiers.map(({ tier }) => tier),
    ['little', 'moderate', 'more'],
  )
  assert.equal(tiers[0]!.best!.scheme.id, 'only-if-modified')
  for (const { tier, best } of tiers)
    for (const { scheme, cost } of schemes) assert.ok(scheme.tier !== tier || cost.money.site >= best!.cost.money.site)
  assert.ok(Math.abs(schemes[0]!.cost.bytes - 2 * crawlers[0]!.schemes[0]!.cost.bytes) < 1e-6)
})
