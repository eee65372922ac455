import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { newKeyRing, writeKeyRing, writeKeySet } from '@comity/protocol'
import { bundleOf, onlyFile, publicKeysIn, resultOf, signingKeyIn } from './files.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const ring = newKeyRing(Buffer.alloc(32, 7), 0)
const [{ keyId, publicKey }] = ring
writeFileSync(folder.at('private.json'), writeKeyRing(ring), { mode: 0o600 })
writeFileSync(folder.at('public.json'), writeKeySet([publicKey]))
writeFileSync(folder.at('large.agent'), Buffer.alloc((1 << 20) + 1))
writeFileSync(folder.at('text'), 'text')

test('a word works on one file', () => {
  assert.equal(onlyFile(['a'], 'a file'), 'a')
  assert.throws(() => onlyFile([], 'a file'), /FILE is missing: a file/)
  assert.throws(() => onlyFile(['a', 'b'], 'a file'), /"b" is one word too many/)
})

test('private keys sign, and public keys are trusted; not the other way round', async () => {
  assert.equal((await signingKeyIn(folder.at('private.json'), 1_000)).keyId, keyId)
  assert.equal(publicKeysIn(folder.at('public.json')).length, 1)
  assert.throws(() => publicKeysIn(folder.at('private.json')), /no public Ed25519 key/)
  assert.throws(() => publicKeysIn(folder.at('text')), /holds no public keys/)
  await assert.rejects(signingKeyIn(folder.at('public.json'), 0), { code: /^KEY/ })
  await assert.rejects(signingKeyIn(undefined, 0), /Say whose word it is/)
})

test('what is no bundle and no result is refused by name', () => {
  assert.throws(() => bundleOf(folder.at('text')), { code: 'BUNDLE_UNREADABLE' })
  assert.throws(() => bundleOf(folder.at('large.agent')), {
    code: 'BUNDLE_UNREADABLE',
    message: /more than 1048576 bytes/,
  })
  assert.throws(() => bundleOf(folder.at('none')), { code: 'WRONG_USE' })
  assert.throws(() => resultOf(folder.at('text')), { code: 'RESULT_UNREADABLE' })
})
