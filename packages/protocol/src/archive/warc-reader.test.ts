import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { processorMs } from '../testing/processor-time.ts'
import { WARCParser } from 'warcio'
import { missing, sharedData } from '../testing/shared-data.ts'
import { createWarcReader, readRecordAt, readWarc, type WarcReadOptions } from './warc-reader.ts'
import type { WarcItem, WarcProblem } from './warc-parser.ts'
import { warcField, type WarcRecord } from './warc-record.ts'
import { encodeRecord, gzipRecord } from './warc-writer.ts'

const IIPC = 'iipc/specifications/warc-deduplication/samples'
const JWAT = 'jwat/jwat-warc/src/test/resources'
const JWAT_ARC = 'jwat/jwat-arc/src/test/resources'
const UKWA = 'ukwa-test-suite'
const arc: Counts = { 'arc-not-supported': 1 }

type Counts = { readonly [name in WarcProblem]?: number }

/** Last column: warcio reads ARC, counts a broken record, or joins records that stand across members or fields. */
// oxfmt-ignore
const files: [file: string, records: number, problems?: Counts, warcioDiffers?: true][] = [
  ['iipc/primers/web-archive-formats/hello-world.warc', 6],
  ['iipc/primers/web-archive-formats/hello-world.warc.gz', 6],
  [`${IIPC}/20130729-heritrix-original.warc.gz`, 1],
  [`${IIPC}/20130729-heritrix-revisit-with-http-headers.warc.gz`, 1],
  [`${IIPC}/20141124-heritrix-server-not-modified.warc.gz`, 1, { 'missing-crlf': 1 }],
  [`${IIPC}/20141129-heritrix-original.warc.gz`, 1],
  [`${IIPC}/20141129-heritrix-revisit-with-http-headers-and-new-warc-headers.warc.gz`, 1],
  ['jwarc/test-resources/org/netpreserve/jwarc/cc.warc.gz', 1],
  ['jwarc/test-resources/org/netpreserve/jwarc/gzip_extra_sl.warc.gz', 1],
  [`${JWAT_ARC}/1-1-20110922131213-00000-svc-VirtualBox.arc`, 0, arc, true],
  [`${JWAT_ARC}/IAH-20080430204825-00000-blackbook.arc.gz`, 0, arc, true],
  [`${JWAT_ARC}/invalid-arcfile-record-then-garbage.arc`, 0, { 'bad-version': 1 }, true],
  [`${JWAT_ARC}/small_BNF.arc`, 0, arc, true],
  [`${JWAT_ARC}/test-arc-1.0-dashed-fields.arc`, 0, arc, true],
  [`${JWAT_ARC}/test-arc-1.0-invalid-fields.arc`, 0, arc, true],
  [`${JWAT}/IAH-20080430204825-00000-blackbook.warc.gz`, 822],
  [`${JWAT}/invalid-warcfile-contenttype-recommended.warc`, 7, { 'bad-digest': 2 }],
  [`${JWAT}/invalid-warcfile-contenttype-warcinfo-recommended.warc`, 1],
  [`${JWAT}/invalid-warcfile-digest-fields.warc`, 4, { 'bad-digest': 1 }],
  [`${JWAT}/invalid-warcfile-duplicate-fields.warc`, 1, {}, true],
  [`${JWAT}/invalid-warcfile-encoding-headers.warc.gz`, 4],
  [`${JWAT}/invalid-warcfile-fields-empty.warc`, 0, { 'bad-length': 1 }, true],
  [`${JWAT}/invalid-warcfile-fields-invalidformat.warc`, 0, { 'bad-length': 1 }, true],
  [`${JWAT}/invalid-warcfile-fields-missing.warc`, 0, { 'bad-length': 1 }, true],
  [`${JWAT}/invalid-warcfile-lonely-continuation.warc`, 0, { 'bad-length': 1 }, true],
  [`${JWAT}/invalid-warcfile-lonely-monkeys.warc`, 0, { 'bad-length': 1 }, true],
  [`${JWAT}/invalid-warcfile-lonely-request-response-resource-conversion.warc`, 0, { 'bad-length': 4 }, true],
  [`${JWAT}/invalid-warcfile-lonely-revisit.warc`, 0, { 'bad-length': 1 }, true],
  [`${JWAT}/invalid-warcfile-lonely-warcinfo-metadata.warc`, 0, { 'bad-length': 2 }, true],
  [`${JWAT}/invalid-warcfile-record-then-garbage.warc`, 1, { 'bad-version': 1 }, true],
  [`${JWAT}/invalid-warcfile-segment-number-continuation.warc`, 2],
  [`${JWAT}/invalid-warcfile-segment-number-response.warc`, 2],
  [`${JWAT}/valid-warcfile-contenttype-continuation.warc`, 1],
  [`${JWAT}/valid-warcfile-duplicate-concurrentto.warc`, 1],
  [`${JWAT}/valid-warcfile-fields-continuation.warc`, 1, {}, true],
  [`${JWAT}/valid-warcfile-fields-metainfo.warc`, 1, {}, true],
  [`${JWAT}/valid-warcfile-fields-warcinfo.warc`, 1, {}, true],
  [`${JWAT}/valid-warcfile-non-warc-headers.warc`, 1],
  [`${JWAT}/valid-warcfile-upper-lower-case.warc`, 5],
  [`${JWAT}/valid-warcfile-utf8.warc`, 1, {}, true],
  ['pywb/warcs/bad.arc', 0, arc, true],
  ['pywb/warcs/dupes.warc.gz', 25],
  ['pywb/warcs/example-bad.warc.gz.bad', 6],
  ['pywb/warcs/example-extra.warc', 6, { 'missing-crlf': 2, 'bad-digest': 1 }],
  ['pywb/warcs/example-url-agnostic-orig.warc.gz', 2, { 'missing-crlf': 1 }],
  ['pywb/warcs/example-url-agnostic-revisit.warc.gz', 2, { 'missing-crlf': 1 }],
  ['pywb/warcs/example-wget-1-14.warc.gz', 6],
  ['pywb/warcs/example-wpull.warc.gz', 4],
  ['pywb/warcs/example.arc', 0, arc, true],
  ['pywb/warcs/example.arc.gz', 0, arc, true],
  ['pywb/warcs/example.warc', 6, { 'missing-crlf': 1 }],
  ['pywb/warcs/example.warc.gz', 6],
  ['pywb/warcs/example2.warc.gz', 3],
  ['pywb/warcs/httpbin-resource.warc.gz', 1],
  ['pywb/warcs/iana.warc.gz', 343],
  ['pywb/warcs/missing-status-text.warc', 1, { 'missing-crlf': 1 }, true],
  ['pywb/warcs/post-test.warc.gz', 6],
  [`${UKWA}/small-arcs-and-warcs/IAH-20080430204825-00000-blackbook-truncated.arc`, 0, arc, true],
  [`${UKWA}/small-arcs-and-warcs/IAH-20080430204825-00000-blackbook-truncated.arc.gz`, 0, arc, true],
  [`${UKWA}/small-arcs-and-warcs/IAH-20080430204825-00000-blackbook-truncated.warc`, 23],
  [`${UKWA}/small-arcs-and-warcs/IAH-20080430204825-00000-blackbook-truncated.warc.gz`, 23],
  [`${UKWA}/small-arcs-and-warcs/IAH-urls-wget.warc.gz`, 36],
  [`${UKWA}/wikipedia-sopa-blackout-2012/wikipedia-blackout/sopa-wikipedia-homepage.warc.gz`, 164],
  [`${UKWA}/wikipedia-sopa-blackout-2012/wikipedia-post-blackout/main-page.warc.gz`, 151],
  [`${UKWA}/wikipedia-sopa-blackout-2012/wikipedia-post-blackout/post-blackout.warc.gz`, 117],
  ['warcio/bad.arc', 0, arc, true],
  ['warcio/example-bad-non-chunked.warc.gz', 6, { 'bad-digest': 1 }],
  ['warcio/example-bad.warc.gz.bad', 6],
  ['warcio/example-digest.warc', 4, { 'bad-digest': 1 }],
  ['warcio/example-iana.org-chunked.warc', 3],
  ['warcio/example-resource.warc.gz', 3],
  ['warcio/example-space-in-target-uri.warc.gz', 2],
  ['warcio/example-space-in-url.arc', 0, arc, true],
  ['warcio/example-trunc.warc', 4, { 'bad-digest': 1, 'missing-crlf': 1 }],
  ['warcio/example-wget-bad-target-uri.warc.gz', 6],
  ['warcio/example-wrong-chunks.warc.gz', 1, { truncated: 1, 'bad-version': 1 }, true],
  ['warcio/example.arc', 0, arc, true],
  ['warcio/example.arc.gz', 0, arc, true],
  ['warcio/example.warc', 6],
  ['warcio/example.warc.gz', 6],
  ['warcio/post-test.warc.gz', 6],
]

