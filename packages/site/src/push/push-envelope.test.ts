import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { checkHubSignature, headerOf, WARC_TYPE } from '@comity/protocol'
import { pushEnvelope } from './push-envelope.ts'
import type { PushContent, Subscriber } from '../hub/subscriber.ts'
import { sampleSubscriber } from '../testing/subscribers.sample.ts'

const warc: PushContent = { type: WARC_TYPE, body: Buffer.alloc(5_000, 'words '), headers: [] }
const crawler: Subscriber = { ...sampleSubscriber, by: 'push', hub: undefined, secret: undefined }

test('a crawler that was named gets a WARC packed, and is told which topic it is of', async () => {
  const { body, headers, isPacked } = await pushEnvelope(warc, crawler, true)
  assert.ok(isPacked && body.length < 500)
  assert.deepEqual(gunzipSync(body), warc.body)
  assert.equal(headerOf(headers, 'content-encoding'), 'gzip')
  assert.equal(headerOf(headers, 'link'), '<https://a.example/metadata/changelist.xml>; rel="self"')
})

test('a subscription gets it as it is, signed with its secret', async () => {
  const { body, headers, isPacked } = await pushEnvelope(warc, sampleSubscriber, true)
  assert.deepEqual([body, isPacked], [warc.body, false])
  assert.equal(checkHubSignature('sésame', headerOf(headers, 'x-hub-signature'), body), 'good')
})

// oxfmt-ignore
const plain: [sentence: string, content: PushContent, mayPack: boolean][] = [
  ['what cannot be unpacked there',  warc,                                     false],
  ['what is short',                  { ...warc, body: Buffer.from('short') },  true],
  ['what is packed already',         { ...warc, type: 'application/zip' },     true],
  ['what others may read otherwise', { ...warc, type: 'application/xml' },     true],
]
for (const [sentence, content, mayPack] of plain) {
  test(`not packed: ${sentence}`, async () => {
    const envelope = await pushEnvelope(content, crawler, mayPack)
    assert.deepEqual([envelope.body, envelope.isPacked], [content.body, false])
  })
}

test('fields that the content has are not written twice, and a hub that is only pinged gets none', async () => {
  const own = { ...warc, headers: [['Link', '<x>; rel="self"']] as const }
  const { headers } = await pushEnvelope(own, sampleSubscriber, false)
  assert.equal(headers.filter(([name]) => name === 'Link').length, 1)
  assert.deepEqual((await pushEnvelope(warc, { ...crawler, isPing: true }, false)).headers, [])
})
