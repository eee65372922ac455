import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { IndexedHeap } from './indexed-heap.ts'

interface Card {
  readonly id: number
  rank: number
  heapAt: number
}

const isBefore = (a: Card, b: Card): boolean => a.rank < b.rank || (a.rank === b.rank && a.id < b.id)
const compare = (a: Card, b: Card): number => a.rank - b.rank || a.id - b.id
const deck = (size: number): Card[] => Array.from({ length: size }, (_, id) => ({ id, rank: 0, heapAt: 0 }))

test('items come out in order, equal ones by id', () => {
  const heap = new IndexedHeap<Card>(isBefore)
  const cards = deck(5)
  for (const [i, rank] of [3, 1, 2, 1, 0].entries()) {
    cards[i]!.rank = rank
    heap.push(cards[i]!)
  }
  const out = [heap.pop(), heap.pop(), heap.pop(), heap.pop(), heap.pop()].map((card) => card?.id)
  assert.deepEqual(out, [4, 1, 3, 2, 0])
  assert.equal(heap.pop(), undefined)
})

test('an item may move from one heap to another', () => {
  const [one, two] = [new IndexedHeap<Card>(isBefore), new IndexedHeap<Card>(isBefore)]
  const cards = deck(2)
  const [a, b] = [cards[0]!, cards[1]!]
  one.push(a)
  two.push(b)
  one.remove(a)
  two.push(a)
  assert.deepEqual([one.has(a), two.has(a), two.has(b), one.size, two.size], [false, true, true, 0, 2])
  one.update(a)
  one.remove(b)
  assert.equal(two.size, 2)
})

test('after any pushes, pops, removals and changes of rank it agrees with a sorted list', () => {
  const card = fc.nat(19)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push'), card, rank: fc.nat(5) }),
    fc.record({ kind: fc.constant('remove'), card, rank: fc.constant(0) }),
    fc.record({ kind: fc.constant('pop'), card: fc.constant(0), rank: fc.constant(0) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const cards = deck(20)
      const heap = new IndexedHeap<Card>(isBefore)
      let model: Card[] = []
      for (const { kind, card: id, rank } of steps) {
        const chosen = cards[id]!
        if (kind === 'push') {
          chosen.rank = rank
          heap.push(chosen)
          model = [...model.filter((other) => other !== chosen), chosen]
        } else if (kind === 'remove') {
          heap.remove(chosen)
          model = model.filter((other) => other !== chosen)
        } else {
          const best = model.toSorted(compare)[0]
          assert.equal(heap.pop(), best)
          model = model.filter((other) => other !== best)
        }
        assert.equal(heap.size, model.length)
        assert.equal(heap.peek(), model.toSorted(compare)[0])
        assert.ok(model.every((held) => heap.has(held)))
      }
    }),
  )
})
