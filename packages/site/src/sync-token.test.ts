import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readToken, writeToken } from './sync-token.ts'

const editions = fc.stringMatching(/^[0-9a-f]{16}$/)
const tokens = fc.record(
  { edition: editions, number: fc.nat(), after: fc.stringMatching(/^\/[!-~]{0,2046}$/) },
  { requiredKeys: ['edition', 'number'], noNullPrototype: true },
)

test('what a token says is read back', () => {
  fc.assert(fc.property(tokens, (token) => assert.deepEqual(readToken(writeToken(token)), token)))
})

test('no text makes the reader throw, and what is read can be written', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.tuple(editions, fc.string()).map((parts) => parts.join('.')),
      ),
      (text) => {
        const token = readToken(text)
        if (token !== undefined) assert.deepEqual(readToken(writeToken(token)), token)
      },
    ),
  )
})
