import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection, encodeLinks } from '@comity/collection'
import type { PageRow } from '@comity/collection'
import { packAnchors } from '@comity/collection/internal'
import { gzipRecord, payloadDigest, responseHead, responseRecord } from '@comity/protocol'
import { webOfCollection } from './collection.ts'
import { linksOf } from './web-graph.ts'

const NO_PARENT = 0xffffffff
const sites = ['http://a.example', 'http://b.example', 'http://c.example']

interface SamplePage {
  readonly site: number
  readonly path: string
  readonly parent?: number
  /** Undefined for a page that was heard of only. */
  readonly row?: Partial<PageRow>
  readonly links?: readonly (readonly [to: number, anchor: string])[]
}

/** A seed, a redirect, three pages on another site, and one that was never visited. */
const crawl: readonly SamplePage[] = [
  {
    site: 0,
    path: '/',
    row: { title: 'Home', timings: { firstByteMs: 10, transferMs: 100 } },
    links: [
      [1, 'one'],
      [5, 'never'],
      [0, 'self'],
      [2, 'two'],
      [1, 'again'],
    ],
  },
  {
    site: 0,
    path: '/old',
    parent: 0,
    row: { status: 301, redirectTo: 'http://b.example/x', timings: { firstByteMs: 30 } },
  },
  { site: 1, path: '/x', parent: 0, row: { timings: { firstByteMs: 7, transferMs: 0 } }, links: [[0, 'back']] },
  { site: 1, path: '/y', parent: 2, row: { timings: { firstByteMs: 5 } } },
  { site: 1, path: '/z', parent: 2, row: { timings: { firstByteMs: 900 } } },
  { site: 2, path: '/never', parent: 0 },
]

async function collectionOf(t: TestContext, pages: readonly SamplePage[]): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'comity-graph-collection-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const dir = join(root, 'collection')
  await using collection = await Collection.open(dir, 0)
  for (const [page, { site, path, row, links = [] }] of pages.entries()) {
    if (row === undefined) continue
    const url = sites[site]! + path
    const body = Buffer.from(`<title>t</title><p>Words of ${path}`)
    const httpHead = responseHead({ status: 200, headers: [['Content-Type', 'text/html']] })
    const digest = payloadDigest(body)
    const record = collection.appendRecord(
      gzipRecord(responseRecord({ url, at: page, httpHead, body, payloadDigest: digest })),
      page,
    )
    const fixed = { site, outcome: 'ok', status: 200, visitedAt: page, visits: 1, changes: 0, type: 'text/html' }
    const anchors = packAnchors(links.map(([, anchor]) => anchor))
    collection.deposit({
      page,
      at: page,
      row: { ...fixed, bytes: 1_000 + page, timings: {}, body: record, ...row },
      capture: { source: 'crawl', outcome: 'ok', status: 200, bytes: body.length, record, body: record },
      links: encodeLinks(
        links.map(([to]) => to),
        anchors,
      ),
    })
  }
  await collection.commit({
    pageLog: Buffer.from('journal'),
    first: 0,
    texts: pages.map(({ site, path, parent = NO_PARENT }) => ({ site, path, parent })),
    sites: sites.map((origin, site) => [site, { origin }]),
    addresses: [],
  })
  return dir
}

test('visited pages with their links, redirects, sizes and speeds', async (t) => {
  const web = await webOfCollection(await collectionOf(t, crawl), { name: 'crawled' })
  assert.equal(web.name, 'crawled')
  assert.equal(web.pages, 5)
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((page) => Array.from(linksOf(web, page))),
    [[1, 2], [2], [0], [], []],
  )
  assert.deepEqual(
    [0, 1, 2, 3].map((link) => web.words!.anchorOf(link)),
    ['one again', 'two', '', 'back'],
  )
  assert.deepEqual(
    [web.words!.urlOf(2), web.words!.titleOf(0), web.words!.bodyOf(0)],
    ['http://b.example/x', 'Home', ''],
  )
  assert.deepEqual([...web.siteOf], [0, 0, 1, 1, 1])
  assert.deepEqual(web.homes, [0])
  assert.deepEqual([...web.bytes!], [1_000, 1_001, 1_002, 1_003, 1_004])
  assert.deepEqual([...web.latencyMs!], [10, 7])
  // 1,000 bytes in a tenth of a second; the other site's time could not be measured, so it is taken for middling.
  assert.deepEqual([...web.bandwidth!], [10_000, 10_000])
})

test('pages that were only heard of are there when asked for, and texts as well', async (t) => {
  const web = await webOfCollection(await collectionOf(t, crawl), { known: true, bodies: true })
  assert.deepEqual([web.pages, web.sites], [6, 3])
  assert.deepEqual([...linksOf(web, 0)], [1, 5, 2])
  assert.equal(web.words!.bodyOf(3), 'Words of /y')
  assert.equal(web.words!.bodyOf(5), '')
})

test('a collection without timings has no speeds, and one without seeds still has a start', async (t) => {
  const dir = await collectionOf(t, [{ site: 0, path: '/a', parent: 7, row: {} }])
  const web = await webOfCollection(dir)
  assert.deepEqual([web.latencyMs, web.bandwidth], [undefined, undefined])
  assert.deepEqual(web.homes, [0])
})

test('where there is no collection the error says so', async () => {
  await assert.rejects(webOfCollection('/nowhere/at/all'), { code: 'COLLECTION_MISSING' })
})
