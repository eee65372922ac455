import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  contentDigest,
  KEY_DIRECTORY_PATH,
  KEY_DIRECTORY_TAG,
  KEY_DIRECTORY_TYPE,
  newKeyRing,
  PUSH_TAG,
  readKeySet,
  rotateKeyRing,
  verifyMessage,
} from '@comity/protocol'
import type { KeyRing, SignedMessage } from '@comity/protocol'
import { AT } from './testing/journal-sample.ts'
import { pushSigner } from './site-keys.ts'
import { SampleSite } from './testing/site-sample.ts'

const seed = (number: number): Uint8Array => new Uint8Array(32).fill(number)

test('a site publishes its keys, signed by each of them for its own host', async () => {
  const ring = newKeyRing(seed(1), AT)
  const sample = new SampleSite({ keys: { ring: () => ring } })
  const { status, headers, body, header } = await sample.ask(KEY_DIRECTORY_PATH)
  assert.equal(status, 200)
  assert.equal(header('content-type'), KEY_DIRECTORY_TYPE)
  assert.equal(header('cache-control'), 'max-age=3600')
  const set = readKeySet(body)
  assert.ok('keys' in set)
  assert.deepEqual([...set.keys.keys()], [ring[0].keyId])
  const request = { method: 'GET', url: `https://a.example${KEY_DIRECTORY_PATH}`, headers: [] }
  const options = { keyOf: (id: string) => set.keys.get(id), at: sample.now, skewMs: 0, tag: KEY_DIRECTORY_TAG, body }
  const verdict = verifyMessage(
    { status, headers, request },
    { ...options, mustCover: ['@authority;req', 'content-digest'] },
  )
  assert.equal(verdict.kind, 'valid')
  assert.doesNotMatch(body.toString(), /"d"/)
})

test('whoever has the directory already is told that it is the same, until keys are rotated', async () => {
  let ring: KeyRing = newKeyRing(seed(1), AT)
  const sample = new SampleSite({ keys: { ring: () => ring } })
  const etag = (await sample.ask(KEY_DIRECTORY_PATH)).header('etag')!
  const again = await sample.ask(KEY_DIRECTORY_PATH, { headers: [['If-None-Match', etag]] })
  assert.equal(again.status, 304)
  assert.equal(again.header('content-digest'), undefined)
  ring = rotateKeyRing(ring, seed(2), sample.now, { leadMs: 0, overlapMs: 1_000 })
  const rotated = await sample.ask(KEY_DIRECTORY_PATH, { headers: [['If-None-Match', etag]] })
  assert.equal(rotated.status, 200)
  const set = readKeySet(rotated.body)
  assert.ok('keys' in set && set.keys.size === 2)
})

test('HEAD has the same head and no body, and other methods are told what to use', async () => {
  const ring = newKeyRing(seed(1), AT)
  const sample = new SampleSite({ keys: { ring: () => ring } })
  const head = await sample.ask(KEY_DIRECTORY_PATH, { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(head.sent.length, 0)
  assert.equal((await sample.ask(KEY_DIRECTORY_PATH, { method: 'POST' })).status, 405)
})

test('a site without keys leaves the place to whoever answers its pages', async () => {
  await assert.rejects(() => new SampleSite().ask(KEY_DIRECTORY_PATH), /is not one of the site's documents/)
})

test('whoever asks often makes the site sign once', async () => {
  const ring = newKeyRing(seed(1), AT)
  const sample = new SampleSite({ keys: { ring: () => ring } })
  const first = (await sample.ask(KEY_DIRECTORY_PATH)).header('signature')
  sample.now += 30_000
  assert.equal((await sample.ask(KEY_DIRECTORY_PATH)).header('signature'), first)
  sample.now += 31_000
  assert.notEqual((await sample.ask(KEY_DIRECTORY_PATH)).header('signature'), first)
})

test('what a site sends is signed with all that the receiver acts on, each time anew', () => {
  const ring = newKeyRing(seed(1), AT)
  const sign = pushSigner({ ring: () => ring }, () => AT)
  const body = Buffer.from('pages')
  const message: SignedMessage = {
    method: 'POST',
    url: 'https://crawler.example/push',
    headers: [
      ['Content-Type', 'application/warc'],
      ['Content-Digest', contentDigest(body)],
      ['Upload-Complete', '?1'],
    ],
  }
  const nonces = [1, 2].map(() => {
    const whole = { ...message, headers: [...message.headers, ...sign(message)] }
    const mustCover = ['@method', '@target-uri', 'content-digest', 'content-type', 'upload-complete']
    const verdict = verifyMessage(whole, {
      keyOf: () => ring[0].publicKey,
      at: AT,
      skewMs: 0,
      mustCover,
      tag: PUSH_TAG,
      body,
    })
    assert.equal(verdict.kind, 'valid')
    return verdict.nonce
  })
  assert.equal(new Set(nonces).size, 2)
  const bodiless = { method: 'HEAD', url: 'https://crawler.example/push/uploads/1', headers: [] }
  assert.match(sign(bodiless)[0]![1], /^sig1=\("@method" "@target-uri"\);/)
})
