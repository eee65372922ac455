import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  contentDigest,
  KEY_DIRECTORY_PATH,
  newKeyRing,
  publishedKeys,
  PUSH_TAG,
  signMessage,
  signingKeyOf,
  writeKeySet,
} from '@comity/protocol'
import type { HeaderList, KeyRing, SignedMessage, SignOptions } from '@comity/protocol'
import { SpeakerProof } from './speaker-proof.ts'
import type { FetchedFrom } from './speaker-proof.ts'

const AT = Date.UTC(2026, 10, 1)
const [A, B] = ['https://a.example', 'https://b.example']
const KEY = 'abcdef123456'
const ASKER = '192.0.2.1'
const claim = { key: KEY, keyLocation: `${A}/${KEY}.txt` }
const ok = (body: string, headers: HeaderList = []): FetchedFrom => ({ status: 200, headers, body: Buffer.from(body) })
const failed = (status: number): FetchedFrom => ({ status, headers: [], body: new Uint8Array() })

/** A web of files, a clock, and what was asked for. */
function world(files: Record<string, FetchedFrom> = {}, maxProofs?: number) {
  const state = { now: AT, files, asked: [] as string[] }
  const proof = new SpeakerProof({
    now: () => state.now,
    maxProofs,
    fetchFrom: async (origin, path) => {
      state.asked.push(origin + path)
      return state.files[origin + path] ?? failed(404)
    },
  })
  return { state, proof }
}

test('a key file on the site is a proof, and is looked at once a day', async () => {
  const { state, proof } = world({ [claim.keyLocation]: ok(`${KEY}\n`) })
  assert.equal(proof.heldKeyFile(A, claim), undefined)
  assert.deepEqual(await Promise.all([proof.byKeyFile(A, claim, ASKER), proof.byKeyFile(A, claim, ASKER)]), [
    { kind: 'proven' },
    { kind: 'proven' },
  ])
  assert.deepEqual(proof.heldKeyFile(A, claim), { kind: 'proven' })
  state.now += 86_399_999
  await proof.byKeyFile(A, claim, ASKER)
  assert.equal(state.asked.length, 1)
  state.now += 2
  await proof.byKeyFile(A, claim, ASKER)
  assert.equal(state.asked.length, 2)
})

const wrong: [sentence: string, answer: FetchedFrom, kind: string][] = [
  ['holds another key', ok('another-key-1'), 'refused'],
  ['holds more than the key', ok(`${KEY} and more`), 'refused'],
  ['is a page that says the key', ok(KEY, [['Content-Type', 'text/html; charset=utf-8']]), 'refused'],
  ['is there, as an error', { status: 404, headers: [], body: Buffer.from(KEY) }, 'refused'],
  ['is there, in part', { status: 206, headers: [], body: Buffer.from(KEY) }, 'refused'],
  ['is not there', failed(404), 'refused'],
  ['is elsewhere', failed(301), 'refused'],
  ['is behind a server in trouble', failed(503), 'unreachable'],
  ['cannot be had', { problem: 'robots.txt forbids it' }, 'unreachable'],
]
for (const [sentence, answer, kind] of wrong) {
  test(`a key file that ${sentence}: ${kind}, and remembered for a while`, async () => {
    const { state, proof } = world({ [claim.keyLocation]: answer })
    assert.equal((await proof.byKeyFile(A, claim, ASKER)).kind, kind)
    assert.equal((await proof.byKeyFile(A, claim, ASKER)).kind, kind)
    assert.equal(state.asked.length, 1)
    state.now += 300_000
    state.files[claim.keyLocation] = ok(KEY)
    assert.equal((await proof.byKeyFile(A, claim, ASKER)).kind, 'proven')
  })
}

