import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerOf } from '../capture.ts'
import { verifyMessage } from './http-signature.ts'
import { KEY_DIRECTORY_TAG, keyDirectoryAnswer } from './key-directory-answer.ts'
import { rotateKeyRing } from './key-ring.ts'
import { KEY_DIRECTORY_PATH, KEY_DIRECTORY_TYPE, readKeySet } from './key-set.ts'
import { exampleKey, testRing } from '../testing/signature-fixture.ts'

const AT = Date.UTC(2026, 0, 1)
const url = `https://a.example${KEY_DIRECTORY_PATH}`

test('each published key signs the answer for its host, and for no other', () => {
  const ring = rotateKeyRing(testRing(1), new Uint8Array(32).fill(2), AT, { leadMs: 1_000, overlapMs: 1_000 })
  const { headers, body } = keyDirectoryAnswer(ring, url, AT)
  assert.equal(headerOf(headers, 'content-type'), KEY_DIRECTORY_TYPE)
  const set = readKeySet(body)
  assert.ok('keys' in set)
  assert.deepEqual([...set.keys.keys()].toSorted(), ring.map(({ keyId }) => keyId).toSorted())
  for (const [i, { keyId }] of ring.entries()) {
    const options = {
      keyOf: (id: string) => set.keys.get(id),
      at: AT,
      skewMs: 0,
      mustCover: ['@authority;req', 'content-digest'],
      tag: KEY_DIRECTORY_TAG,
      label: `key${i + 1}`,
      body,
    }
    const verdict = verifyMessage({ status: 200, headers, request: { method: 'GET', url, headers: [] } }, options)
    assert.equal(verdict.kind === 'valid' && verdict.keyId, keyId)
    const elsewhere = { method: 'GET', url: `https://b.example${KEY_DIRECTORY_PATH}`, headers: [] }
    assert.equal(verifyMessage({ status: 200, headers, request: elsewhere }, options).kind, 'refused')
  }
})

test("the draft's own signed directory (§E.2.3) is verified, and not with another body", () => {
  const body =
    '{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",' +
    '"x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs","use":"sig"}]}'
  const headers = [
    ['Content-Digest', 'sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:'],
    [
      'Signature-Input',
      'binding=("@authority";req "content-digest");created=1735689600;expires=4889289600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";tag="http-message-signatures-directory"',
    ],
    ['Signature', 'binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:'],
  ] as const
  const request = { method: 'GET', url: `https://signature-agent.test${KEY_DIRECTORY_PATH}`, headers: [] }
  const options = { keyOf: () => exampleKey.publicKey, at: AT, skewMs: 0, mustCover: ['@authority;req'] }
  const verdictOf = (text: string): string =>
    verifyMessage({ status: 200, headers, request }, { ...options, body: Buffer.from(text) }).kind
  assert.equal(verdictOf(body), 'valid')
  assert.equal(verdictOf(`${body} `), 'refused')
})
