/** Pages that come many at a time do not undo what came by another way meanwhile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliveredPages } from './delivered-pages.ts'
import type { DeliveredPagesParts } from './delivered-pages.ts'
import type { Arrived } from '@comity/ingest/testing'

const ASKED_AT = 1_800_000_000_000

/** A page that was visited then; whatever is read of a delivery is noted. */
function deliveries(visitedAt: number | undefined): { delivered: DeliveredPages; read: string[] } {
  const read: string[] = []
  const parts = {
    frontier: { sites: [{ origin: 'https://a.example' }], pages: { depthOf: () => 1 } },
    collection: { page: () => (visitedAt === undefined ? undefined : { visitedAt }) },
    pages: { ingest: ({ task }: Arrived) => read.push(task.url) },
    faults: { apart: (_about: unknown, work: () => unknown) => work() },
    random: () => 1,
    room: () => {},
    maxDecodedBytes: 1_000,
  }
  return { delivered: new DeliveredPages(parts as unknown as DeliveredPagesParts), read }
}

for (const [sentence, visitedAt, isRead] of [
  ['a page that was visited before its delivery was asked for is taken in', ASKED_AT - 1, true],
  ['a page that nobody has visited is taken in', undefined, true],
  ['a page that was visited after its delivery was asked for stays as that visit found it', ASKED_AT + 1, false],
] as const) {
  test(sentence, async () => {
    const { delivered, read } = deliveries(visitedAt)
    const sent = { url: 'https://a.example/x', status: 200, headers: [], body: Buffer.from('older') }
    const arrival = { site: 0, way: 'change-dump', address: '127.0.0.1', at: ASKED_AT, askedAt: ASKED_AT } as const
    assert.equal(await delivered.take(0, sent, arrival), true)
    assert.deepEqual(read, isRead ? ['https://a.example/x'] : [])
  })
}
