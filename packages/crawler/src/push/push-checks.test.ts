/** Pages that were sent and are fetched too: who is believed, who is in doubt for how long, and who is found out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageRow } from '@comity/collection'
import type { CooperationStore, CooperationRow } from '@comity/follow'
import type { SettledVisit } from '@comity/ingest'
import { PushChecks } from './push-checks.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SITE = 3
const PAGE = 7
const keyOf = (version: number): Uint8Array => new Uint8Array(20).fill(version)
/** Each version has a text of its own. */
const textOf = (version: number): readonly [number, number] => [
  Math.imul(version, 0x9e3779b9) >>> 0,
  Math.imul(version, 0x85ebca6b) >>> 0,
]

class Checked {
  now = 1_000_000
  readonly visits: number[] = []
  #row: CooperationRow = {}
  #sent = 0
  readonly checks = new PushChecks({
    frontier: { revisit: (page) => void this.visits.push(page) },
    store: {
      of: () => this.#row,
      note: (_site: number, news: CooperationRow) => (this.#row = { ...this.#row, ...news }),
    } as unknown as CooperationStore,
    dayMs: DAY,
    now: () => this.now,
    random: () => 0,
  })

  /** Checked, and different. */
  get counts(): readonly [number, number] {
    const { checked = 0, different = 0 } = this.#row.pushes ?? {}
    return [checked, different]
  }

  get strikes(): number {
    return this.#row.pushes?.strikes ?? 0
  }

  sends(version: number, page = PAGE): void {
    this.now += 100
    this.#sent = version
    this.checks.sent(page, SITE, { key: keyOf(version), asOf: undefined })
    this.checks.took(page, SITE, { key: keyOf(version), asOf: this.now })
  }

  /** What was heard of before comes once more. */
  repeats(version: number, page = PAGE): void {
    this.checks.sent(page, SITE, { key: keyOf(version), asOf: undefined })
  }

  serves(
    version: number,
    page = PAGE,
    ms = 100,
    { status = 200, ...more }: Partial<SettledVisit & PageRow> = {},
  ): void {
    this.now += ms
    const facts = { site: SITE, status, contentKey: keyOf(version), simhash: textOf(version), ...more }
    const before = { ...facts, contentKey: keyOf(this.#sent), simhash: textOf(this.#sent) } as PageRow
    const outcome = status === 200 ? 'ok' : 'client-error'
    this.checks.settled({ page, outcome, at: this.now, before, row: facts as PageRow, bytes: 1, ...more })
  }

  waits(ms: number): void {
    this.now += ms
    this.checks.tick(this.now)
  }
}

test('a page that is served as it was sent agrees', () => {
  const site = new Checked()
  site.sends(1)
  assert.deepEqual(site.visits, [PAGE])
  assert.equal(site.checks.mustBeWhole(PAGE), true)
  site.serves(1)
  assert.deepEqual(site.counts, [1, 0])
  assert.equal(site.checks.mustBeWhole(PAGE), false)
})

test('a visit within the same millisecond is one after it; one that began before is not', () => {
  const site = new Checked()
  site.sends(1)
  site.serves(2, PAGE, -1)
  assert.equal(site.checks.mustBeWhole(PAGE), true)
  site.serves(1, PAGE, 1)
  assert.deepEqual(site.counts, [1, 0])
})

test('who sends what was found a little later had only changed the page once more', () => {
  const site = new Checked()
  site.sends(1)
  site.serves(2)
  site.waits(MINUTE / 2)
  site.repeats(2)
  site.waits(DAY)
  assert.deepEqual(site.counts, [0, 0])
})

test('of ten edits one is sent: who never sends the one that was found is compared with the next', () => {
  const site = new Checked()
  site.sends(1)
  site.serves(5)
  site.sends(9)
  assert.deepEqual(site.visits, [PAGE, PAGE])
  site.serves(9)
  site.waits(DAY)
  assert.deepEqual(site.counts, [1, 0])
})

test('who sends one version after the other and serves none of them is found out', () => {
  const site = new Checked()
  for (const version of [1, 2, 3, 4]) {
    site.sends(version)
    site.serves(99)
  }
  assert.deepEqual(site.counts, [1, 1])
})

test('who is heard, and does not send what was found, has a minute', () => {
  const site = new Checked()
  site.sends(1)
  site.serves(2)
  site.repeats(1, PAGE + 1)
  assert.equal(site.checks.nextAt(), site.now + MINUTE)
  site.waits(MINUTE - 1)
  assert.deepEqual(site.counts, [0, 0])
  site.waits(1)
  assert.deepEqual(site.counts, [1, 1])
  assert.equal(site.checks.nextAt(), Infinity)
})

test('who is not heard at all has ten minutes, and the one when it is heard again: its line may be down', () => {
  const site = new Checked()
  site.sends(1)
  site.serves(2)
  site.waits(8 * MINUTE)
  assert.deepEqual(site.counts, [0, 0])
  site.repeats(1, PAGE + 1)
  site.waits(MINUTE / 2)
  assert.deepEqual(site.counts, [0, 0])
  site.repeats(2)
  site.waits(DAY)
  assert.deepEqual(site.counts, [0, 0])
  // And once more, without a word.
  site.sends(3)
  site.serves(4)
  assert.equal(site.checks.nextAt(), site.now + 10 * MINUTE)
  site.waits(10 * MINUTE)
  assert.deepEqual(site.counts, [1, 1])
})

test('what was in doubt before a rest ended is no reason for the next, however late it is looked at', () => {
  const site = new Checked()
  for (const page of [1, 2]) {
    site.sends(1, page)
    site.serves(2, page)
  }
  site.repeats(1, 9)
  site.waits(MINUTE)
  assert.deepEqual([site.counts, site.strikes], [[2, 2], 1])
  for (const page of [3, 4, 5]) {
    site.sends(1, page)
    site.serves(2, page)
  }
  site.repeats(1, 9)
  site.waits(2 * DAY)
  assert.deepEqual([site.counts, site.strikes], [[5, 5], 1])
})

test('what is fetched too late, says nothing', () => {
  const site = new Checked()
  site.sends(1)
  site.now += 2 * MINUTE
  site.serves(2)
  site.repeats(1, PAGE + 1)
  site.waits(DAY)
  assert.deepEqual(site.counts, [0, 0])
})

test('a page that is sent once more while it is being fetched was not visited by that', () => {
  const site = new Checked()
  for (const version of [1, 2, 3, 4, 5]) {
    site.sends(version)
    site.serves(version + 1, PAGE, 0, { source: 'push' })
  }
  site.serves(5)
  assert.deepEqual(site.counts, [1, 0])
})

test('what was found is explained by what was told while it was being fetched', () => {
  const site = new Checked()
  site.sends(1)
  site.repeats(2)
  site.serves(2)
  site.waits(DAY)
  assert.deepEqual([site.counts, site.checks.nextAt()], [[0, 0], Infinity])
})

/** An answer that a cache has held for so long, of so much that it may. */
const copy = (site: Checked, ageMs: number, maxAgeMs: number): Partial<SettledVisit & PageRow> => ({
  servedAt: site.now - ageMs,
  headers: [
    ['Age', String(ageMs / 1_000)],
    ['Cache-Control', `max-age=${maxAgeMs / 1_000}`],
  ],
})

test('a copy from before the page was sent says nothing: it is looked at when all such copies have expired', () => {
  const site = new Checked()
  site.sends(2)
  site.serves(1, PAGE, 100, copy(site, 20 * MINUTE, HOUR))
  assert.equal(site.checks.mustBeWhole(PAGE), false)
  site.waits(HOUR - MINUTE)
  assert.deepEqual(site.visits, [PAGE])
  site.waits(2 * MINUTE)
  assert.deepEqual(site.visits, [PAGE, PAGE])
  site.serves(2)
  assert.deepEqual(site.counts, [1, 0])
})

test('who serves old copies for ever has a few looks, and a day', () => {
  const site = new Checked()
  site.sends(2)
  for (let look = 0; look < 5; look++) {
    site.serves(1, PAGE, 100, copy(site, 30 * MINUTE + look * HOUR, HOUR))
    site.waits(HOUR + MINUTE)
  }
  assert.deepEqual(site.counts, [1, 1])
})

test('a cache that does not say its age has half a minute', () => {
  const site = new Checked()
  site.sends(2)
  site.serves(1, PAGE, 100, { headers: [['Cache-Control', 'max-age=20']] })
  site.repeats(1, PAGE + 1)
  site.waits(MINUTE / 2)
  site.serves(2)
  site.waits(DAY)
  assert.deepEqual(site.counts, [1, 0])
})

test('a visitor who is turned away looks again after a minute and four more', () => {
  const site = new Checked()
  site.sends(1)
  for (const minutes of [1, 4]) {
    site.serves(0, PAGE, 100, { status: 403 })
    assert.equal(site.checks.nextAt(), site.now + minutes * MINUTE)
    site.waits(minutes * MINUTE)
  }
  assert.deepEqual(site.counts, [0, 0])
  site.serves(0, PAGE, 100, { status: 403 })
  assert.deepEqual(site.counts, [1, 1])
})

test('who is turned away waits on, though the page is sent anew each half minute', () => {
  const site = new Checked()
  site.sends(1)
  site.serves(0, PAGE, 100, { status: 403 })
  let version = 2
  for (let halves = 0; halves < 20; halves++) {
    site.sends(version++)
    site.waits(MINUTE / 2)
    if (site.checks.mustBeWhole(PAGE)) site.serves(0, PAGE, 100, { status: 403 })
  }
  assert.deepEqual(site.counts, [1, 1])
})

test('who serves old copies waits on, though the page is sent anew each half minute', () => {
  const site = new Checked()
  site.sends(100)
  site.serves(1, PAGE, 100, copy(site, 50 * MINUTE, HOUR))
  for (let halves = 0; halves < 2 * 60 * 6; halves++) {
    site.sends(100 + (halves % 100))
    site.waits(MINUTE / 2)
    if (site.checks.mustBeWhole(PAGE)) site.serves(1, PAGE, 100, copy(site, 50 * MINUTE, HOUR))
  }
  assert.deepEqual(site.counts, [1, 1])
})

test('what a cache serves at last may be any of those that were sent meanwhile', () => {
  const site = new Checked()
  site.sends(2)
  site.serves(1, PAGE, 100, copy(site, 50 * MINUTE, HOUR))
  for (const version of [3, 4, 5, 6]) site.sends(version)
  site.waits(HOUR + MINUTE)
  assert.ok(site.checks.mustBeWhole(PAGE))
  site.serves(4)
  site.waits(DAY)
  assert.deepEqual(site.counts, [0, 0])
})

test('of a site only so many pages wait to be looked at later, and none is a lie for want of room', () => {
  const site = new Checked()
  for (let page = 0; page < 80; page++) {
    site.sends(1, page)
    site.serves(0, page, 100, { status: 403 })
  }
  assert.deepEqual([site.counts, site.strikes], [[0, 0], 0])
  const before = site.visits.length
  site.waits(2 * MINUTE)
  assert.equal(site.visits.length - before, 50)
})

test('pages that are never visited keep no others from being compared', () => {
  const site = new Checked()
  // A few at a time, as more would be fetched too late.
  for (let page = 0; page < 10_000; page++) {
    site.sends(1, page)
    site.now += 10_000
  }
  assert.ok(site.checks.mustBeWhole(0))
  site.sends(1, 20_000)
  assert.deepEqual([site.checks.mustBeWhole(20_000), site.checks.mustBeWhole(0)], [true, false])
  site.serves(1, 20_000)
  assert.deepEqual(site.counts, [1, 0])
})

test('a page with a counter is no other page', () => {
  const site = new Checked()
  site.sends(1)
  site.serves(2, PAGE, 100, { simhash: textOf(1) })
  site.waits(MINUTE / 2)
  site.serves(3, PAGE, 100, { simhash: textOf(1) })
  site.repeats(1, PAGE + 1)
  site.waits(2 * MINUTE)
  assert.deepEqual([site.counts, site.strikes], [[0, 0], 0])
})

test('of a site that sends thousands of pages no more are fetched at a time than can be in a minute', () => {
  const site = new Checked()
  for (let page = 0; page < 3_000; page++) site.sends(1, page)
  assert.equal(site.visits.length, 16 * 5)
})
