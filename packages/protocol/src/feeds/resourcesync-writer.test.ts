import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import type { SyncCapability, SyncEntry, SyncFacts, SyncLink } from './resourcesync.ts'
import { known } from './resourcesync-marks.ts'
import { readSync } from './resourcesync-reader.ts'
import { writeSyncDocument, type SyncDocumentHead } from './resourcesync-writer.ts'
import { readSitemap } from './sitemap.ts'

const url = 'https://a.example/sync/list.xml'
const PATCH = 'http://www.openarchives.org/rs/terms/patch'
const day = (date: number): number => Date.UTC(2026, 0, date)
const up: SyncLink = { rel: 'up', href: 'https://a.example/sync/caps.xml' }

/** Namespaces and all: a parser that takes no nonsense. */
function checkXml(xml: string): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => assert.fail(error))
  parser.write(xml).close()
}

// oxfmt-ignore
const documents: [head: SyncDocumentHead, entries: SyncFacts[], xml: string][] = [
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
    [{ url: 'https://a.example/', change: 'updated', changedAt: day(2), links: [{ rel: PATCH, href: 'https://a.example/d', bytes: 9, type: 'application/vcdiff' }] }],
    `<rs:md capability="changelist" from="2026-01-01T00:00:00Z"/>\n<url><loc>https://a.example/</loc><rs:md change="updated" datetime="2026-01-02T00:00:00Z"/><rs:ln rel="${PATCH}" href="https://a.example/d" length="9" type="application/vcdiff"/></url>\n`,
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

test('a document that may not be split and is too large is an error that says so', () => {
  const pages = Array.from({ length: 5 }, (_, i) => ({ url: `https://a.example/${i}` }))
  const head: SyncDocumentHead = { capability: 'resourcedump-manifest' }
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
    rel: fc.constantFrom('via', 'alternate', PATCH),
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
    const head = record<SyncDocumentHead>({ capability: fc.constant(capability), ...span, links }, ['capability'])
    const property = fc.property(head, fc.array(entry, { maxLength: 12 }), (said, entries) => {
      const whole = writeSyncDocument(said, entries)
      checkXml(whole)
      const read = readSync(Buffer.from(whole), url)
      assert.deepEqual(read.entries, entries)
      const { format: _, entries: count, dropped, isWhole, problems, ...summary } = read.summary
      assert.equal(isWhole, capability === 'resourcelist', 'who lists all pages, and only who does')
      assert.deepEqual([summary, count, dropped], [{ ...said, links: said.links ?? [] }, entries.length, 0])
      assert.deepEqual({ ...problems, 'not-chronological': 0 }, { 'not-chronological': 0 })
      // Who knows sitemaps only gets the same URLs.
      assert.deepEqual(
        readSitemap(Buffer.from(whole), url).entries.map(({ loc }) => loc),
        entries.map((one) => one.url),
      )
    })
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
