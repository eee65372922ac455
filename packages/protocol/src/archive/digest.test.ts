import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, checkDigest, payloadDigest, type DigestVerdict } from './digest.ts'

const text = Buffer.from('hello')

// RFC 4648 §10, without padding.
const vectors: [plain: string, coded: string][] = [
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
]
for (const [plain, coded] of vectors) {
  test(`base 32 of "${plain}" is "${coded}"`, () => assert.equal(base32(Buffer.from(plain)), coded))
}

test('the digest of no bytes is the one every archive knows', () => {
  assert.equal(payloadDigest(new Uint8Array()), 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ')
})

const claims: [sentence: string, claim: string, verdict: DigestVerdict][] = [
  ['our own spelling matches', payloadDigest(text), 'match'],
  ['lower case base 32 matches', payloadDigest(text).toLowerCase(), 'match'],
  ['hexadecimal matches', 'sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d', 'match'],
  ['another algorithm matches', 'md5:5d41402abc4b2a76b9719d911017c592', 'match'],
  [
    'a dash in the name is no matter',
    'SHA-256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    'match',
  ],
  ['other bytes differ', 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ', 'differs'],
  ['an unknown algorithm is unknown', 'blake3:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ', 'unknown'],
  ...Object.getOwnPropertyNames(Object.prototype).map((name): [string, string, DigestVerdict] => [
    `an algorithm called ${name} is unknown`,
    `${name}:AAAA`,
    'unknown',
  ]),
  ['a wrong length is unknown', 'sha1:abc', 'unknown'],
  ['no digest at all is unknown', 'sharif-1; omar', 'unknown'],
]
for (const [sentence, claim, verdict] of claims) {
  test(sentence, () => assert.equal(checkDigest(claim, text), verdict))
}
