import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  parseRobots,
  readApiCatalog,
  readMetadataArchive,
  readArchiveList,
  readRobotsRdf,
  readSitemap,
  readSync,
} from '@comity/protocol'
import type { SyncEntry, SyncSummary } from '@comity/protocol'
import type { Served } from './served.ts'
import type { SiteOptions } from './site-options.ts'
import { BASE, SampleSite, requestOf } from './testing/site-sample.ts'

async function smallSite(options: Partial<SiteOptions> = {}): Promise<SampleSite> {
  const sample = new SampleSite(options)
  await sample.put({ '/': 'home', '/a.html': 'page a', '/b.html': 'page b' })
  await sample.put({ '/a.html': 'page a, again', '/b.html': null })
  return sample
}

async function sync(
  sample: SampleSite,
  path: string,
): Promise<{ entries: readonly SyncEntry[]; summary: SyncSummary }> {
  const { status, body } = await sample.ask(path)
  assert.equal(status, 200, path)
  const read = readSync(body, `https://a.example${path}`)
  assert.deepEqual(read.summary.problems, {}, path)
  return read
}

const pathsOf = (entries: readonly { readonly url: string }[]): string[] =>
  entries.map(({ url }) => new URL(url).pathname)

const sitemapPaths = (bytes: Uint8Array): string[] =>
  pathsOf(readSitemap(bytes, BASE).entries.map(({ loc }) => ({ url: loc })))

test('a path that is none of the documents is left to the site', async () => {
  const { site } = await smallSite()
  for (const path of [
    '/',
    '/a.html',
    '/sitemap-zz.xml',
    '/metadata/20261101T000000Z-.0001.other.gz',
    '/nothing',
    '/metadata/changelist-99.xml',
    '/robots.7.rdf',
  ])
    assert.equal(await site.answer(requestOf(path)), undefined, path)
})

test('robots.txt is the site’s own text and where the lists are', async () => {
  const sample = await smallSite({ robots: 'User-agent: *\nDisallow: /private/\n' })
  const { text, header } = await sample.ask('/robots.txt')
  assert.equal(
    text,
    'User-agent: *\nDisallow: /private/\n\n' +
      'Sitemap: https://a.example/sitemap.xml\nSitemap: https://a.example/metadata/resourcelist.xml\n' +
      'Metadata: https://a.example/metadata/archives.txt\n',
  )
  assert.match(header('content-type')!, /^text\/plain/)
  const robots = parseRobots(text)
  assert.equal(robots.sitemaps.length, 2)
  assert.deepEqual(robots.metadata, ['https://a.example/metadata/archives.txt'])
})

test('whoever asks by date is sent a robots.txt that was changed', async () => {
  let robots = 'User-agent: *\nDisallow: /a/\n'
  const sample = await smallSite({ robots: () => robots })
  const dated = await sample.ask('/robots.txt')
  const headers = [['If-Modified-Since', dated.header('last-modified')!]] as const
  assert.equal((await sample.ask('/robots.txt', { headers })).status, 304)
  robots = 'User-agent: *\nDisallow: /b/\n'
  sample.now += 1
  assert.match((await sample.ask('/robots.txt', { headers })).text, /\/b\//)
})

test('lines that robots.txt has already are not said twice, and without lists it stays as it is', async () => {
  const own = 'Sitemap: https://a.example/sitemap.xml'
  const said = await smallSite({ robots: own, schemes: ['robots', 'sitemap'] })
  assert.equal((await said.ask('/robots.txt')).text, own)
})

test('the sitemap has the pages that are there', async () => {
  const sample = await smallSite()
  const { entries, summary } = readSitemap((await sample.ask('/sitemap.xml')).body, 'https://a.example/sitemap.xml')
  assert.deepEqual(summary.problems, {})
  assert.deepEqual(
    entries.map(({ loc }) => loc),
    ['https://a.example/', 'https://a.example/a.html'],
  )
})

test('a site of several parts has an index, and one change makes one part anew', async () => {
  const sample = new SampleSite({ limits: { listPages: 10 } })
  await sample.put(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`/page-${i}`, `page ${i}`])))
  for (const [index, part] of [
    ['/sitemap.xml', /^\/sitemap-[0-9a-f]\.xml$/] as const,
    ['/metadata/resourcelist.xml', /^\/metadata\/resourcelist-[0-9a-f]\.xml$/] as const,
  ]) {
    const tags = async (): Promise<Map<string, string>> => {
      const parts = sitemapPaths((await sample.ask(index)).body)
      assert.equal(parts.length, 16)
      const found = new Map<string, string>()
      for (const path of parts) {
        assert.match(path, part)
        found.set(path, (await sample.ask(path)).header('etag')!)
      }
      return found
    }
    const listed = async (): Promise<string[]> => {
      const pages: string[] = []
      for (const path of (await tags()).keys()) pages.push(...sitemapPaths((await sample.ask(path)).body))
      return pages.toSorted()
    }
    const before = await tags()
    await sample.put({ '/page-7': `changed for ${index}` })
    const after = await tags()
    assert.equal([...after].filter(([path, tag]) => before.get(path) !== tag).length, 1)
    assert.deepEqual(
      await listed(),
      [...sample.journal.pages()].map(({ path }) => path),
    )
  }
})