for (const [file, records, problems = {}, warcioDiffers] of files) {
  test(`${basename(file)} holds ${records} records and ${JSON.stringify(problems)}`, async (t) => {
    const path = sharedData(`conformance/warc/${file}`)
    if (path === undefined) return missing(t, 'WARC files')
    const bytes = readFileSync(path)
    const items = [...readWarc(bytes, 0, { verify: true })]
    assert.deepEqual(problemCounts(items), problems)
    assert.equal(recordsOf(items).length, records)
    assert.deepEqual((await streamed(bytes, 1_000, { verify: true })).map(outline), items.map(outline))
    if (warcioDiffers !== true) assert.deepEqual(recordsOf(items).map(identity), await warcioRecords(bytes))
  })
}

/** What warcio finds in a file. It prints what it dislikes; that is silenced, the table above says it for us. */
async function warcioRecords(bytes: Uint8Array): Promise<unknown[]> {
  const warn = console.warn
  console.warn = () => {}
  try {
    const found: unknown[] = []
    for await (const theirs of new WARCParser([bytes], { parseHttp: false })) {
      const block = await theirs.readFully(false)
      found.push([theirs.warcHeader('WARC-Record-ID') ?? undefined, block.length])
    }
    return found
  } finally {
    console.warn = warn
  }
}

