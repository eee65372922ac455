import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentEntry } from './delivery-ledger.ts'
import { sampleSubscriber } from '../testing/subscribers.sample.ts'

const report = { subscriber: sampleSubscriber, at: 0, verdict: 'delivered', requests: 3, bytes: 9, cpuMs: 1 } as const

test('a delivery is counted under the host that was called, and one that called nobody is not', () => {
  const entry = sentEntry({ ...report, pages: 2, pageBytes: 80 })
  const { scheme, called, requests, bytes, pages, pageBytes } = entry!
  assert.deepEqual([scheme, called, requests], ['sent-changes', 'crawler.example', 3])
  assert.deepEqual([bytes, pages, pageBytes], [9, 2, 80])
  assert.equal(sentEntry({ ...report, verdict: 'nothing', requests: 0, pages: 0, pageBytes: 0 }), undefined)
})