test('parts become more as the site grows, and fewer as it shrinks', async () => {
  const sample = new SampleSite({ limits: { listPages: 4 } })
  const many = Array.from({ length: 64 }, (_, i) => `/page-${i}`)
  const parts = async (): Promise<number> => readSitemap((await sample.ask('/sitemap.xml')).body, BASE).entries.length
  await sample.put({ '/page-0': 'one' })
  assert.equal(await parts(), 1)
  for (const path of many) await sample.put({ [path]: path })
  assert.ok((await parts()) > 8)
  await sample.put(Object.fromEntries(many.slice(2).map((path) => [path, null])))
  assert.equal(await parts(), 2)
})

test('ResourceSync is found from its well-known place down to the lists', async () => {
  const sample = await smallSite()
  const description = await sync(sample, '/.well-known/resourcesync')
  assert.deepEqual(
    [description.summary.capability, pathsOf(description.entries)],
    ['description', ['/metadata/capabilitylist.xml']],
  )
  const capabilities = await sync(sample, '/metadata/capabilitylist.xml')
  assert.deepEqual(
    capabilities.entries.map((entry) => [new URL(entry.url).pathname, 'capability' in entry ? entry.capability : '']),
    [
      ['/metadata/resourcelist.xml', 'resourcelist'],
      ['/metadata/changelist.xml', 'changelist'],
      ['/metadata/changedump.xml', 'changedump'],
      ['/metadata/resourcedump.xml', 'resourcedump'],
    ],
  )
  assert.deepEqual(capabilities.entries[1]?.extension, {
    batch: 'https://a.example/.well-known/comity/batch',
    changes: 'https://a.example/.well-known/comity/changes',
  })
  assert.deepEqual(
    capabilities.summary.links.map(({ rel, href }) => [rel, href]),
    [['up', 'https://a.example/.well-known/resourcesync']],
  )
  const list = await sync(sample, '/metadata/resourcelist.xml')
  assert.deepEqual([list.summary.capability, list.summary.at], ['resourcelist', sample.now])
  const a = sample.journal.page('/a.html')!
  assert.deepEqual(list.entries[1], {
    kind: 'page',
    url: 'https://a.example/a.html',
    modifiedAt: a.modifiedAt,
    bytes: a.bytes,
    type: 'text/html',
    digest: a.digest,
  })
  assert.equal(sample.site.link, '</metadata/capabilitylist.xml>; rel="resourcesync"')
})

test('a page of which parts are masked is listed without a digest', async () => {
  const sample = new SampleSite()
  await sample.put({ '/a.html': 'masked' }, { masked: true })
  const { entries } = await sync(sample, '/metadata/resourcelist.xml')
  assert.deepEqual(
    entries.map(({ url, digest }) => [url, digest]),
    [['https://a.example/a.html', undefined]],
  )
})

test('robots.rdf has the pages whose name says that they are pages', async () => {
  const sample = await smallSite()
  const { pages, problems } = readRobotsRdf((await sample.ask('/robots.rdf')).body, 'https://a.example/robots.rdf')
  assert.deepEqual(problems, {})
  assert.deepEqual(
    pages.map(({ url, modifiedAt }) => [url, modifiedAt]),
    [['https://a.example/a.html', sample.journal.page('/a.html')!.modifiedAt]],
  )
})

test('robots.rdf is made anew once a minute at most', async () => {
  const sample = await smallSite()
  const first = await sample.ask('/robots.rdf')
  await sample.put({ '/new.html': 'new' })
  assert.equal((await sample.ask('/robots.rdf')).header('etag'), first.header('etag'))
  sample.now += 60_000
  assert.match((await sample.ask('/robots.rdf')).text, /new\.html/)
})

