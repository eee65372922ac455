import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ending } from './ending.ts'
import type { Round } from './ending.ts'
import type { ShardState } from './shard-host.ts'

const quiet = (shard: number, given: Partial<ShardState> = {}): ShardState => ({
  epoch: 1,
  isIdle: true,
  activity: 7,
  taken: [{ shard: 1 - shard, epoch: 1, position: 5 }],
  lengths: [5, 5],
  pages: 3,
  waiting: 0,
  lag: 0,
  granted: 0,
  ...given,
})
const calm: Round = [quiet(0), quiet(1)]

// oxfmt-ignore
const restless: [sentence: string, round: Round][] = [
  ['a shard that nobody has',               [quiet(0), undefined]],
  ['a shard that is at work',               [quiet(0), quiet(1, { isIdle: false })]],
  ['one that has not taken all',            [quiet(0), quiet(1, { taken: [{ shard: 0, epoch: 1, position: 4 }] })]],
  ['one that took of an earlier opening',   [quiet(0, { epoch: 2 }), quiet(1)]],
  ['one that has asked nobody yet',         [quiet(0), quiet(1, { taken: [] })]],
]
for (const [sentence, round] of restless) {
  test(`with ${sentence} it is not over, however often one asks`, () => {
    const ending = new Ending()
    assert.deepEqual(
      [1, 2, 3].map(() => ending.isOver(round)),
      [false, false, false],
    )
  })
}

test('it is over when two rounds say the same, and not when anything happened in between', () => {
  const ending = new Ending()
  const busy = [quiet(0), quiet(1, { activity: 8 })]
  assert.deepEqual(
    [calm, busy, calm, calm].map((round) => ending.isOver(round)),
    [false, false, false, true],
  )
})
