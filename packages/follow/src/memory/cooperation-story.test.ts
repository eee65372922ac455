import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SiteTrust } from '@comity/frontier'
import type { CooperationRow } from './cooperation-store.ts'
import { cooperationStory, isCooperating } from './cooperation-story.ts'
import { newOffer } from '../site-offers.ts'
import type { OfferKind, SiteOffers } from '../site-offers.ts'

const DAY = 86_400_000
const offered = (...kinds: OfferKind[]): SiteOffers => ({
  lookedAt: 0,
  lookAgainAt: DAY,
  toldAt: 5,
  offers: kinds.map((kind) => newOffer(kind, `https://a.example/${kind}`)),
})

/** A site whose filter announced `right` changes that were, and `wrong` that were not. */
function trusted(right: number, wrong: number): CooperationRow['trust'] {
  const trust = new SiteTrust(0, DAY)
  for (let i = 0; i < right + wrong; i++) {
    trust.signalled('filter', 1_000, 0, 1)
    const events = [['filter', 1]] as const
    trust.visited({ at: 0, days: 1, rate: 0.1, changed: i < right, events, announcedBy: ['filter'], isAudit: false })
  }
  return trust.state()
}

test('a site of which nothing is known, or that offers nothing, is ordinary', () => {
  for (const row of [{}, { offers: offered() }]) {
    const story = cooperationStory(row, DAY, 0)
    assert.equal(isCooperating(story), false)
    assert.deepEqual([story.uses, story.recall, story.why], [undefined, undefined, []])
  }
})

test('of what is offered, the best that does not rest is asked', () => {
  const offers = offered('sitemap', 'filter', 'batch')
  assert.equal(cooperationStory({ offers }, DAY, 0).uses, 'filter')
  const failing = offers.offers.map((offer) =>
    offer.kind === 'filter' ? { ...offer, failures: 3, problem: 'status 500', restsUntil: 10 } : offer,
  )
  const story = cooperationStory({ offers: { ...offers, offers: failing } }, DAY, 9)
  assert.equal(story.uses, 'sitemap')
  assert.deepEqual(
    [story.offers[1]?.failures, story.offers[1]?.problem, story.offers[1]?.restsUntil],
    [3, 'status 500', 10],
  )
  assert.equal(cooperationStory({ offers: { ...offers, offers: failing } }, DAY, 10).offers[1]?.restsUntil, undefined)
})

test('what a channel announced and what was found is told, with the reasons', () => {
  const { channels, recall, why } = cooperationStory({ trust: trusted(8, 2) }, DAY, 0)
  assert.deepEqual(
    channels.map(({ channel, heard, confirmed, quarantine }) => [channel, heard, confirmed, quarantine]),
    [['filter', 10, 8, undefined]],
  )
  assert.ok(recall !== undefined && recall > 0.5)
  assert.match(
    why[0] ?? '',
    /^filter: 8 of 10 announced pages had changed; it had told of 8 of 8 changes found; believed\.$/,
  )
})

test('a channel that lied is in quarantine until it ends', () => {
  const row = { trust: trusted(0, 40) }
  assert.equal(cooperationStory(row, DAY, 0).channels[0]?.quarantine?.reason, 'false alarms')
  assert.equal(cooperationStory(row, DAY, 40 * DAY).channels[0]?.quarantine, undefined)
})

test('a trust of another version says nothing', () => {
  const trust = { ...trusted(8, 2)!, version: 2 as 1 }
  assert.equal(isCooperating(cooperationStory({ trust }, DAY, 0)), false)
})

test('differences that were of no use are counted, with what was wrong with the last', () => {
  const differences = { count: 2, problem: 'a difference that is too-much-work', at: 1 }
  const story = cooperationStory({ differences }, DAY, 0)
  assert.equal(isCooperating(story), true)
  assert.deepEqual(story.why, [
    '2 differences that it sent were of no use, and the page was asked for whole. The last: a difference that is too-much-work.',
  ])
})
