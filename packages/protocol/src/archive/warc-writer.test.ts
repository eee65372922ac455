import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { WARCParser } from 'warcio'
import { payloadDigest } from './digest.ts'
import { requestHead, responseHead } from '../http/http-block.ts'
import { warcDate, warcField, warcTarget, warcType, type WarcRecord } from './warc-record.ts'
import type { WarcItem } from './warc-parser.ts'
import { readRecordAt, readWarc } from './warc-reader.ts'
import {
  encodeRecord,
  gzipRecord,
  gzipResponse,
  metadataRecord,
  requestRecord,
  resourceRecord,
  responseRecord,
  revisitRecord,
  storedRecord,
  warcinfoRecord,
} from './warc-writer.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const url = 'https://a.example/page?q=1'
const body = Buffer.from('<html><p>Grüße</p></html>')
const responseId = '11111111-2222-4333-8444-555555555555'
const httpHead = responseHead({
  status: 200,
  statusText: 'OK',
  headers: [
    ['Content-Type', 'text/html'],
    ['Transfer-Encoding', 'chunked'],
  ],
})

const records: readonly [WarcRecord, WarcRecord, ...WarcRecord[]] = [
  warcinfoRecord({ at, filename: 'a.warc.gz', software: 'comity', fields: [['robots', 'obey']] }),
  responseRecord({ at, url, recordId: responseId, httpHead, body, ip: '::1', protocol: ['h2', 'tls/1.3'] }),
  requestRecord({
    at,
    url,
    concurrentTo: [responseId],
    httpHead: requestHead({ method: 'GET', target: '/page?q=1', headers: [['Host', 'a.example']] }),
  }),
  revisitRecord({
    at,
    url,
    profile: 'identical-payload-digest',
    refersToUri: url,
    refersToDate: at - 1_000,
    payloadDigest: payloadDigest(body),
    httpHead,
  }),
  revisitRecord({
    at,
    url,
    profile: 'server-not-modified',
    refersToUri: url,
    refersToDate: at - 1_000,
    httpHead: responseHead({ status: 304, statusText: 'Not Modified', headers: [] }),
  }),
  metadataRecord({ at, url, concurrentTo: [responseId], fields: [['via', 'https://a.example/']] }),
]

test('a response says what it is', () => {
  const record = records[1]
  assert.equal(warcType(record), 'response')
  assert.equal(warcTarget(record), url)
  assert.equal(warcDate(record), at)
  assert.equal(warcField(record, 'warc-record-id'), `<urn:uuid:${responseId}>`)
  assert.equal(warcField(record, 'WARC-Payload-Digest'), payloadDigest(body))
  assert.equal(warcField(record, 'WARC-Block-Digest'), payloadDigest(Buffer.concat([httpHead, body])))
  assert.equal(warcField(record, 'WARC-IP-Address'), '::1')
})

test('only a revisit by digest says that its block was cut', () => {
  const truncated = records.map((record) => warcField(record, 'WARC-Truncated'))
  assert.deepEqual(truncated, [undefined, undefined, undefined, 'length', undefined, undefined])
})

test('warcinfo and metadata are fields, line by line', () => {
  const info = Buffer.from(records[0].block).toString().split('\r\n')
  assert.ok(info.includes('format: WARC File Format 1.1') && info.includes('robots: obey'))
  assert.equal(Buffer.from(records.at(-1)!.block).toString(), 'via: https://a.example/\r\n')
})

test('a URL cannot write fields of its own', () => {
  const record = responseRecord({ at, url: 'https://a.example/\r\nWARC-Type: warcinfo\r\n\r\n', httpHead, body })
  const read = readRecordAt(encodeRecord(record))
  assert.ok(read.kind === 'record')
  assert.equal(warcTarget(read.record), 'https://a.example/ WARC-Type: warcinfo')
})

for (const [name, encode] of [
  ['plain', encodeRecord],
  ['gzip', gzipRecord],
  ['stored', storedRecord],
] as const) {
  const parts = records.map((record) => encode(record))
  const file = Buffer.concat(parts)

  test(`${name}: our reader gives the records back, each at its place`, () => {
    let offset = 0
    const expected = records.map((record, i): WarcItem => {
      const length = parts[i]?.length ?? 0
      offset += length
      return { kind: 'record', record, offset: offset - length, length }
    })
    assert.deepEqual([...readWarc(file, 0, { verify: true })].map(comparable), expected.map(comparable))
  })

  test(`${name}: warcio reads every record, its digests and its body`, async () => {
    const read: unknown[] = []
    for await (const record of new WARCParser([file])) {
      const content = Buffer.from(await record.readFully(false))
      const { warcType: type, warcTargetURI: target, warcPayloadDigest: digest } = record
      read.push([type, target ?? undefined, digest ?? undefined])
      if (type === 'response') {
        assert.deepEqual(content, body)
        assert.equal(payloadDigest(content), digest)
        assert.equal(record.httpHeaders?.statusCode, 200)
        assert.equal(record.httpHeaders?.headers.get('X-Archive-Orig-Transfer-Encoding'), 'chunked')
      }
    }
    const ours = records.map((r) => [warcType(r), warcTarget(r), warcField(r, 'WARC-Payload-Digest')])
    assert.deepEqual(read, ours)
  })
}

