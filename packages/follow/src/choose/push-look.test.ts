/** What a page that was sent and then fetched says of who sent it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HeaderList } from '@comity/protocol'
import type { PageRow } from '@comity/collection'
import { findingOf, judgeUnfetched, isWorthAnother, pageLookOf, staleForMs } from './push-look.ts'
import type { PageLook, SentClaim } from './push-look.ts'

const NOON = Date.UTC(2026, 0, 5, 12)
const SECOND = 1_000
const keyOf = (version: number): Uint8Array => new Uint8Array(16).fill(version)
const text = (bits: number): readonly [number, number] => [bits, 0]

const [BEFORE, SENT, FOUND, NEXT] = [1, 2, 3, 4].map(keyOf) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
const claim = (more: Partial<SentClaim> = {}): SentClaim => ({
  key: SENT,
  simhash: text(0),
  asOf: NOON,
  known: [{ key: BEFORE, simhash: text(0xffff) }],
  ...more,
})
const look = (more: Partial<PageLook> = {}): PageLook => ({
  status: 200,
  key: FOUND,
  simhash: text(0xffffff),
  madeAt: NOON + 5 * SECOND,
  ageMs: 0,
  maxAgeMs: undefined,
  modifiedAt: NOON - 60 * SECOND,
  ...more,
})
const GONE = { status: 404, key: undefined, simhash: undefined, modifiedAt: undefined }

const glances: [sentence: string, sent: Partial<SentClaim>, found: Partial<PageLook>, expected: string][] = [
  ['the page is the same', {}, { key: SENT }, 'same'],
  ['it is gone, as was said', { key: undefined }, GONE, 'same'],
  ['it is another', {}, {}, 'other'],
  ['an answer that was made before is none', {}, { madeAt: NOON - SECOND }, 'stale'],
  ['within the second nobody can tell', {}, { madeAt: NOON }, 'other'],
  ['a copy of that second is the older one', {}, { madeAt: NOON, ageMs: 9 * SECOND }, 'stale'],
  ['the right page is right, however old its copy is', {}, { key: SENT, madeAt: NOON - SECOND }, 'same'],
  ['who says nothing of when cannot be served something older', { asOf: undefined }, { madeAt: 0 }, 'other'],
  ['what is said to be of tomorrow is not waited for', { asOf: NOON + 86_400 * SECOND }, {}, 'other'],
  [
    'nor beside a copy that is some minutes old',
    { asOf: NOON + 86_400 * SECOND },
    { madeAt: NOON, ageMs: 600 * SECOND, maxAgeMs: 3_600 * SECOND },
    'other',
  ],
  ['clocks of one site may be some seconds apart', { asOf: NOON + 60 * SECOND }, { madeAt: NOON }, 'stale'],
  ['a visitor who is turned away has seen nothing', {}, { ...GONE, status: 403 }, 'refused'],
]
for (const [sentence, sent, found, expected] of glances)
  test(sentence, () => assert.equal(judgeUnfetched(claim(sent), look(found)), expected))

const LATER = { modifiedAt: NOON + 2 * SECOND }
/** By as much as edits change. */
const LIKE = { simhash: text(0xff) }
const findings: [
  sentence: string,
  sent: Partial<SentClaim>,
  found: Partial<PageLook>,
  again: Partial<PageLook> | undefined,
  expected: string,
][] = [
  ['a page that was edited before it was sent otherwise', {}, {}, undefined, 'different'],
  ['one that was edited since', {}, { ...LATER, ...LIKE }, undefined, 'edited'],
  ['one of which nothing was left since', {}, LATER, undefined, 'rewritten'],
  ['one of a few words, of which many were there', {}, { ...LATER, simhash: undefined }, undefined, 'rewritten'],
  ['of a few words it cannot be told', { simhash: undefined }, { ...LATER, simhash: undefined }, undefined, 'edited'],
  ['within the second it is the change that was sent', {}, { modifiedAt: NOON }, undefined, 'different'],
  ['one that we knew, whatever its server says', {}, { ...LATER, key: BEFORE }, undefined, 'different'],
  [
    'a server that says nothing of when may have edited what we knew',
    {},
    { ...LIKE, modifiedAt: undefined },
    undefined,
    'edited',
  ],
  ['and of a page that nobody knew, it may not', { known: [] }, { modifiedAt: undefined }, undefined, 'different'],
  ['one that is gone', {}, GONE, undefined, 'rewritten'],
  ['one that was never there', { known: [] }, GONE, undefined, 'different'],
  ['one that was sent as gone and lives', { key: undefined }, { key: BEFORE }, undefined, 'different'],
  [
    'a counter: another each time, and what was sent is like it',
    {},
    { simhash: text(1) },
    { key: NEXT, simhash: text(3) },
    'restless',
  ],
  ['a counter on a page that is not like what was sent', {}, {}, { key: NEXT, simhash: text(0xfffffe) }, 'different'],
  [
    'a counter on a page like the one of before',
    {},
    { ...LATER, simhash: text(0xfffe) },
    { key: NEXT, simhash: text(0xfffc) },
    'different',
  ],
  ['the same at two visits, though like what was sent', {}, { simhash: text(1) }, { simhash: text(1) }, 'different'],
  ['looked at once, and like what was sent: it may have a counter', {}, { simhash: text(1) }, undefined, 'edited'],
  [
    'a copy had expired, and it was edited since',
    {},
    { key: BEFORE },
    { ...LATER, key: NEXT, simhash: text(0xff000000) },
    'edited',
  ],
]
for (const [sentence, sent, found, again, expected] of findings)
  test(sentence, () =>
    assert.equal(findingOf(claim(sent), look(found), again === undefined ? undefined : look(again)), expected),
  )

