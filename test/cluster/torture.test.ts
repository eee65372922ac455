// Runs alone: machines are lost by the clock.
/**
 * A sample of `npm run torture:cluster`: one round on loopback, with five mishaps in a row. The sites' own log is the judge.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { missing } from '@comity/protocol/testing'
import { isNatsHere } from '../../packages/cluster/src/testing/nats-server.ts'
import { runRound } from './torture/round.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-torture-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

test(
  'machines and NATS servers are killed, stopped and wiped, and the sites meet one polite visitor that fetches every page once',
  { timeout: 420_000 },
  async (t) => {
    if (!isNatsHere()) return missing(t, 'nats-server', 'apt-get install nats-server')
    const report = await runRound({
      seed: 2,
      dir: join(scratch, 'round'),
      leaseMs: 4_000,
      machines: 2,
      shards: 4,
      hosts: 5,
      addresses: 4,
      pages: 25,
      delayMs: 100,
      troubleMs: 60_000,
      pauseMs: 1_500,
      isDivided: false,
      course: [
        'kill a machine',
        'stop all NATS servers for two leases',
        'kill the NATS leader',
        'stop a process for two leases',
        'wipe JetStream',
      ],
      say: (sentence) => t.diagnostic(sentence),
    })
    assert.deepEqual(report.offences, [])
    assert.equal(report.mishaps.length, 5)
    t.diagnostic(`${report.requests} requests for ${report.pages} pages, ${report.again} again`)
  },
)
