/** A page that a complete list named and names no more: a claim that it is gone, and never one made by a broken list. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { CHANGES_PATH, writeSyncDocument } from '@comity/protocol'
import { PATHS, openScene } from '../testing/offer-fixture.ts'
import type { Scene } from '../testing/offer-fixture.ts'
import type { ChangeOfferKind } from '@comity/follow'

/** A page leaves the lists, and nobody says so. */
function drop({ site }: Scene, path: string): void {
  site.pages.delete(path)
}

/** What comes where a list should, with status 200. */
const SPOILT: readonly (readonly [how: string, spoil: (body: string) => string | Uint8Array])[] = [
  ['cut off', (body) => body.slice(0, body.length / 2)],
  ['a page', () => '<html>Welcome'],
  ['nothing', () => ''],
  ['an excuse in plain text', () => 'Service temporarily unavailable\nTry again\n'],
  ['an excuse in JSON', () => '[{"error":"busy"}]'],
  ['packed twice', (body) => gzipSync(gzipSync(body))],
  ['a tag that is not closed', (body) => body.replace(/<\/(?:loc|title)>/, '</loc')],
  ['an address that cannot be read', (body) => body.replaceAll(/https?:[^"<]*\/c\.html/g, 'http://[')],
  ['letters that cannot be read', (body) => body.replaceAll('/c.html', '/\ufffd.html')],
  ['a comment that is not closed', (body) => body.replace(/<(?:url|item)\b/, '<!-- $&')],
  ['no entry left', (body) => body.replaceAll(/<(url|item|rdf:li)\b[^>]*?(?:\/>|>.*?<\/\1>)/gs, '')],
]

for (const kind of ['sitemap', 'robots-rdf'] satisfies ChangeOfferKind[]) {
  test(`${kind}: a page that is named no more is said to be gone, once, also after a restart`, async () => {
    await using stage = await openScene({ offers: [kind] })
    const { bench } = stage
    await bench.search()
    bench.takeSignals()
    bench.handler = bench.newHandler()
    bench.handler.lookAt(bench.site, bench.now)
    drop(stage, '/c.html')
    await bench.next()
    assert.deepEqual(bench.takeSignals(), [`${kind} deleted /c.html`])
    assert.equal(bench.signals.length, 0)
    await bench.next()
    assert.deepEqual(bench.takeSignals(), [])
  })

  test(`${kind}: a page that is back is a page like any other, and can be missed again`, async () => {
    await using stage = await openScene({ offers: [kind] })
    const { site, bench } = stage
    await bench.search()
    const entry = site.pages.get('/c.html')!
    drop(stage, '/c.html')
    await bench.next()
    site.pages.set('/c.html', entry)
    await bench.next()
    drop(stage, '/c.html')
    bench.takeSignals()
    await bench.next()
    assert.deepEqual(bench.takeSignals(), [`${kind} deleted /c.html`])
  })

  test(`${kind}: a list that breaks off, or is none, makes no page gone`, async () => {
    await using stage = await openScene({ offers: [kind] })
    const { site, bench } = stage
    await bench.search()
    bench.takeSignals()
    for (const [how, spoil] of SPOILT) {
      site.fault = ({ path }, answer) =>
        /sitemap|rdf/.test(path) ? { ...answer, body: spoil(String(answer.body)) } : answer
      await bench.next()
      assert.deepEqual(
        bench.takeSignals().filter((signal) => signal.includes('deleted')),
        [],
        how,
      )
    }
    site.fault = undefined
    drop(stage, '/c.html')
    do await bench.next()
    while (bench.offer(kind)!.failures > 0)
    assert.deepEqual(bench.takeSignals(), [`${kind} deleted /c.html`])
  })
}

const XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const NEWS_NS = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
const SYNC_NS = 'xmlns:rs="http://www.openarchives.org/rs/terms/"'
const each = (paths: readonly string[], origin: string, write: (url: string) => string): string =>
  paths.map((path) => write(`${origin}${path}`)).join('')
/** Lists that name some pages, and say, each in its own way, that it is not all of them. */
const windows: readonly [name: string, write: (paths: readonly string[], origin: string) => string][] = [
  [
    'RSS',
    (paths, at) =>
      `<rss version="2.0"><channel>${each(paths, at, (url) => `<item><link>${url}</link></item>`)}</channel></rss>`,
  ],
  ['RSS 1.0', (paths, at) => `<rdf:RDF>${each(paths, at, (url) => `<item><link>${url}</link></item>`)}</rdf:RDF>`],
  ['Atom', (paths, at) => `<feed>${each(paths, at, (url) => `<entry><link href="${url}"/></entry>`)}</feed>`],
  [
    'JSON Feed',
    (paths, at) =>
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'News',
        items: paths.map((path) => ({ id: path, url: at + path })),
      }),
  ],
  [
    'a sitemap of news',
    (paths, at) =>
      `<urlset ${XMLNS} ${NEWS_NS}>${each(paths, at, (url) => `<url><loc>${url}</loc><news:news><news:title>T</news:title></news:news></url>`)}</urlset>`,
  ],
  [
    'a change list',
    (paths, at) =>
      `<urlset ${XMLNS} ${SYNC_NS}><rs:md capability="changelist"/>${each(paths, at, (url) => `<url><loc>${url}</loc><rs:md change="updated"/></url>`)}</urlset>`,
  ],
  [
    'a list of changes that does not say what it is',
    (paths, at) =>
      `<urlset ${XMLNS} ${SYNC_NS}>${each(paths, at, (url) => `<url><loc>${url}</loc><rs:md change="updated"/></url>`)}</urlset>`,
  ],
  [
    'a list with an entry that has lost its address',
    (paths, at) =>
      `<urlset ${XMLNS}>${each(paths, at, (url) => `<url><loc>${url}</loc></url>`)}<url><lastmod>2026-01-01</lastmod></url></urlset>`,
  ],
  [
    'an index that leads elsewhere, too',
    (paths, at) =>
      `<sitemapindex ${XMLNS}>${each(paths, at, (url) => `<url><loc>${url}</loc></url>`)}<sitemap><loc>https://b.example/sitemap.xml</loc></sitemap></sitemapindex>`,
  ],
]
for (const [name, write] of windows) {
  test(`${name}: what some other pages have pushed out is not gone, neither now nor when nothing is new`, async () => {
    await using stage = await openScene({ offers: ['sitemap'] })
    const { site, bench } = stage
    let paths = ['/a.html', '/b.html', '/c.html']
    site.fault = ({ path }, answer) =>
      path === '/sitemap.xml' ? { ...answer, body: write(paths, bench.origin) } : answer
    await bench.search()
    bench.takeSignals()
    paths = ['/d/e.html', '/a.html', '/b.html']
    for (let polls = 0; polls < 4; polls++) {
      await bench.next()
      assert.deepEqual(
        bench.takeSignals().filter((signal) => signal.includes('deleted')),
        [],
      )
    }
    assert.ok(site.asked.filter(({ path }) => path === '/sitemap.xml').length >= 4)
  })
}

test('robots.rdf and archives that lead elsewhere, or nobody knows where, say of no page that it is gone', async () => {
  for (const [kind, path, add] of [
    [
      'robots-rdf',
      '/robots.rdf',
      (body: string) =>
        body.replace('</rdf:RDF>', `<rdfs:seeAlso rdf:resource="https://b.example/robots.2.rdf"/></rdf:RDF>`),
    ],
    ['metadata-archive', '/robots.txt', (body: string) => `${body}\nMetadata: https://b.example/archives.txt\n`],
    ['metadata-archive', '/robots.txt', (body: string) => `${body}\nMetadata: http://[\n`],
  ] as const) {
    await using stage = await openScene({ offers: [kind] })
    const { site, bench } = stage
    site.fault = (asked, answer) => (asked.path === path ? { ...answer, body: add(String(answer.body)) } : answer)
    await bench.search()
    bench.takeSignals()
    drop(stage, '/c.html')
    if (kind === 'metadata-archive') site.archiveAnew(bench.now)
    // What we knew of numbers is worth nothing: archives are read from their beginning.
    bench.store.note(bench.site, { offers: { ...bench.row, archivesUpTo: undefined, marks: {} } })
    for (let polls = 0; polls < 2; polls++) await bench.next()
    assert.deepEqual(bench.takeSignals(), [], kind)
    assert.equal(bench.offer(kind)!.failures, 0, kind)
  }
})

test('a filter that has to be asked for everything tells by silence what it has forgotten to say', async () => {
  await using stage = await openScene({ offers: ['filter'] })
  const { site, bench } = stage
  await bench.search()
  bench.takeSignals()
  site.remove(bench.now + 1_000, '/c.html')
  site.put(bench.now + 2_000, { '/b.html': 'second' })
  site.forgotten = site.changes.length - 1
  await bench.next()
  assert.deepEqual(bench.takeSignals().toSorted(), ['filter deleted /c.html', 'filter updated /b.html'])
  site.remove(bench.now + 1_000, '/d/e.html')
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['filter deleted /d/e.html'], 'what it says itself is told once')
  assert.ok(site.asked.some(({ path }) => path === CHANGES_PATH))
})

