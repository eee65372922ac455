/** Pages that were sent and are fetched too: who is believed, who is in doubt for how long, and who is found out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageRow } from '@comity/collection'
import type { CooperationStore, CooperationRow } from '@comity/follow'
import { PushChecks } from './push-checks.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const SITE = 3
const PAGE = 7
const keyOf = (version: number): Uint8Array => new Uint8Array(20).fill(version)

class Checked {
  now = 1_000_000
  readonly visits: number[] = []
  #row: CooperationRow = {}
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
    this.checks.sent(page, SITE, keyOf(version))
    this.checks.took(page, SITE, keyOf(version))
  }

  /** What was heard of before comes once more. */
  repeats(version: number, page = PAGE): void {
    this.checks.sent(page, SITE, keyOf(version))
  }

  serves(version: number, page = PAGE, ms = 100): void {
    this.now += ms
    const row = { site: SITE, status: 200, contentKey: keyOf(version) } as PageRow
    this.checks.settled({ page, outcome: 'ok', at: this.now, before: undefined, row, bytes: 1 })
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
