/** What is learnt of an offer while something else is asked of it is not forgotten at the end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterBadPages, afterBulk, afterPoll, afterTrouble } from './record.ts'
import { newOffer } from '../site-offers.ts'
import type { Offer, SiteOffers } from '../site-offers.ts'

const AT = 1_800_000_000_000
const row = (...offers: readonly Offer[]): SiteOffers => ({ lookedAt: 0, lookAgainAt: 0, offers })
const dump = newOffer('change-dump', 'https://a.example/changedump.xml')
const filter = newOffer('filter', 'https://a.example/changes')
const brought = { at: AT, news: 30, spent: { requests: 4, bytes: 9_000 } }

test('a dump that brought pages is well, and what it cost is remembered', () => {
  const [offer] = afterBulk(row({ ...dump, failures: 2, problem: 'old' }), { ...dump, failures: 2 }, brought).offers
  assert.deepEqual(
    { ...offer },
    { ...dump, checkedAt: AT, news: 30, requests: 4, bytes: 9_000, failures: 0, restsUntil: 0, problem: undefined },
  )
})

test('a dump that was found out while its pages came rests all the same', () => {
  const found = afterTrouble(row(dump), 'change-dump', 'it delivered another page than it serves', AT - 1)
  const [offer] = afterBulk(found, dump, brought).offers
  assert.equal(offer!.problem, 'it delivered another page than it serves')
  assert.ok(offer!.restsUntil > AT)
  assert.equal(offer!.failures, 1)
})

test('a filter whose pages were found out while it was looked at is asked for none, however the poll ends', () => {
  const found = afterBadPages(row(filter), 'it delivered another page than it serves', AT - 1)
  const terms = { dayMs: 86_400_000, minPollMs: 1_000 }
  for (const problem of [undefined, 'it answered 503']) {
    const [offer] = afterPoll(found, filter, { ...brought, problem }, terms).offers
    assert.equal(offer!.bringProblem, 'it delivered another page than it serves')
    assert.ok(offer!.bringsAgainAt! > AT)
    assert.equal(offer!.problem, problem)
  }
})