const identity = (ours: WarcRecord): unknown => [warcField(ours, 'WARC-Record-ID'), ours.block.length]

function record(n: number, size = 100): WarcRecord {
  const fields = [
    ['WARC-Type', 'metadata'],
    ['WARC-Record-ID', `<urn:x:${n}>`],
    ['WARC-Date', '2026-01-01T00:00:00Z'],
  ] as const
  return { version: '1.1', fields, block: Buffer.alloc(size, n) }
}

const three = [record(1), record(2), record(3)]
const plain = Buffer.concat(three.map(encodeRecord))
const zipped = Buffer.concat(three.map((r) => gzipRecord(r)))
const whole = gzipSync(plain)
const middle = gzipRecord(record(1)).length

const damaged: [sentence: string, bytes: Uint8Array, ids: string, problems: Counts][] = [
  ['an empty file holds nothing', new Uint8Array(), '', {}],
  ['blank lines hold nothing', Buffer.from('\r\n\r\n\r\n'), '', {}],
  ['other bytes are named once', Buffer.from('<html>\n'.repeat(1_000)), '', { 'bad-version': 1 }],
  ['a future version is named', replaced(plain, 'WARC/1.1', 'WARC/2.0'), '23', { 'bad-version': 1 }],
  ['a length with letters is named', replaced(plain, 'Length: 100', 'Length: 1o0'), '23', { 'bad-length': 1 }],
  [
    'a length too short loses nothing else',
    replaced(plain, 'Length: 100', 'Length: 090'),
    '123',
    { 'missing-crlf': 1 },
  ],
  ['a length too long loses no other record', replaced(plain, 'Length: 100', 'Length: 150'), '23', { 'bad-length': 1 }],
  ['a missing type is told', replaced(plain, 'WARC-Type', 'X'), '123', { 'missing-field': 1 }],
  [
    'a line without a colon is told',
    replaced(plain, 'WARC-Type: ', 'WARC-Type\r\nX: '),
    '123',
    { 'bad-line': 1, 'missing-field': 1 },
  ],
  ['two lengths are one too many', replaced(plain, 'WARC-Type', 'Content-Length: 5\r\nX'), '23', { 'bad-length': 1 }],
  [
    'a torn head before a whole record',
    Buffer.concat([plain.subarray(0, 40), Buffer.from('\r\n'), plain]),
    '123',
    { 'bad-header': 1 },
  ],
  ['a file cut in a block', plain.subarray(0, -20), '12', { truncated: 1 }],
  ['a file cut in a head', plain.subarray(0, -180), '12', { truncated: 1 }],
  ['a gzip file cut in a member', zipped.subarray(0, -20), '12', { truncated: 1 }],
  ['a member damaged in the middle', flipped(zipped, middle + 40), '13', { 'bad-gzip': 1 }],
  ['a member with a wrong sum', flipped(zipped, 2 * middle - 8), '13', { 'bad-gzip': 1 }],
  ['junk between members', Buffer.concat([zipped, Buffer.alloc(5_000), zipped]), '123123', { 'bad-gzip': 1 }],
  ['a file compressed as a whole', whole, '123', {}],
  ['a file compressed as a whole and cut', whole.subarray(0, -9), '123', { truncated: 1 }],
]
for (const [sentence, bytes, ids, problems] of damaged) {
  test(sentence, async () => {
    const items = [...readWarc(bytes)]
    assert.deepEqual(problemCounts(items), problems)
    assert.equal(
      recordsOf(items)
        .map((r) => warcField(r, 'WARC-Record-ID')?.slice(7, -1))
        .join(''),
      ids,
    )
    for (const size of [1, 7, 1 << 16]) assert.deepEqual((await streamed(bytes, size)).map(outline), items.map(outline))
  })
}

