import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitsRecord, forgetsIn, joinedForgets, toForget } from './forget-list.ts'
import type { ForgetEntry } from './forget-list.ts'

const entry = (id: string, at: number): ForgetEntry => ({ id, kind: 'page', name: `https://a.example/${id}`, at })

test('register and vault may each know of what the other has lost', () => {
  const [a, b, c] = [entry('a', 1), entry('b', 2), entry('c', 2)]
  assert.deepEqual(joinedForgets([c, a], [b, a]), [a, b, c])
})

test('a folder forgets what it has not forgotten yet', () => {
  assert.deepEqual(toForget([entry('a', 1), entry('b', 2)], ['a']), [entry('b', 2)])
})

test('what is none of ours is nothing to forget, and a name may not be longer than a URL', () => {
  for (const entries of [
    'all',
    [1],
    [{ ...entry('a', 1), kind: 'everything' }],
    [{ ...entry('a', 1), name: 'x'.repeat(3_000) }],
  ])
    assert.deepEqual(forgetsIn({ entries }), [])
  assert.deepEqual(forgetsIn({ entries: [entry('a', 1)] }), [entry('a', 1)])
})

test('the list fits into a record, or is refused', () => {
  const many = Array.from({ length: 2_001 }, (_, n) => entry(`${n}`, n))
  assert.deepEqual([fitsRecord(many), fitsRecord(many.slice(1))], [false, true])
  const long = Array.from({ length: 600 }, (_, n) => entry(`${n}`.padEnd(1_000, 'x'), n))
  assert.equal(fitsRecord(long), false)
})
