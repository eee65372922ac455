import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultUrlRules, encodeRecord, readRecordAt } from '@comity/protocol'
import type { HeaderList, WarcRecord } from '@comity/protocol'
import { archivedOf } from './archive-record.ts'
import type { Archived, SkipReason } from './archive-record.ts'

const NOW = Date.UTC(2026, 0, 1)
const ID = '11111111-2222-4333-8444-555555555555'
const fields: HeaderList = [
  ['WARC-Type', 'response'],
  ['WARC-Record-ID', `<urn:uuid:${ID}>`],
  ['WARC-Date', '2020-02-03T04:05:06Z'],
  ['WARC-Target-URI', 'http://a.example/page#top'],
  ['WARC-IP-Address', '192.0.2.1'],
  ['Content-Type', 'application/http; msgtype=response'],
]

function recordOf(
  changes: Readonly<Record<string, string>> = {},
  block = 'HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody',
): WarcRecord {
  const kept = fields.filter(([name]) => !(name in changes))
  return { version: '1.0', fields: [...kept, ...Object.entries(changes)], block: Buffer.from(block) }
}
const read = (changes?: Readonly<Record<string, string>>, block?: string): Archived =>
  archivedOf(recordOf(changes, block), NOW, defaultUrlRules)

test('a response is an answer with its own date, name and bytes', () => {
  const answer = read()
  assert.ok(answer.kind === 'answer')
  const { url, at, recordId, ip, status, headers, truncated } = answer
  assert.deepEqual([url, at, recordId, ip], ['http://a.example/page', Date.UTC(2020, 1, 3, 4, 5, 6), ID, '192.0.2.1'])
  assert.deepEqual([status, headers, truncated], [200, [['A', 'b']], undefined])
  assert.equal(Buffer.from(answer.httpHead).toString(), 'HTTP/1.1 200 OK\r\nA: b\r\n\r\n')
  assert.equal(Buffer.from(answer.body).toString(), 'body')
})

test('chunks are taken off a body, and its head does not speak of them any more', () => {
  const answer = read({}, 'HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n')
  assert.ok(answer.kind === 'answer')
  assert.equal(Buffer.from(answer.body).toString(), 'body')
  assert.match(Buffer.from(answer.httpHead).toString(), /^HTTP\/1.1 200 Fine\r\nX-Archive-Orig-Transfer-Encoding: /)
})

const cuts: [reason: string, truncated: string][] = [
  ['length', 'length'],
  ['TIME', 'time'],
  ['disconnect', 'disconnect'],
  ['unspecified', 'disconnect'],
]
for (const [reason, truncated] of cuts) {
  test(`a body that is not whole, for ${reason}, says so`, () => {
    const answer = read({ 'WARC-Truncated': reason })
    assert.equal(answer.kind === 'answer' && answer.truncated, truncated)
  })
}

test('a revisit says what it repeats', () => {
  const revisit = read({
    'WARC-Type': 'revisit',
    'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
    'WARC-Payload-Digest': 'sha1:AAAA',
    'WARC-Refers-To-Target-URI': 'http://a.example/first',
    'WARC-Refers-To-Date': '2019-01-01T00:00:00Z',
  })
  assert.ok(revisit.kind === 'revisit')
  assert.deepEqual([revisit.isNotModified, revisit.digest, revisit.head?.status], [false, 'sha1:AAAA', 200])
  assert.deepEqual(revisit.refersTo, { url: 'http://a.example/first', at: Date.UTC(2019, 0, 1) })
})

const unchanged: [sentence: string, archived: Archived][] = [
  ['a 304 that stands as a response', read({}, 'HTTP/1.1 304 Not Modified\r\n\r\n')],
  ['a revisit of that profile', read({ 'WARC-Type': 'revisit', 'WARC-Profile': 'x/revisit/server-not-modified' }, '')],
]
for (const [sentence, archived] of unchanged) {
  test(`${sentence} says that nothing has changed`, () =>
    assert.ok(archived.kind === 'revisit' && archived.isNotModified))
}

const skips: [changes: Record<string, string>, block: string | undefined, reason: SkipReason][] = [
  [{ 'WARC-Type': 'request' }, undefined, 'request'],
  [{ 'WARC-Type': 'warcinfo' }, undefined, 'warcinfo'],
  [{ 'WARC-Type': 'resource', 'WARC-Target-URI': 'urn:text:http://a.example/' }, undefined, 'resource'],
  [{ 'WARC-Type': 'constructor' }, undefined, 'other-type'],
  [{ 'WARC-Target-URI': 'dns:a.example' }, undefined, 'dns'],
  [{ 'WARC-Target-URI': 'ftp://a.example/' }, undefined, 'not-http'],
  [{ 'WARC-Target-URI': 'http://' }, undefined, 'bad-url'],
  [{ 'WARC-Target-URI': `http://a.example/${'a'.repeat(100_000)}` }, undefined, 'bad-url'],
  [{ 'WARC-Target-URI': 'http://a.example/robots.txt' }, undefined, 'robots'],
  [{ 'WARC-Date': 'yesterday' }, undefined, 'bad-date'],
  [{ 'WARC-Date': '2099-01-01T00:00:00Z' }, undefined, 'bad-date'],
  [{ 'WARC-Date': '1900-01-01T00:00:00Z' }, undefined, 'bad-date'],
  [{ 'WARC-Segment-Number': '1' }, undefined, 'segmented'],
  [{}, 'not HTTP at all', 'bad-http'],
]
for (const [changes, block, reason] of skips) {
  test(`a record with ${JSON.stringify(changes).slice(0, 60)} is left out as ${reason}`, () => {
    assert.deepEqual(read(changes, block), { kind: 'skipped', reason })
  })
}

test('whatever a record says, it is an answer, a revisit or a reason', () => {
  const bytes = encodeRecord(recordOf())
  const changes = fc.array(fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 })), { maxLength: 20 })
  fc.assert(
    fc.property(changes, (list) => {
      const changed = Uint8Array.from(bytes)
      for (const [at, byte] of list) changed[at] = byte
      const item = readRecordAt(changed)
      if (item.kind === 'record')
        assert.ok(['answer', 'revisit', 'skipped'].includes(archivedOf(item.record, NOW, defaultUrlRules).kind))
    }),
    { numRuns: 1_000 },
  )
})
