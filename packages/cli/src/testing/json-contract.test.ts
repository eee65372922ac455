import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken, joined, shapeOf } from './json-contract.ts'
import type { Shape } from './json-contract.ts'

const LIMIT = { timeout: 10_000 }

const shapes: [sentence: string, values: readonly unknown[], shape: Shape][] = [
  ['names have types', [{ a: 1, b: 'x', c: null }], { a: 'number', b: 'string', c: 'null' }],
  [
    'a name that some have not is marked',
    [{ a: [{ b: 1 }, { b: 2, c: true }] }],
    { a: [{ b: 'number', 'c?': 'boolean' }] },
  ],
  ['keys that are no names are any', [{ a: { 200: 1, 404: 2 } }], { a: { '*': 'number' } }],
  ['several kinds stand beside each other', [{ a: 1 }, { a: [1] }], { a: { '|': ['number', ['number']] } }],
  ['of nothing nothing is known', [{ a: [], b: {} }], { a: [], b: {} }],
]
for (const [sentence, values, shape] of shapes) test(sentence, LIMIT, () => assert.deepEqual(shapeOf(values), shape))

const recorded = shapeOf([{ a: 1, list: [{ b: 'x' }, { b: 'y', c: 1 }], map: { 'a.example': { d: true } }, e: [] }])
const same = { a: 2, list: [{ b: 'z', c: 3 }, { b: '' }], map: { 'b.example': { d: false } }, e: [] }
const cases: [sentence: string, now: object, problems: readonly string[]][] = [
  ['the same names are the same', same, []],
  ['a new name is allowed', { ...same, more: 1, list: [{ b: 'z', c: 3, more: 1 }, { b: '' }], e: [7] }, []],
  ['a name that is gone is found', { ...same, a: undefined }, ['a is gone']],
  ['another type is found', { ...same, a: '2' }, ['a is string and was number']],
  ['a name that is gone in a list is found', { ...same, list: [{ b: 'x' }] }, ['list[].c is gone']],
  [
    'a name that is not always there is found',
    { ...same, list: [{ c: 1 }, { b: '' }] },
    ['list[].b is not always there any more'],
  ],
  ['a name behind any key is found', { ...same, map: { 'a.example': {} } }, ['map.*.d is gone']],
  [
    'a list that has become something else is found',
    { ...same, list: 3 },
    ['list is number and was list', 'list[] is gone'],
  ],
  ['a number that has become an object is found', { ...same, a: { b: 1 } }, ['a is object and was number']],
]
for (const [sentence, now, problems] of cases) {
  test(sentence, LIMIT, () => assert.deepEqual(broken(recorded, shapeOf([JSON.parse(JSON.stringify(now))])), problems))
}

test('what one of two runs had not is not asked for', LIMIT, () => {
  const both = joined(shapeOf([{ a: 1, b: 2 }]), shapeOf([{ a: 1, c: { d: 1 } }]))
  assert.deepEqual(both, { a: 'number', 'b??': 'number', 'c??': { d: 'number' } })
  assert.deepEqual(broken(both, shapeOf([{ a: 1 }])), [])
  assert.deepEqual(broken(both, shapeOf([{ a: 1, c: {} }])), ['c.d is gone'])
  assert.deepEqual(broken(both, both), [])
})
