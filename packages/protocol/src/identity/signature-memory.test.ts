import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ValidSignature } from './http-signature.ts'
import { SignatureMemory } from './signature-memory.ts'

const one = (number: number, expires: number, nonce?: string): ValidSignature => ({
  kind: 'valid',
  label: 'sig1',
  keyId: 'key',
  created: 0,
  expires,
  covered: [],
  tag: undefined,
  nonce,
  signature: Uint8Array.of(number),
})

test('a signature is new once', () => {
  const memory = new SignatureMemory()
  assert.ok(memory.isNew('a', one(1, 100), 0, 0))
  assert.ok(!memory.isNew('a', one(1, 100), 50, 0))
  assert.ok(memory.isNew('a', one(2, 100), 50, 0))
})

test('while the clocks may differ, one that has expired is remembered too', () => {
  const memory = new SignatureMemory()
  assert.ok(memory.isNew('a', one(1, 100), 0, 10))
  assert.ok(!memory.isNew('a', one(1, 100), 110, 10))
  assert.ok(memory.isNew('a', one(1, 100), 111, 10))
})

test('a nonce is used once by a key, whatever else was signed with it', () => {
  const memory = new SignatureMemory()
  assert.ok(memory.isNew('a', one(1, 100, 'once'), 0, 0))
  assert.ok(!memory.isNew('a', one(2, 100, 'once'), 0, 0))
  assert.ok(memory.isNew('a', { ...one(3, 100, 'once'), keyId: 'other' }, 0, 0))
  assert.ok(memory.isNew('b', one(4, 100, 'once'), 0, 0))
})

test('what has expired is forgotten', () => {
  const memory = new SignatureMemory()
  for (let n = 0; n < 100; n++) memory.isNew('a', one(n, 100), 0, 0)
  memory.isNew('a', one(200, 300), 101, 0)
  assert.equal(memory.size, 1)
})

test('when it is full, whoever holds the most of it loses the oldest, and the others nothing', () => {
  const memory = new SignatureMemory(10)
  memory.isNew('quiet', one(1, 1_000), 0, 0)
  for (let n = 0; n < 50; n++) memory.isNew('loud', one(n, 1_000), 0, 0)
  assert.equal(memory.size, 10)
  assert.ok(!memory.isNew('quiet', one(1, 1_000), 1, 0))
  assert.ok(!memory.isNew('loud', one(49, 1_000), 1, 0))
  assert.ok(memory.isNew('loud', one(0, 1_000), 1, 0))
})

test('while there is room no signature is taken twice before it expires', () => {
  const uses = fc.array(fc.record({ signer: fc.nat(3), number: fc.nat(20), lifeMs: fc.nat(50) }), { maxLength: 200 })
  fc.assert(
    fc.property(uses, (list) => {
      const memory = new SignatureMemory(1_000)
      const until = new Map<string, number>()
      list.forEach(({ signer, number, lifeMs }, at) => {
        const mark = `${signer} ${number}`
        const isKnown = (until.get(mark) ?? -1) >= at
        assert.equal(memory.isNew(String(signer), one(number, at + lifeMs), at, 0), !isKnown)
        if (!isKnown) until.set(mark, at + lifeMs)
      })
      assert.ok(memory.size <= until.size)
    }),
  )
})
