import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newKeyRing, publishedKeys, readKeyRing, rotateKeyRing, signingKeyOf, writeKeyRing } from './key-ring.ts'
import type { KeyRing } from './key-ring.ts'
import { testRing } from '../testing/signature-fixture.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const seed = (number: number): Uint8Array => new Uint8Array(32).fill(number)
const rotation = { leadMs: HOUR, overlapMs: DAY }
const facts = (one: KeyRing): unknown => one.map(({ keyId, from, until }) => ({ keyId, from, until }))
const ids = (keys: readonly { readonly keyId: string }[]): readonly string[] => keys.map(({ keyId }) => keyId)

test('a rotated ring publishes the new key at once, signs with it after the lead, and drops the old one after the overlap', () => {
  const old = testRing(1)
  const ring = rotateKeyRing(old, seed(2), DAY, rotation)
  const [first, second] = ids(ring) as [string, string]
  assert.notEqual(first, second)
  assert.equal(signingKeyOf(ring, DAY).keyId, first)
  assert.equal(signingKeyOf(ring, DAY + HOUR).keyId, second)
  assert.deepEqual(ids(publishedKeys(ring, DAY)), [first, second])
  assert.deepEqual(ids(publishedKeys(ring, DAY + HOUR + DAY - 1)), [first, second])
  assert.deepEqual(ids(publishedKeys(ring, DAY + HOUR + DAY)), [second])
})

test('rotation without lead and overlap replaces the key at once: for one that became known', () => {
  const ring = rotateKeyRing(testRing(1), seed(2), DAY, { leadMs: 0, overlapMs: 0 })
  assert.deepEqual(ids(publishedKeys(ring, DAY)), [signingKeyOf(ring, DAY).keyId])
  assert.equal(ring.length, 1)
})

test('a second rotation does not let the first key live longer, and forgets those that are gone', () => {
  const once = rotateKeyRing(testRing(1), seed(2), 0, rotation)
  const twice = rotateKeyRing(once, seed(3), 2 * HOUR, rotation)
  assert.equal(twice.length, 3)
  assert.equal(twice[0].until, once[0].until)
  assert.equal(rotateKeyRing(twice, seed(4), 10 * DAY, rotation).length, 2)
})

test('a ring whose keys all begin later signs with the first', () => {
  assert.equal(signingKeyOf(testRing(1, DAY), 0).keyId, testRing(1)[0].keyId)
})

test('what is written is read again', () => {
  const ring = rotateKeyRing(testRing(1, 5_000), seed(2), DAY, rotation)
  const read = readKeyRing(writeKeyRing(ring))
  assert.ok(!('problem' in read))
  assert.deepEqual(facts(read), facts(ring))
  assert.ok(read[0].privateKey.equals(ring[0].privateKey))
})

const [written] = (JSON.parse(writeKeyRing(testRing(1))) as { keys: [Record<string, unknown>] }).keys
const unreadable: [sentence: string, text: string, problem: RegExp][] = [
  ['no JSON', 'not JSON', /no JSON object/],
  ['no keys', '{"keys":[]}', /no key in it/],
  ['a public key', JSON.stringify({ keys: [{ ...written, d: undefined }] }), /private half/],
  ['a key that is none beside one that is', JSON.stringify({ keys: [written, null] }), /private half/],
  ['halves that are of no key', JSON.stringify({ keys: [{ ...written, d: 'AAAA' }] }), /private half/],
  ['a time that is none', JSON.stringify({ keys: [{ ...written, nbf: 'soon' }] }), /private half/],
]
for (const [sentence, text, problem] of unreadable) {
  test(`a ring cannot be read: ${sentence}`, () => {
    const read = readKeyRing(text)
    assert.match('problem' in read ? read.problem : 'read', problem)
  })
}

test('no problem ever quotes what it could not read: it may be a secret', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 20, unit: fc.constantFrom('Q', 'X', 'Z', 'J') }), (secret) => {
      for (const text of [secret, JSON.stringify({ keys: [{ ...written, d: secret }] }), JSON.stringify(secret)]) {
        const read = readKeyRing(text)
        if ('problem' in read) assert.ok(!read.problem.includes(secret))
      }
    }),
  )
})

test('any text is survived, and a seed of another length is refused', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readKeyRing(text)))
  assert.throws(() => newKeyRing(new Uint8Array(31), 0), /32 bytes/)
})
