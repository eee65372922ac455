import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readBatch, writeBatchPage, writeClosing } from '@comity/protocol'
import type { Closing } from '@comity/protocol'
import type { Exchange } from '@comity/ingest'
import { batchQuestion, readBatchOf, sortBatch } from './page-batch.ts'

const BASE = 'https://a.example'
const url = (page: number): string => `${BASE}/${page}`
const TIMED = { startedAt: 0, endedAt: 0, firstByteMs: 0, transferMs: 0 }

function answered(status: number, body: Uint8Array, truncated?: 'length'): Exchange {
  const head = { status, statusText: '', headers: [] }
  return { kind: 'answered', head, body: Uint8Array.from(body), truncated, declined: false, ...TIMED }
}

function answerOf(came: readonly number[], closing: Partial<Closing> = {}): Uint8Array {
  const pages = came.map((page) =>
    writeBatchPage({ url: url(page), status: 200, headers: [], body: Buffer.from('x') }, 0),
  )
  const end = { sent: came.length, unchanged: 0, rest: [], refused: [], ...closing }
  return Buffer.concat([...pages, writeClosing(end, `${BASE}/batch`, 0)])
}

test('of a version that is held a difference is enough', () => {
  const { body } = batchQuestion([{ url: url(1), etag: '"a"' }, { url: url(2) }])
  const { lines } = readBatch(Buffer.from(body!))
  assert.deepEqual(
    lines.map(({ etag, delta }) => [etag, delta === true]),
    [
      ['"a"', true],
      [undefined, false],
    ],
  )
})

test('what an answer does not name has not changed, unless it says otherwise or is not whole', async () => {
  const asked = [1, 2, 3, 4].map(url)
  const whole = await readBatchOf(answered(200, answerOf([2, 9], { rest: [url(3)], refused: [url(4)] })))
  assert.ok(!('problem' in whole))
  const { came, unchanged, unsure } = sortBatch(asked, whole)
  assert.deepEqual([came.map((page) => page.url), unchanged, unsure], [[url(2)], [url(1)], [url(3), url(4)]])
  const cut = await readBatchOf(answered(200, answerOf([2]), 'length'))
  assert.ok(!('problem' in cut))
  assert.deepEqual(sortBatch(asked, cut).unchanged, [])
})

test('whatever is answered, every page that was asked for is accounted for once', async () => {
  const some = fc.uniqueArray(fc.nat(20))
  await fc.assert(
    fc.asyncProperty(some, some, some, some, async (asked, came, rest, refused) => {
      const read = await readBatchOf(answered(200, answerOf(came, { rest: rest.map(url), refused: refused.map(url) })))
      assert.ok(!('problem' in read))
      const sorted = sortBatch(asked.map(url), read)
      const all = [...sorted.came.map((page) => page.url), ...sorted.unchanged, ...sorted.unsure]
      assert.deepEqual(all.toSorted(), asked.map(url).toSorted())
    }),
  )
})

test('no answer, another status, and bytes that are none are problems', async () => {
  const failed: Exchange = { kind: 'failed', outcome: 'timeout-connect', message: 'no answer', stale: false, ...TIMED }
  assert.deepEqual(await readBatchOf(failed), { problem: 'no answer' })
  assert.deepEqual(await readBatchOf(answered(404, Buffer.from(''))), {
    problem: 'asked for many pages, it answered 404',
  })
  const odd = await readBatchOf(answered(200, Buffer.from('no WARC')))
  assert.ok('problem' in odd || odd.closing === undefined)
})
