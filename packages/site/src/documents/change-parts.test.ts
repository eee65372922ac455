import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changePartName, changeParts, namedChangePart } from './change-parts.ts'

const spans = fc.tuple(fc.nat(50_000), fc.nat(50_000)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

test('parts follow each other without a gap up to the newest change, and the last one is open', () => {
  fc.assert(
    fc.property(spans, ([since, last]) => {
      const parts = changeParts(since, last)
      for (const [i, { after, upTo, isOpen }] of parts.entries()) {
        assert.ok(after >= since && upTo >= after)
        assert.equal(isOpen, i === parts.length - 1)
        if (i > 0) assert.equal(after, parts[i - 1]!.upTo)
      }
      assert.equal(parts.at(-1)!.upTo, last)
      // Less than one small part of what is remembered is not listed.
      assert.ok(parts[0]!.after - since < 4)
    }),
  )
})

test('parts are few, whatever the journal has seen', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (last) => assert.ok(changeParts(0, last).length <= 3 * 16 + 1 + last / 2_048)),
  )
})

test('a part is found by its name, and is the same also later', () => {
  fc.assert(
    fc.property(spans, fc.nat(20_000), ([since, last], more) => {
      for (const part of changeParts(since, last)) {
        assert.deepEqual(namedChangePart(changePartName(part), since, last), part)
        if (!part.isOpen) assert.deepEqual(namedChangePart(changePartName(part), since, last + more), part)
      }
    }),
  )
})

test('whoever waits for the open part finds it closed, however late, with all it had and what came to it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(5_000), (last, more) => {
      const open = changeParts(0, last).at(-1)!
      const later = namedChangePart(changePartName(open), 0, last + more)!
      assert.equal(later.after, open.after)
      assert.ok(later.upTo >= open.upTo && later.upTo <= open.after + 4)
    }),
  )
})

test('names that mean no part are no part', () => {
  for (const name of ['', '0', '2', '5-8', '1-31', '1-32', '1-256-1', '33', '-', 'ff', '9007199254740993'])
    assert.equal(namedChangePart(name, 0, 32), undefined, name)
})