for (const [kind, path] of [
  ['filter', CHANGES_PATH],
  ['metadata-archive', '.gz'],
] as const) {
  test(`${kind}: a line that cannot be read may have named any page, so that none is gone`, async () => {
    await using stage = await openScene({ offers: [kind] })
    const { site, bench } = stage
    await bench.search()
    bench.takeSignals()
    drop(stage, '/c.html')
    if (kind === 'metadata-archive') site.archiveAnew(bench.now)
    const spoil = (body: string | Uint8Array): Buffer =>
      Buffer.concat([kind === 'filter' ? Buffer.from('{]\n') : gzipSync('nothing to be read\n'), Buffer.from(body)])
    site.fault = (asked, answer) => (asked.path.includes(path) ? { ...answer, body: spoil(answer.body ?? '') } : answer)
    bench.store.note(bench.site, { offers: { ...bench.row, token: undefined, archivesUpTo: undefined, marks: {} } })
    await bench.next()
    assert.deepEqual(
      bench.takeSignals().filter((signal) => signal.includes('deleted')),
      [],
    )
  })
}

test('archives that have to be read anew tell by silence, and followed ones in words', async () => {
  await using stage = await openScene({ offers: ['metadata-archive'] })
  const { site, bench } = stage
  await bench.search()
  bench.takeSignals()
  site.remove(bench.now + 1_000, '/c.html')
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['metadata-archive deleted /c.html'])
  drop(stage, '/d/e.html')
  site.archiveAnew(bench.now)
  // What we knew of numbers is worth nothing: the lists are read from their beginning.
  bench.store.note(bench.site, { offers: { ...bench.row, archivesUpTo: undefined, marks: {} } })
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['metadata-archive deleted /d/e.html'])
})

