/** A crawler asks what a site tells, and the site is ours: every scheme, found, read to its end, and read on. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { MemoryJournal, createSite, digestOf } from '@comity/site'
import type { Observation, SiteScheme, Site } from '@comity/site'
import { OfferBench, START } from '../../packages/crawler/src/testing/offer-fixture.ts'
import type { ChangeOfferKind } from '../../packages/follow/src/site-offers.ts'

interface Served extends AsyncDisposable {
  readonly origin: string
  put(texts: Readonly<Record<string, string | null>>, at: number): Promise<void>
}

/** A site with a journal in memory, on a socket. */
async function serve(schemes: readonly SiteScheme[], clock: () => number): Promise<Served> {
  const journal = new MemoryJournal({ id: 'a' })
  let site: Site | undefined
  const server = createServer((incoming, response) => {
    void (async () => {
      const { method = 'GET', url: path = '/', rawHeaders } = incoming
      const headers = rawHeaders.flatMap((name, i): [string, string][] =>
        i % 2 === 0 ? [[name, rawHeaders[i + 1]!]] : [],
      )
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const answer = await site?.answer({ method, path, headers, body: async () => Buffer.concat(chunks) })
      if (answer === undefined) return response.writeHead(404).end('nothing here')
      response.writeHead(answer.status, answer.headers.flat())
      if (answer.body instanceof Uint8Array) response.write(answer.body)
      else for await (const chunk of answer.body) response.write(chunk)
      return response.end()
    })()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const limits = { relistMs: 0 }
  site = createSite({ journal, base: `${origin}/`, now: clock, read: async () => undefined, schemes, limits })
  return {
    origin,
    put: async (texts, at) =>
      void (await journal.record(
        Object.entries(texts).map(([path, text]) => seen(path, text, at)),
        at,
      )),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

function seen(path: string, text: string | null, at: number): Observation {
  if (text === null) return { path, gone: true }
  const body = Buffer.from(text)
  return { path, modifiedAt: at, digest: digestOf(body), bytes: body.length, type: 'text/html', body }
}

const PATHS = Array.from({ length: 1_500 }, (_, n) => `/d${n % 30}/page-${n}.html`)
const texts = Object.fromEntries(PATHS.map((path) => [path, `The page at ${path}`]))

/** robots-rdf and sitemaps say that a page is gone by naming it no more. `most`: bytes for one change among 1,500 pages. */
const CASES: readonly [kind: ChangeOfferKind, schemes: SiteScheme[], most: number][] = [
  ['filter', ['robots', 'catalog', 'changes'], 2_000],
  ['change-list', ['robots', 'resourcesync'], 200_000],
  ['metadata-archive', ['robots', 'archives'], 2_000],
  ['robots-rdf', ['robots', 'robots-rdf'], 100_000],
  ['sitemap', ['robots', 'sitemap'], 100_000],
]
for (const [kind, schemes, most] of CASES) {
  test(`${kind} of our own site: all pages are listed, then every change is told, for few bytes`, async (t) => {
    let bench: OfferBench | undefined
    await using site = await serve(schemes, () => bench?.now ?? START)
    await site.put(texts, START - 86_400_000)
    await using opened = await OfferBench.open(site.origin)
    bench = opened
    await bench.search()
    assert.equal(bench.takeListed().length, PATHS.length)
    bench.hold(PATHS)
    await site.put({ [PATHS[7]!]: 'second' }, bench.now + 5_000)
    await site.put({ '/new.html': 'new' }, bench.now + 6_000)
    await site.put({ [PATHS[9]!]: null }, bench.now + 7_000)
    const before = bench.handler.spent.get(kind)!
    await bench.next()
    assert.deepEqual(bench.takeListed(), ['/new.html'])
    assert.deepEqual(bench.takeSignals().toSorted(), [`${kind} deleted ${PATHS[9]}`, `${kind} updated ${PATHS[7]}`])
    const { bytes, requests } = bench.handler.spent.get(kind)!
    t.diagnostic(`${bytes - before.bytes} bytes in ${requests - before.requests} requests`)
    assert.ok(bytes - before.bytes < most, `${bytes - before.bytes} bytes`)
    bench.hold([PATHS[7]!, PATHS[9]!, '/new.html'])
    const quiet = bench.handler.spent.get(kind)!
    await bench.next()
    assert.deepEqual([bench.takeSignals(), bench.takeListed()], [[], []])
    assert.ok(bench.handler.spent.get(kind)!.bytes - quiet.bytes < 200, 'silence costs next to nothing')
  })
}

test('all schemes of our own site are found, and the filter is the one that is asked', async () => {
  let bench: OfferBench | undefined
  const schemes: SiteScheme[] = [
    'robots',
    'sitemap',
    'archives',
    'robots-rdf',
    'resourcesync',
    'dump',
    'wacz',
    'catalog',
    'batch',
    'changes',
  ]
  await using site = await serve(schemes, () => bench?.now ?? START)
  await site.put({ '/a.html': 'a' }, START - 1_000)
  await using opened = await OfferBench.open(site.origin)
  bench = opened
  await bench.search()
  assert.deepEqual(bench.row.offers.map(({ kind }) => kind).toSorted(), [
    'batch',
    'change-dump',
    'change-list',
    'dump',
    'filter',
    'metadata-archive',
    'robots-rdf',
    'sitemap',
    'sitemap',
    'wacz',
  ])
  assert.deepEqual([...bench.handler.spent.keys()], ['search', 'filter'])
})
