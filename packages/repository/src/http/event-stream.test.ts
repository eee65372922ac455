import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { lastEventAt, sendEvents } from './event-stream.ts'
import { LiveHub } from './live-hub.ts'
import { SampleControl, sampleOf } from '../testing/sample-repository.ts'
import { setImmediate as turn } from 'node:timers/promises'

const headers: [header: string | undefined, at: number | undefined][] = [
  [undefined, undefined],
  ['1700000000000', 1_700_000_000_000],
  ['', undefined],
  ['-1', undefined],
  ['1e9', undefined],
  ['99999999999999999999', undefined],
]
for (const [header, at] of headers) {
  test(`Last-Event-ID: ${header} is ${at}`, () => assert.equal(lastEventAt(header), at))
}

/** A response that nobody reads, or that somebody does. */
function responseWith(unread: () => number): { response: ServerResponse; text: () => string } {
  let text = ''
  const response = {
    get writableLength() {
      return unread()
    },
    write: (chunk: string) => (text += chunk),
  }
  return { response: response as unknown as ServerResponse, text: () => text }
}

const forever = (_: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()))

test('samples are events with their instant as id, until the signal', async () => {
  const [crawl, over] = [new SampleControl(), new AbortController()]
  const hub = new LiveHub(crawl, forever)
  const { response, text } = responseWith(() => 0)
  const sent = sendEvents(hub, undefined, response, over.signal)
  await turn()
  crawl.push(sampleOf(1))
  await turn()
  over.abort()
  await sent
  assert.equal(text(), `retry: 2000\n\nevent: sample\nid: ${sampleOf(1).at}\ndata: ${JSON.stringify(sampleOf(1))}\n\n`)
  assert.equal(hub.listeners, 0)
  hub.close()
})

test('who does not read is let go', async () => {
  const crawl = new SampleControl()
  const hub = new LiveHub(crawl, forever)
  let unread = 0
  const sent = sendEvents(hub, undefined, responseWith(() => unread).response, new AbortController().signal)
  await turn()
  unread = 1 << 20
  crawl.push(sampleOf(1))
  await sent
  assert.equal(hub.listeners, 0)
  hub.close()
})
