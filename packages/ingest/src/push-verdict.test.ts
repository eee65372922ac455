import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageRow } from '@comity/collection'
import { judgePush, servedAtOf } from './push-verdict.ts'
import type { PushVerdict } from './push-verdict.ts'

const [A, B] = [Uint8Array.of(1), Uint8Array.of(2)]
const T = 1_000_000
const held = (more: Partial<PageRow> = {}): PageRow => ({
  site: 0,
  outcome: 'ok',
  status: 200,
  visitedAt: T + 500_000,
  servedAt: T,
  visits: 1,
  changes: 0,
  bytes: 1,
  contentKey: A,
  timings: {},
  body: { file: 0, offset: 0, length: 1 },
  ...more,
})
const GONE = held({ status: 410 })

// oxfmt-ignore
const cases: [what: string, row: PageRow | undefined, key: Uint8Array | undefined, asOf: number | undefined, verdict: PushVerdict][] = [
  ['a page that we never had is news',                   undefined,                      A,         undefined, 'newer'],
  ['so is one that we know of and never got',            held({ body: undefined }),      A,         T - 9_000, 'newer'],
  ['the same content is the same whenever it was sent',  held(),                         A,         T + 9_000, 'same'],
  ["the site's clock counts and not ours",               held(),                         B,         T + 1_000, 'newer'],
  ['what was made before our visit is older',            held(),                         B,         T - 1,     'older'],
  ['within the second nobody can tell',                  held(),                         B,         T + 999,   'unsure'],
  ['what was sent itself is exact',                      held({ servedAt: T + 1 }),      B,         T + 2,     'newer'],
  ['and out of order is older',                          held({ servedAt: T + 2 }),      B,         T + 1,     'older'],
  ['without an instant nobody can tell',                 held(),                         B,         undefined, 'unsure'],
  ['nor where the server has no clock',                  held({ servedAt: undefined }),  B,         T + 9e9,   'unsure'],
  ['a page that went after our visit is gone',           held(),                         undefined, T + 2_000, 'newer'],
  ['a page that was gone before our visit is back',      held(),                         undefined, T - 2_000, 'older'],
  ['gone twice is gone',                                 GONE,                           undefined, T - 2_000, 'same'],
  ['what we know to be gone can come back',              GONE,                           A,         T + 2_000, 'newer'],
  ['but not from before it went',                        GONE,                           A,         T - 2_000, 'older'],
]
test('what was sent is put in order with what is held', async (t) => {
  for (const [what, row, key, asOf, verdict] of cases) {
    await t.test(what, () => assert.equal(judgePush(row, { key, asOf }), verdict))
  }
})

test('an answer was made when its Date says', () => {
  assert.equal(servedAtOf('Thu, 01 Jan 2026 00:00:01 GMT'), Date.parse('2026-01-01T00:00:01Z'))
  for (const date of [undefined, '', 'soon']) assert.equal(servedAtOf(date), undefined)
})