test('a key file on another host, or on a subdomain, proves nothing', async () => {
  const { state, proof } = world({ [`${B}/${KEY}.txt`]: ok(KEY), [`https://www.a.example/${KEY}.txt`]: ok(KEY) })
  for (const place of [`${B}/${KEY}.txt`, `https://www.a.example/${KEY}.txt`, `http://a.example/${KEY}.txt`, 'no url'])
    assert.equal((await proof.byKeyFile(A, { key: KEY, keyLocation: place }, ASKER)).kind, 'refused', place)
  assert.deepEqual(state.asked, [])
})

test('a notice that waits for a key file with a query, from before such were refused, is refused without asking', async () => {
  const keyLocation = `${A}/echo.txt?${KEY}`
  const { state, proof } = world({ [keyLocation]: ok(KEY) })
  assert.equal((await proof.byKeyFile(A, { key: KEY, keyLocation }, ASKER)).kind, 'refused')
  assert.deepEqual(state.asked, [])
})

test('whoever invents keys for a site makes us ask it five times, then once a minute', async () => {
  const { state, proof } = world({ [claim.keyLocation]: ok(KEY) })
  await proof.byKeyFile(A, claim, ASKER)
  for (let i = 0; i < 50; i++) {
    const invented = { key: `invented-${i}`, keyLocation: `${A}/invented-${i}.txt` }
    const verdict = await proof.byKeyFile(A, invented, ASKER)
    assert.equal(verdict.kind, i < 4 ? 'refused' : 'unreachable')
  }
  assert.equal(state.asked.length, 5)
  assert.deepEqual(proof.heldKeyFile(A, claim), { kind: 'proven' })
  state.now += 60_000
  await proof.byKeyFile(A, { key: 'invented-99', keyLocation: `${A}/invented-99.txt` }, ASKER)
  assert.equal(state.asked.length, 6)
})

test('what is remembered is bounded, and what was invented is forgotten first', async () => {
  const { proof } = world({ [claim.keyLocation]: ok(KEY) }, 5)
  await proof.byKeyFile(A, claim, ASKER)
  for (let i = 0; i < 40; i++) {
    const origin = `https://${i}.example`
    await proof.byKeyFile(origin, { key: KEY, keyLocation: `${origin}/${KEY}.txt` }, ASKER)
  }
  assert.deepEqual(proof.heldKeyFile(A, claim), { kind: 'proven' })
})

test('an outage does not void a key file that was right', async () => {
  const { state, proof } = world({ [claim.keyLocation]: ok(KEY) })
  await proof.byKeyFile(A, claim, ASKER)
  state.now += 90_000_000
  state.files[claim.keyLocation] = failed(500)
  assert.equal((await proof.byKeyFile(A, claim, ASKER)).kind, 'proven')
  state.files[claim.keyLocation] = failed(404)
  state.now += 60_000
  assert.equal((await proof.byKeyFile(A, claim, ASKER)).kind, 'refused')
})

// ── signatures ─────────────────────────────────────────────────────────────────────────────────────────────────

const ring = newKeyRing(Buffer.alloc(32, 1), AT - 86_400_000)
const stranger = newKeyRing(Buffer.alloc(32, 2), AT - 86_400_000)
const TARGET = 'https://crawler.example/push'
const COVERED = ['@method', '@target-uri', 'content-digest', 'content-type']
const keysOf = (keys: KeyRing): FetchedFrom => ok(writeKeySet(publishedKeys(keys, AT)))
const published = (): Record<string, FetchedFrom> => ({ [`${A}${KEY_DIRECTORY_PATH}`]: keysOf(ring) })

function signed(change: Partial<SignOptions> = {}, message: Partial<SignedMessage> = {}): SignedMessage {
  const headers: HeaderList = [
    ['Content-Type', 'application/warc'],
    ['Content-Digest', contentDigest(Buffer.from('body'))],
  ]
  const plain: SignedMessage = { method: 'POST', url: TARGET, headers, ...message }
  const options = { at: AT, lifeMs: 300_000, covered: COVERED, tag: PUSH_TAG, nonce: 'n1', ...change }
  const fields = signMessage(plain, { key: signingKeyOf(ring, AT), ...options })
  return { ...plain, headers: [...plain.headers, ...fields] }
}

