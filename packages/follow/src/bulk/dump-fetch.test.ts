import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DumpFetch } from './dump-fetch.ts'
import type { FetchStep } from './dump-fetch.ts'
import type { Exchange } from '@comity/ingest'

const TIMED = { startedAt: 0, endedAt: 0, firstByteMs: 0, transferMs: 0 }

function answer(
  status: number,
  body: Uint8Array,
  headers: Record<string, string> = {},
  truncated?: 'length' | 'time' | 'disconnect',
): Exchange {
  const head = { status, statusText: '', headers: Object.entries(headers) }
  return { kind: 'answered', head, body: Uint8Array.from(body), truncated, declined: false, ...TIMED }
}
const failed: Exchange = { kind: 'failed', outcome: 'timeout-connect', message: 'no answer', stale: false, ...TIMED }

/** A server that sends a file in pieces, each cut after so many bytes. */
function serve(file: Uint8Array, { headers }: { headers: Readonly<Record<string, string>> }, most: number): Exchange {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers['range'] ?? '') ?? []
  const [from, to] = [Number(first ?? 0), last ? Number(last) + 1 : file.length]
  const body = file.subarray(from, Math.min(to, from + most))
  const range = first === undefined ? {} : { 'content-range': `bytes ${from}-${to - 1}/${file.length}` }
  const cut = from + most < to ? 'disconnect' : undefined
  return answer(first === undefined ? 200 : 206, body, { etag: '"a"', ...range }, cut)
}

test('a file that comes in pieces is whole in the end, whatever the pieces', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 700 }), fc.integer({ min: 100, max: 800 }), (file, most) => {
      const fetch = new DumpFetch(1_000)
      let step: FetchStep = fetch.begin()
      while (step.kind === 'ask') step = fetch.answered(serve(file, step, most))
      assert.equal(step.kind, 'whole')
      assert.deepEqual(Buffer.from(step.bytes), Buffer.from(file))
    }),
  )
})

test('a part of a file is whole in the end, whatever the pieces, and is never taken from another file', () => {
  const anyPart = fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 300 }))
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 700, maxLength: 900 }), anyPart, (file, [start, length]) => {
      const fetch = new DumpFetch(1_000, { start, end: start + length, validator: '"a"' })
      let step: FetchStep = fetch.begin()
      while (step.kind === 'ask') step = fetch.answered(serve(file, step, 50))
      assert.equal(step.kind, 'whole')
      assert.deepEqual(Buffer.from(step.bytes), Buffer.from(file.subarray(start, start + length)))
      const other = new DumpFetch(1_000, { start, end: start + length, validator: '"a"' }).answered(answer(200, file))
      assert.equal(other.kind, 'failed')
    }),
  )
})

test('what has no strong validator is asked for from its beginning', () => {
  for (const etag of [{ etag: 'W/"a"' }, {}]) {
    const fetch = new DumpFetch(1_000)
    const step = fetch.answered(answer(200, Buffer.from('begin'), etag, 'time'))
    assert.equal(step.kind, 'ask')
    assert.equal(step.headers['range'], undefined)
  }
})

test('another file than the one begun starts over', () => {
  const fetch = new DumpFetch(1_000)
  fetch.answered(answer(200, Buffer.from('first'), { etag: '"a"' }, 'disconnect'))
  const step = fetch.answered(answer(200, Buffer.from('second'), { etag: '"b"' }))
  assert.equal(step.kind, 'whole')
  assert.equal(Buffer.from(step.bytes).toString(), 'second')
})

const REFUSED: [sentence: string, exchange: Exchange][] = [
  ['a 404', answer(404, Buffer.from('x'))],
  ['a part that nobody asked for', answer(206, Buffer.from('x'), { 'content-range': 'bytes 0-0/9' })],
  ['more than is let in', answer(200, Buffer.alloc(1_000), {}, 'length')],
  ['a coding that nobody asked for', answer(200, Buffer.from('x'), { 'content-encoding': 'gzip' })],
]
for (const [sentence, exchange] of REFUSED) {
  test(`${sentence} ends it`, () => assert.equal(new DumpFetch(1_000).answered(exchange).kind, 'failed'))
}

test('a part of another place than asked for ends it', () => {
  const fetch = new DumpFetch(1_000)
  fetch.answered(answer(200, Buffer.from('first'), { etag: '"a"' }, 'disconnect'))
  assert.equal(fetch.answered(answer(206, Buffer.from('x'), { 'content-range': 'bytes 3-3/9' })).kind, 'failed')
})

test('nobody is asked for ever', () => {
  for (const exchange of [failed, answer(200, Buffer.from('a'), { etag: '"a"' }, 'disconnect')]) {
    const fetch = new DumpFetch(1_000)
    let asked = 0
    for (let step: FetchStep = fetch.begin(); step.kind === 'ask'; step = fetch.answered(exchange)) asked++
    assert.ok(asked <= 8, `${asked} requests`)
  }
})