test('a record can be read alone by its place', () => {
  for (const bytes of [plain, zipped]) {
    for (const item of readWarc(bytes)) {
      assert.ok(item.kind === 'record')
      const alone = readRecordAt(bytes.subarray(item.offset, item.offset + item.length))
      assert.ok(alone.kind === 'record')
      assert.deepEqual(alone.record, item.record)
    }
  }
  assert.equal(readRecordAt(new Uint8Array()).kind, 'problem')
})

test('a record within a file compressed as a whole says that it cannot be read alone', () => {
  assert.deepEqual(
    [...readWarc(whole)].map((item) => item.kind === 'record' && item.length),
    [0, 0, 0],
  )
})

test('reading begins where it is told', () => {
  const items = [...readWarc(zipped, middle)]
  assert.deepEqual(
    items.map((item) => item.offset),
    [middle, middle + gzipRecord(record(2)).length],
  )
})

test('a record above the limit is skipped and the next one is read', async () => {
  const bytes = Buffer.concat([record(1), record(2, 5_000), record(3)].map(encodeRecord))
  const options = { limits: { maxRecordBytes: 1_000 } }
  for (const file of [bytes, Buffer.concat([record(1), record(2, 5_000), record(3)].map((r) => gzipRecord(r)))]) {
    const items = await streamed(file, 100, options)
    assert.deepEqual([problemCounts(items), recordsOf(items).length], [{ 'too-large': 1 }, 2])
    assert.deepEqual(problemCounts([...readWarc(file, 0, options)]), { 'too-large': 1 })
  }
})