test('a request signed with a key that the site publishes is a proof, once', async () => {
  const { state, proof } = world(published())
  assert.deepEqual(await proof.bySignature(A, signed(), true, ASKER), { kind: 'proven', covered: COVERED })
  assert.equal((await proof.bySignature(A, signed({ nonce: 'n2' }), true, ASKER)).kind, 'proven')
  assert.equal(state.asked.length, 1)
  const again = await proof.bySignature(A, signed(), true, ASKER)
  assert.ok(again.kind === 'refused' && again.reason === 'replayed')
})

test('without a nonce the same signature counts as the same request', async () => {
  const { proof } = world(published())
  const message = signed({ nonce: undefined })
  assert.equal((await proof.bySignature(A, message, true, ASKER)).kind, 'proven')
  const again = await proof.bySignature(A, message, true, ASKER)
  assert.ok(again.kind === 'refused' && again.reason === 'replayed')
})

const refusals: [sentence: string, origin: string, message: SignedMessage, reason: string][] = [
  ['no signature', A, { method: 'POST', url: TARGET, headers: [] }, 'not-signed'],
  ['a signature for something else', A, signed({ tag: 'web-bot-auth' }), 'not-signed'],
  ['half a signature', A, { method: 'POST', url: TARGET, headers: [['Signature', 'x']] }, 'signature-malformed'],
  ['a key that the site does not publish', A, signed({ key: signingKeyOf(stranger, AT) }), 'key-unknown'],
  ['a site without TLS', 'http://a.example', signed(), 'key-unknown'],
  ['another target', A, { ...signed(), url: 'https://other.example/push' }, 'forged'],
  ['another method', A, { ...signed(), method: 'PATCH' }, 'forged'],
  ['one that covers no body', A, signed({ covered: ['@method', '@target-uri', 'content-type'] }), 'covers-too-little'],
  ['one from an hour ago', A, signed({ at: AT - 3_600_000 }), 'stale'],
  ['one from the future', A, signed({ at: AT + 3_600_000 }), 'stale'],
  ['one that is good for a day', A, signed({ lifeMs: 86_400_000 }), 'stale'],
]
for (const [sentence, origin, message, reason] of refusals) {
  test(`a request with ${sentence} is refused: ${reason}`, async () => {
    const { proof } = world(published())
    const verdict = await proof.bySignature(origin, message, true, ASKER)
    assert.equal(verdict.kind === 'refused' ? verdict.reason : verdict.kind, reason)
  })
}

test('a key of one site proves nothing for another, nor for a subdomain', async () => {
  const { proof } = world(published())
  for (const origin of [B, 'https://www.a.example', 'https://a.example:8443']) {
    const verdict = await proof.bySignature(origin, signed(), true, ASKER)
    assert.equal(verdict.kind, 'unreachable', `${origin} publishes no keys`)
  }
})

test('keys that cannot be had are asked for again later, and nobody is let in meanwhile', async () => {
  const { state, proof } = world({})
  const verdict = await proof.bySignature(A, signed(), true, ASKER)
  assert.ok(verdict.kind === 'unreachable' && verdict.retryAfterMs > 0)
  await proof.bySignature(A, signed(), true, ASKER)
  assert.equal(state.asked.length, 1)
  Object.assign(state.files, published())
  state.now += verdict.retryAfterMs
  assert.equal((await proof.bySignature(A, signed(), true, ASKER)).kind, 'proven')
})

test('what was signed before the receiver started has to be signed again: it may have been used before', async () => {
  const { proof } = world(published())
  const verdict = await proof.bySignature(A, signed({ at: AT - 5_000 }), true, ASKER)
  assert.ok(verdict.kind === 'unreachable' && /sign it again/.test(verdict.message))
})

test('a request without a body needs no digest', async () => {
  const { proof } = world(published())
  const message = signed({ covered: ['@method', '@target-uri'] }, { method: 'DELETE' })
  assert.equal((await proof.bySignature(A, message, false, ASKER)).kind, 'proven')
})
