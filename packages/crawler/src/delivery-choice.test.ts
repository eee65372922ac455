import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseDelivery, chooseFirstCopy } from './delivery-choice.ts'
import type { Deliveries, DuePage } from './delivery-choice.ts'

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
]
for (const [sentence, due, offers, way] of cases) {
  test(sentence, () => assert.equal(chooseDelivery(due, offers).way, way))
}

const firstCopies: [sentence: string, due: DuePage[], dumpBytes: number | undefined, way: string][] = [
  ['a dump that is packed is taken instead of its pages', pages(1_000), 2_000_000, 'dump'],
  ['a dump of much more than is wanted is not', pages(10), 2_000_000, 'pages'],
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
