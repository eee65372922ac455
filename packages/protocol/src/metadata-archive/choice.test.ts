import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { metadataArchivesSince, type ArchiveWish } from './choice.ts'
import { parseMetadataArchiveName } from './archive-name.ts'

const listed = [
  '20260101T000000Z-20260131T235959Z.0001.text~html.gz',
  '20260101T000000Z-20260131T235959Z.0001.image~png.gz',
  '20260101T000000Z-20260131T235959Z.0001.other.gz',
  '20260131T235959Z-20260228T120000Z.0002.text~html.gz',
  '20260228T120000Z-.0003.other.gz',
  '20260301T000000Z-.0004.other.gz',
].map((name) => ({ name: parseMetadataArchiveName(name)! }))

const cases: [sentence: string, wish: ArchiveWish, expected: string][] = [
  ['all, when nothing is wished', {}, '1html 1png 1other 2html 3other 4other'],
  ['since a date: those that end there or later', { since: Date.UTC(2026, 1, 1) }, '2html 3other 4other'],
  [
    'a second belongs to both neighbours',
    { since: Date.UTC(2026, 0, 31, 23, 59, 59) },
    '1html 1png 1other 2html 3other 4other',
  ],
  ['an open end is the next one’s beginning', { since: Date.UTC(2026, 2, 1, 0, 0, 1) }, '4other'],
  ['the last has no end at all', { since: Date.UTC(2030, 0) }, '4other'],
  ['one type, and the others', { types: ['image/png'] }, '1png 1other 3other 4other'],
  ['a family of types', { types: ['IMAGE/*'] }, '1png 1other 3other 4other'],
  ['any type', { types: ['*/*'] }, '1html 1png 1other 2html 3other 4other'],
  ['after a number: it may have grown', { after: 3 }, '3other 4other'],
  ['both', { after: 2, types: ['image/gif'] }, '3other 4other'],
  [
    'numbers lower than known: the site began anew',
    { after: 9, since: Date.UTC(2030, 0) },
    '1html 1png 1other 2html 3other 4other',
  ],
]
for (const [sentence, wish, expected] of cases) {
  test(sentence, () => {
    const chosen = metadataArchivesSince(listed, wish).map(
      ({ name }) => `${name.number}${name.group.replace(/.*\//, '')}`,
    )
    assert.equal(chosen.join(' '), expected)
  })
}

test('the order of the list does not matter', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(listed, { minLength: listed.length }),
      fc.constantFrom(...cases),
      (some, [, wish]) => {
        assert.deepEqual(new Set(metadataArchivesSince(some, wish)), new Set(metadataArchivesSince(listed, wish)))
      },
    ),
  )
})
