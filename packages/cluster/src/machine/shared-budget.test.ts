import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@comity/testbed'
import { amount } from '@comity/protocol/testing'
import { grantFor } from './shared-budget.ts'
import type { Given } from './shared-budget.ts'

const base = {
  limit: 100,
  shard: 0,
  shards: 2,
  held: 0,
  taken: 0,
  step: 10,
  ahead: 0,
  most: 50,
  isWanting: true,
  isIdle: true,
}

// oxfmt-ignore
const cases: [sentence: string, given: Given, need: Partial<typeof base>, granted: number, left: number][] = [
  ['a block is a part of what is left',                        {},                     {},                        25,  75],
  ['and at least what is needed to go on',                     { 1: 80 },              {},                        10,  10],
  ['and no larger than one may be',                            {},                     { most: 12 },              12,  88],
  ['who has enough takes none',                                { 0: 40 },              { held: 40, taken: 30 },   40,  60],
  ['what is on its way counts as used',                        { 0: 40 },              { held: 40, taken: 31 },   55,  45],
  ['who has nothing to do gives back what it has not used',    { 0: 40 },              { held: 40, taken: 7, isWanting: false }, 7, 93],
  ['but not while something is under way',                     { 0: 40 },              { held: 40, taken: 7, isWanting: false, isIdle: false }, 40, 60],
  ['who cannot go on lets others have the rest',               { 0: 18, 1: 81 },       { held: 18, taken: 12 },   12,   7],
  ['a register that fell back does not know what was given',   { 0: 10, 1: 20 },       { held: 60, taken: 55 },   65,  15],
  ['and then there may be less than nothing left',             { 0: 10, 1: 80 },       { held: 60, taken: 60 },   60,   0],
]
for (const [sentence, given, need, granted, left] of cases)
  test(sentence, () => assert.deepEqual(grantFor({ ...base, given, ...need }), { granted, left }))

/** Shards that take steps of unknown size up to `step`, as far as they were given room for the largest. */
function story(seed: number): { readonly used: number; readonly limit: number; readonly step: number } {
  const random = createRandom(seed)
  const [limit, step, shards] = [random.int(5_000) + 20, random.int(19) + 1, random.int(6) + 1]
  const used = Array.from({ length: shards }, () => 0)
  const held = used.slice()
  const given: Record<string, number> = {}
  let quiet = 0
  while (quiet < 12) {
    quiet++
    for (let shard = 0; shard < shards; shard++) {
      const need = {
        ...base,
        limit,
        given,
        shard,
        shards,
        held: held[shard]!,
        taken: used[shard]!,
        step,
        most: 10 * step,
      }
      held[shard] = given[shard] = grantFor(need).granted
      while (used[shard]! + step <= held[shard]! && random.chance(0.8)) {
        used[shard]! += 1 + random.int(step)
        quiet = 0
      }
    }
  }
  return { used: used.reduce((sum, one) => sum + one, 0), limit, step }
}

test('whoever takes what and when: never more than there is, and less than one step is left over', () => {
  for (let seed = 1; seed <= amount(200, 20_000); seed++) {
    const { used, limit, step } = story(seed)
    assert.ok(used <= limit && used > limit - step, `seed ${seed}: ${used} of ${limit}, by ${step}`)
  }
})
