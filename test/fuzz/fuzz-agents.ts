/** Fuzz target: what engines and sites send each other of agents: bundles, results, lists of revocations, words of pages. */
import assert from 'node:assert/strict'
import {
  endLine,
  headLine,
  makeBundle,
  readBundle,
  readAgentManifest,
  readResult,
  readRevocations,
  recordLine,
  signBundle,
  writeBundle,
  writeRevocations,
} from '@comity/agent'
import { readShipment, shippedFromRecord, shippedText, writeShipment } from '@comity/index'
import { newKeyRing } from '@comity/protocol'
import type { FuzzTarget } from './fuzz-target.ts'

const DIGEST = `sha-256:${'0'.repeat(64)}`
const AT = 1_794_744_000_000
const key = newKeyRing(Buffer.alloc(32, 5), 0)[0]
const read = readAgentManifest({
  name: 'sample',
  version: '1.0.0',
  about: 'A sample.',
  api: 1,
  hostVersion: '0.1.0',
  engine: 'https://e.example/',
  madeAt: '2026-11-01T00:00:00Z',
  expiresAt: '2027-11-01T00:00:00Z',
  perPage: true,
  reads: ['pages'],
  emits: ['meta', 'postings'],
  unaudited: [],
  caps: {},
})
assert.ok(read.kind === 'manifest')
const bundle = signBundle(makeBundle(read.manifest, 'export function onPage() {}'), key)
const record = { kind: 'postings', url: 'http://a.example/', words: ['two', 'cats'], line: [0, 1], headings: [1] }
const shipped = shippedFromRecord(record, DIGEST, AT)
assert.ok(shipped.kind === 'document')
const head = { agent: 'sample', version: '1.0.0', bundle: bundle.digest, at: AT, pages: 1, pagesDigest: DIGEST }

export const agentsTarget: FuzzTarget = {
  name: 'agents',
  samples: [
    writeBundle(bundle),
    [headLine(head), recordLine({ page: DIGEST, text: JSON.stringify(record) }), endLine(1)].join(''),
    writeRevocations(AT, [{ kind: 'bundle', id: DIGEST, reason: 'no' }], key),
    writeShipment([shipped.document], 1),
    writeShipment([shipped.document], 2),
  ],
  words: [
    'comity-agent 1\n',
    'manifest 9999999\n',
    'source -1\n',
    'signature ',
    '"line":[0,',
    '"words":[',
    '"headings":',
    '"end":"done"',
    '{"page":null,"record":',
    '[[[[[[[[[[[[[[[[[[',
    'bundle sha-256:',
    'cps\u0001',
    'cps\u0002',
    '\u0028\u00b5\u002f\u00fd',
    '1e309',
  ],
  check: checkAgents,
}

function checkAgents(bytes: Buffer): void {
  const one = readBundle(bytes)
  if (one.kind === 'bundle') assert.deepEqual(readBundle(writeBundle(one.bundle)), one, 'what is read can be written')
  const result = readResult(bytes.toString())
  if (result.kind === 'result')
    for (const { record: said } of result.result.records) shippedFromRecord(said, DIGEST, AT)
  readRevocations(bytes, () => undefined)
  const shipment = readShipment(bytes, { maxUnpackedBytes: 1 << 20 })
  if (shipment.kind === 'refused') return
  // Words may be numbered otherwise; the page says the same.
  for (const format of [1, 2] as const) {
    const again = readShipment(writeShipment(shipment.documents, format))
    assert.ok(again.kind === 'shipment', 'what is read can be written')
    assert.deepEqual(
      again.documents.map((document) => shippedText(document)),
      shipment.documents.map((document) => shippedText(document)),
    )
  }
}
