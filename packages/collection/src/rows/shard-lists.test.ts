import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { testFolder } from '../testing/sample-crawl.ts'
import { listedFor, listLength, putShardLists } from './shard-lists.ts'
import type { ListLengths } from './shard-lists.ts'
import { openState } from './state.ts'

test('a list holds what was found for its shard, in order, and any position of it can be asked for again', async (t) => {
  const commits = fc.array(fc.array(fc.tuple(fc.nat(3), fc.nat(0xffffffff)), { maxLength: 9 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(commits, fc.nat(40), fc.integer({ min: 1, max: 40 }), async (all, from, most) => {
      const dir = testFolder(t)
      mkdirSync(join(dir, 'state'), { recursive: true })
      const state = openState(dir)
      try {
        const lengths: ListLengths = new Map()
        for (const found of all) await state.root.batch(() => putShardLists(state.lists, found, lengths))
        for (const shard of [0, 1, 2, 3]) {
          const expected = all.flat().flatMap(([one, page]) => (one === shard ? [page] : []))
          assert.equal(lengths.get(shard) ?? 0, expected.length)
          assert.equal(listLength(state.lists, shard), expected.length)
          assert.deepEqual(listedFor(state.lists, shard, from, most), expected.slice(from, from + most))
        }
      } finally {
        await state.root.close()
      }
    }),
    { numRuns: 15 },
  )
})

test('a state that no shard has written has no lists', () => {
  assert.equal(listLength(undefined, 3), 0)
  assert.deepEqual(listedFor(undefined, 3, 0, 10), [])
})
