import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseSubscriptions } from './subscription-choice.ts'

const of = (worths: Readonly<Record<number, number>>): { site: number; worth: number }[] =>
  Object.entries(worths).map(([site, worth]) => ({ site: Number(site), worth }))

// oxfmt-ignore
const cases: [what: string, worths: Record<number, number>, held: number[], most: number, begin: number[], leave: number[]][] = [
  ['the best are subscribed to, within the limit',               { 1: 5, 2: 9, 3: 1 }, [],     2, [2, 1], []],
  ['one that is held stays while nobody is worth twice as much', { 1: 5, 2: 9 },       [1],    1, [],     []],
  ['and goes for one that is',                                   { 1: 5, 2: 11 },      [1],    1, [2],    [1]],
  ['the least of those held goes first',                         { 1: 3, 2: 4, 3: 9 }, [1, 2], 2, [3],    [1]],
  ['a site that offers it no more is left',                      { 2: 1 },             [1],    5, [2],    [1]],
  ['with a smaller limit the least go',                          { 1: 3, 2: 4, 3: 5 }, [1, 2, 3], 1, [],  [1, 2]],
  ['none at all',                                                { 1: 3 },             [],     0, [],     []],
]
test('who is listened to', async (t) => {
  for (const [what, worths, held, most, begin, leave] of cases) {
    await t.test(what, () => assert.deepEqual(chooseSubscriptions(of(worths), new Set(held), most), { begin, leave }))
  }
})

test('however it comes, there are never more than allowed, and nobody is begun and left at once', () => {
  const worths = fc.dictionary(fc.integer({ min: 1, max: 30 }).map(String), fc.nat(100))
  fc.assert(
    fc.property(worths, fc.uniqueArray(fc.integer({ min: 1, max: 30 })), fc.nat(10), (given, held, most) => {
      const { begin, leave } = chooseSubscriptions(of(given), new Set(held), most)
      assert.ok(held.length - leave.length + begin.length <= Math.max(most, 0) || begin.length === 0)
      assert.ok(held.length - leave.length <= most)
      assert.deepEqual(
        begin.filter((site) => held.includes(site) || leave.includes(site)),
        [],
      )
    }),
  )
})