test('archives tell all pages, and what is gone', async () => {
  const sample = await smallSite()
  await sample.ask('/metadata/archives.txt')
  await sample.put({ '/a.html': null, '/c.pdf': 'pdf' }, { type: 'application/pdf' })
  const list = readArchiveList(
    (await sample.ask('/metadata/archives.txt')).text,
    'https://a.example/metadata/archives.txt',
  )
  const lines = new Map<string, boolean>()
  const names = [...list.archives]
  for (const { url } of list.lists)
    names.push(...readArchiveList((await sample.ask(new URL(url).pathname)).text, url).archives)
  for (const { url, name } of names.toSorted((a, b) => a.name.number - b.name.number)) {
    const { entries, complete } = readMetadataArchive((await sample.ask(new URL(url).pathname)).body, {
      site: BASE,
      name,
    })
    assert.ok(complete)
    for (const entry of entries) lines.set(new URL(entry.url).pathname, entry.gone === true)
  }
  assert.deepEqual(
    lines,
    new Map([
      ['/', false],
      ['/a.html', true],
      ['/c.pdf', false],
    ]),
  )
})

test('the catalog has what no other document names a place for', async () => {
  const sample = await smallSite({ dictionary: 'https://a.example/dictionary' })
  const { text, header } = await sample.ask('/.well-known/api-catalog')
  assert.equal(header('content-type'), 'application/linkset+json')
  assert.deepEqual(readApiCatalog(text, BASE), {
    batch: 'https://a.example/.well-known/comity/batch',
    changes: 'https://a.example/.well-known/comity/changes',
    dictionary: 'https://a.example/dictionary',
    events: 'https://a.example/push/events',
    resourcesync: 'https://a.example/metadata/capabilitylist.xml',
    wacz: 'https://a.example/metadata/site.wacz',
  })
})

test('schemes that are not offered are nowhere', async () => {
  const sample = await smallSite({ schemes: ['robots', 'catalog', 'changes'] })
  for (const path of [
    '/sitemap.xml',
    '/metadata/changelist.xml',
    '/robots.rdf',
    '/metadata/archives.txt',
    '/metadata/site.wacz',
    '/.well-known/comity/batch',
    '/push/events',
  ])
    assert.equal(await sample.site.answer(requestOf(path)), undefined, path)
  assert.equal((await sample.ask('/robots.txt')).text, '')
  assert.deepEqual(Object.keys(readApiCatalog((await sample.ask('/.well-known/api-catalog')).text, BASE)), ['changes'])
  assert.equal(sample.site.link, '</.well-known/api-catalog>; rel="api-catalog"')
  assert.equal((await smallSite({ schemes: ['robots'] })).site.link, undefined)
})

test('a page that robots.txt forbids meanwhile is in no document any more', async () => {
  let robots = ''
  const sample = new SampleSite({ robots: () => robots })
  await sample.put({ '/open.html': 'open', '/secret.html': 'hidden words' })
  const mentions = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const { path, content } of sample.site.documents()) {
      const chunks: Uint8Array[] = []
      for await (const chunk of content()) chunks.push(chunk)
      const text = Buffer.concat(chunks)
      const plain = path.endsWith('.gz')
        ? JSON.stringify(readMetadataArchive(text, { site: BASE }))
        : text.toString('latin1')
      if (plain.includes('secret')) found.push(path)
    }
    return found.toSorted()
  }
  assert.ok((await mentions()).length >= 6)
  const { text } = await sample.ask('/.well-known/comity/changes')
  const token = (JSON.parse(text.trim().split('\n').at(-1)!) as { token: string }).token
  robots = 'User-agent: *\nDisallow: /secret'
  assert.deepEqual(await mentions(), ['/robots.txt'])
  const after = await sample.ask('/.well-known/comity/changes')
  assert.ok(!after.text.includes('secret'))
  // Who follows has to begin anew: that the page left is in no change.
  assert.equal((await sample.ask(`/.well-known/comity/changes?since=${token}`)).status, 410)
  const batch = await sample.ask('/.well-known/comity/batch', {
    method: 'POST',
    headers: [['Content-Type', 'application/x-ndjson']],
    body: '{"url":"https://a.example/secret.html"}\n',
  })
  assert.ok(!batch.text.includes('hidden words'))
})

test('documents of the site that were recorded as pages are not listed as such', async () => {
  const sample = new SampleSite()
  await sample.put({
    '/a.html': 'a',
    '/sitemap.xml': 'old',
    '/robots.txt': 'old',
    '/metadata/changelist-1.xml': 'old',
    '/metadata/archives.txt': 'old',
  })
  assert.deepEqual(pathsOf((await sync(sample, '/metadata/resourcelist.xml')).entries), ['/a.html'])
})

