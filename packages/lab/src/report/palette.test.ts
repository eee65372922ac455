import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Figure } from './model.ts'
import { assignSlots, inks } from './palette.ts'

const figure = (id: string, names: readonly string[]): Figure => {
  const axis = { label: '' }
  const series = names.map((name) => ({ name, points: [] }))
  return { id, kind: 'lines', title: '', caption: '', x: axis, y: axis, series }
}

test('a name keeps its colour from figure to figure', () => {
  const slots = assignSlots([figure('a', ['PageRank', 'random']), figure('b', ['random', 'Length', 'PageRank'])])
  assert.deepEqual(
    [...slots.values()],
    [
      [0, 1],
      [1, 2, 0],
    ],
  )
})

test('two series of one figure never look alike', () => {
  const names = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnopqr'.split('')), { maxLength: 14 })
  fc.assert(
    fc.property(fc.array(names, { maxLength: 6 }), (lists) => {
      const slots = assignSlots(lists.map((list, i) => figure(`f${i}`, list)))
      for (const own of slots.values()) {
        assert.equal(new Set(own).size, own.length)
        assert.ok(
          own.every((slot) => slot < 2 * inks.length),
          'each colour at most twice, once dashed',
        )
      }
    }),
  )
})
