import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '@comity/protocol/testing'
import { CollectionError } from '../errors.ts'
import { decodeLinks, decodeTargets, encodeLinks, linksTo, packAnchors, withoutTargets } from './link-list.ts'
import type { StoredLink } from './link-list.ts'

const encode = (links: readonly StoredLink[]): Buffer => {
  const targets = links.map(({ to }) => to)
  return encodeLinks(targets, packAnchors(links.map(({ anchor }) => anchor)))
}
const link: fc.Arbitrary<StoredLink> = fc
  .tuple(fc.oneof(fc.nat(1_000), fc.nat(0xffffffff)), fc.string({ unit: 'grapheme' }))
  .map(([to, words]) => ({ to, anchor: words.replaceAll('\n', ' ') }))

test('a list gives back targets and anchors in the order of the page', () => {
  fc.assert(
    fc.property(fc.array(link, { maxLength: 200 }), (links) => {
      const bytes = encode(links)
      assert.deepEqual(decodeLinks(bytes), links)
      assert.deepEqual(
        decodeTargets(bytes),
        links.map(({ to }) => to),
      )
    }),
  )
})

test('long anchors are compressed and come back', () => {
  const links = Array.from({ length: 2_000 }, (_, to) => ({ to, anchor: `the manual of part ${to}` }))
  const bytes = encode(links)
  assert.deepEqual(decodeLinks(bytes), links)
  assert.ok(bytes.length < 20_000, `${bytes.length} bytes`)
})

test('a list of neighbours without words costs about a byte a link', () => {
  const bytes = encode(Array.from({ length: 1_000 }, (_, i) => ({ to: 5_000_000 + i, anchor: '' })))
  assert.ok(bytes.length < 1_010, `${bytes.length} bytes`)
})

test('taking targets out leaves the other links as they were, and an untouched list is the very same bytes', () => {
  fc.assert(
    fc.property(fc.array(link, { maxLength: 50 }), fc.nat(1_000), (links, gone) => {
      const bytes = encode(links)
      const kept = withoutTargets(bytes, (page) => page === gone)
      assert.deepEqual(
        decodeLinks(kept),
        links.filter(({ to }) => to !== gone),
      )
      assert.equal(linksTo(bytes, gone), kept !== bytes)
      assert.equal(linksTo(kept, gone), false)
    }),
  )
})

const damaged: [sentence: string, bytes: Uint8Array][] = [
  ['no bytes at all', Buffer.of()],
  ['a count that no bytes follow', Buffer.of(200, 1)],
  ['a count of four thousand million in five bytes', Buffer.of(255, 255, 255, 255, 15)],
  ['a number without end', Buffer.alloc(1 << 16, 0xff)],
  ['a target below zero', Buffer.of(1, 1)],
  ['anchors of a kind nobody knows', Buffer.of(1, 2, 9, 65)],
  ['anchors that are not zstd', Buffer.of(1, 2, 1, 65, 66, 67)],
]
for (const [sentence, bytes] of damaged) {
  test(`${sentence}: named as damage`, () => {
    assert.throws(() => decodeLinks(bytes), { name: 'CollectionError', code: 'COLLECTION_DAMAGED' })
  })
}

test('anchors that swell beyond the cap are refused before they fill the memory', () => {
  const bytes = encodeLinks([1], packAnchors(['x'.repeat(1 << 20)]))
  assert.throws(() => decodeLinks(bytes, 1 << 16), { code: 'COLLECTION_DAMAGED' })
})

test('whatever a disk does to a list, reading it gives links or a named error, quickly', () => {
  const good = encode(
    Array.from({ length: 300 }, (_, to) => ({ to: to * 7, anchor: `anchor number ${to}, rather long` })),
  )
  const hurt = fc
    .record({ at: fc.nat(good.length - 1), byte: fc.nat(255), end: fc.nat(good.length) })
    .map(({ at, byte, end }) => {
      const bytes = Buffer.from(good)
      bytes[at] = byte
      return bytes.subarray(0, end)
    })
  let named = 0
  const began = processorMs()
  fc.assert(
    fc.property(fc.oneof(hurt, fc.uint8Array({ maxLength: 200 })), (bytes) => {
      try {
        assert.ok(decodeLinks(bytes).length <= bytes.length)
      } catch (error) {
        assert.ok(error instanceof CollectionError, String(error))
        named++
      }
    }),
    { numRuns: 5_000 },
  )
  assert.ok(named > 1_000, `only ${named} were noticed`)
  assert.ok(processorMs() - began < 20_000)
})