/** All that a builder may be told and need not know. */
const UNKNOWN = {
  ip: '',
  payloadDigest: '',
  type: '',
  resourceType: '',
  identifiedPayloadType: '',
  protocol: ['', ' '],
}
const about = { at, url, httpHead, body, ...UNKNOWN } as const

const bare: readonly WarcRecord[] = [
  warcinfoRecord({ at, filename: '', software: '', fields: [['robots', '']] }),
  responseRecord(about),
  requestRecord(about),
  resourceRecord(about),
  revisitRecord({ ...about, profile: 'server-not-modified', refersToUri: url, refersToDate: at }),
  metadataRecord({ ...about, fields: [['via', '']] }),
]

test('what is not known is left out of every kind of record, and warcio reads the rest', async () => {
  for (const { fields, block } of bare) {
    assert.deepEqual(
      fields.filter(([, value]) => value.trim() === ''),
      [],
    )
    assert.doesNotMatch(Buffer.from(block).toString(), /^[\w-]+: *\r?$/m)
  }
  for (const ip of ['', ' ', 'localhost', 'a.example', '10.0.0'])
    assert.equal(warcField(responseRecord({ ...about, ip }), 'WARC-IP-Address'), undefined, ip)
  for (const ip of ['192.0.2.1', '::1', '2001:db8::7'])
    assert.equal(warcField(responseRecord({ ...about, ip }), 'WARC-IP-Address'), ip)
  const read: unknown[] = []
  for await (const record of new WARCParser([Buffer.concat(bare.map(encodeRecord))])) {
    await record.readFully(false)
    read.push([record.warcType, record.warcHeader('WARC-IP-Address')])
  }
  assert.deepEqual(
    read,
    bare.map((record) => [warcType(record), null]),
  )
})

test('decode(encode(x)) is x', () => {
  const line = fc.stringMatching(/^\S([^\r\n\0]{0,40}\S)?$/u).filter((value) => value.trim() === value)
  const name = fc.stringMatching(/^X-[A-Za-z-]{1,12}$/)
  const property = fc.property(
    fc.array(fc.tuple(name, line), { maxLength: 8 }),
    fc.uint8Array({ maxLength: 2_000 }),
    fc.boolean(),
    (extra, block, zipped) => {
      const { version, fields } = records[0]
      const record: WarcRecord = { version, fields: [...fields, ...extra], block }
      const read = readRecordAt(zipped ? gzipRecord(record) : encodeRecord(record))
      assert.ok(read.kind === 'record')
      assert.deepEqual([read.record.version, read.record.fields], [record.version, record.fields])
      assert.ok(Buffer.from(block).equals(read.record.block))
    },
  )
  fc.assert(property)
})

const comparable = (item: WarcItem): unknown =>
  item.kind === 'record'
    ? { ...item, record: { ...item.record, block: Buffer.from(item.record.block).toString('latin1') } }
    : item

test('a small record is stored as it is in a member of its own, which any gunzip reads; a large one is packed', () => {
  for (const length of [0, 1, 1_000, 5_000]) {
    const target = `/${'x'.repeat(length)}`
    const asked = requestHead({ method: 'GET', target, headers: [['host', 'a.example']] })
    const record = requestRecord({ url: 'http://a.example/', at: 0, httpHead: asked })
    const member = storedRecord(record)
    assert.deepEqual(Buffer.from(gunzipSync(member)), Buffer.from(encodeRecord(record)))
    assert.equal(member.length > encodeRecord(record).length, length < 2_000)
    const read = readRecordAt(member)
    assert.equal(read.kind, 'record')
  }
})

test('a response that is packed at once is the one that is made first, whatever was packed before', () => {
  const bodies = fc.array(fc.oneof(fc.uint8Array({ maxLength: 500 }), fc.constantFrom(300_000, 1_100_000)), {
    maxLength: 4,
  })
  const options = fc.record({ blockDigest: fc.constantFrom(undefined, false as const), level: fc.constantFrom(1, 3) })
  fc.assert(
    fc.property(bodies, options, (list, { blockDigest, level }) => {
      for (const each of list) {
        const packed = typeof each === 'number' ? Buffer.alloc(each, 'long ') : each
        const parts = {
          at,
          url,
          recordId: responseId,
          httpHead,
          body: packed,
          ...(blockDigest === false && { blockDigest }),
        }
        assert.ok(Buffer.from(gzipResponse(parts, level)).equals(gzipRecord(responseRecord(parts), level)))
      }
    }),
    { numRuns: 40 },
  )
})
