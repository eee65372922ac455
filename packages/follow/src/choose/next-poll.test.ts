import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newOffer } from '../site-offers.ts'
import type { SiteOffers } from '../site-offers.ts'
import { nextPoll, nextPollAt } from './next-poll.ts'

const DAY = 86_400_000
const NOW = 1_000 * DAY
const TERMS = { minPollMs: 60_000, dayMs: DAY }
const changes = newOffer('change-list', 'https://a.example/changelist.xml')
const pages = newOffer('sitemap', 'https://a.example/sitemap.xml')
const row: SiteOffers = { lookedAt: NOW, lookAgainAt: NOW + 7 * DAY, offers: [changes, pages], toldAt: NOW }
const at = (of: SiteOffers, now = NOW): number => nextPollAt(of, undefined, TERMS, now, () => 0.5)

test('the cheapest that tells is looked at, and one that failed rests', () => {
  assert.equal(nextPoll(row, undefined, TERMS, NOW)?.kind, 'change-list')
  const failed = { ...row, offers: [{ ...changes, restsUntil: NOW + 1 }, pages] }
  assert.equal(nextPoll(failed, undefined, TERMS, NOW)?.kind, 'sitemap')
})

test('a gap in what changes were told is closed at once, by what lists all pages', () => {
  const behind = { ...row, isBehind: true }
  assert.equal(nextPoll(behind, undefined, TERMS, NOW)?.kind, 'sitemap')
  assert.equal(at(behind), NOW)
  const alone = { ...behind, offers: [changes] }
  assert.equal(nextPoll(alone, undefined, TERMS, NOW)?.kind, 'change-list')
  assert.ok(at(alone) > NOW)
})

test('a site that never told anything is looked at now, and one that did between the least period and a day later', () => {
  assert.equal(at({ ...row, toldAt: undefined }), NOW)
  const busy = { ...row, pace: { looks: 20, withNews: 20, ms: 20 * 60_000 } }
  const quiet = { ...row, pace: { looks: 20, withNews: 0, ms: 20 * DAY } }
  assert.equal(at(busy), NOW + 60_000)
  assert.equal(at(quiet), NOW + DAY)
})

const feeds = { ...newOffer('feed', 'https://a.example/feed'), checkedAt: NOW }
const pace = { looks: 20, withNews: 20, ms: 20 * 60_000 }
const polled = (of: SiteOffers, now = NOW): string | undefined => nextPoll(of, undefined, TERMS, now)?.kind

test('feeds are polled beside a sitemap, at a pace of their own, and not beside what tells of all changes', () => {
  const beside = { ...row, offers: [pages, { ...feeds, pace }] }
  assert.equal(at(beside), NOW + 60_000)
  assert.equal(polled(beside, NOW + 60_000), 'feed')
  const quiet = { ...beside, offers: [pages, { ...feeds, pace: { looks: 20, withNews: 0, ms: 20 * DAY } }], pace }
  assert.equal(polled(quiet, NOW + 60_000), 'sitemap')
  assert.equal(polled({ ...row, offers: [changes, feeds] }), 'change-list')
  assert.equal(at({ ...row, offers: [changes, { ...feeds, pace }] }), at({ ...row, offers: [changes] }))
})

test('where there is nothing else, or all else rests, there are feeds; the first time at once, unless they rest', () => {
  const alone = { ...row, offers: [feeds] }
  assert.equal(polled(alone), 'feed')
  assert.ok(at(alone) > NOW && at(alone) <= NOW + 1.1 * DAY)
  assert.ok(at({ ...row, offers: [{ ...feeds, checkedAt: 0 }] }) <= NOW)
  assert.equal(polled({ ...row, offers: [{ ...changes, restsUntil: NOW + 5_000 }, feeds] }), 'feed')
  const resting = { ...row, offers: [{ ...feeds, restsUntil: NOW + 5 * DAY }] }
  assert.deepEqual([polled(resting), at(resting)], [undefined, NOW + 5 * DAY])
})

test('when everything rests the first that wakes is waited for, and offers are searched for again at the latest', () => {
  const resting = { ...row, offers: [{ ...changes, restsUntil: NOW + 5_000 }] }
  assert.equal(at(resting), NOW + 5_000)
  assert.equal(at({ ...resting, lookAgainAt: NOW + 1_000 }), NOW + 1_000)
})
