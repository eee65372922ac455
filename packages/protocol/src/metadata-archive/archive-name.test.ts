import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type MetadataArchiveName,
  canBeGroup,
  formatMetadataArchiveName,
  parseMetadataArchiveName,
} from './archive-name.ts'

const from = Date.UTC(2000, 0, 4)
const to = Date.UTC(2000, 0, 22, 23, 59, 59, 999)

const names: [sentence: string, name: MetadataArchiveName, text: string][] = [
  [
    'the archive of 000 §3.3',
    { from, to, number: 3, revision: 0, group: 'text/html' },
    '20000104T000000Z-20000122T235959Z.0003.text~html.gz',
  ],
  [
    'one written anew',
    { from, to, number: 3, revision: 2, group: 'image/svg+xml' },
    '20000104T000000Z-20000122T235959Z.0003-2.image~svg+xml.gz',
  ],
  ['one without an end', { from, number: 12_345, revision: 0, group: 'other' }, '20000104T000000Z-.12345.other.gz'],
]
for (const [sentence, name, text] of names) {
  test(`${sentence} has a name, and is known by it`, () => {
    assert.equal(formatMetadataArchiveName(name), text)
    assert.deepEqual(parseMetadataArchiveName(text), name)
    assert.deepEqual(parseMetadataArchiveName(`https://a.example/meta/${text}?x=/y#z`), name)
    assert.deepEqual(parseMetadataArchiveName(text.toLowerCase()), name, 'also where letter case is lost')
  })
}

const types = fc.constantFrom('text/html', 'application/vnd.ms-excel', 'image/svg+xml', 'other')
const seconds = fc.nat(253_402_300_799)
const anyName: fc.Arbitrary<MetadataArchiveName> = fc.record(
  {
    from: seconds.map((second) => second * 1_000),
    to: seconds.map((second) => second * 1_000 + 999),
    number: fc.nat(),
    revision: fc.nat(99),
    group: types,
  },
  { requiredKeys: ['from', 'number', 'revision', 'group'], noNullPrototype: true },
)

test('every name is read back as it was', () => {
  fc.assert(
    fc.property(anyName, (name) => assert.deepEqual(parseMetadataArchiveName(formatMetadataArchiveName(name)), name)),
  )
})

test('names sort by time', () => {
  fc.assert(
    fc.property(anyName, anyName, (a, b) => {
      if (a.from < b.from) assert.ok(formatMetadataArchiveName(a) < formatMetadataArchiveName(b))
    }),
  )
})

test('two names that differ only in letter case are one name', () => {
  fc.assert(
    fc.property(anyName, anyName, (a, b) => {
      const [some, other] = [formatMetadataArchiveName(a), formatMetadataArchiveName(b)]
      if (some.toLowerCase() === other.toLowerCase()) assert.equal(some, other)
    }),
  )
})

const others = [
  '',
  'sitemap.xml.gz',
  '1.4.2000-1.22.2000.HTML.gz',
  '20001304T000000Z-.0003.other.gz',
  '20000104T000000Z-20000199T000000Z.0003.other.gz',
  '20000104T000000Z-.0003.text.gz',
  '20000104T000000Z-.0003.text~html.gz.txt',
  '20000104T000000Z-.0003.~html.gz',
  `${'9'.repeat(3_000)}T000000Z-.0003.other.gz`,
]
for (const text of others) {
  test(`"${text.slice(0, 60)}" is no archive`, () => assert.equal(parseMetadataArchiveName(text), undefined))
}

test('no text makes the reader throw', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseMetadataArchiveName(text)))
})

test('clocks that were far off still give names', () => {
  for (const at of [-1, -8.64e15, 8.64e15, Infinity]) {
    const name = formatMetadataArchiveName({ from: at, number: 1, revision: 0, group: 'other' })
    assert.ok(parseMetadataArchiveName(name) !== undefined, name)
  }
})

test('types with letters that names cannot have get no group', () => {
  assert.deepEqual(['text/html', 'text/~x', 'TEXT/html', 'text/x y', 'other', 'a/b/c'].filter(canBeGroup), [
    'text/html',
  ])
})