test('a site below a folder has its lists there', async () => {
  const sample = new SampleSite({ base: 'https://a.example/docs/' })
  await sample.put({ '/docs/': 'home' })
  assert.match((await sample.ask('/docs/sitemap.xml')).text, /<loc>https:\/\/a\.example\/docs\/<\/loc>/)
  assert.equal(await sample.site.answer(requestOf('/sitemap.xml')), undefined)
  assert.match((await sample.ask('/robots.txt')).text, /^Sitemap: https:\/\/a\.example\/docs\/sitemap\.xml$/m)
})

test('an empty site has documents, and all of them can be read', async () => {
  const sample = new SampleSite()
  let count = 0
  for await (const { path, bytes, content } of sample.site.documents()) {
    count++
    let length = 0
    for await (const chunk of content()) length += chunk.length
    assert.equal(length, bytes, path)
  }
  assert.ok(count >= 15)
  for (const path of [
    '/sitemap.xml',
    '/metadata/resourcelist.xml',
    '/metadata/changelist.xml',
    '/metadata/resourcedump.xml',
    '/metadata/changedump.xml',
  ])
    await sync(sample, path)
})

test('two processes on one journal publish the same bytes', async () => {
  const sample = await smallSite({ limits: { listPages: 1, dumpBytes: 10 } })
  const all = async (site: typeof sample.site): Promise<Map<string, string>> => {
    const found = new Map<string, string>()
    for await (const { path, content } of site.documents()) {
      const chunks: Uint8Array[] = []
      for await (const chunk of content()) chunks.push(chunk)
      found.set(path, Buffer.concat(chunks).toString('base64'))
    }
    return found
  }
  const first = await all(sample.again())
  assert.ok(first.size > 15)
  assert.deepEqual(await all(sample.again()), first)
})

test('what was served is told: scheme, agent, bytes, pages', async () => {
  const served: Served[] = []
  const sample = await smallSite({ onServed: (one) => served.push(one) })
  const agent = ['User-Agent', 'comity/1'] as const
  const list = await sample.ask('/sitemap.xml', { headers: [agent] })
  await sample.ask('/sitemap.xml', { headers: [agent, ['If-None-Match', list.header('etag')!]] })
  await sample.ask('/.well-known/comity/changes?fields=page', { headers: [agent] })
  assert.deepEqual(
    served.map(({ scheme, agent: who, status, pages }) => [scheme, who, status, pages]),
    [
      ['sitemap', 'comity/1', 200, 2],
      ['sitemap', 'comity/1', 304, 0],
      ['changes', 'comity/1', 200, 2],
    ],
  )
  assert.equal(served[0]?.bytes, list.sent.length)
  assert.equal(served[1]?.bytes, 0)
  assert.ok(served[2]!.bytes > 0 && served[2]!.cpuMs >= 0)
  assert.equal(served[2]?.pageBytes, 'home'.length + 'page a, again'.length)
})

test('an unchanged page of a batch, and the pages of a package, count as what they would have cost', async () => {
  const served: Served[] = []
  const sample = await smallSite({ onServed: (one) => served.push(one) })
  const digest = sample.journal.page('/')!.digest
  const body = Buffer.from(`{"url":"${BASE}","digest":"${digest}"}\n`)
  const headers = [['Content-Type', 'application/x-ndjson']] as const
  await sample.ask('/.well-known/comity/batch', { method: 'QUERY', headers, body })
  assert.deepEqual([served[0]?.pages, served[0]?.pageBytes], [1, 'home'.length])
  await sample.ask('/metadata/site.wacz')
  assert.equal(served[1]?.pageBytes, 'home'.length + 'page a, again'.length)
})

test('a document that cannot be made is told to the owner, and the asker only that it is so', async () => {
  const failed: string[] = []
  const kept = {
    read: (): undefined => undefined,
    write: (): void => {
      throw new Error('/var/secret/disk is full')
    },
    remove: (): void => undefined,
  }
  const sample = await smallSite({ kept, onFailed: (error, path) => failed.push(`${path} ${String(error)}`) })
  const { status, text } = await sample.ask('/metadata/archives.txt')
  assert.equal(status, 500)
  assert.doesNotMatch(text, /secret/)
  assert.deepEqual(failed, ['/metadata/archives.txt Error: /var/secret/disk is full'])
  assert.equal((await sample.ask('/sitemap.xml')).status, 200)
})
