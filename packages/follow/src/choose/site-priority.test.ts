import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SitePriority } from './site-priority.ts'

const DAY = 1_000

test('a site is worth the importance of what changed there, half of it a week later', () => {
  const worth = new SitePriority(DAY)
  worth.changed(3, 2, 0)
  worth.changed(3, 1, 0)
  assert.equal(worth.of(3, 0), 3)
  assert.equal(worth.of(3, 7 * DAY), 1.5)
  assert.equal(worth.changed(3, 1, 7 * DAY).worth, 2.5)
  assert.equal(worth.of(4, 0), 0)
})

test('important sites that change come first, large ones that do not are not there at all', () => {
  const worth = new SitePriority(DAY)
  for (let page = 0; page < 10; page++) worth.changed(1, 0.1, 0)
  worth.changed(2, 5, 0)
  worth.changed(7, 5, 0)
  assert.deepEqual(
    worth.ranking(DAY).map(({ site }) => site),
    [2, 7, 1],
  )
})

test('a clock that jumps back makes nobody more worth', () => {
  const worth = new SitePriority(DAY)
  worth.changed(1, 1, 100 * DAY)
  assert.equal(worth.of(1, 0), 1)
})

test('what was remembered counts as if it had never been forgotten', () => {
  const [before, after] = [new SitePriority(DAY), new SitePriority(DAY)]
  after.restore(1, before.changed(1, 4, 0))
  assert.equal(after.of(1, 3 * DAY), before.of(1, 3 * DAY))
})
