import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { SYNC_PATCH_REL } from './resourcesync.ts'
import type { SyncCapability, SyncEntry, SyncFacts, SyncLink } from './resourcesync.ts'
import { known } from './resourcesync-marks.ts'
import { readSync } from './resourcesync-reader.ts'
import { writeSyncDocument, writeSyncFiles, type SyncHead } from './resourcesync-writer.ts'
import { readSitemap } from './sitemap.ts'
import type { SitemapFile } from './sitemap-files.ts'

const url = 'https://a.example/sync/list.xml'
const place = { url, partUrl: (number: number) => `https://a.example/sync/list-${number}.xml` }
const text = ({ chunks }: SitemapFile): string => chunks.join('')
const day = (date: number): number => Date.UTC(2026, 0, date)
const up: SyncLink = { rel: 'up', href: 'https://a.example/sync/caps.xml' }

/** Namespaces and all: a parser that takes no nonsense. */
function checkXml(xml: string): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => assert.fail(error))
  parser.write(xml).close()
}

// oxfmt-ignore
const documents: [head: SyncHead, entries: SyncFacts[], xml: string][] = [
  [
    { capability: 'description', links: [{ rel: 'describedby', href: 'https://a.example/about' }] },
    [{ url: up.href, capability: 'capabilitylist' }],
    '<rs:ln rel="describedby" href="https://a.example/about"/><rs:md capability="description"/>\n<url><loc>https://a.example/sync/caps.xml</loc><rs:md capability="capabilitylist"/></url>\n',
  ],
  [
    { capability: 'capabilitylist' },
    [{ url, capability: 'resourcelist' }, { url: 'https://a.example/batch', extension: { capability: 'batch' } }],
    '<rs:md capability="capabilitylist"/>\n<url><loc>https://a.example/sync/list.xml</loc><rs:md capability="resourcelist"/></url>\n<url><loc>https://a.example/batch</loc><rs:md comity:capability="batch"/></url>\n',
  ],
  [
    { capability: 'resourcelist', at: day(3), completedAt: day(4), links: [up] },
    [{ url: 'https://a.example/?a=1&b=ü', modifiedAt: day(2), bytes: 7, type: 'text/html', digest: `sha-256:${'a'.repeat(64)}` }],
    `<rs:ln rel="up" href="https://a.example/sync/caps.xml"/><rs:md capability="resourcelist" at="2026-01-03T00:00:00Z" completed="2026-01-04T00:00:00Z"/>\n<url><loc>https://a.example/?a=1&amp;b=%C3%BC</loc><lastmod>2026-01-02T00:00:00Z</lastmod><rs:md hash="sha-256:${'a'.repeat(64)}" length="7" type="text/html"/></url>\n`,
  ],
  [
    { capability: 'changelist', from: day(1) },
    [{ url: 'https://a.example/', change: 'updated', changedAt: day(2), links: [{ rel: SYNC_PATCH_REL, href: 'https://a.example/d', bytes: 9, type: 'application/vcdiff' }] }],
    `<rs:md capability="changelist" from="2026-01-01T00:00:00Z"/>\n<url><loc>https://a.example/</loc><rs:md change="updated" datetime="2026-01-02T00:00:00Z"/><rs:ln rel="${SYNC_PATCH_REL}" href="https://a.example/d" length="9" type="application/vcdiff"/></url>\n`,
  ],
  [
    { capability: 'resourcedump-manifest', at: day(3) },
    [{ url: 'https://a.example/', path: '/pages/1 "x"' }],
    '<rs:md capability="resourcedump-manifest" at="2026-01-03T00:00:00Z"/>\n<url><loc>https://a.example/</loc><rs:md path="/pages/1 &quot;x&quot;"/></url>\n',
  ],
  [
    { capability: 'changedump', from: day(1), until: day(3) },
    [{ url: 'https://a.example/1.zip', type: 'application/zip', bytes: 5, from: day(1), until: day(2), links: [{ rel: 'contents', href: 'https://a.example/1.xml' }] }],
    '<rs:md capability="changedump" from="2026-01-01T00:00:00Z" until="2026-01-03T00:00:00Z"/>\n<url><loc>https://a.example/1.zip</loc><rs:md length="5" type="application/zip" from="2026-01-01T00:00:00Z" until="2026-01-02T00:00:00Z"/><rs:ln rel="contents" href="https://a.example/1.xml"/></url>\n',
  ],
]
for (const [head, entries, xml] of documents) {
  test(`a ${head.capability} is written as the standard shows it`, () => {
    const written = writeSyncDocument(head, entries)
    assert.ok(written.endsWith(`>\n${xml}</urlset>\n`), written)
    checkXml(written)
  })
}