test('a second look is worth it where a cache may stand in front, or where the page is like what was sent', () => {
  assert.equal(isWorthAnother(claim(), look()), false)
  assert.ok(isWorthAnother(claim(), look({ key: BEFORE, maxAgeMs: SECOND })))
  assert.ok(isWorthAnother(claim(), look({ simhash: text(1) })))
  assert.equal(isWorthAnother(claim(), look({ key: BEFORE, simhash: text(1) })), false)
})

test('no cache may serve what was before, once the longest-lived copy has expired', () => {
  // Made a minute before the page changed, five minutes ago; another cache may have fetched it just before it changed.
  const found = look({ madeAt: NOON - 60 * SECOND, ageMs: 300 * SECOND, maxAgeMs: 600 * SECOND })
  assert.equal(staleForMs(claim(), found), (600 - 240 + 1) * SECOND)
})

test('an answer says by its own clock when it was made, and of shared caches how long they may hold it', () => {
  const row = { status: 200, contentKey: FOUND, simhash: text(1), servedAt: NOON } as PageRow
  const headers: HeaderList = [
    ['Age', '30'],
    ['Cache-Control', 'max-age=0, s-maxage=600'],
    ['Last-Modified', 'Mon, 05 Jan 2026 11:59:00 GMT'],
  ]
  const expected = { ageMs: 30 * SECOND, maxAgeMs: 600 * SECOND, modifiedAt: NOON - 60 * SECOND }
  assert.deepEqual(pageLookOf(row, headers, NOON), {
    status: 200,
    key: FOUND,
    simhash: text(1),
    madeAt: NOON,
    ...expected,
  })
  const odd: HeaderList = [
    ['Age', '-1e9'],
    ['Cache-Control', 'max-age=x'],
    ['Last-Modified', 'yesterday'],
  ]
  const unsaid = { ageMs: 0, maxAgeMs: undefined, modifiedAt: undefined }
  assert.deepEqual(pageLookOf({ ...row, status: 404 }, odd, NOON), {
    status: 404,
    key: undefined,
    simhash: undefined,
    madeAt: NOON,
    ...unsaid,
  })
})
