import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NOW } from '../testing/agent-sample.ts'
import { endLine, headLine, readResult, recordLine } from './result.ts'

const digest = `sha-256:${'0'.repeat(64)}`
const head = { agent: 'sample', version: '1.0.0', bundle: digest, at: NOW, pages: 2, pagesDigest: digest }
const record = { kind: 'meta', url: 'https://a.example/', odd: '\ud800' }
const line = recordLine({ page: digest, text: JSON.stringify(record) })
const gone = recordLine({ page: undefined, text: '{"kind":"meta","url":"https://a.example/b","change":"deleted"}' })
const text = headLine(head) + line + gone + endLine(2)

test('what was written is read back', () => {
  const read = readResult(text)
  assert.ok(read.kind === 'result')
  assert.deepEqual(read.result.head, head)
  assert.deepEqual(read.result.records[0], { record, page: digest })
  assert.equal(read.result.records[1]?.page, undefined)
})

// oxfmt-ignore
const refusals: [sentence: string, text: string, problem: RegExp][] = [
  ['without its last line',          headLine(head) + line,                             /cut/],
  ['cut in a line',                  text.slice(0, -3),                                 /cut/],
  ['with a record less than it says', headLine(head) + line + endLine(2),               /cut/],
  ['without its first line',         line + endLine(1),                                 /which agent ran/],
  ['with a record that is none',     `${headLine(head)}{"page":null,"record":3}\n${endLine(1)}`, /record 1 is none/],
  ['with a record of no page',       `${headLine(head)}{"record":{}}\n${endLine(1)}`,   /the page it was made from/],
]
for (const [sentence, bytes, problem] of refusals) {
  test(`a result ${sentence} is refused`, () => {
    const read = readResult(bytes)
    assert.ok(read.kind === 'refused')
    assert.match(read.problem, problem)
  })
}

test('whatever comes is a result or a refusal', () => {
  const lines = fc
    .array(fc.oneof(fc.json(), fc.constantFrom(headLine(head), line, gone, endLine(1))))
    .map((some) => some.join('\n'))
  fc.assert(
    fc.property(fc.oneof(fc.string(), lines), (some) => {
      assert.match(readResult(some).kind, /^(?:result|refused)$/)
    }),
    { numRuns: 1_000 },
  )
})
