// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateWeb } from '../../webs/generated/web.ts'
import { overheadsOf } from './overhead.ts'
import { foldEvents } from '@comity/testbed/testing'
import type { LogEvent } from '@comity/testbed/testing'

const web = {
  ...generateWeb({ pages: 4, sites: 2, seed: 1, bowTie: false }),
  bytes: Uint32Array.of(1_000, 2_000, 3_000, 4_000),
  latencyMs: Float32Array.of(10, 100),
  bandwidth: Float32Array.of(100_000, 100_000),
}
const served = {
  web,
  siteAt: (address: string) => (address === '127.0.0.1' ? 0 : undefined),
  pageAt: (_: string, path: string) => (path === '/robots.txt' ? undefined : Number(path.slice(1))),
}

function visit(connectionId: number, openedAt: number, closedAt: number, ...paths: string[]): LogEvent[] {
  const place = { connectionId, address: '127.0.0.1', port: 1 }
  const times = { connectionOpenedAt: openedAt, startedAt: openedAt, endedAt: closedAt }
  const request = { ...place, ...times, site: '127.0.0.1', method: 'GET', userAgent: '', status: 200 }
  const requests = paths.map((path): LogEvent => Object.assign({ event: 'request', path } as const, request))
  return [{ event: 'opened', ...place, at: openedAt }, ...requests, { event: 'closed', connectionId, at: closedAt }]
}

test('it is what a connection took, less what its answers had to take, shared among its requests', () => {
  const log = foldEvents([
    // 10 ms and 20 ms of transfer were to be expected.
    ...visit(1, 0, 35, '/1'),
    // robots.txt has no size; 10 and 10 + 10.
    ...visit(2, 100, 150, '/robots.txt', '/0'),
  ])
  assert.deepEqual([...overheadsOf(log, served)], [5, 10])
})

test('a connection that asked nothing, and one that is still open, say nothing', () => {
  const open = visit(2, 0, 0, '/1').slice(0, 2)
  assert.deepEqual([...overheadsOf(foldEvents([...visit(1, 0, 50), ...open]), served)], [])
})

test('a timer that was early is no gain', () => {
  assert.deepEqual([...overheadsOf(foldEvents(visit(1, 0, 29.5, '/1')), served)], [0])
})
