import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NOW, sampleKey } from '../testing/agent-sample.ts'
import { readRevocations, writeRevocations } from './revocation-list.ts'
import type { Revocation } from './revocation-list.ts'

const key = sampleKey(1)
const keyOf = (keyId: string): typeof key.publicKey | undefined => (keyId === key.keyId ? key.publicKey : undefined)
const digest = `sha-256:${'ab'.repeat(32)}`
const list: Revocation[] = [
  { kind: 'bundle', id: digest, reason: 'reads too much' },
  { kind: 'key', id: sampleKey(2).keyId, reason: '' },
]
const text = writeRevocations(NOW, list, key)

test('what was written is read back', () => {
  const read = readRevocations(Buffer.from(text), keyOf)
  assert.deepEqual(read, { kind: 'revocations', list: { issuedAt: NOW, keyId: key.keyId, revocations: list } })
})

test('a reason stands on one line, whatever is in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (reason) => {
      const written = writeRevocations(NOW, [{ kind: 'bundle', id: digest, reason }], key)
      assert.equal(readRevocations(Buffer.from(written), keyOf).kind, 'revocations')
    }),
  )
})

// oxfmt-ignore
const refusals: [sentence: string, text: string, problem: RegExp][] = [
  ['nothing',                    '',                                                      /no list of revocations/],
  ['no end',                     text.trimEnd(),                                          /cut/],
  ['no time',                    text.replace(/issued .*\n/, ''),                         /when it was issued/],
  ['no signature',               text.replace(/signature .*\n/, ''),                      /not signed/],
  ['another time than was signed', text.replace('2026', '2025'),                          /signature is wrong/],
  ['one entry less',             text.replace(/key .*\n/, ''),                            /signature is wrong/],
  ['a stranger\'s signature',    writeRevocations(NOW, list, sampleKey(3)),               /not trusted here/],
]
for (const [sentence, bytes, problem] of refusals) {
  test(`a list with ${sentence} is refused`, () => {
    const read = readRevocations(Buffer.from(bytes), keyOf)
    assert.ok(read.kind === 'refused')
    assert.match(read.problem, problem)
  })
}

test('whatever bytes come, reading gives a list or a refusal', () => {
  const changed = fc
    .tuple(fc.nat({ max: text.length }), fc.string())
    .map(([at, more]) => Buffer.from(text.slice(0, at) + more + text.slice(at)))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), changed), (bytes) => {
      assert.match(readRevocations(bytes, keyOf).kind, /^(?:revocations|refused)$/)
    }),
    { numRuns: 1_000 },
  )
})
