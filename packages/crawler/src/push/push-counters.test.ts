import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboxItem } from '@comity/collection'
import { PushCounters } from './push-counters.ts'

const item = (number: number, at: number): InboxItem => ({
  number,
  at,
  origin: 'https://a.example',
  door: 'websub',
  scheme: 'pages',
  proof: 'subscription',
  type: 'application/warc',
  body: new Uint8Array(50),
})

test('nothing came: nothing a second, and no delays', () => {
  assert.deepEqual(new PushCounters(0).sample(0, undefined), {
    outcomes: {},
    bytes: 0,
    perSecond: 0,
    delayP50Ms: 0,
    delayP99Ms: 0,
    searchable: undefined,
    subscriptions: { active: 0, asked: 0 },
    doors: undefined,
  })
})

test('pages are counted one by one, their bytes once, and how long they waited', () => {
  const figures = new PushCounters(0)
  figures.taken(item(1, 900), 'applied', 1_000)
  figures.taken(item(1, 900), 'applied', 1_020)
  figures.taken(item(2, 900), 'heard', 1_900)
  const { outcomes, bytes, perSecond, delayP50Ms, delayP99Ms } = figures.sample(2_000, undefined)
  assert.deepEqual(outcomes, { applied: 2, heard: 1 })
  assert.deepEqual([bytes, perSecond, delayP50Ms, delayP99Ms], [100, 1.5, 120, 1_000])
})

test('the doors and the subscriptions are told as they were last heard of', () => {
  const figures = new PushCounters(0)
  figures.subscribed([{ state: 'active' }, { state: 'active' }, { state: 'asked' }, { state: 'ended' }])
  const totals = { accepted: 3, acceptedBytes: 90, byDoor: { push: 3 }, refused: { forged: 1 }, ignored: 1 }
  figures.heard({ totals, sites: [], inbox: { items: 2, bytes: 60 }, pending: 1, fill: 0.5 })
  const searchable = { count: 1, p50Ms: 400, p99Ms: 400 }
  const sample = figures.sample(1, searchable)
  assert.deepEqual(sample.subscriptions, { active: 2, asked: 1 })
  assert.deepEqual(sample.doors, { ...totals, waiting: 2, waitingBytes: 60, pending: 1, fill: 0.5 })
  assert.equal(sample.searchable, searchable)
})