test('a member too large to hold is streamed: its records come out whole, and what follows it too', async () => {
  const many = Array.from({ length: 500 }, (_, n) => record(n % 250))
  const file = Buffer.concat([gzipSync(Buffer.concat(many.map(encodeRecord))), gzipRecord(record(7))])
  const options = { limits: { maxRecordBytes: 1_000 } }
  const items = await streamed(file, 333, options)
  assert.deepEqual([problemCounts(items), recordsOf(items).length], [{}, 501])
  const cut = await streamed(file.subarray(0, -100), 333, options)
  assert.deepEqual(problemCounts(cut), { truncated: 1 })
  const broken = await streamed(flipped(file, 400), 333, options)
  assert.ok((problemCounts(broken)['bad-gzip'] ?? 0) > 0)
})

test('a bomb of nested members is given up in good time', () => {
  const bait = gzipSync('WARC/1.1\r\n', { level: 0 }).subarray(0, 25)
  const started = processorMs()
  const items = [...readWarc(Buffer.concat(Array.from({ length: 40_000 }, () => bait)))]
  assert.ok(items.length > 0)
  assert.ok(processorMs() - started < 20_000)
})

test('leaving early closes the source', async () => {
  let closed = false
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield zipped
    } finally {
      closed = true
    }
  }
  for await (const item of createWarcReader(source())) if (item.kind === 'record') break
  assert.ok(closed)
})

const fuzz = {
  interruptAfterTimeLimit: Number(process.env['COMITY_FUZZ_MS'] ?? 150),
  markInterruptAsFailure: false,
  numRuns: 1_000_000,
}

test('flipped bits, cuts and joints never throw, and both readers agree', async () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(7)), { maxLength: 4 })
  const property = fc.asyncProperty(
    fc.constantFrom(plain, zipped, whole),
    edits,
    fc.nat(),
    async (file, flips, cut) => {
      let bytes = Buffer.from(file.subarray(0, cut % 3 === 0 ? cut % file.length : file.length))
      for (const [at, bit] of flips) if (bytes.length > 0) bytes = flipped(bytes, at % bytes.length, bit)
      const items = [...readWarc(bytes, 0, { verify: true })]
      assert.ok(items.length < 100)
      assert.deepEqual((await streamed(bytes, 64, { verify: true })).map(outline), items.map(outline))
    },
  )
  await fc.assert(property, fuzz)
})

test('no bytes make it throw', () => {
  const line = fc.constantFrom('WARC/1.0\r\n', 'WARC-Type: x\r\n', 'Content-Length: 3\r\n', '\r\n', ' x\n', 'abc')
  const soup = fc.array(fc.oneof(line, fc.string()), { maxLength: 30 }).map((lines) => Buffer.from(lines.join('')))
  fc.assert(
    fc.property(fc.oneof(soup, fc.uint8Array()), (bytes) => [...readWarc(bytes)].length < 100),
    fuzz,
  )
})

async function streamed(bytes: Uint8Array, size: number, options: WarcReadOptions = {}): Promise<WarcItem[]> {
  async function* source(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return Array.fromAsync(createWarcReader(source(), options))
}

function outline(item: WarcItem): unknown {
  const { kind, offset } = item
  return kind === 'record' ? [offset, item.length, item.record.block.length] : [offset, item.problem]
}

function problemCounts(items: readonly WarcItem[]): Counts {
  const counts: { [name in WarcProblem]?: number } = {}
  for (const item of items) if (item.kind === 'problem') counts[item.problem] = (counts[item.problem] ?? 0) + 1
  return counts
}

const recordsOf = (items: readonly WarcItem[]): WarcRecord[] =>
  items.flatMap((item) => (item.kind === 'record' ? [item.record] : []))

function replaced(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1')
}

function flipped(bytes: Uint8Array, at: number, bit = 3): Buffer<ArrayBuffer> {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ (1 << bit)
  return copy
}