test('an index whose boundaries the caller keeps', () => {
  const parts = [
    { url: 'https://a.example/1.xml', from: day(1), until: day(2) },
    { url: 'https://a.example/2.xml', from: day(2) },
  ]
  const written = writeSyncDocument({ capability: 'changelist', from: day(1) }, parts, { isIndex: true })
  const { entries, summary } = readSync(Buffer.from(written), url)
  assert.deepEqual(
    entries,
    parts.map((part) => Object.assign(part, { kind: 'document', capability: 'changelist' })),
  )
  assert.deepEqual([summary.format, summary.from, summary.until], ['sitemapindex', day(1), undefined])
})

test('a list that does not fit one file becomes parts that name their index, and an index', () => {
  const pages = Array.from({ length: 5 }, (_, i) => ({ url: `https://a.example/${i}`, modifiedAt: day(1) }))
  const files = [...writeSyncFiles({ capability: 'resourcelist', at: day(3), links: [up] }, pages, place, limits(2))]
  assert.deepEqual(
    files.map((file) => [file.url, file.number, file.entries]),
    [
      [place.partUrl(1), 1, 2],
      [place.partUrl(2), 2, 2],
      [place.partUrl(3), 3, 1],
      [url, 0, 3],
    ],
  )
  const read = files.map((file) => readSync(Buffer.from(text(file)), file.url))
  assert.deepEqual(
    read.slice(0, 3).flatMap(({ entries }) => entries),
    pages.map((page) => Object.assign(page, { kind: 'page' })),
  )
  for (const { summary } of read.slice(0, 3)) assert.deepEqual(summary.links, [up, { rel: 'index', href: url }])
  assert.deepEqual(read[3]?.summary.links, [up])
  assert.deepEqual(read[3]?.entries[0], {
    kind: 'document',
    capability: 'resourcelist',
    url: place.partUrl(1),
    at: day(3),
  })
})

test('each part of a change list ends where the next begins, and only the last is open', () => {
  const changes = [2, 3, 4, 4, 5].map((date) => ({
    url: `https://a.example/${date}`,
    change: 'updated' as const,
    changedAt: day(date),
  }))
  const spans = (head: SyncHead): unknown[] => {
    const files = [...writeSyncFiles(head, changes, place, limits(2))]
    const parts = files.map((file) => readSync(Buffer.from(text(file)), file.url))
    const listed = parts[3]?.entries.map((entry) => ('from' in entry ? [entry.from, entry.until] : []))
    assert.deepEqual(
      listed,
      parts.slice(0, 3).map(({ summary }) => [summary.from, summary.until]),
    )
    return listed ?? []
  }
  const closed = [
    [day(1), day(4)],
    [day(4), day(5)],
  ]
  assert.deepEqual(spans({ capability: 'changelist', from: day(1) }), [...closed, [day(5), undefined]])
  assert.deepEqual(spans({ capability: 'changelist', from: day(1), until: day(9) }), [...closed, [day(5), day(9)]])
})

test('a document that may not be split and is too large is an error that says so', () => {
  const pages = Array.from({ length: 5 }, (_, i) => ({ url: `https://a.example/${i}` }))
  const head: SyncHead = { capability: 'resourcedump-manifest' }
  assert.throws(() => writeSyncDocument(head, pages, {}, limits(4)), /RangeError: 5 entries are more/)
  assert.throws(() => writeSyncDocument(head, pages, {}, { maxBytes: 300, maxEntries: 9 }), /RangeError: a sitemap of/)
  assert.throws(
    () => writeSyncDocument(head, [{ ...pages[0]!, extension: { 'a b': 'x' } }]),
    /no name for an attribute/,
  )
})

const limits = (maxEntries: number): { maxBytes: number; maxEntries: number } => ({ maxBytes: 100_000, maxEntries })

const instant = fc.integer({ min: Date.UTC(1_000, 0), max: Date.UTC(9_999, 0) })
const webUrl = fc.webUrl({ withQueryParameters: true, withFragments: true }).map((raw) => new URL(raw).href)
const hex = fc.stringMatching(/^[0-9a-f]{64}$/).map((digits) => `sha-256:${digits}`)
const type = fc.stringMatching(/^[a-z]{1,9}\/[a-z0-9.+-]{1,9}$/)
const path = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .filter((name) => !name.includes('\\') && !`/${name}`.split('/').includes('..'))
  .map((name) => `/${name}`)
