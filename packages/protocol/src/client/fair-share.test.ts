import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairShare } from './fair-share.ts'

const fillWith = (share: FairShare, key: string): number => {
  let count = 0
  while (share.take(key, 1) === 'taken') count++
  return count
}

test('one that takes all it can leaves two thirds to the others', () => {
  const share = new FairShare(3_000)
  assert.equal(fillWith(share, 'loud'), 1_000)
  assert.equal(share.take('loud', 1), 'over')
  assert.equal(share.take('quiet', 1), 'taken')
})

test('whoever gives back may take again', () => {
  const share = new FairShare(300)
  fillWith(share, 'a')
  share.give('a', 50)
  assert.equal(fillWith(share, 'a'), 50)
  share.give('a', 100)
  assert.deepEqual([share.used, share.holders], [0, 0])
})

test('after twenty greedy ones that give nothing back somebody new still finds room', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), (greedy) => {
      const share = new FairShare(100_000)
      for (let i = 0; i < greedy; i++) fillWith(share, `greedy ${i}`)
      assert.ok(fillWith(share, 'new') >= 1)
      assert.ok(share.fill < 1)
    }),
  )
})

test('what is used is always the sum of what is held, and never more than there is', () => {
  const acts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 50 }), fc.boolean()))
  fc.assert(
    fc.property(acts, (all) => {
      const share = new FairShare(200)
      const taken: [string, number][] = []
      for (const [key, weight, isTake] of all) {
        const last = taken.at(-1)
        if (isTake && share.take(key, weight) === 'taken') taken.push([key, weight])
        else if (!isTake && last !== undefined) {
          share.give(...last)
          taken.pop()
        }
        assert.equal(
          share.used,
          taken.reduce((sum, [, held]) => sum + held, 0),
        )
        assert.ok(share.used <= 200)
      }
    }),
  )
})

test('what does not fit at all is told from what is more than a share', () => {
  const share = new FairShare(100)
  assert.equal(share.take('a', 101), 'full')
  assert.equal(share.take('a', 60), 'over')
  share.add('held before', 100)
  assert.equal(share.take('a', 1), 'full')
})
