import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conventionalBytes, takesCoding } from './conventional-bytes.ts'

const cases: [sentence: string, type: string, isPacked: boolean, expected: number][] = [
  ['text goes out packed to who takes that', 'text/html', true, 3_000],
  ['and as it is to who does not', 'text/html', false, 10_000],
  ['a picture is packed already', 'image/png', true, 10_000],
]
for (const [sentence, type, isPacked, expected] of cases) {
  test(sentence, () => assert.equal(conventionalBytes({ bytes: 10_000, type }, isPacked), expected))
}

test('who takes a coding says so', () => {
  assert.ok(takesCoding([['Accept-Encoding', 'gzip, br']]))
  for (const headers of [[], [['Accept-Encoding', 'identity']]] as [string, string][][])
    assert.ok(!takesCoding(headers))
})
