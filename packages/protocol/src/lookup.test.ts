import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCount, ownValue, tableOf } from './lookup.ts'

const INHERITED = [...Object.getOwnPropertyNames(Object.prototype), 'prototype']

test('a table knows its own rows and no others', () => {
  const table = tableOf({ one: 1 })
  assert.equal(table.get('one'), 1)
  for (const name of INHERITED) assert.equal(table.get(name), undefined, name)
})

test('an object is asked for its own values alone', () => {
  const json = JSON.parse('{"one":1,"__proto__":2}') as Record<string, number>
  assert.deepEqual([ownValue(json, 'one'), ownValue(json, '__proto__'), ownValue(undefined, 'one')], [1, 2, undefined])
  for (const name of INHERITED) assert.equal(ownValue({}, name), undefined, name)
})

test('whatever the name, it is counted, and written with the others', () => {
  const counts: Record<string, number> = {}
  for (const name of [...INHERITED, ...INHERITED]) addCount(counts, name)
  addCount(counts, 'one', 3)
  assert.deepEqual(
    new Map(Object.entries(JSON.parse(JSON.stringify(counts)) as Record<string, number>)),
    new Map([...INHERITED.map((name) => [name, 2] as const), ['one', 3]]),
  )
})
