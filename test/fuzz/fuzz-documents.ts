/** Fuzz targets: documents that sites publish and send: lists, archives, batches, differences, packages. */
import assert from 'node:assert/strict'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import {
  ZipWriter,
  changeLine,
  changesEndLine,
  checkDigest,
  createRobotsRdfReader,
  createSyncReader,
  createWarcReader,
  decodeVcdiff,
  decodeWithDictionary,
  encodeVcdiff,
  encodeWithDictionary,
  gzipRecord,
  parseMetadataArchiveName,
  parseCdxjLine,
  parsePublishForm,
  readAccessLogLine,
  readApiCatalog,
  readMetadataArchive,
  readArchiveList,
  readBatch,
  readBatchAnswer,
  readChangeParameters,
  readChangeQuery,
  readChanges,
  readGatewayBatch,
  readRecordAt,
  readRobotsRdf,
  readSitemap,
  readSync,
  readWarc,
  readZipDirectory,
  readZipEntry,
  responseHead,
  responseRecord,
  VarintReader,
  warcField,
  warcTarget,
  writeMetadataArchive,
  writeBatch,
  writeChangeQuery,
  writeGatewayBatch,
  writeRobotsRdf,
} from '@comity/protocol'
import { writeAccessLogLine } from '@comity/protocol/testing'
import type { GatewayBatch } from '@comity/protocol'
import { parseArchiveLine } from '../../packages/protocol/src/metadata-archive/archive-line.ts'
import { readMember, readTornMember } from '../../packages/protocol/src/archive/gzip-members.ts'
import { inflateStream } from '../../packages/protocol/src/coding/inflate-stream.ts'
import { parsedJson, textField, textsField, wholeField } from '../../packages/protocol/src/http/json-field.ts'
import { readRobotsText } from '../../packages/protocol/src/robots/robots-lines.ts'
import { inPieces, unlessRefused } from './fuzz-target.ts'
import { readDocument } from '../../packages/ingest/src/documents/read-document.ts'
import type { FuzzTarget } from './fuzz-target.ts'

const SITE = 'http://a.example'
const AT = Date.UTC(2026, 0, 2)
const DIGEST = `sha-256:${'0'.repeat(64)}`
const MOST = 100_000

