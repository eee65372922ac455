import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { graphLimits, ReadLog } from './limits.ts'
import { NumberScanner } from './graph-numbers.ts'

interface Scanned {
  /** The numbers of each line; undefined for one that is malformed. */
  readonly lines: (readonly number[] | undefined)[]
  readonly malformed: number
}

function scan(chunks: readonly string[], columns = Infinity): Scanned {
  const log = new ReadLog('test', graphLimits)
  const lines: (readonly number[] | undefined)[] = []
  let numbers: number[] = []
  const scanner = new NumberScanner(
    {
      expected: 'numbers',
      columns,
      number: (value) => numbers.push(value),
      endLine(count, _line, whole) {
        assert.equal(count, numbers.length)
        lines.push(whole ? numbers : undefined)
        numbers = []
      },
    },
    log,
  )
  for (const chunk of chunks) scanner.write(Buffer.from(chunk, 'latin1'))
  scanner.end()
  return { lines, malformed: log.malformed }
}

const cases: [sentence: string, text: string, lines: Scanned['lines']][] = [
  ['numbers between blanks and tabs', '1 22\t333 \n  4\r\n', [[1, 22, 333], [4]]],
  ['empty lines are lines', '1\n\n2', [[1], [], [2]]],
  ['comments are none', '# 1\n%2\n3 # 4\n', [undefined]],
  ['a letter spoils its line alone', '1x\n2\n', [undefined, [2]]],
  ['a sign is no part of a number', '-1\n+2\n3\n', [undefined, undefined, [3]]],
  ['numbers too large to count with', '9007199254740991\n9007199254740992\n', [[2 ** 53 - 1], undefined]],
]
for (const [sentence, text, lines] of cases) {
  test(`lines of numbers: ${sentence}`, () => assert.deepEqual(scan([text]).lines, lines))
}

test('what stands behind the columns that are wanted is not looked at', () => {
  assert.deepEqual(scan(['1 2 0.5 x\n3 4'], 2), {
    lines: [
      [1, 2],
      [3, 4],
    ],
    malformed: 0,
  })
})

test('how the bytes are cut into chunks makes no difference', () => {
  const text = fc.string({ unit: fc.constantFrom('0', '1', '9', ' ', '\t', '\n', '\r', '#', 'x'), maxLength: 40 })
  fc.assert(fc.property(text, (whole) => assert.deepEqual(scan(whole.split('')), scan([whole]))))
})
