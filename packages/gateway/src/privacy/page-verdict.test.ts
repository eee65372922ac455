import assert from 'node:assert/strict'
import test from 'node:test'
import { NO_TAG } from '../node/shipped-page-table.ts'
import type { ShippedPageRow } from '../node/shipped-page-table.ts'
import { isSameVersion, judgePage, shortHash, versionOf } from './page-verdict.ts'
import type { PageVerdict, PageVersion } from './page-verdict.ts'

const AT = Date.parse('2026-03-01T12:00:00Z')
const HOUR_AGO = AT / 1_000 - 3_600
const KNOWN: ShippedPageRow = {
  digest: 'a'.repeat(64),
  coded: '',
  etag: shortHash('"one"'),
  lastModified: AT / 1_000 - 86_400,
  expires: 0,
  shippedAt: HOUR_AGO,
  seenAt: HOUR_AGO,
  toldAt: HOUR_AGO,
  readers: 0,
  robots: 0,
  bytes: 100,
}
const BARE: ShippedPageRow = { ...KNOWN, etag: NO_TAG, lastModified: 0 }
const same = KNOWN.digest
const other = 'b'.repeat(64)
const day = (offset: number): Record<string, string> => ({
  'Last-Modified': new Date(AT - 86_400_000 + offset * 1_000).toUTCString(),
})

// oxfmt-ignore
const cases: [what: string, expected: PageVerdict, known: ShippedPageRow | undefined, digest: string, fields: Record<string, string>][] = [
  ['a page that nobody saw before',              'new',          undefined, same, {}],
  ['the same bytes',                             'same',         KNOWN, same, {}],
  ['the same bytes by another tag',              'same',         KNOWN, same, { ETag: '"two"' }],
  ['other bytes by the same tag',                'same-version', KNOWN, other, { ETag: '"one"' }],
  ['other bytes by the same tag, made weak',     'same-version', KNOWN, other, { ETag: 'W/"one"' }],
  ['other bytes by another tag',                 'changed',      KNOWN, other, { ETag: '"two"' }],
  ['other bytes of the same date',               'same-version', KNOWN, other, day(0)],
  ['other bytes of the same date, another tag',  'changed',      KNOWN, other, { ...day(0), ETag: '"two"' }],
  ['other bytes of a later date',                'changed',      KNOWN, other, day(60)],
  ['other bytes of an earlier date',             'older',        KNOWN, other, day(-60)],
  ['a date that is none',                        'changed',      KNOWN, other, { 'Last-Modified': 'yesterday' }],
  ['a date in the future',                       'changed',      KNOWN, other, day(900_000)],
  ['other bytes without any version',            'changed',      BARE, other, {}],
  ['a newer version a moment after the last',    'resting',      { ...KNOWN, shippedAt: AT / 1_000 - 10 }, other, day(60)],
  ['no version, and its Expires is to come',     'resting',      { ...BARE, shippedAt: AT / 1_000 - 600, expires: AT / 1_000 + 9_000 }, other, {}],
  ['no version, and its Expires has passed',     'changed',      { ...BARE, shippedAt: AT / 1_000 - 600, expires: AT / 1_000 - 1 }, other, {}],
  ['no version, and an Expires of a year',       'changed',      { ...BARE, expires: AT / 1_000 + 31_536_000 }, other, {}],
]
for (const [what, expected, known, digest, fields] of cases) {
  test(`${what}: ${expected}`, () => {
    assert.equal(judgePage(known, digest, versionOf(Object.entries(fields), AT), AT), expected)
  })
}

const version = (fields: Record<string, string>): PageVersion => versionOf(Object.entries(fields), AT)

test('an answer without a body is of the same version only when it says so', () => {
  assert.ok(isSameVersion(KNOWN, version({ ETag: '"one"' })))
  assert.ok(isSameVersion(KNOWN, version(day(0))))
  assert.equal(isSameVersion(KNOWN, version({ ETag: '"two"', ...day(0) })), false)
  assert.equal(isSameVersion(KNOWN, version(day(60))), false)
  assert.equal(isSameVersion(KNOWN, version({})), false)
  assert.equal(isSameVersion(BARE, version(day(0))), false)
})
