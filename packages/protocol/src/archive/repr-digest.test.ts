import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { HeaderList } from '../capture.ts'
import type { DigestVerdict } from './digest.ts'
import { checkDigestField, checkUnencoded, parseDigestField, writeDigestField } from './repr-digest.ts'

// RFC 9530, appendix B.1: its body and digest.
const body = Buffer.from('{"hello": "world"}\n')
const field = 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:'

test('the example of the RFC is written and checked', () => {
  assert.equal(writeDigestField(body), field)
  assert.equal(checkDigestField(field, body), 'match')
})

const claims: [claim: string | undefined, expected: DigestVerdict][] = [
  [`md5=:AAAA:, ${field}`, 'match'],
  [field.replace('RK', 'RL'), 'differs'],
  ['sha-512=:AAAA:', 'unknown'],
  ['sha-256=:AAAA:', 'unknown'],
  ['sha-256="text"', 'unknown'],
  [`${field};`, 'unknown'],
  ['nonsense', 'unknown'],
  [undefined, 'unknown'],
]
for (const [claim, expected] of claims) {
  test(`the claim ${claim}: ${expected}`, () => assert.equal(checkDigestField(claim, body), expected))
}

const wrong = field.replace('RK', 'RL')
const heads: [sentence: string, headers: HeaderList, expected: DigestVerdict][] = [
  ['no digest leaves it open', [], 'unknown'],
  ['Repr-Digest counts without a coding', [['Repr-Digest', field]], 'match'],
  [
    'Repr-Digest of a coded body says nothing of the decoded one',
    [
      ['Content-Encoding', 'gzip'],
      ['Repr-Digest', wrong],
    ],
    'unknown',
  ],
  [
    'Unencoded-Digest counts whatever the coding',
    [
      ['Content-Encoding', 'gzip'],
      ['Unencoded-Digest', field],
    ],
    'match',
  ],
  [
    'one that differs outweighs one that matches',
    [
      ['Repr-Digest', field],
      ['Unencoded-Digest', wrong],
    ],
    'differs',
  ],
]
for (const [sentence, headers, expected] of heads) {
  test(sentence, () => assert.equal(checkUnencoded(headers, body), expected))
}

test('any bytes match their own digest, and any text is survived', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), (bytes, text) => {
      assert.equal(checkDigestField(writeDigestField(bytes), bytes), 'match')
      assert.equal(parseDigestField(writeDigestField(bytes))?.length, 32)
      parseDigestField(text)
    }),
  )
})
