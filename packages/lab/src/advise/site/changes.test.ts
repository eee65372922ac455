import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangeCount } from './changes.ts'
import type { ChangeVerdict, PageVisit } from './changes.ts'
import type { SiteKnowledge } from './knowledge.ts'

const knowledge = (given: Partial<SiteKnowledge>): SiteKnowledge => ({
  pages: 1,
  bytes: 0,
  text: 0,
  page: () => undefined,
  changesSince: Infinity,
  changesOf: () => [],
  sample: async () => [],
  pairs: () => [],
  notes: [],
  ...given,
})
const modified = (modifiedAt: number): SiteKnowledge =>
  knowledge({ page: () => ({ bytes: 100, type: 'text/html', modifiedAt }) })
const journal = (since: number, ...changes: number[]): SiteKnowledge => ({
  ...modified(50),
  changesSince: since,
  changesOf: () => changes,
})
const visit = (at: number, bytes?: number): PageVisit => ({ at, bytes })

// oxfmt-ignore
const cases: [sentence: string, site: SiteKnowledge | undefined, earlier: PageVisit, now: PageVisit, verdict: ChangeVerdict][] = [
  ['the same length is taken for the same page',          undefined,         visit(10, 100), visit(20, 100), { hasChanged: false, by: 'bytes' }],
  ['another length is another page',                      undefined,         visit(10, 100), visit(20, 101), { hasChanged: true, by: 'bytes' }],
  ['a 304 says that nothing changed',                     undefined,         visit(10, 100), visit(20),      { hasChanged: false, by: 'bytes' }],
  ['after a 304 nobody knows how long it was',            undefined,         visit(10),      visit(20, 100), { hasChanged: false, by: 'bytes' }],
  ['both after the file was modified: unchanged',         modified(5),       visit(10, 100), visit(20, 999), { hasChanged: false, by: 'mtime' }],
  ['modified between the two: changed',                   modified(15),      visit(10, 100), visit(20, 100), { hasChanged: true, by: 'mtime' }],
  ['modified after both: the length decides',             modified(30),      visit(10, 100), visit(20, 101), { hasChanged: true, by: 'bytes' }],
  ['the journal decides over everything it covers',       journal(0, 15),    visit(10, 100), visit(20, 100), { hasChanged: true, by: 'journal' }],
  ['a journal without a change in between says the same', journal(0, 5, 25), visit(10, 100), visit(20, 101), { hasChanged: false, by: 'journal' }],
  ['what was before the journal it cannot tell',          journal(12, 15),   visit(10, 100), visit(20, 100), { hasChanged: false, by: 'bytes' }],
]
for (const [sentence, site, earlier, now, verdict] of cases)
  test(sentence, () => assert.deepEqual(new ChangeCount(site).between('/', earlier, now), verdict))

test('one change explains what several crawlers found in intervals that overlap', () => {
  const store = new ChangeCount(undefined)
  store.between('/', visit(10, 1), visit(30, 2))
  store.between('/', visit(20, 1), visit(40, 2))
  assert.deepEqual(store.of('/'), [30])
  store.between('/', visit(40, 2), visit(50, 3))
  assert.deepEqual(store.of('/'), [30, 50])
})

test('a page never has more changes than are held, and those beyond are counted', () => {
  const store = new ChangeCount(undefined)
  for (let at = 0; at < 100; at++) store.between('/', visit(at, at), visit(at + 1, at + 1))
  assert.equal(store.of('/').length, 64)
  assert.equal(store.forgotten, 36)
})

test('changes that the journal has replace those that were only seen', () => {
  const store = new ChangeCount(journal(100, 120))
  store.between('/', visit(10, 1), visit(20, 2))
  assert.deepEqual(store.of('/'), [20, 120])
})
