import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboxItem, Subscription } from '@comity/collection'
import { PushStore } from './push-store.ts'
import type { PushRow } from './push-store.ts'
import type { CooperationStore, CooperationRow } from './cooperation-store.ts'

const A = 'https://a.example'
const sites = [{ origin: A }, { origin: 'https://b.example' }]

/** A store that keeps its rows in memory, as the collection would, and counts what is written. */
function storeOf(rows: Map<number, CooperationRow> = new Map()): {
  rows: Map<number, CooperationRow>
  writes: () => number
  calls: PushStore
} {
  let writes = 0
  const store = {
    of: (site: number) => rows.get(site) ?? {},
    note: (site: number, part: CooperationRow) => {
      writes++
      rows.set(site, { ...rows.get(site), ...part })
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it asks for these two things, and for the names of sites.
  const calls = new PushStore(store as unknown as CooperationStore, { sites: sites as never })
  return { rows, writes: () => writes, calls }
}

const item = (number: number, changes: Partial<InboxItem> = {}): InboxItem => ({
  number,
  at: number * 1_000,
  origin: A,
  door: 'websub',
  scheme: 'differences',
  proof: 'subscription',
  type: 'application/warc',
  body: new Uint8Array(100),
  ...changes,
})

const subscription = (state: Subscription['state'], changes: Partial<Subscription> = {}): Subscription => ({
  origin: A,
  topic: `${A}/push/differences`,
  hub: `${A}/push/hub`,
  scheme: 'differences',
  token: 'token',
  secret: 'secret',
  state,
  ...changes,
})

const callsOf = (rows: ReadonlyMap<number, CooperationRow>, site = 0): PushRow | undefined => rows.get(site)?.calls

test('what a site sent is counted by what came of it and by scheme, and bytes once for each item', () => {
  const { calls, rows } = storeOf()
  calls.taken(item(1), 'applied')
  calls.taken(item(1), 'same')
  calls.taken(item(2, { scheme: 'changes', door: 'push', proof: 'signature' }), 'heard')
  assert.equal(rows.size, 0, 'nothing is written before the commit')
  assert.equal(calls.isUnsaved, true)
  calls.save()
  assert.equal(calls.isUnsaved, false)
  assert.deepEqual(callsOf(rows), {
    outcomes: { applied: 1, same: 1, heard: 1 },
    schemes: { differences: 2, changes: 1 },
    bytes: 200,
    refused: {},
    lastAt: 2_000,
    door: 'push',
    proof: 'signature',
  })
})

test('a row is written when it changed, and goes on counting in the next run', () => {
  const first = storeOf()
  first.calls.taken(item(1), 'applied')
  first.calls.heard({ sites: [{ origin: A, refused: { forged: 2 } }] })
  first.calls.save()
  first.calls.heard({ sites: [{ origin: A, refused: { forged: 2 } }] })
  first.calls.save()
  assert.equal(first.writes(), 1)
  const { calls, rows } = storeOf(first.rows)
  calls.taken(item(9), 'applied')
  calls.heard({ sites: [{ origin: A, refused: { forged: 1, stale: 1 } }] })
  calls.save()
  assert.deepEqual(callsOf(rows)?.outcomes, { applied: 2 })
  assert.deepEqual(callsOf(rows)?.refused, { forged: 3, stale: 1 }, 'doors count from when they were opened')
})

test('of several subscriptions the one that is held counts, without its secrets', () => {
  const { calls, rows } = storeOf()
  const active = subscription('active', { leaseUntil: 99, scheme: 'pages' })
  calls.subscribed([subscription('ended'), active, subscription('denied', { reason: 'no' })])
  calls.save()
  assert.deepEqual(callsOf(rows)?.subscription, {
    scheme: 'pages',
    state: 'active',
    leaseUntil: 99,
    reason: undefined,
  })
  assert.ok(!JSON.stringify([...rows]).includes('secret'))
})

test('what a written row holds does not change under whoever writes it', () => {
  const { calls, rows } = storeOf()
  calls.taken(item(1), 'applied')
  calls.save()
  calls.taken(item(2), 'applied')
  assert.deepEqual(callsOf(rows)?.outcomes, { applied: 1 })
})

test('a site that is not known leaves nothing behind, and becomes known when it is', () => {
  const { calls, rows } = storeOf()
  calls.taken(item(1, { origin: 'https://c.example' }), 'outside')
  calls.save()
  assert.equal(rows.size, 0)
  calls.taken(item(2, { origin: 'https://b.example' }), 'applied')
  calls.save()
  assert.deepEqual([...rows.keys()], [1])
})
