import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { readMetadataArchive, readArchiveList } from '@comity/protocol'
import { missing } from '@comity/protocol/testing'
import { SCHEMES } from '../site-options.ts'
import { failsAs, testFolder } from '../testing/journal-sample.ts'
import { apache, nginx, startServer } from '../testing/server-snippets-fixture.ts'
import type { RealServerKind } from '../testing/server-snippets-fixture.ts'
import { apacheSnippet, nginxSnippet } from './server-snippets.ts'
import { BASE, SampleSite } from '../testing/site-sample.ts'
import { StaticExport } from '../export/static-export.ts'

interface Asked {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** One request as it is: `fetch` would take content codings off. */
async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Asked> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on('error', reject)
  })
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

/** A document root with two pages, its documents in it or beside it, and the server that answers with them. */
async function served(
  t: TestContext,
  kind: RealServerKind,
  way: 'docroot' | 'beside' | 'htaccess',
): Promise<string | undefined> {
  const docroot = testFolder(t)
  const into = way === 'beside' ? join(testFolder(t), 'export') : docroot
  if (way === 'beside') chmodSync(join(into, '..'), 0o755)
  const page = `<h1>Home</h1>${'<p>words of the page</p>'.repeat(100)}`
  writeFileSync(join(docroot, 'index.html'), page)
  utimesSync(join(docroot, 'index.html'), 1_700_000_000, 1_700_000_000)
  writeFileSync(join(docroot, 'robots.txt'), 'User-agent: *\nDisallow: /private/\n')
  const sample = new SampleSite()
  await sample.put(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`/page-${i}.html`, `page ${i}`])))
  for (let i = 0; i < 200; i++) await sample.put({ '/': `${page}${i}` })
  const site = {
    journal: sample.journal,
    base: BASE,
    now: () => sample.now,
    read: async () => undefined,
    schemes: SCHEMES,
  }
  await new StaticExport(site, { into, docroot }).run()
  const options = { base: BASE, into: way === 'beside' ? into : undefined }
  const text = kind === nginx ? nginxSnippet(options) : apacheSnippet(options)
  const dir = testFolder(t)
  const file = way === 'htaccess' ? join(docroot, '.htaccess') : join(dir, 'comity.conf')
  mkdirSync(join(dir, 'tmp'), { recursive: true })
  writeFileSync(file, text)
  const server = await startServer(kind, { dir, docroot, snippet: way === 'htaccess' ? '' : file })
  if (server === undefined) {
    missing(t, kind.name, `install the package ${kind.package}`)
    return undefined
  }
  t.after(async () => await server[Symbol.asyncDispose]())
  return server.url
}

const ways: readonly (readonly [RealServerKind, 'docroot' | 'beside' | 'htaccess', string])[] = [
  [nginx, 'docroot', 'nginx, documents in the document root'],
  [nginx, 'beside', 'nginx, documents in a folder of their own'],
  [apache, 'docroot', 'Apache, documents in the document root'],
  [apache, 'beside', 'Apache, documents in a folder of their own'],
  [apache, 'htaccess', 'Apache, by .htaccess alone'],
]

const TYPES: readonly (readonly [path: string, type: RegExp, isCoded: boolean])[] = [
  ['/robots.txt', /^text\/plain; ?charset=utf-8$/i, false],
  ['/sitemap.xml', /^application\/xml$/, true],
  ['/metadata/resourcelist.xml', /^application\/xml$/, true],
  ['/metadata/capabilitylist.xml', /^application\/xml$/, false],
  ['/robots.rdf', /^application\/rdf\+xml$/, true],
  ['/.well-known/resourcesync', /^application\/xml$/, false],
  ['/.well-known/api-catalog', /^application\/linkset\+json$/, false],
  ['/metadata/archives.txt', /^text\/plain; ?charset=utf-8$/i, false],
  ['/metadata/resourcedump-0.zip', /^application\/zip$/, false],
  ['/metadata/site.wacz', /^application\/wacz$/, false],
]

