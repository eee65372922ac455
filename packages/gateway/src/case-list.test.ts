import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'

const document = readFileSync(join(import.meta.dirname, '../../../docs/gateway-cases.md'), 'utf8')
const rows = [...document.matchAll(/^\|\s+(\d+) \|.*\|(.*)\|$/gm)].map(([, number, tests]) => ({
  number: Number(number),
  files: [...tests!.matchAll(/`([a-z0-9/-]+\.test\.ts)`/g)].map(([, name]) => name!),
}))

/** Numbers that sentences of a file begin with, in any of the ways in which tables write them. */
function numbersIn(file: string): Set<number> {
  const source = readFileSync(join(import.meta.dirname, file), 'utf8')
  const begins = source.matchAll(/['`](\d+(?:, \d+)*): /g)
  const tables = source.matchAll(/^ {2}\[(\d+), '|^ {4}(\d+),$/gm)
  return new Set(
    [...[...begins].flatMap(([, list]) => list!.split(', ')), ...[...tables].map(([, a, b]) => a ?? b!)].map(Number),
  )
}

test('docs/gateway-cases.md has every case once, in order', () => {
  assert.deepEqual(
    rows.map(({ number }) => number),
    Array.from({ length: 72 }, (_, at) => at + 1),
  )
})

for (const { number, files } of rows) {
  test(`case ${number} has a test in each file that the document names`, () => {
    assert.ok(files.length > 0)
    for (const file of files)
      assert.ok(numbersIn(file).has(number), `${file} has no test whose sentence begins with ${number}`)
  })
}
