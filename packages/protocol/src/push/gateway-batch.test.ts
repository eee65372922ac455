import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import type { GatewayBatch } from './gateway-batch.ts'
import { readGatewayBatch, writeGatewayBatch } from './gateway-batch.ts'

const url = fc
  .tuple(
    fc.constantFrom('http://a.example/', 'https://b.example:8080/x/'),
    fc.webPath(),
    fc.string({ unit: 'grapheme' }),
  )
  .map(([site, path, rest]) => `${site}${path.slice(1)}${encodeURI(rest)}`)
const count = fc.nat({ max: 2 ** 40 })
const second = fc.nat({ max: 2_000_000_000 }).map((value) => value * 1_000)
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => `sha-256:${Buffer.from(b).toString('hex')}`)
const batches: fc.Arbitrary<GatewayBatch> = fc
  .record({
    run: fc.stringMatching(/^[\w-]{8,64}$/),
    number: fc.integer({ min: 1, max: 2 ** 40 }),
    from: fc.nat({ max: 2 ** 41 }),
    length: fc.nat(),
    postings: fc.uint8Array(),
    pages: fc.uint8Array(),
    hits: fc.uniqueArray(fc.record({ url, readers: count, robots: count }, { noNullPrototype: true }), {
      selector: (row) => row.url,
    }),
    seen: fc.uniqueArray(fc.record({ url, digest, at: second }, { noNullPrototype: true }), {
      selector: (row) => row.url,
    }),
    gone: fc.uniqueArray(
      fc.record({ url, status: fc.constantFrom(404, 410, 451), at: second }, { noNullPrototype: true }),
      {
        selector: (row) => row.url,
      },
    ),
    figures: fc.record(
      {
        pages: count,
        htmlBytes: count,
        skipped: fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9-]{0,39}$/), count, { noNullPrototype: true }),
      },
      { noNullPrototype: true },
    ),
  })
  .map(({ length, ...batch }) => Object.assign(batch, { to: batch.from + length }))

const sorted = <R extends { readonly url: string }>(rows: readonly R[]): R[] =>
  rows.toSorted((a, b) => (a.url < b.url ? -1 : 1))

test('a batch is read as it was written, its rows in the order of their URLs', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const read = readGatewayBatch(writeGatewayBatch(batch))
      assert.equal(read.kind, 'batch')
      if (read.kind !== 'batch') return
      const { postings, pages, ...rest } = read.batch
      assert.deepEqual(new Uint8Array(postings), batch.postings)
      assert.deepEqual(new Uint8Array(pages), batch.pages)
      const { postings: _, pages: __, ...given } = batch
      assert.deepEqual(rest, {
        ...given,
        hits: sorted(batch.hits),
        seen: sorted(batch.seen),
        gone: sorted(batch.gone),
      })
    }),
  )
})

const EMPTY: GatewayBatch = {
  run: 'run-0001',
  number: 1,
  from: 5_000,
  to: 6_000,
  postings: new Uint8Array(),
  pages: new Uint8Array(),
  hits: [],
  seen: [],
  gone: [],
  figures: { pages: 0, htmlBytes: 0, skipped: {} },
}
const HITS: GatewayBatch = { ...EMPTY, hits: [{ url: 'http://a.example/', readers: 1, robots: 0 }] }

test('the order of rows does not change a byte', () => {
  const rows = ['b', 'a', 'c'].map((name) => ({ url: `http://${name}.example/`, readers: 1, robots: 2 }))
  assert.deepEqual(
    writeGatewayBatch({ ...EMPTY, hits: rows }),
    writeGatewayBatch({ ...EMPTY, hits: rows.toReversed() }),
  )
})

test('a thousand hits take few bytes each', () => {
  const hits = Array.from({ length: 1_000 }, (_, i) => ({
    url: `http://www.site.example/articles/${i}/index.html`,
    readers: 1 + (i % 7),
    robots: i % 2,
  }))
  const { length } = writeGatewayBatch({ ...EMPTY, hits })
  assert.ok(length < 4 * hits.length, `${length} bytes`)
})

const refusals: [
  what: string,
  bytes: Uint8Array,
  problem: RegExp,
  limits?: { maxBytes?: number; maxRows?: number; maxUnpackedBytes?: number },
][] = [
  ['nothing', new Uint8Array(), /no batch/],
  ['another format', Buffer.from('cps\u0001abc'), /no batch/],
  ['a batch of another version', Buffer.from('cgb\u0002abc'), /another version/],
  ['what cannot be unpacked', Buffer.from('cgb\u0001abc'), /cannot be unpacked/],
  ['too many bytes', writeGatewayBatch(EMPTY), /more than 4 bytes/, { maxBytes: 4 }],
  [
    'a bomb',
    Buffer.concat([Buffer.from('cgb\u0001'), zstdCompressSync(new Uint8Array(1 << 20))]),
    /too large/,
    { maxUnpackedBytes: 1_000 },
  ],
  ['too many rows', writeGatewayBatch(HITS), /too many/, { maxRows: 0 }],
  ['a run without a name', writeGatewayBatch({ ...EMPTY, run: 'x/y' }), /no name/],
  ['number nought', writeGatewayBatch({ ...EMPTY, number: 0 }), /cannot be/],
  ['a time that ends before it begins', writeGatewayBatch({ ...EMPTY, to: 1 }), /cannot be/],
  [
    'a URL that is none',
    writeGatewayBatch({ ...EMPTY, hits: [{ url: 'file:///etc/passwd', readers: 1, robots: 0 }] }),
    /is none/,
  ],
  [
    'a reason that is a sentence',
    writeGatewayBatch({ ...EMPTY, figures: { ...EMPTY.figures, skipped: { 'who? me': 1 } } }),
    /reason/,
  ],
]
for (const [what, bytes, problem, limits] of refusals) {
  test(`${what} is refused with its reason`, () => {
    const read = readGatewayBatch(bytes, limits)
    assert.equal(read.kind, 'refused')
    if (read.kind === 'refused') assert.match(read.problem, problem)
  })
}

test('whatever bytes come, reading never throws', () => {
  const whole = Buffer.from(writeGatewayBatch(HITS))
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .uint8Array({ maxLength: 300 })
      .map((payload) => Buffer.concat([Buffer.from('cgb\u0001'), zstdCompressSync(payload)])),
    fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })).map(([at, byte]) => {
      const changed = Buffer.from(whole)
      changed[at] = byte
      return changed
    }),
  )
  fc.assert(
    fc.property(noise, (bytes) => ['batch', 'refused'].includes(readGatewayBatch(bytes).kind)),
    { numRuns: 500 },
  )
})