for (const [kind, way, name] of ways) {
  test(`${name}: every document has its type, its validators, and a 304 for whoever has it`, async (t) => {
    const url = await served(t, kind, way)
    if (url === undefined) return
    for (const [path, type, isCoded] of TYPES) {
      const plain = await ask(url + path)
      assert.equal(plain.status, 200, path)
      assert.match(String(plain.headers['content-type']), type, path)
      assert.equal(plain.headers['cache-control'], 'no-cache', path)
      const coded = await ask(url + path, { 'accept-encoding': 'gzip' })
      assert.equal(coded.headers['content-encoding'], isCoded ? 'gzip' : undefined, path)
      assert.match(String(coded.headers['content-type']), type, path)
      assert.deepEqual(isCoded ? gunzipSync(coded.body) : coded.body, plain.body, path)
      if (isCoded) assert.match(String(coded.headers.vary), /accept-encoding/i, path)
      for (const [answer, coding] of [
        [plain, 'identity'],
        [coded, 'gzip'],
      ] as const) {
        const { etag, 'last-modified': lastModified } = answer.headers
        assert.match(String(etag), /^"[^"]+"$/, `${path} has a strong tag`)
        const byTag = await ask(url + path, { 'accept-encoding': coding, 'if-none-match': etag! })
        const byDate = await ask(url + path, { 'accept-encoding': coding, 'if-modified-since': lastModified! })
        assert.deepEqual([byTag.status, byDate.status], [304, 304], `${path} in ${coding}`)
      }
      if (isCoded) assert.notEqual(plain.headers.etag, coded.headers.etag, `${path}: two codings, two tags`)
    }
  })

  test(`${name}: archives are gzip files to be kept, closed ones for ever; dumps go out in parts`, async (t) => {
    const url = await served(t, kind, way)
    if (url === undefined) return
    const lists = [await ask(`${url}/metadata/archives.txt`)]
    const first = readArchiveList(lists[0]!.body.toString(), `${BASE}metadata/archives.txt`)
    const more = first.lists.map(async (list) =>
      readArchiveList((await ask(url + new URL(list.url).pathname)).body.toString(), list.url),
    )
    const archives = [...first.archives, ...(await Promise.all(more)).flatMap((list) => list.archives)]
    assert.ok(
      archives.some(({ name: { to } }) => to === undefined) && archives.some(({ name: { to } }) => to !== undefined),
    )
    for (const { url: address, name: archive } of archives) {
      const { headers, body } = await ask(url + new URL(address).pathname, { 'accept-encoding': 'gzip' })
      assert.deepEqual([headers['content-type'], headers['content-encoding']], ['application/gzip', undefined])
      assert.match(
        String(headers['cache-control']),
        archive.to === undefined ? /^no-cache$/ : /^max-age=31536000, immutable$/,
      )
      assert.ok(readMetadataArchive(body, { site: BASE, name: archive }).complete)
    }
    const whole = await ask(`${url}/metadata/site.wacz`)
    const part = await ask(`${url}/metadata/site.wacz`, { range: 'bytes=-22' })
    assert.equal(part.status, 206)
    assert.deepEqual(part.body, whole.body.subarray(-22))
  })

  test(`${name}: pages lead to the capability list and are not sent twice; what comity notes for itself is not sent`, async (t) => {
    const url = await served(t, kind, way)
    if (url === undefined) return
    for (const coding of ['identity', 'gzip']) {
      const { status, headers } = await ask(`${url}/`, { 'accept-encoding': coding })
      assert.equal(status, 200)
      assert.match(String(headers.link), /<\/metadata\/capabilitylist\.xml>; rel="resourcesync"/)
      assert.equal(headers['content-encoding'], coding === 'gzip' ? 'gzip' : undefined)
      const again = await ask(`${url}/`, { 'accept-encoding': coding, 'if-none-match': headers.etag! })
      assert.equal(again.status, 304, `a page in ${coding}, ${headers.etag}`)
    }
    const { headers } = await ask(`${url}/.well-known/api-catalog`)
    assert.match(String(headers.link), /<\/\.well-known\/api-catalog>; rel="api-catalog"/)
    assert.equal((await ask(`${url}/.comity-files.json`)).status, 404)
  })
}

test('a site below a folder has its locations there', () => {
  const text = nginxSnippet({ base: 'https://a.example/docs/' })
  assert.match(text, /"\^\/docs\/robots\(/)
  assert.match(text, /location ~ "\^\/robots\\\.txt\$"/)
  assert.match(apacheSnippet({ base: 'https://a.example/docs/' }), /<\/docs\/metadata\/capabilitylist\.xml>/)
})

for (const into of ['/srv/a"b', '/srv/$HOME', '/srv/a\nb', '/srv/a;b']) {
  test(`a folder named ${JSON.stringify(into)} is refused: it could be read as something else`, () => {
    for (const snippet of [nginxSnippet, apacheSnippet])
      assert.throws(() => snippet({ base: BASE, into }), failsAs('PUBLISH_OPTION_INVALID', /plainer name/))
  })
}
