import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { HeaderList } from '../capture.ts'
import { contentDigest } from '../archive/content-digest.ts'
import { PUSH_TAG, signatureBase, signMessage, verifyMessage } from './http-signature.ts'
import type { RefusedSignature, SignOptions, VerifyOptions } from './http-signature.ts'
import type { SignedAnswer, SignedMessage } from './signature-component.ts'
import { readSignatures } from './signature-fields.ts'
import { exampleKey, testKey } from '../testing/signature-fixture.ts'

const AT = Date.UTC(2026, 0, 1)

test('the Ed25519 example of RFC 9421 §B.2.6 has the base and the signature that the RFC gives', () => {
  const headers: HeaderList = [
    ['Host', 'example.com'],
    ['Date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
    ['Content-Type', 'application/json'],
    ['Content-Length', '18'],
    [
      'Signature-Input',
      'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    ],
    ['Signature', 'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:'],
  ]
  const found = readSignatures(headers)
  assert.equal(found.kind, 'read')
  const [one] = found.signatures
  const message = { method: 'POST', url: 'https://example.com/foo?param=Value&Pet=dog', headers }
  const base = signatureBase(message, one!.components, one!.parameters)
  assert.equal(
    base,
    '"date": Tue, 20 Apr 2021 02:07:55 GMT\n"@method": POST\n"@path": /foo\n"@authority": example.com\n' +
      '"content-type": application/json\n"content-length": 18\n' +
      '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  )
  assert.ok(verify(null, Buffer.from(base), exampleKey.publicKey, one!.signature))
})

const push: SignedMessage = {
  method: 'POST',
  url: 'https://crawler.example/push?x=1',
  headers: [
    ['Content-Type', 'application/warc'],
    ['Content-Digest', contentDigest(Buffer.from('pages'))],
  ],
}
const signing: SignOptions = {
  key: testKey(1),
  at: AT,
  lifeMs: 300_000,
  covered: ['@method', '@target-uri', 'content-digest', 'content-type'],
  tag: PUSH_TAG,
}
const verifying: VerifyOptions = {
  keyOf: (keyId) => [1, 2].map(testKey).find((key) => key.keyId === keyId)?.publicKey,
  at: AT + 1_000,
  skewMs: 5_000,
  mustCover: signing.covered,
  tag: PUSH_TAG,
  body: Buffer.from('pages'),
}
const signed = (message: SignedMessage = push, options: Partial<SignOptions> = {}): SignedMessage => ({
  ...message,
  headers: [...message.headers, ...signMessage(message, { ...signing, ...options })],
})

test('a message that was signed is valid, and what its signature says of itself is told', () => {
  const verdict = verifyMessage(signed(push, { nonce: 'once' }), verifying)
  assert.equal(verdict.kind, 'valid')
  const { signature, ...told } = verdict
  assert.equal(signature.length, 64)
  assert.deepEqual(told, {
    kind: 'valid',
    label: 'sig1',
    keyId: testKey(1).keyId,
    created: AT,
    expires: AT + 300_000,
    covered: signing.covered,
    tag: PUSH_TAG,
    nonce: 'once',
  })
})

const replaced = (message: SignedMessage, name: string, change: (value: string) => string): SignedMessage => ({
  ...message,
  headers: message.headers.map(([key, value]) => [key, key === name ? change(value) : value]),
})
const good = signed()
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
const refusals: [
  sentence: string,
  message: SignedMessage,
  options: Partial<VerifyOptions>,
  reason: RefusedSignature['reason'],
][] = [
  ['one by another key', signed(push, { key: { ...testKey(2), keyId: testKey(1).keyId } }), {}, 'forged'],
  ['one by a key that nobody knows', signed(push, { key: testKey(3) }), {}, 'unknown-key'],
  ['one by a key of another kind', good, { keyOf: () => p256 }, 'unknown-key'],
  ['one whose method was changed', { ...good, method: 'PUT' }, {}, 'forged'],
  ['one whose query was changed', { ...good, url: 'https://crawler.example/push?x=2' }, {}, 'forged'],
  ['one for another host', { ...good, url: 'https://other.example/push?x=1' }, {}, 'forged'],
  ['one over a field that was changed', replaced(good, 'Content-Type', () => 'text/plain'), {}, 'forged'],
  [
    'one whose end was moved',
    replaced(good, 'Signature-Input', (v) => v.replace('expires=1', 'expires=2')),
    {},
    'forged',
  ],
  ['one with another body', good, { body: Buffer.from('other') }, 'wrong-digest'],
  ['one that has expired', good, { at: AT + 300_000 + 5_001 }, 'stale'],
  ['one from the future', good, { at: AT - 5_001 }, 'stale'],
  ['one that covers less than it must', signed(push, { covered: ['@method'] }), {}, 'covers-too-little'],
  ['one with another algorithm', replaced(good, 'Signature-Input', (v) => `${v};alg="hmac-sha256"`), {}, 'malformed'],
  ['one without an end', replaced(good, 'Signature-Input', (v) => v.replace(/;expires=\d+/, '')), {}, 'malformed'],
  ['one without a key', replaced(good, 'Signature-Input', (v) => v.replace(/;keyid="[^"]+"/, '')), {}, 'malformed'],
  ['one whose bytes are missing', replaced(good, 'Signature', () => 'sig2=:AAAA:'), {}, 'malformed'],
  ['one whose bytes are a text', replaced(good, 'Signature', () => 'sig1="AAAA"'), {}, 'malformed'],
  ['one that is too short', replaced(good, 'Signature', () => 'sig1=:AAAA:'), {}, 'forged'],
  [
    'one that covers a part twice',
    replaced(good, 'Signature-Input', (v) => v.replace('("', '("@method" "')),
    {},
    'malformed',
  ],
  [
    'one that covers itself',
    replaced(good, 'Signature-Input', (v) => v.replace('("', '("@signature-params" "')),
    {},
    'malformed',
  ],
  [
    'one that covers what is not there',
    replaced(good, 'Signature-Input', (v) => v.replace('("', '("x-y" "')),
    {},
    'malformed',
  ],
  ['a list in place of a dictionary', replaced(good, 'Signature-Input', () => '"@method"'), {}, 'malformed'],
  ['a field without end', replaced(good, 'Signature-Input', (v) => v + ' '.repeat(9_000)), {}, 'malformed'],
  [
    'one of its two fields',
    { ...good, headers: good.headers.filter(([name]) => name !== 'Signature') },
    {},
    'malformed',
  ],
]
for (const [sentence, message, options, reason] of refusals) {
  test(`a signature is refused as ${reason}: ${sentence}`, () => {
    const verdict = verifyMessage(message, { ...verifying, ...options })
    assert.equal(verdict.kind === 'refused' ? verdict.reason : verdict.kind, reason)
  })
}

test('a message without a signature, or with one for another purpose, has none', () => {
  assert.equal(verifyMessage(push, verifying).kind, 'absent')
  assert.equal(verifyMessage(good, { ...verifying, tag: 'web-bot-auth' }).kind, 'absent')
  assert.equal(verifyMessage(good, { ...verifying, label: 'sig2' }).kind, 'absent')
})

test('of two signatures the one that holds is enough, and a chosen one is the only one that counts', () => {
  const both = {
    ...good,
    headers: [...good.headers, ...signMessage(push, { ...signing, key: testKey(3), label: 'sig2' })],
  }
  assert.equal(verifyMessage(both, verifying).kind, 'valid')
  assert.equal(verifyMessage(both, { ...verifying, label: 'sig2' }).kind, 'refused')
})

test('the whole target stands for its parts, and no part for the whole', () => {
  const whole = signed(push, { covered: ['@target-uri'] })
  assert.equal(verifyMessage(whole, { ...verifying, mustCover: ['@authority', '@path', '@query'] }).kind, 'valid')
  const parts = signed(push, { covered: ['@authority', '@path', '@query', '@scheme'] })
  assert.equal(verifyMessage(parts, { ...verifying, mustCover: ['@target-uri'] }).kind, 'refused')
})

test('an answer can be signed with parts of its request', () => {
  const answer: SignedAnswer = { status: 200, headers: [['X', 'a']], request: push }
  const fields = signMessage(answer, { ...signing, covered: ['@status', 'x', '@authority;req'] })
  const whole = { ...answer, headers: [...answer.headers, ...fields] }
  const options = { ...verifying, mustCover: ['@authority;req'], body: undefined }
  assert.equal(verifyMessage(whole, options).kind, 'valid')
  assert.equal(verifyMessage({ ...whole, status: 404 }, options).kind, 'refused')
  const elsewhere = { ...push, url: 'https://other.example/push?x=1' }
  assert.equal(verifyMessage({ ...whole, request: elsewhere }, options).kind, 'refused')
})

test('who signs is told when there is nothing to cover', () => {
  assert.throws(() => signMessage(push, { ...signing, covered: ['x-missing'] }), /has no x-missing/)
  assert.throws(() => signMessage(push, { ...signing, covered: ['X "y'] }), /is no component/)
})

const token = fc.string({ unit: fc.constantFrom(...'abcdefxyz0123456789-'.split('')), minLength: 1, maxLength: 12 })
const value = fc.string({ unit: fc.constantFrom(...'abcXYZ019 ,;="?:/'.split('')), maxLength: 30 })
const messages = fc.record({
  method: fc.constantFrom('GET', 'POST', 'QUERY'),
  url: fc.webUrl({ withQueryParameters: true, validSchemes: ['http', 'https'] }),
  headers: fc.uniqueArray(fc.tuple(token, value), { selector: ([name]) => name, minLength: 1, maxLength: 5 }),
})

test('what was signed is valid, and any changed byte of a covered part is refused', () => {
  fc.assert(
    fc.property(messages, fc.nat(), fc.nat(), (message, which, at) => {
      const covered = ['@method', '@target-uri', ...message.headers.map(([name]) => name)]
      const whole = signed(message, { covered })
      const options = { ...verifying, mustCover: covered, body: undefined }
      assert.equal(verifyMessage(whole, options).kind, 'valid')
      const places = ['method', 'url', ...message.headers.map((_, i) => i)] as const
      const place = places[which % places.length]!
      const changed =
        typeof place === 'string'
          ? { ...whole, [place]: spoiled(whole[place], at) }
          : { ...whole, headers: whole.headers.map(([k, v], i) => [k, i === place ? spoiled(v, at) : v] as const) }
      assert.equal(verifyMessage(changed, options).kind, 'refused')
    }),
  )
})

/** Another character in one place; letters of a host have no case, so it is one that is not there at all. */
function spoiled(text: string, at: number): string {
  const i = text.length === 0 ? 0 : at % text.length
  return `${text.slice(0, i)}|${text.slice(i + 1)}`
}

test('any changed byte of the fields of a signature is refused, or changes nothing of what they say', () => {
  fc.assert(
    fc.property(fc.constantFrom('Signature-Input', 'Signature'), fc.nat(), fc.nat(255), (name, at, byte) => {
      const spoil = (text: string): string => {
        const i = at % text.length
        return text.slice(0, i) + String.fromCharCode(byte) + text.slice(i + 1)
      }
      const changed = replaced(good, name, spoil)
      const verdict = verifyMessage(changed, verifying)
      if (verdict.kind !== 'valid') return
      // A label or a bit of padding that is not used: the signature itself and what it covers are as before.
      const before = verifyMessage(good, verifying)
      assert.deepEqual({ ...verdict, label: '' }, { ...before, label: '' })
    }),
    { numRuns: 500 },
  )
})

test('nothing that stands in a message makes verifying throw', () => {
  const names = fc.constantFrom('signature', 'Signature-Input', 'content-digest', 'x')
  const parts = fc.constantFrom(
    'sig1=',
    '("@method"',
    ' "@path")',
    ':AAAA:',
    ';created=1',
    ';expires=9',
    ';key="a"',
    ',',
    '@1',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(parts).map((list) => list.join('')),
  )
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.array(fc.tuple(names, text)), (method, url, headers) => {
      assert.notEqual(verifyMessage({ method, url, headers }, verifying).kind, 'valid')
    }),
    { numRuns: 300 },
  )
})
