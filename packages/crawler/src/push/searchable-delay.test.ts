import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageRow } from '@comity/collection'
import type { SettledVisit } from '@comity/ingest'
import { SearchableDelay, changeOfSent } from './searchable-delay.ts'

const held: PageRow = {
  site: 0,
  outcome: 'ok',
  status: 200,
  visitedAt: 0,
  visits: 1,
  changes: 0,
  bytes: 9,
  timings: {},
}

const visit = (at: number, changes: Partial<SettledVisit> = {}): SettledVisit => ({
  page: 1,
  outcome: 'ok',
  at,
  before: held,
  row: { ...held, visitedAt: at, changes: 1 },
  bytes: 9,
  ...changes,
})

/** From a commit that has `number` to the index that has come to it. */
function found(delay: SearchableDelay, number: number, now: number): void {
  delay.save()
  delay.committed(number, now)
  delay.searchable(number, now)
}

test('from the change at the site to the index', () => {
  const delay = new SearchableDelay()
  delay.told(1, 1_000, 1_300)
  delay.settled(visit(1_310))
  assert.equal(delay.figures, undefined)
  found(delay, 7, 1_900)
  assert.deepEqual(delay.figures, { count: 1, p50Ms: 900, p99Ms: 900 })
})

test('an index that is not there yet is waited for, and what comes during a commit goes with the next', () => {
  const delay = new SearchableDelay()
  delay.told(1, 1_000, 1_000)
  delay.settled(visit(1_010))
  delay.save()
  delay.told(2, 1_020, 1_020)
  delay.settled(visit(1_030, { page: 2 }))
  delay.committed(4, 1_050)
  delay.searchable(3, 1_100)
  assert.equal(delay.figures, undefined)
  delay.searchable(4, 1_200)
  assert.deepEqual(delay.figures, { count: 1, p50Ms: 200, p99Ms: 200 })
  found(delay, 5, 3_020)
  assert.deepEqual(delay.figures, { count: 2, p50Ms: 200, p99Ms: 2_000 })
})

test('an index that is faster than the word that a commit is durable is measured all the same', () => {
  const delay = new SearchableDelay()
  delay.told(1, 1_000, 1_000)
  delay.settled(visit(1_010))
  delay.save()
  delay.searchable(4, 1_100)
  delay.committed(4, 1_150)
  assert.equal(delay.figures?.p50Ms, 150)
})

test('of two changes that are told before the page is had, the first is waited for', () => {
  const delay = new SearchableDelay()
  delay.told(1, 1_000, 1_100)
  delay.told(1, 2_000, 2_100)
  delay.settled(visit(2_200))
  found(delay, 1, 3_000)
  assert.equal(delay.figures?.p50Ms, 2_000)
})

test('a visit that was under way when it was told, and found nothing, leaves it to the next', () => {
  const delay = new SearchableDelay()
  delay.told(1, 1_000, 1_100)
  delay.settled(visit(1_050, { row: { ...held } }))
  delay.settled(visit(1_500))
  found(delay, 1, 2_000)
  assert.equal(delay.figures?.p50Ms, 1_000)
})

const unmeasured: [sentence: string, changedAt: number | undefined, visit: SettledVisit][] = [
  ['nobody said when it changed', undefined, visit(2_000)],
  ['it was not another page after all', 1_000, visit(2_000, { row: { ...held } })],
  ['it was not modified', 1_000, visit(2_000, { outcome: 'not-modified', row: { ...held, status: 304 } })],
  ['our copy is of after the change', 1_000, visit(9_000, { before: { ...held, servedAt: 2_000 } })],
  ['nobody spoke of that page', 1_000, visit(2_000, { page: 2 })],
]
for (const [sentence, changedAt, settled] of unmeasured) {
  test(`not measured: ${sentence}`, () => {
    const delay = new SearchableDelay()
    delay.told(1, changedAt, 1_100)
    delay.settled(settled)
    found(delay, 1, 9_999)
    assert.equal(delay.figures, undefined)
  })
}

test('a visit that failed leaves it to the next, however late that is', () => {
  const delay = new SearchableDelay()
  delay.told(1, 1_000, 1_100)
  delay.settled(visit(2_000, { outcome: 'timeout-body', row: { ...held, status: 0 } }))
  delay.settled(visit(8_000))
  found(delay, 1, 9_000)
  assert.equal(delay.figures?.p50Ms, 8_000)
})

test('a site whose clock runs ahead is measured from when it was heard', () => {
  const delay = new SearchableDelay()
  delay.told(1, 99_000, 1_100)
  delay.settled(visit(1_200))
  found(delay, 1, 1_600)
  assert.equal(delay.figures?.p50Ms, 500)
})

test('a new page and one that is gone are changes too', () => {
  const delay = new SearchableDelay()
  delay.told(1, 1_000, 1_000)
  delay.settled(visit(1_001, { before: undefined, row: held }))
  delay.told(2, 1_000, 1_000)
  delay.settled(visit(1_001, { page: 2, outcome: 'client-error', row: { ...held, status: 410 } }))
  found(delay, 1, 1_100)
  assert.equal(delay.figures?.count, 2)
})

test('what is told without end takes no room without end', () => {
  const delay = new SearchableDelay()
  for (let page = 0; page < 20_000; page++) delay.told(page, 1, 1)
  for (let page = 0; page < 20_000; page++) delay.settled(visit(2, { page }))
  found(delay, 1, 2)
  assert.equal(delay.figures?.count, 10_000)
})

test('a page that was sent changed when it says so, and one that is gone when it was said', () => {
  const sent = { url: 'https://a.example/', status: 200, headers: [], body: new Uint8Array(), at: 5_500 }
  assert.equal(changeOfSent({ ...sent, headers: [['Last-Modified', 'Thu, 01 Jan 1970 00:00:05 GMT']] }), 5_000)
  assert.equal(changeOfSent(sent), undefined)
  assert.equal(changeOfSent({ ...sent, headers: [['Last-Modified', 'once']] }), undefined)
  assert.equal(changeOfSent({ ...sent, status: 410 }), 5_500)
})
