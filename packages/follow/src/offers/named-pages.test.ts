import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NamedPages, decodePages, encodePages } from './named-pages.ts'

/** A document is read to its end. */
function read(named: NamedPages, document: string, pages: readonly number[]): void {
  named.begin(document)
  for (const page of pages) named.name(document, page)
  named.end(document)
}

function known(documents: Readonly<Record<string, readonly number[]>>): NamedPages {
  const named = new NamedPages()
  for (const [document, pages] of Object.entries(documents)) read(named, document, pages)
  assert.deepEqual(named.missing(), [], 'nothing is missing from a list that was never read before')
  return new NamedPages(named.row())
}

test('a page that a list does not name any more is missing, once', () => {
  const named = known({ a: [1, 2, 3] })
  read(named, 'a', [1, 3])
  assert.deepEqual(named.missing(['a']), [2])
  assert.deepEqual(new NamedPages(named.row()).missing(['a']), [])
})

test('a list that names nothing misses nothing, and what it has lost is missing when it names something again', () => {
  const named = known({ a: [1, 2, 3] })
  read(named, 'a', [])
  assert.deepEqual(named.missing(['a']), [])
  const later = new NamedPages(named.row())
  read(later, 'a', [1, 3])
  assert.deepEqual(later.missing(['a']), [2])
})

test('a page that has moved to another document is not', () => {
  const named = known({ a: [1, 2], b: [3] })
  read(named, 'a', [1])
  read(named, 'b', [2, 3])
  assert.deepEqual(named.missing(['a', 'b']), [])
})

test('a document that was not read, as it has not changed, still names its pages', () => {
  const named = known({ a: [1, 2], b: [2, 3] })
  read(named, 'a', [1])
  assert.deepEqual(named.missing(['a', 'b']), [])
  assert.deepEqual(named.missing(), [])
})

test('the pages of a document that is gone from the list are missing', () => {
  assert.deepEqual(known({ a: [1], b: [2, 3] }).missing(['a']), [2, 3])
})

test('what broke off says nothing, and what was lost before that is not forgotten', () => {
  const named = known({ a: [1, 2], b: [3] })
  read(named, 'a', [1])
  named.begin('b')
  const later = new NamedPages(named.row())
  read(later, 'b', [3])
  assert.deepEqual(later.missing(['a', 'b']), [2])
  const moved = known({ a: [1, 2], b: [3] })
  read(moved, 'a', [1])
  const found = new NamedPages(moved.row())
  read(found, 'b', [2, 3])
  assert.deepEqual(found.missing(['a', 'b']), [])
})

test('a list that tells what was added and what is gone is gone on with', () => {
  const named = known({ a: [1, 2] })
  named.begin('a', true)
  named.name('a', 3)
  named.name('a', 1, true)
  named.end('a')
  assert.deepEqual(named.missing(), [], 'what is said to be gone is told of')
  read(named, 'a', [3])
  assert.deepEqual(named.missing(['a']), [2])
})

test('numbers of pages come back as they were, and any bytes give numbers', () => {
  const pages = fc.uniqueArray(fc.nat(0xffff_ffff), { maxLength: 200 })
  fc.assert(
    fc.property(pages, (list) => {
      assert.deepEqual(
        decodePages(encodePages(new Set(list))),
        list.toSorted((a, b) => a - b),
      )
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      for (const page of decodePages(bytes)) assert.ok(page >= 0 && page <= 0xffff_ffff)
    }),
  )
})

test('what is missing is what was named and is not, whatever is read in between', () => {
  const documents = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.array(fc.nat(30)))
  fc.assert(
    fc.property(documents, fc.array(documents, { maxLength: 3 }), documents, (first, between, last) => {
      let named = known(first)
      for (const look of between) {
        for (const [document, pages] of Object.entries(look)) read(named, document, pages)
        named = new NamedPages(named.row())
      }
      const everNamed = new Set([first, ...between].flatMap((look) => Object.values(look).flat()))
      for (const [document, pages] of Object.entries(last)) read(named, document, pages)
      const now = new Set(Object.values(last).flat())
      const expected = now.size === 0 ? [] : [...everNamed].filter((page) => !now.has(page))
      assert.deepEqual(new Set(named.missing(Object.keys(last))), new Set(expected))
    }),
  )
})
