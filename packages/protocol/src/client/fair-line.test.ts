import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairLine } from './fair-line.ts'

test('whoever waits is heard client by client, and each in the order it came', () => {
  const line = new FairLine<string>(100)
  for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) assert.ok(line.join(item[0]!, item))
  const heard = Array.from({ length: 7 }, () => line.next()?.item)
  assert.deepEqual(heard, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
  assert.equal(line.size, 0)
})

test('one has a third of the line, and who does not wait yet may join while there is room', () => {
  const line = new FairLine<number>(4)
  const joined = [1, 2, 3].map((item) => line.join('a', item))
  assert.deepEqual(
    [joined, line.join('b', 4), line.join('c', 5), line.join('d', 6), line.join('e', 7)],
    [[true, false, false], true, true, true, false],
  )
})

test('who may not go is passed over, and who leaves is not heard', () => {
  const line = new FairLine<string>(100)
  for (const item of ['a1', 'b1', 'b2']) line.join(item[0]!, item)
  line.leave('b', 'b1')
  assert.deepEqual(
    line.next((client) => client !== 'a'),
    { client: 'b', item: 'b2' },
  )
  assert.equal(
    line.next((client) => client !== 'a'),
    undefined,
  )
  line.clear()
  assert.equal(line.size, 0)
})
