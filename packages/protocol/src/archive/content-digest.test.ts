import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkContentDigest, contentDigest } from './content-digest.ts'
import type { DigestVerdict } from './digest.ts'

// The body and digests of RFC 9421 §B.2 and RFC 9530 §B.1 (which ends with a line feed).
const body = Buffer.from('{"hello": "world"}')
const sha512 = 'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:'
const sha256 = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'

const cases: [sentence: string, field: string | undefined, expected: DigestVerdict][] = [
  ['SHA-256 is believed', sha256, 'match'],
  ['SHA-512 is believed where there is no SHA-256', sha512, 'match'],
  ['a wrong SHA-256 is not made good by a right SHA-512', `${sha512}, ${sha256.replace('X48', 'Y48')}`, 'differs'],
  ['a wrong SHA-512 differs', sha512.replace('WZD', 'XZD'), 'differs'],
  ['other algorithms say nothing', 'md5=:AAAA:', 'unknown'],
  ['a SHA-512 of another length says nothing', 'sha-512=:AAAA:', 'unknown'],
  ['no field says nothing', undefined, 'unknown'],
]
for (const [sentence, field, expected] of cases) {
  test(sentence, () =>
    assert.equal(checkContentDigest(field === undefined ? [] : [['Content-Digest', field]], body), expected),
  )
}

test('the digest of a body matches that body and no other, and any field is survived', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), fc.string(), (bytes, at, text) => {
      const headers = [['content-digest', contentDigest(bytes)]] as const
      assert.equal(checkContentDigest(headers, bytes), 'match')
      const other = bytes.slice()
      other[at % bytes.length]! ^= 1
      assert.equal(checkContentDigest(headers, other), 'differs')
      checkContentDigest([['content-digest', text]], bytes)
    }),
  )
})
