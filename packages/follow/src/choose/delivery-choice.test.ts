import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseDelivery, chooseFirstCopy, wantsPages } from './delivery-choice.ts'
import type { Deliveries, DuePage, Estimate, FilterNews } from './delivery-choice.ts'

const pages = (count: number, page: Partial<DuePage> = {}): DuePage[] =>
  Array.from({ length: count }, () => ({ bytes: 10_000, chance: 0.3, hasBase: false, ...page }))

const cases: [sentence: string, due: DuePage[], offers: Deliveries, way: string][] = [
  ['one page is asked for by itself', pages(1), { batchPages: 100 }, 'single'],
  ['a hundred pages come in a batch', pages(100), { batchPages: 100 }, 'batch'],
  ['a site without batches is asked page by page', pages(100), {}, 'single'],
  [
    'pages that have surely changed gain little, and still something',
    pages(100, { chance: 1 }),
    { batchPages: 100 },
    'batch',
  ],
  ['a batch of one page is no batch', pages(100), { batchPages: 1 }, 'single'],
  [
    'differences make a batch worth it where single pages come whole',
    pages(3, { chance: 1, hasBase: true }),
    { batchPages: 100 },
    'batch',
  ],
  [
    'where single pages come as differences too, three are not worth one',
    pages(3, { chance: 1, hasBase: true }),
    { batchPages: 100, differences: true },
    'single',
  ],
  ['no page is no batch', [], { batchPages: 100 }, 'single'],
  [
    'pages that have changed come in packages where there are no batches and no differences',
    pages(100, { chance: 1 }),
    { changeDump: {} },
    'change-dump',
  ],
  [
    'a batch of differences is less than packages of whole pages',
    pages(100, { chance: 1, hasBase: true }),
    { changeDump: {}, batchPages: 100 },
    'batch',
  ],
  [
    'packages that brought much that nobody wanted are not taken again',
    pages(100, { chance: 1 }),
    { changeDump: { requests: 0.1, bytes: 90_000 } },
    'single',
  ],
  ['two pages are not worth a list of packages', pages(2, { chance: 1 }), { changeDump: {} }, 'single'],
]
for (const [sentence, due, offers, way] of cases) {
  test(sentence, () => assert.equal(chooseDelivery(due, offers).way, way))
}

test('where requests are what is short, a few of them for many pages win whatever they weigh', () => {
  const due = pages(100, { chance: 1, hasBase: true })
  const ways = { changeDump: {}, differences: true }
  assert.equal(chooseDelivery(due, ways).way, 'single')
  assert.equal(chooseDelivery(due, ways, ({ requests }) => requests).way, 'change-dump')
})

const byBytes = ({ bytes }: Estimate): number => bytes
const byRequests = ({ requests }: Estimate): number => requests
const filters: [sentence: string, news: FilterNews, costOf: (estimate: Estimate) => number, wantsThem: boolean][] = [
  ['pages that are all going to be fetched come at once', { pages: 20, bytes: 3_000, wanted: 1 }, byBytes, true],
  ['pages of which few are worth it are told of first', { pages: 20, bytes: 30_000, wanted: 0.1 }, byBytes, false],
  [
    'where requests are short they come, as long as one is wanted',
    { pages: 20, bytes: 30_000, wanted: 0.1 },
    byRequests,
    true,
  ],
  ['what nobody wants is never sent', { pages: 20, bytes: 3_000, wanted: 0 }, byRequests, false],
  [
    'one page now and then is told of: what stands around it weighs more',
    { pages: 0.1, bytes: 3_000, wanted: 1 },
    byBytes,
    false,
  ],
  ['and comes at once where requests are short', { pages: 0.1, bytes: 3_000, wanted: 1 }, byRequests, true],
]
for (const [sentence, news, costOf, wantsThem] of filters) {
  test(sentence, () => assert.equal(wantsPages(news, { batchPages: 50, differences: true }, costOf), wantsThem))
}

const firstCopies: [sentence: string, due: DuePage[], dumpBytes: number | undefined, way: string][] = [
  ['a dump that is packed is taken instead of its pages', pages(1_000), 2_000_000, 'dump'],
  ['a dump of much more than is wanted is not', pages(10), 2_000_000, 'pages'],
  ['a dump of more bytes is taken where it saves five hundred requests', pages(520), 4_300_000, 'dump'],
  ['small pages come in a dump that is mostly something else', pages(100, { bytes: 500 }), 1_000_000, 'dump'],
  ['a dump a hundred times the size of what is wanted is not', pages(520), 400_000_000, 'pages'],
  ['one page is asked for by itself', pages(1), 20_000, 'pages'],
  ['three requests for three pages are no gain', pages(3), 32_000, 'pages'],
  ['a dump of unknown size is not', pages(1_000), undefined, 'pages'],
  ['an empty site needs no dump', [], 10, 'pages'],
]
for (const [sentence, due, dumpBytes, way] of firstCopies) {
  test(sentence, () => assert.equal(chooseFirstCopy(due, dumpBytes).way, way))
}

const anyPage = fc.record({
  bytes: fc.nat(1e7),
  chance: fc.double({ min: 0, max: 1, noNaN: true }),
  hasBase: fc.boolean(),
})

test('the cheaper way is taken, and a batch never needs more requests than pages', () => {
  fc.assert(
    fc.property(fc.array(anyPage), fc.integer({ min: 1, max: 50 }), fc.boolean(), (due, batchPages, differences) => {
      const { way, single, batch } = chooseDelivery(due, { batchPages, differences })
      if (batch === undefined) return assert.equal(due.length, 0)
      assert.equal(way === 'batch', batch.bytes < single.bytes)
      assert.ok(batch.requests <= single.requests)
      assert.equal(batch.requests, Math.ceil(due.length / batchPages))
    }),
  )
})

test('a page that is likelier to have changed never costs less', () => {
  fc.assert(
    fc.property(fc.array(anyPage, { minLength: 1 }), (due) => {
      const surer = due.map((page) => ({ ...page, chance: Math.min(1, page.chance + 0.1) }))
      const [now, then] = [chooseDelivery(due, { batchPages: 10 }), chooseDelivery(surer, { batchPages: 10 })]
      assert.ok(then.single.bytes >= now.single.bytes && then.batch!.bytes >= now.batch!.bytes)
    }),
  )
})