const changeList = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/" xmlns:c="https://comity.example/ns">
<rs:ln rel="up" href="${SITE}/capabilitylist.xml"/><rs:md capability="changelist" from="2026-01-01T00:00:00Z" until="2026-01-02T00:00:00Z"/>
<url><loc>${SITE}/1</loc><lastmod>2026-01-02T03:04:05Z</lastmod><rs:md change="updated" datetime="2026-01-02T03:04:05Z" hash="md5:00 ${DIGEST}" length="5" type="text/html" path="/p/1"/><rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="/d" hash="${DIGEST}"/></url></urlset>`
const page = { url: `${SITE}/1`, modifiedAt: AT, bytes: 5, type: 'text/html', digest: DIGEST, importance: 0.5 }
const head = responseHead({ status: 200, statusText: 'OK', headers: [['Content-Type', 'text/html']] })
const record = responseRecord({ url: `${SITE}/1`, at: AT, httpHead: head, body: Buffer.from('<p>one</p>') })

const sampleBatch: GatewayBatch = {
  run: 'r'.repeat(16),
  number: 1,
  from: AT,
  to: AT + 1_000,
  postings: new Uint8Array(0),
  pages: new Uint8Array(0),
  hits: [{ url: `${SITE}/1`, readers: 1, robots: 2 }],
  seen: [],
  gone: [],
  figures: { pages: 1, htmlBytes: 5, skipped: { robots: 1 } },
}

/** Read twice, whole and in pieces: the same. */
function checkSync(bytes: Buffer): void {
  const url = `${SITE}/changelist.xml`
  const { entries, summary } = readSync(bytes, url, { maxEntries: 50 })
  assert.ok(entries.length <= 50)
  const again: unknown[] = []
  const reader = createSyncReader({ url, limits: { maxEntries: 50 }, onEntry: (entry) => void again.push(entry) })
  for (let at = 0; at < bytes.length; at += 11) reader.write(bytes.subarray(at, at + 11))
  assert.deepEqual([again, reader.end().capability], [entries, summary.capability], 'chunks do not matter')
  assert.ok(readSitemap(bytes, url, { maxEntries: 50 }).entries.length <= 50)
  readApiCatalog(bytes.toString(), SITE)
  for (const how of ['sync', 'robots-rdf', 'changes'] as const) readDocument({ reader: how }, bytes, url)
}

export const syncTarget: FuzzTarget = {
  name: 'sync',
  samples: [
    changeList,
    gzipSync(changeList),
    JSON.stringify({ linkset: [{ anchor: `${SITE}/`, 'service-doc': [{ href: '/doc' }], item: [{ href: '/x' }] }] }),
  ],
  words: [
    '<rs:md ',
    '<rs:ln ',
    'capability="',
    'change="deleted"',
    'hash="sha-256:',
    'length="',
    'path="/',
    '<urlset',
    '</url>',
    '<loc>',
    'xmlns:',
    '"href":',
    '"linkset":[',
  ],
  check: checkSync,
}

function checkMetadata(bytes: Buffer): void {
  const text = bytes.toString()
  const { entries } = readMetadataArchive(bytes, { site: SITE, limits: { maxEntries: 50, maxBytes: MOST } })
  assert.ok(entries.length <= 50)
  for (const { url } of entries) assert.equal(new URL(url).origin, SITE, 'an archive tells of its own site')
  for (const line of text.split('\n', 20)) parseArchiveLine(line, SITE, 'text/html')
  const name = parseMetadataArchiveName(text)
  if (name !== undefined) assert.ok(text.length < 1_000)
  readArchiveList(text, `${SITE}/robots.txt`)
  readRobotsText(bytes, MOST)
  const rdf = readRobotsRdf(bytes, `${SITE}/robots.rdf`)
  const pieces = createRobotsRdfReader(`${SITE}/robots.rdf`)
  for (let at = 0; at < bytes.length; at += 13) pieces.write(bytes.subarray(at, at + 13))
  assert.deepEqual(pieces.end(), rdf, 'chunks do not matter')
}

export const metadataTarget: FuzzTarget = {
  name: 'metadata',
  samples: [
    writeMetadataArchive([page], { site: SITE, group: 'text', withDigest: true }),
    'changes-text-000001-000002-20260101T000000Z.gz',
    'User-agent: *\nMetadata: /archives/changes-text-000001-000002-20260101T000000Z.gz\nSitemap: /s.xml\n',
    writeRobotsRdf([page], { base: SITE })[0]!.text,
  ],
  words: [
    '\t',
    '/1\t',
    'Metadata: ',
    '-000001-',
    '.gz',
    'text/html',
    'sha-256:',
    '<rdf:',
    '</rdf:RDF>',
    '<item>',
    'rdf:resource="',
  ],
  check: checkMetadata,
}

function checkLines(bytes: Buffer): void {
  const text = bytes.toString()
  const batch = readBatch(bytes, { maxLines: 50, maxLineBytes: 500 })
  assert.ok(batch.lines.length <= 50)
  const query = readChangeQuery(text)
  if ('query' in query)
    assert.equal(JSON.stringify(readChangeQuery(writeChangeQuery(query.query))), JSON.stringify(query), 'it stays one')
  readChangeParameters(new URLSearchParams(text))
  assert.ok(readChanges(text, 50).entries.length <= 50)
  for (const line of text.split('\n', 20)) {
    parseCdxjLine(line)
    const read = readAccessLogLine(line)
    if (read.kind === 'request') {
      const again = readAccessLogLine(writeAccessLogLine(read.request))
      assert.equal(again.kind, 'request', 'what was read of a log can be written as one')
    }
  }
  const json = parsedJson(text)
  for (const name of ['since', 'constructor', '__proto__', 'toString']) {
    assert.ok((textField(json, name) ?? '').length <= 4_096)
    assert.ok((wholeField(json, name) ?? 0) >= 0)
    assert.ok((textsField(json, name, 10) ?? []).length <= 10)
  }
  parsePublishForm(text)
}

export const linesTarget: FuzzTarget = {
  name: 'lines',
  samples: [
    writeBatch([{ url: '/1', etag: '"a"', digest: DIGEST, delta: true }, { url: '/2' }]),
    writeChangeQuery({ since: 'f.1', types: ['text/html'], minBytes: 1, minImportance: 0.5, fields: 'meta', limit: 9 }),
    'since=f.1&types=text/html,image/*&minBytes=5&fields=meta&limit=3',
    changeLine({ ...page, change: 'updated', changedAt: AT }) + changesEndLine({ token: 'f.2', more: false }),
    'example,a)/1 20260102030405 {"url":"http://a.example/1","mime":"text/html","status":"200","digest":"sha1:AAAA","filename":"a.warc.gz","offset":"0","length":"9"}',
    'example,a)/1 20260102 {"offset":0,"length":9,"digest":"sha256:00","filename":"a.cdx.gz"}',
    '203.0.113.9 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.html?x=\\x22 HTTP/1.0" 200 2326 "http://r.example/" "Bot/1.0"',
    'hub.mode=publish&hub.topic=http%3A%2F%2Fa.example%2F1&hub.url=x',
  ],
  words: [
    '{"url":',
    '"since":',
    '"types":[',
    '"etag":',
    '\\x',
    '\\"',
    '" 200 ',
    '[10/Oct/2000:13:55:36 -0700]',
    ' {"',
    '"status":"',
    'hub.url=',
    '&types=',
  ],
  check: checkLines,
}

const dictionaryBytes = Buffer.from(changeList)
const delta = encodeVcdiff(Buffer.from(changeList), Buffer.from(changeList.replace('/1', '/2').repeat(2)))

function checkDifferences(bytes: Buffer): void {
  const difference = decodeVcdiff(dictionaryBytes, bytes, { maxBytes: MOST })
  if (difference.kind === 'ok') assert.ok(difference.body.length <= MOST)
  for (const coding of ['dcb', 'dcz'] as const) {
    const decoded = decodeWithDictionary(coding, bytes, dictionaryBytes, { maxBytes: MOST })
    if ('body' in decoded) assert.ok(decoded.body.length <= MOST)
  }
}

export const differencesTarget: FuzzTarget = {
  name: 'differences',
  samples: [
    delta,
    encodeVcdiff(new Uint8Array(0), Buffer.from('abcabcabcabc')),
    encodeWithDictionary('dcb', dictionaryBytes, dictionaryBytes)!,
    encodeWithDictionary('dcz', dictionaryBytes, dictionaryBytes)!,
  ],
  words: ['\u00d6\u00c3\u00c4\0', '\0\0', '\x01', '\x7f', '\xff\xff\xff\xff\x0f'],
  check: checkDifferences,
}

const isRecord = (kind: string): boolean => kind === 'record'

async function checkArchives(bytes: Buffer): Promise<void> {
  const limits = { verify: true }
  const whole = [...readWarc(bytes, 0, limits)].map(({ kind }) => kind)
  const pieces: string[] = []
  for await (const item of createWarcReader(inPieces(bytes, 1_000), limits)) {
    pieces.push(item.kind)
    if (item.kind !== 'record') continue
    warcTarget(item.record)
    checkDigest(warcField(item.record, 'WARC-Payload-Digest') ?? '', item.record.block)
  }
  // What is damaged may be told of once or twice, as it comes.
  assert.deepEqual(pieces.filter(isRecord), whole.filter(isRecord), 'a file is the same in pieces')
  readRecordAt(bytes, limits)
  const answer = readBatchAnswer(bytes, 50)
  assert.ok(answer.pages.length <= 50)
  const member = readMember(bytes, 0, MOST)
  if (member.kind === 'member') assert.ok(member.data.length <= MOST)
  assert.ok(readTornMember(bytes, 0, MOST).length <= MOST)
}

export const archivesTarget: FuzzTarget = {
  name: 'archives',
  samples: [
    Buffer.concat([gzipRecord(record), gzipRecord(record)]),
    gzipSync(Buffer.concat([record.block, record.block])),
    gzipRecord({ ...record, fields: [...record.fields, ['WARC-Payload-Digest', 'sha1:AAAA']] }),
  ],
  words: [
    'WARC/1.1\r\n',
    'WARC-Type: response\r\n',
    'WARC-Payload-Digest: ',
    'Content-Length: ',
    '\r\n\r\n',
    '\x1f\x8b\x08\0\0\0\0\0\0\0',
  ],
  check: checkArchives,
}

async function checkPackages(bytes: Buffer): Promise<void> {
  const source = {
    size: bytes.length,
    read: async (offset: number, length: number) => await Promise.resolve(bytes.subarray(offset, offset + length)),
  }
  const directory = await readZipDirectory(source, { maxEntries: 20, maxDirectoryBytes: MOST })
  if (directory.kind === 'ok') {
    assert.ok(directory.entries.length <= 20)
    for (const entry of directory.entries) {
      let unpacked = 0
      for await (const piece of readZipEntry(source, entry)) {
        unpacked += piece.length
        if (unpacked > MOST) break
      }
    }
  }
  let given = false
  const inflated = inflateStream(async () => {
    const first = given ? undefined : bytes
    given = true
    return await Promise.resolve(first)
  })
  let unpacked = 0
  for await (const piece of inflated) {
    unpacked += piece.length
    if (unpacked > MOST) break
  }
}

function sampleZip(): Uint8Array {
  const zip = new ZipWriter(new Date(AT))
  const parts = [['manifest.xml', changeList] as const, ['p/1', '<p>one</p>'] as const].flatMap(([name, text]) => {
    const [begin, body] = [zip.begin(name, text.length), Buffer.from(text)]
    zip.add(body)
    return [begin, body, zip.end()]
  })
  return Buffer.concat([...parts, zip.finish()])
}

/** One packed entry, with its sums before it. */
function packedZip(): Uint8Array {
  const [zip, packed] = [new ZipWriter(new Date(AT)), deflateRawSync(changeList)]
  const sizes = { crc32: crc32(changeList), bytes: Buffer.byteLength(changeList), packedBytes: packed.length }
  return Buffer.concat([zip.place({ name: 'p/1', method: 'deflate', ...sizes }), packed, zip.finish()])
}

export const packagesTarget: FuzzTarget = {
  name: 'packages',
  samples: [sampleZip(), packedZip(), deflateRawSync(changeList), deflateRawSync(Buffer.alloc(1 << 20))],
  words: ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', 'PK\x06\x06', 'PK\x06\x07', 'PK\x07\x08', '\x01\0', '../p'],
  check: checkPackages,
}

function checkBatches(bytes: Buffer): void {
  const limits = { maxBytes: MOST, maxUnpackedBytes: MOST, maxRows: 50 }
  const batch = readGatewayBatch(bytes, limits)
  if (batch.kind === 'batch') {
    assert.ok(batch.batch.hits.length <= 50)
    assert.deepEqual(readGatewayBatch(writeGatewayBatch(batch.batch)), batch, 'what is read can be written')
  }
  const reader = new VarintReader(bytes)
  while (reader.left > 0) {
    if (unlessRefused(RangeError, () => reader.number()) === undefined) break
    unlessRefused(RangeError, () => reader.bytes(1_000))
  }
}

export const batchesTarget: FuzzTarget = {
  name: 'batches',
  samples: [writeGatewayBatch(sampleBatch), writeGatewayBatch({ ...sampleBatch, hits: [], seen: [], gone: [] })],
  words: ['\x28\xb5\x2f\xfd', '\xff\xff\xff\xff\xff\xff\xff\x0f', '\x80', '\x7f', 'http://a.example/'],
  check: checkBatches,
}