const facts = { type, bytes: fc.maxSafeNat().filter((bytes) => bytes < 1e15), digest: hex, modifiedAt: instant }
const link = record(
  {
    rel: fc.constantFrom('via', 'alternate', SYNC_PATCH_REL),
    href: webUrl,
    ...facts,
    priority: fc.integer({ min: 1, max: 999_999 }),
  },
  ['rel', 'href'],
)
const links = fc.array(link, { minLength: 1, maxLength: 3 })
const extension = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ unit: 'grapheme' }), {
  minKeys: 1,
  maxKeys: 3,
  noNullPrototype: true,
})
const span = { at: instant, completedAt: instant, from: instant, until: instant }
const base = { url: webUrl, ...facts, links, extension }

const arbitraries: [capability: SyncCapability, entry: fc.Arbitrary<SyncEntry>][] = [
  ['resourcelist', record({ kind: fc.constant('page'), ...base }, ['kind', 'url'])],
  ['resourcedump-manifest', record({ kind: fc.constant('page'), ...base, path }, ['kind', 'url'])],
  ['changelist', changesWith({})],
  ['changedump-manifest', changesWith({ path })],
  ['resourcedump', record({ kind: fc.constant('package'), ...base, ...span }, ['kind', 'url'])],
  ['changedump', record({ kind: fc.constant('package'), ...base, ...span }, ['kind', 'url'])],
  ['description', references('capabilitylist')],
  ['capabilitylist', fc.constantFrom<SyncCapability[]>('resourcelist', 'changelist', 'changedump').chain(references)],
  ['changelist-archive', references('changelist')],
]
for (const [capability, entry] of arbitraries) {
  test(`a ${capability} that was written is read as it was, in parts or in one`, () => {
    const head = record<SyncHead>({ capability: fc.constant(capability), ...span, links }, ['capability'])
    const property = fc.property(
      head,
      fc.array(entry, { maxLength: 12 }),
      fc.integer({ min: 1, max: 8 }),
      (said, entries, size) => {
        const whole = writeSyncDocument(said, entries)
        checkXml(whole)
        const read = readSync(Buffer.from(whole), url)
        assert.deepEqual(read.entries, entries)
        const { format: _, entries: count, dropped, problems, ...summary } = read.summary
        assert.deepEqual([summary, count, dropped], [{ ...said, links: said.links ?? [] }, entries.length, 0])
        assert.deepEqual({ ...problems, 'not-chronological': 0 }, { 'not-chronological': 0 })
        // Who knows sitemaps only gets the same URLs.
        assert.deepEqual(
          readSitemap(Buffer.from(whole), url).entries.map(({ loc }) => loc),
          entries.map((one) => one.url),
        )

        const files = [...writeSyncFiles(said, entries, place, limits(size))]
        const parts = files.length === 1 ? files : files.slice(0, -1)
        assert.deepEqual(
          parts.flatMap((file) => readSync(Buffer.from(text(file)), file.url).entries),
          entries,
        )
        for (const file of files) {
          assert.equal(file.bytes, Buffer.byteLength(text(file)))
          assert.ok(file.entries <= size || file.number === 0)
        }
      },
    )
    fc.assert(property, { numRuns: 50 })
  })
}

/** A change with a time of its own, or none at all: with `lastmod` only, that would be taken for it. */
function changesWith(more: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<SyncEntry> {
  const change = { kind: fc.constant('change'), change: fc.constantFrom('created', 'updated', 'deleted') }
  const { modifiedAt: _, ...timeless } = base
  const timed = { ...change, ...base, changedAt: instant, ...more }
  return fc.oneof(
    record<SyncEntry>(timed, ['kind', 'change', 'url', 'changedAt']),
    record<SyncEntry>({ ...change, ...timeless, ...more }, ['kind', 'change', 'url']),
  )
}

function references(capability: SyncCapability): fc.Arbitrary<SyncEntry> {
  const kind = { kind: fc.constant('document'), capability: fc.constant(capability) }
  return record({ ...kind, ...base, ...span }, ['kind', 'capability', 'url'])
}

/** Any of the keys may be missing, but for those required. */
function record<Value>(model: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[]): fc.Arbitrary<Value> {
  return fc.record(model, { requiredKeys, noNullPrototype: true }).map((value) => known(value) as Value)
}
