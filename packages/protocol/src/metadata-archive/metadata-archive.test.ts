import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { ArchiveEntry } from './archive-line.ts'
import { planMetadataArchives } from './plan.ts'
import { manuals } from '../testing/manuals-fixture.ts'
import { archiveText, readMetadataArchive, writeMetadataArchive } from './metadata-archive.ts'

const site = 'https://a.example/'
const name = { from: 0, to: 999, number: 1, revision: 0, group: 'text/html' }

const entries = fc.uniqueArray(
  fc.record(
    {
      url: fc.webPath().map((path) => new URL(`https://a.example${path}`).href),
      modifiedAt: fc.nat(2e9).map((seconds) => seconds * 1_000),
      bytes: fc.nat(),
      type: fc.constantFrom('text/html', 'image/gif'),
    },
    { requiredKeys: ['url'], noNullPrototype: true },
  ),
  { selector: (entry) => new URL(entry.url).href },
)
const byUrl = (some: readonly ArchiveEntry[]): readonly ArchiveEntry[] =>
  some.toSorted((a, b) => (a.url < b.url ? -1 : 1))

test('what was written is read, packed or unpacked on the way', () => {
  fc.assert(
    fc.property(entries, (pages) => {
      const packed = writeMetadataArchive(pages, { site, group: 'other' })
      for (const bytes of [packed, gunzipSync(packed)]) {
        const reading = readMetadataArchive(bytes, { site })
        assert.deepEqual(reading, { entries: byUrl(pages), complete: true, problems: {} })
      }
    }),
  )
})

test('the same pages in another order are the same file', () => {
  fc.assert(
    fc.property(entries, (pages) => {
      const options = { site, group: 'other' }
      assert.deepEqual(writeMetadataArchive(pages.toReversed(), options), writeMetadataArchive(pages, options))
    }),
  )
})

test('the type that the name tells is left out of the lines, and put in by the reader', () => {
  const pages = [{ url: `${site}x`, type: 'text/html' }]
  assert.equal(archiveText(pages, { site, group: 'text/html' }), '- x -\n')
  assert.deepEqual(
    readMetadataArchive(writeMetadataArchive(pages, { site, group: 'text/html' }), { site, name }).entries,
    pages,
  )
})

test('an archive cut anywhere gives lines that stood in it, and says that it was cut', () => {
  const pages = Array.from({ length: 40 }, (_, i) => ({ url: `${site}p/${i * 7919}`, bytes: 10_000 + i }))
  const packed = writeMetadataArchive(pages, { site, group: 'other' })
  const known = new Set(pages.map((page) => JSON.stringify(page)))
  for (const whole of [packed, gunzipSync(packed)]) {
    for (let length = 1; length < whole.length; length++) {
      const reading = readMetadataArchive(whole.subarray(0, length), { site })
      const atLineEnd = whole !== packed && whole[length - 1] === 0x0a
      assert.equal(reading.complete, atLineEnd, `cut at ${length}`)
      for (const entry of reading.entries) assert.ok(known.has(JSON.stringify(entry)))
    }
  }
})

test('a damaged archive gives nothing rather than something wrong', () => {
  const packed = writeMetadataArchive([{ url: `${site}x`, bytes: 5 }], { site, group: 'other' })
  packed[packed.length - 6]! ^= 1
  assert.deepEqual(readMetadataArchive(packed, { site }), { entries: [], complete: false, problems: { 'bad-gzip': 1 } })
})

const capped: [sentence: string, bytes: Uint8Array, limits: object, problem: string][] = [
  ['a file too large', Buffer.from('- x 5\n'.repeat(9)), { maxBytes: 30 }, 'too-large'],
  ['a bomb', gzipSync(Buffer.alloc(1 << 20, '- x 5\n')), { maxTextBytes: 1_000 }, 'too-large'],
  ['more lines than allowed', Buffer.from('- x 5\n'.repeat(9)), { maxEntries: 3 }, 'too-many'],
]
for (const [sentence, bytes, limits, problem] of capped) {
  test(`${sentence} is read up to the limit`, () => {
    const { complete, problems, entries: some } = readMetadataArchive(bytes, { site, limits })
    assert.ok(!complete && problem in problems, JSON.stringify(problems))
    assert.ok(some.length <= 5)
  })
}

test('bad lines are counted, and the others read', () => {
  const {
    entries: some,
    complete,
    problems,
  } = readMetadataArchive(Buffer.from(`nonsense\n- x 5\r\n\n- ${'y'.repeat(9_000)} 5\n- z 5\n`), { site })
  assert.deepEqual(
    some.map(({ url }) => url),
    [`${site}x`, `${site}z`],
  )
  assert.deepEqual({ complete, problems }, { complete: true, problems: { 'bad-line': 1, 'line-too-long': 1 } })
})

test('no bytes make the reader throw', () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.uint8Array().map((some) => gzipSync(some)),
    fc.uint8Array().map((some) => Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), some])),
    fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  )
  fc.assert(fc.property(bytes, (some) => void readMetadataArchive(some, { site })))
})

/** 000 §3.4: 22 bytes for each page, and 0.16 % of the content. */
test('real manuals take at most 22 bytes a page, and 0.16 % of their content', (t) => {
  const sites = manuals(t)
  if (sites === undefined) return
  const all = { pages: 0, plain: 0, packed: 0, content: 0, largest: 0, archives: 0 }
  const cpu = performance.now()
  for (const [origin, pages] of sites) {
    const sum = { plain: 0, packed: 0 }
    for (const {
      name: { group },
      entries: some,
    } of planMetadataArchives(pages, Date.UTC(2027, 0)).archives) {
      const packed = writeMetadataArchive(some, { site: origin, group }).length
      sum.plain += archiveText(some, { site: origin, group }).length
      sum.packed += packed
      all.largest = Math.max(all.largest, packed)
      all.archives += 1
    }
    const content = pages.reduce((bytes, page) => bytes + (page.bytes ?? 0), 0)
    const share = sum.packed / content
    assert.ok(sum.packed / pages.length <= 22, origin)
    t.diagnostic(
      `${new URL(origin).hostname.padEnd(34)} ${String(pages.length).padStart(6)} pages of ${Math.round(content / pages.length)} bytes: ` +
        `${(sum.plain / pages.length).toFixed(1)} plain, ${(sum.packed / pages.length).toFixed(1)} packed, ${(share * 100).toFixed(3)} %`,
    )
    all.pages += pages.length
    all.plain += sum.plain
    all.packed += sum.packed
    all.content += content
  }
  const ms = (performance.now() - cpu) / all.archives
  t.diagnostic(
    `all ${all.pages} pages: ${(all.plain / all.pages).toFixed(1)} plain, ${(all.packed / all.pages).toFixed(2)} packed, ` +
      `${((100 * all.packed) / all.content).toFixed(3)} % of content; largest of ${all.archives} archives ${all.largest} bytes, ` +
      `${ms.toFixed(1)} ms for each`,
  )
  assert.ok(all.packed / all.content <= 0.0016)
  assert.ok(all.largest <= 42_000)
})
