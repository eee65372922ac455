/**
 * A gateway's state with a batch that waits, its words in columns: the second format of what gateways ship. Made once, and kept:
 *
 *   node test/formats/waiting-batch.ts --keep
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shipmentFormat } from '@comity/index'
import { readGatewayBatch } from '@comity/protocol'
import { comityHere } from '../../packages/cli/src/testing/spawned-comity.ts'
import { keep } from './kept-formats.ts'
import { capture, gatewayWords, NOBODY } from './make-formats.ts'

export const WAITING = 'south'

async function makeWaitingBatch(folder: string): Promise<void> {
  const state = join(folder, WAITING)
  const read = capture(join(folder, 'read.pcap'), { '/lecture': 'Lecture', '/archive': 'Archive' })
  const { code, stdout } = await comityHere([...gatewayWords(state, NOBODY), '--pcap', read])
  assert.equal(code, 1, stdout)
  const spool = join(state, 'spool')
  const [name = ''] = readdirSync(spool)
  const batch = readGatewayBatch(readFileSync(join(spool, name)))
  assert.ok(batch.kind === 'batch' && shipmentFormat(batch.batch.postings) === 2)
}

if (import.meta.main && process.argv[2] === '--keep') {
  const folder = mkdtempSync(join(tmpdir(), 'comity-formats-'))
  await makeWaitingBatch(folder)
  keep('gateway-2', folder, WAITING)
  rmSync(folder, { recursive: true })
}