/** An index of two lists, each with its time. */
function indexOf(origin: string, lists: Readonly<Record<string, { at: number; paths: readonly string[] }>>) {
  const parts = Object.entries(lists).map(([name, { at }]) => ({ url: `${origin}/${name}.xml`, modifiedAt: at }))
  return new Map<string, string>([
    ['/sitemap.xml', writeSyncDocument({ capability: 'resourcelist' }, parts, { isIndex: true })],
    ...Object.entries(lists).map(([name, { paths }]): [string, string] => {
      const pages = paths.map((path) => ({ url: `${origin}${path}` }))
      return [`/${name}.xml`, writeSyncDocument({ capability: 'resourcelist', at: 0 }, pages)]
    }),
  ])
}

test('of a list in parts only what no part names is missing, whichever parts had to be read', async () => {
  await using stage = await openScene({ offers: ['sitemap'] })
  const { site, bench } = stage
  const [a, b] = [PATHS.slice(0, 4), PATHS.slice(4)]
  let documents = indexOf(site.origin, { a: { at: 1_000, paths: a }, b: { at: 1_000, paths: b } })
  site.fault = ({ path }, answer) => {
    const body = documents.get(path)
    return body === undefined ? answer : { body: gzipSync(body) }
  }
  await bench.search()
  bench.takeSignals()
  // From one part to the other, of which one is read anew.
  documents = indexOf(site.origin, { a: { at: 1_000, paths: a }, b: { at: 2_000, paths: [a[0]!, ...b.slice(1)] } })
  await bench.next()
  assert.deepEqual(bench.takeSignals(), [`sitemap deleted ${b[0]}`])
  // Nothing has changed at all.
  await bench.next()
  assert.deepEqual(bench.takeSignals(), [])
  // A whole part is gone, and one of its pages stands elsewhere.
  documents = indexOf(site.origin, { b: { at: 2_000, paths: [a[0]!, ...b.slice(1)] } })
  await bench.next()
  assert.deepEqual(
    bench.takeSignals().toSorted(),
    a.slice(1).map((path) => `sitemap deleted ${path}`),
  )
})
