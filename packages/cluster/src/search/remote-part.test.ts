import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RemotePart } from './remote-part.ts'
import { MemoryRoadNet } from '../road/memory-road.ts'
import { NoAnswer } from '../road/road.ts'
import type { Message, Road } from '../road/road.ts'

const FACTS = { view: 1, documents: 1, written: 1, words: 9, languages: [], totals: [], alike: [], problems: [] }

test('a shard that answers too late has little time from then on, for a while or until it answers', async () => {
  let now = 0
  let answer: Message | 'nobody' | 'late' = 'late'
  const given: number[] = []
  const road: Road = {
    ...new MemoryRoadNet().road('one'),
    ask: async (_, __, timeoutMs) => {
      given.push(timeoutMs)
      if (answer === 'late') now += timeoutMs
      if (typeof answer !== 'string') return await Promise.resolve(answer)
      throw new NoAnswer('nobody')
    },
  }
  const part = new RemotePart(road, 0, () => now)
  const ask = async (said: typeof answer): Promise<unknown> => {
    answer = said
    return await part.facts({ terms: [], prefixes: [] }).catch(() => 'away')
  }
  for (let n = 0; n < 3; n++) assert.equal(await ask('late'), 'away')
  now += 10_000
  assert.equal(await ask('late'), 'away')
  assert.deepEqual(await ask(FACTS), FACTS)
  // That nobody has it is known at once, and is no lateness.
  for (let n = 0; n < 2; n++) assert.equal(await ask('nobody'), 'away')
  assert.deepEqual(given, [2_000, 150, 150, 2_000, 150, 2_000, 2_000])
})

test('an answer of another shape is none', async () => {
  const road: Road = {
    ...new MemoryRoadNet().road('one'),
    ask: async () => await Promise.resolve({ ...FACTS, totals: [['1', 2]] }),
  }
  await assert.rejects(
    new RemotePart(road, 3).facts({ terms: ['tide'], prefixes: [] }),
    /shard 3 answered what is no answer/,
  )
})
