import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseListing, listingWakesAt, restMs, valuePerByte } from './listing-choice.ts'
import type { ChannelRecords } from './listing-choice.ts'
import { BULK_OFFERS, CHANGE_OFFERS, newOffer } from '../site-offers.ts'
import type { Offer, OfferKind } from '../site-offers.ts'

const DAY = 86_400_000
const offer = (kind: OfferKind, more: Partial<Offer> = {}): Offer => ({
  ...newOffer(kind, `https://a.example/${kind}`),
  ...more,
})

const cases: [sentence: string, offers: Offer[], records: ChannelRecords | undefined, chosen: OfferKind | undefined][] =
  [
    ['nothing is chosen where nothing is offered', [], undefined, undefined],
    ['what brings pages tells nothing', [offer('batch'), offer('dump')], undefined, undefined],
    [
      'before anything was tried the filter comes first',
      CHANGE_OFFERS.map((kind) => offer(kind)).toReversed(),
      undefined,
      'filter',
    ],
    ['then the change list', [offer('sitemap'), offer('robots-rdf'), offer('change-list')], undefined, 'change-list'],
    [
      'a small sitemap that is right beats a long list of changes',
      [offer('change-list', { bytes: 100_000, requests: 1 }), offer('sitemap', { bytes: 2_000, requests: 1 })],
      { sitemap: { recall: 0.9, precision: 0.9 } },
      'sitemap',
    ],
    [
      'a channel that hides changes is left for one that does not',
      [offer('filter'), offer('metadata-archive', { bytes: 3_000, requests: 2 })],
      { filter: { recall: 0.05, precision: 1 } },
      'metadata-archive',
    ],
    [
      'false alarms weigh half as much as hidden changes',
      [offer('filter', { bytes: 1_000 }), offer('change-list', { bytes: 1_000 })],
      { filter: { recall: 0.4, precision: 1 }, 'change-list': { recall: 0.8, precision: 0.4 } },
      'change-list',
    ],
    [
      'what rests is not chosen, however good',
      [offer('filter', { restsUntil: 2 }), offer('sitemap')],
      undefined,
      'sitemap',
    ],
    [
      'a hundred requests for a poll are dearer than one',
      [offer('robots-rdf', { bytes: 0, requests: 100 }), offer('sitemap', { bytes: 10_000, requests: 1 })],
      undefined,
      'sitemap',
    ],
    [
      'the only offer is asked even if it never was right',
      [offer('sitemap')],
      { sitemap: { recall: 0, precision: 0 } },
      'sitemap',
    ],
  ]
for (const [sentence, offers, records, chosen] of cases) {
  test(sentence, () => assert.equal(chooseListing(offers, records, 1)?.kind, chosen))
}

const anyOffer = fc.record({
  kind: fc.constantFrom<OfferKind>(...CHANGE_OFFERS, ...BULK_OFFERS),
  url: fc.webUrl(),
  checkedAt: fc.nat(),
  bytes: fc.option(fc.nat(1e9), { nil: undefined }),
  requests: fc.option(fc.nat(5_000), { nil: undefined }),
  news: fc.nat(),
  failures: fc.nat(100),
  restsUntil: fc.nat(1_000),
})

test('as long as one offer that tells is awake, one is chosen; otherwise it is known when', () => {
  fc.assert(
    fc.property(fc.array(anyOffer, { maxLength: 12 }), fc.nat(1_000), (offers, now) => {
      const chosen = chooseListing(offers, undefined, now)
      const isAwake = listingWakesAt(offers) <= now
      assert.equal(chosen !== undefined, isAwake)
      if (chosen !== undefined) {
        assert.ok(chosen.restsUntil <= now)
        for (const other of offers) if (other.restsUntil <= now) assert.ok(valuePerByte(chosen) >= valuePerByte(other))
      }
    }),
  )
})

test('the worth of an offer never falls when it costs less or tells more', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(anyOffer, share, share, fc.nat(1e6), (one, recall, precision, more) => {
      const record = { recall, precision }
      const worth = valuePerByte(one, record)
      assert.ok(valuePerByte({ ...one, bytes: (one.bytes ?? 1e9) + more }, record) <= worth || one.bytes === undefined)
      assert.ok(valuePerByte(one, { recall: Math.min(1, recall + 0.1), precision }) >= worth)
      assert.ok(valuePerByte(one, { recall, precision: Math.min(1, precision + 0.1) }) >= worth)
    }),
  )
})

test('rests are a minute, two, four, and never more than a day', () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((failures) => restMs(failures, DAY) / 60_000),
    [1, 2, 4, 8],
  )
  assert.deepEqual(
    [12, 1_000].map((failures) => restMs(failures, DAY)),
    [DAY, DAY],
  )
  assert.equal(restMs(1, 1_440), 1, 'a demonstration has shorter days')
})
