import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { isAlive, readKeySet, thumbprint, writeKeySet } from './key-set.ts'
import type { KeySet } from './key-set.ts'
import { exampleKey, testKey } from '../testing/signature-fixture.ts'

const read = (json: unknown): KeySet => {
  const set = readKeySet(Buffer.from(JSON.stringify(json)))
  assert.ok('keys' in set)
  return set
}

test('the thumbprint is the one that RFC 8037 §A.3 gives for its key, and the one of RFC 9421 for its own', () => {
  const set = read({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] })
  assert.deepEqual([...set.keys.keys()], ['kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'])
  assert.equal(exampleKey.keyId, 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U')
})

test('what is written is read again, with the life of each key', () => {
  const [one, two] = [testKey(1).publicKey, testKey(2).publicKey]
  const text = writeKeySet([one, { publicKey: two, from: 5_000, until: 9_000 }])
  const set = readKeySet(Buffer.from(text))
  assert.ok('keys' in set)
  assert.deepEqual([...set.keys.keys()], [thumbprint(one), thumbprint(two)])
  assert.deepEqual(set.lives.get(thumbprint(two)), { from: 5_000, until: 9_000 })
  assert.doesNotMatch(text, /"d"/)
  const { keys } = JSON.parse(text) as { keys: { kid: string }[] }
  assert.equal(keys[0]?.kid, thumbprint(one))
})

const { x } = testKey(1).publicKey.export({ format: 'jwk' })
const { d } = testKey(1).privateKey.export({ format: 'jwk' })
const ownKey = { kty: 'OKP', crv: 'Ed25519', x }
const passedOver: [sentence: string, key: unknown][] = [
  ['a key of another curve', { kty: 'EC', crv: 'P-256', x, y: x }],
  ['a key to encrypt with', { ...ownKey, use: 'enc' }],
  ['a key that gives its private half away', { ...ownKey, d }],
  ['a key of the wrong length', { ...ownKey, x: 'AAAA' }],
  ['a key that is no text', { ...ownKey, x: 7 }],
  ['no key at all', null],
  ['a list', []],
]
for (const [sentence, key] of passedOver) {
  test(`${sentence} is passed over, and the others are read`, () => {
    const { kty, crv } = ownKey
    const other = testKey(2)
    const good = { kty, crv, ...other.publicKey.export({ format: 'jwk' }), kid: 'a name of its own' }
    assert.deepEqual([...read({ keys: [key, good] }).keys.keys()], [other.keyId])
  })
}

const refused: [sentence: string, bytes: Uint8Array, problem: RegExp][] = [
  ['no JSON', Buffer.from('<html>'), /no JSON object/],
  ['no list', Buffer.from('{"keys":{}}'), /no JSON object/],
  ['too many keys', Buffer.from(JSON.stringify({ keys: Array.from({ length: 65 }, () => ownKey) })), /64 keys/],
  ['too many bytes', Buffer.alloc(65_537, ' '), /65536 bytes/],
]
for (const [sentence, bytes, problem] of refused) {
  test(`a set is refused: ${sentence}`, () => {
    const set = readKeySet(bytes)
    assert.match('problem' in set ? set.problem : 'read', problem)
  })
}

test('a key is alive between its beginning and its end', () => {
  assert.ok(isAlive({}, 0))
  assert.ok(isAlive({ from: 5, until: 9 }, 5))
  assert.ok(!isAlive({ from: 5 }, 4))
  assert.ok(!isAlive({ until: 9 }, 9))
})

test('a key that somebody else made is written and read', () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const set = readKeySet(Buffer.from(writeKeySet([publicKey])))
  assert.ok('keys' in set && set.keys.has(thumbprint(publicKey)))
})

test('any bytes and any JSON are survived', () => {
  const json = fc.oneof(
    fc.jsonValue(),
    fc.array(fc.jsonValue()).map((keys) => ({ keys })),
  )
  fc.assert(
    fc.property(fc.uint8Array(), json, (bytes, value) => {
      readKeySet(bytes)
      readKeySet(Buffer.from(JSON.stringify(value)))
    }),
  )
})
