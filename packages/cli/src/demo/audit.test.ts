import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogRecorder } from '@comity/testbed'
import { DemoAudit } from './audit.ts'
import { DemoStalls } from './stalls.ts'

const connection = (connectionId: number, at: number) => [
  { event: 'opened' as const, connectionId, address: '127.0.1.1', port: 80, at },
  { event: 'closed' as const, connectionId, at: at + 10 },
]

test('a promise that was broken is still told when the log has forgotten it', async () => {
  using stalls = new DemoStalls(() => 0)
  const log = createLogRecorder({ maxEvents: 4 })
  using audit = new DemoAudit({ web: { sites: [], log }, stalls, delayMs: 300 })
  for (const event of [...connection(1, 1_000), ...connection(2, 1_100)]) log.record(event)
  const broken = await audit.broken()
  assert.equal(broken.length, 1)
  for (const [i, at] of [5_000, 6_000, 7_000, 8_000].entries()) {
    for (const event of connection(i + 3, at)) log.record(event)
  }
  assert.equal(log.dropped, 8)
  assert.deepEqual(await audit.broken(), broken)
})
