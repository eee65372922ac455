import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseExpression } from './expression.ts'

const VALUES: Readonly<Record<string, number>> = { pagerank: 2, topic: 1, backlink: 8, none: 0 }

function valueOf(text: string): number | string {
  const expression = parseExpression(text, (name) => name in VALUES)
  return typeof expression === 'string' ? expression : expression.evaluate((n) => VALUES[expression.names[n]!]!)
}

// oxfmt-ignore
const cases: [text: string, value: number | RegExp][] = [
  ['pagerank', 2],
  ['0.7*pagerank + 0.3*topic', 1.7],
  ['1 + 2 * 3 - 4 / 2', 5],
  ['(1 + 2) * 3', 9],
  ['8 - 4 - 2', 2],
  ['-pagerank * -3', 6],
  ['sqrt(2*backlink)', 4],
  ['log(backlink)', Math.log(9)],
  ['PageRank', 2],
  ['.5e1', 5],
  ['1 / none', 0],
  ['sqrt(-1)', 0],
  ['', /ends too early/],
  ['pagerank topic', /"topic" comes unexpected/],
  ['(pagerank', /not closed/],
  ['log pagerank', /log needs brackets/],
  ['love', /there is no metric "love"/],
  ['2 ^ 3', /"\^ 3" is no number, name or sign/],
  ['('.repeat(200), /brackets deep/],
  ['1+'.repeat(600) + '1', /at most 1000 characters/],
]
for (const [text, value] of cases) {
  test(`"${text.slice(0, 30)}" is ${value}`, () => {
    const actual = valueOf(text)
    if (typeof value === 'number') assert.ok(Math.abs(Number(actual) - value) < 1e-12, String(actual))
    else assert.match(String(actual), value)
  })
}

test('any text is an expression or a sentence that says why not, and any value is a number', () => {
  const words = fc.constantFrom('pagerank', 'topic', '+', '-', '*', '/', '(', ')', '1', '0', 'log(', ' ', '.')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map((list) => list.join('')),
      ),
      (text) => {
        const value = valueOf(text)
        assert.ok(typeof value === 'string' ? value.length > 0 : Number.isFinite(value), text)
      },
    ),
    { numRuns: 2_000 },
  )
})
