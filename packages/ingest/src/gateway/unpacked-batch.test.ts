import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { batchItem, NOON } from '../testing/gateway-batch-fixture.ts'
import { unpackedBatchLimits, unpackGatewayBatch, urlsOfNews } from './unpacked-batch.ts'

const passed = (path: string): { url: string; text: string; at: number } => ({
  url: `http://a.example/${path}`,
  text: `text of ${path}`,
  at: NOON,
})
const { body } = batchItem('north', 1, {
  words: [passed('words')],
  whole: [passed('whole')],
  seen: [passed('seen')],
  gone: [{ url: 'http://a.example/gone', status: 404, at: NOON }],
  hits: [{ url: 'http://a.example/hit', readers: 1, robots: 0 }],
})

test('all that a batch speaks of is read, packed or not', () => {
  const read = unpackGatewayBatch(body)
  assert.ok(read.kind === 'news')
  assert.deepEqual(
    [...urlsOfNews(read.news)].map((url) => url.slice('http://a.example/'.length)),
    ['hit', 'seen', 'gone', 'words', 'whole'],
  )
  assert.equal(Buffer.from(read.news.pages[0]!.body).toString(), 'text of whole')
})

test('more than a limit allows is refused', () => {
  const problems = [{ maxBytes: 10 }, { maxUnpackedBytes: 10 }, { maxRows: 0 }].map((limit) => {
    const read = unpackGatewayBatch(body, { ...unpackedBatchLimits, ...limit })
    return read.kind === 'refused' ? read.problem : ''
  })
  assert.ok(
    problems.every((problem) => problem !== ''),
    problems.join(' · '),
  )
})

test('bytes that were cut or changed are refused or read, and never throw', () => {
  const changed = fc.tuple(fc.nat(body.length - 1), fc.nat(255)).map(([at, value]) => {
    const bytes = Uint8Array.from(body)
    bytes[at] = value
    return bytes
  })
  const cut = fc.nat(body.length).map((length) => body.subarray(0, length))
  fc.assert(
    fc.property(fc.oneof(changed, cut, fc.uint8Array()), (bytes) => {
      assert.ok(['news', 'refused'].includes(unpackGatewayBatch(bytes).kind))
    }),
  )
})
