/** Fuzz target: answers as Chromium would show them, beside what is sure of them. */
import { BROWSER_DOUBTS, codingOf, Rebuilder, VIEW_OUTCOMES } from '@comity/gateway'
import type { BrowserView, ObservedExchange } from '@comity/gateway'
import { decodeBody } from '@comity/protocol'
import assert from 'node:assert/strict'
import { Dialogue, get } from '../../packages/gateway/src/testing/dialogue-sample.ts'
import { ODD_ANSWERS } from '../../packages/gateway/src/testing/odd-answer-table.ts'
import { pcapFile } from '../../packages/gateway/src/testing/packet-sample.ts'
import type { FuzzTarget } from './fuzz-target.ts'

const MOST_SHOWN = 100_000

/** A server that says this, in packets of so many bytes, to somebody who asked once; and what Chromium would show. */
function browse(bytes: Buffer, segment: number): { readonly shown: readonly string[]; readonly sure: number } {
  const shown: string[] = []
  const whole: ObservedExchange[] = []
  const viewed = (view: BrowserView): void => {
    const { outcome, status, error, body, doubts } = view
    assert.ok(VIEW_OUTCOMES.includes(outcome) && doubts.every((doubt) => BROWSER_DOUBTS.includes(doubt)))
    assert.ok(body.length <= MOST_SHOWN && (body.length === 0 || outcome === 'shown' || outcome === 'broken'))
    shown.push(JSON.stringify([outcome, status, error, Buffer.from(body).toString('latin1'), doubts.toSorted()]))
    views.push(view)
  }
  const views: BrowserView[] = []
  const rebuilder = new Rebuilder(
    { observed: (observed) => void (observed.verdict === 'whole' && whole.push(observed)) },
    { asBrowser: { viewed }, browser: { bytes: 200_000, maxShownBytes: MOST_SHOWN } },
  )
  const dialogue = new Dialogue({ segment }).open().say(0, get('/1', 'Accept-Encoding: gzip, deflate, br, zstd\r\n'))
  rebuilder.write(pcapFile(dialogue.say(1, bytes).close().packets))
  rebuilder.end()
  assert.deepEqual(rebuilder.memory, { flows: 0, bytes: 0 }, 'nothing is held at the end')
  // What is in no doubt is what strict rebuilding is sure of.
  const sure = views.filter(({ outcome, doubts }) => outcome === 'shown' && doubts.length === 0)
  for (const { body, status } of sure) {
    const strict = whole.find(({ response }) => response?.status === status)
    if (strict === undefined) assert.equal(body.length, 0, 'sure of what nobody else is sure of')
    else {
      const decoded = decodeBody(strict.body, codingOf(strict.response!), { maxBytes: MOST_SHOWN })
      assert.ok(body.length === 0 || ('body' in decoded && Buffer.from(decoded.body).equals(body)), 'sure, and wrong')
    }
  }
  return { shown, sure: sure.length }
}

export const browserTarget: FuzzTarget = {
  name: 'browser',
  samples: ODD_ANSWERS.filter(({ bytes }) => bytes.length > 0 && bytes.length < 4_000).map(({ bytes }) => bytes),
  words: [
    'HTTP/1.1 200 OK\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'Content-Length: ',
    'Transfer-Encoding: chunked\r\n',
    'Content-Encoding: ',
    'gzip',
    'deflate',
    'br',
    'zstd',
    ', ',
    '\r\n\r\n',
    '\n ',
    '\r',
    '\xa0',
    '"',
    '5\r\n',
    '\r\n0\r\n\r\n',
    'Location: /x\r\n',
    'ffffffffffffffff\r\n',
  ],
  check: (bytes) =>
    assert.deepEqual(browse(bytes, 1 + (bytes.length % 97)), browse(bytes, 60_000), 'the same in any packets'),
}
