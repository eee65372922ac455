import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GatewayRow } from '@comity/ingest'
import { gatewayLines } from './figures.ts'

const row: GatewayRow = {
  runs: [],
  batches: 41,
  repeated: 2,
  lastAt: 0,
  passedAt: 0,
  bytes: 61_000,
  pages: 900,
  htmlBytes: 2_000_000,
  skipped: { cookie: 12, private: 30 },
  outcomes: { taken: 120, confirmed: 780 },
  people: 840,
  robots: 60,
  avoidedRequests: 300,
  avoidedBytes: 266_000,
}

test('each gateway, what came of what it told, and what a crawler need not ask for', () => {
  const text = gatewayLines({ north: row, south: { ...row, repeated: 0, htmlBytes: 0, skipped: {} } }).join('\n')
  assert.match(text, /north {2}41 batches \+ 2 again {2}61 KB, 3\.0 % of the HTML {2}840 by people {2}60 by robots/)
  assert.match(text, /42 left out there: private 30, cookie 12/)
  assert.match(text, /south +41 batches +61 KB +840/)
  assert.match(text, /taken +240 {2}a page that was new or another one/)
  assert.match(text, /about 600 requests and 532 KB of pages that a crawler need not ask for/)
})

test('where none was heard, or is, there is little to say', () => {
  assert.deepEqual(gatewayLines({}), ['  no gateway was heard yet'])
  assert.deepEqual(gatewayLines(undefined), [])
})
