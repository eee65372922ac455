import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { logSuite } from '@comity/disk/testing'
import { INBOX_DOORS, INBOX_PROOFS, INBOX_SCHEMES } from './inbox.ts'
import { decodeRecord, encodeRecord, inboxFraming } from './record.ts'
import type { InboxRecord } from './record.ts'

const mark = Buffer.from('8 octets')

const records: fc.Arbitrary<InboxRecord> = fc.record(
  {
    number: fc.nat(),
    at: fc.nat(),
    origin: fc.webUrl(),
    door: fc.constantFrom(...INBOX_DOORS),
    scheme: fc.constantFrom(...INBOX_SCHEMES),
    proof: fc.constantFrom(...INBOX_PROOFS),
    type: fc.string(),
    body: fc.uint8Array({ maxLength: 500 }),
    fileBytes: fc.nat(),
    claim: fc.record({ key: fc.string(), keyLocation: fc.string() }, { noNullPrototype: true }),
  },
  {
    requiredKeys: ['number', 'at', 'origin', 'door', 'scheme', 'proof', 'type', 'body'],
    noNullPrototype: true,
  },
)

const numbered = (n: number): InboxRecord => ({
  number: n + 1,
  at: 7,
  origin: 'http://a.example',
  door: 'push',
  scheme: 'pages',
  proof: 'signature',
  type: 'application/warc',
  body: Buffer.from(`body ${n}`),
})
logSuite('inbox', { framing: inboxFraming(mark), entry: numbered, holesAre: 'damage' })

test('what is written is read, wherever it stands', () => {
  fc.assert(
    fc.property(records, fc.uint8Array({ maxLength: 50 }), (record, before) => {
      const frame = encodeRecord(record, mark)
      const bytes = Buffer.concat([before, frame, before])
      const found = decodeRecord(bytes, before.length, mark)
      assert.ok(found.kind === 'entry')
      assert.deepEqual({ ...found.entry, body: Uint8Array.from(found.entry.body) }, record)
      assert.equal(found.end, before.length + frame.length)
    }),
  )
})

test('a record under another mark is none', () => {
  fc.assert(
    fc.property(records, (record) => {
      assert.equal(decodeRecord(encodeRecord(record, mark), 0, Buffer.from('9 octets')).kind, 'none')
    }),
  )
})

test('no bytes make it throw, and a changed byte is noticed', () => {
  fc.assert(
    fc.property(records, fc.nat(), fc.integer({ min: 1, max: 255 }), (record, place, flip) => {
      const frame = encodeRecord(record, mark)
      frame[place % frame.length]! ^= flip
      assert.notEqual(decodeRecord(frame, 0, mark).kind, 'entry')
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      assert.notEqual(decodeRecord(Buffer.concat([mark, bytes]), 0, mark).kind, 'entry')
    }),
  )
})
