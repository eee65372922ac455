/** Fuzz target: what is sent between sites that push and crawlers that listen. */
import assert from 'node:assert/strict'
import {
  parseIndexNow,
  parseSubscribeForm,
  parseVerification,
  readChangeNotification,
  verificationUrl,
  writeChangeNotification,
  writeEvent,
  writeSubscribeForm,
} from '@comity/protocol'
import { EventReader } from '@comity/protocol/testing'
import type { FuzzTarget } from './fuzz-target.ts'

const base = 'http://a.example/x/y'

export const callsTarget: FuzzTarget = {
  name: 'calls',
  samples: [
    writeSubscribeForm({
      mode: 'subscribe',
      callback: 'http://c.example/?a=b',
      topic: base,
      leaseSeconds: 9,
      secret: 's',
    }),
    '{"host":"a.example","key":"abcdefgh","urlList":["http://a.example/1"]}',
    writeChangeNotification({ changes: [{ url: base, change: 'updated', changedAt: 1e12 }] }),
    writeEvent({ id: 'a.1', event: 'change', data: '{}', retryMs: 9 }),
    '<feed><link rel="hub" href="http://h.example/"/><link rel="self" href="/f"/></feed>',
  ],
  words: [
    'hub.mode=',
    'hub.topic=',
    '%2F',
    '&',
    'urlList',
    '<rs:md ',
    'change="deleted"',
    'data:',
    'id: ',
    '\n\n',
    '\r',
  ],
  check: checkCalls,
}

function checkCalls(bytes: Buffer): void {
  const text = bytes.toString()
  const asked = parseSubscribeForm(text)
  if ('request' in asked) {
    const { callback, topic } = asked.request
    const url = verificationUrl(callback, { mode: 'subscribe', topic, challenge: 'c', leaseSeconds: 9 })
    const read = parseVerification(url.slice(url.indexOf('?') + 1))
    assert.ok('verification' in read && read.verification.topic === topic, 'a hub can verify what it accepts')
  }
  const notice = parseIndexNow('POST', '', 'application/json', bytes)
  if ('notice' in notice) for (const url of notice.notice.urls) assert.equal(new URL(url).host, notice.notice.host)
  const told = readChangeNotification(bytes, base, { maxEntries: 50 })
  if ('changes' in told) assert.ok(told.changes.length <= 50)
  const [whole, pieces] = [new EventReader({ maxChars: 200 }), new EventReader({ maxChars: 200 })]
  const events = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
    pieces.write(bytes.subarray(i * 7, i * 7 + 7)),
  )
  assert.deepEqual(events.flat(), whole.write(bytes), 'events are the same in pieces')
}
