import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { TestContext } from 'node:test'
import { parseRobots, readArchiveList, readApiCatalog, readRobotsRdf, readSitemap, readSync } from '@comity/protocol'
import { failsAs, testFolder } from '../testing/journal-sample.ts'
import { MemoryFiles } from '../testing/memory-files.ts'
import { pathGlob } from '../privacy/path-glob.ts'
import { BASE, SampleSite } from '../testing/site-sample.ts'
import { SCHEMES } from '../site-options.ts'
import type { SiteOptions } from '../site-options.ts'
import { exportedGlobs } from './paths.ts'
import { StaticExport } from './static-export.ts'
import type { ExportSummary } from './static-export.ts'

/** A site in memory whose documents go into a folder. */
class Exported {
  readonly dir: string
  readonly sample: SampleSite
  readonly #options: Partial<SiteOptions>

  constructor(t: TestContext, options: Partial<SiteOptions> = {}) {
    this.dir = testFolder(t)
    this.#options = { kept: new MemoryFiles(), ...options }
    this.sample = new SampleSite(options)
  }

  /** As another process would: nothing is remembered but what stands in the folder. */
  another(more: Partial<SiteOptions> = {}): StaticExport {
    const { journal, bodies } = this.sample
    const read = async (path: string): Promise<Uint8Array | undefined> => bodies.get(path)
    const site = { journal, base: BASE, now: () => this.sample.now, read, ...this.#options, ...more }
    return new StaticExport(site, { into: this.dir, docroot: this.dir })
  }

  async run(): Promise<ExportSummary> {
    return await this.another().run()
  }

  read(path: string): Buffer {
    return readFileSync(join(this.dir, path))
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.dir, path), text)
  }
}

async function smallExport(t: TestContext, options: Partial<SiteOptions> = {}): Promise<Exported> {
  const exported = new Exported(t, options)
  await exported.sample.put({ '/': 'home', '/a.html': 'page a', '/b.html': 'page b' })
  await exported.run()
  return exported
}

test('every document stands in the folder, and is what the readers of its kind read', async (t) => {
  const exported = await smallExport(t)
  const lists = [
    '/sitemap.xml',
    '/metadata/resourcelist.xml',
    '/metadata/changelist.xml',
    '/metadata/resourcedump.xml',
    '/metadata/changedump.xml',
    '/metadata/capabilitylist.xml',
  ]
  for (const path of lists) {
    const { summary } = readSync(exported.read(path), `https://a.example${path}`)
    assert.deepEqual(summary.problems, {}, path)
  }
  const { entries } = readSitemap(exported.read('sitemap.xml'), `${BASE}sitemap.xml`)
  assert.deepEqual(
    entries.map(({ loc }) => loc),
    [BASE, `${BASE}a.html`, `${BASE}b.html`],
  )
  assert.deepEqual(readRobotsRdf(exported.read('robots.rdf'), `${BASE}robots.rdf`).problems, {})
  const { sitemaps, metadata } = parseRobots(exported.read('robots.txt'))
  assert.deepEqual(sitemaps, [`${BASE}sitemap.xml`, `${BASE}metadata/resourcelist.xml`])
  assert.deepEqual(metadata, [`${BASE}metadata/archives.txt`])
  const archives = readArchiveList(exported.read('metadata/archives.txt').toString(), metadata[0]!)
  assert.ok(archives.archives.every(({ url }) => existsSync(join(exported.dir, new URL(url).pathname))))
  assert.equal(exported.read('metadata/resourcedump-0.zip').subarray(0, 2).toString(), 'PK')
})

test('what no file can do is not offered', async (t) => {
  const exported = await smallExport(t)
  const catalog = readApiCatalog(exported.read('.well-known/api-catalog').toString(), BASE)
  assert.deepEqual(Object.keys(catalog), ['resourcesync'])
  // As large as the dump, and of the same pages: a file for whoever names it.
  const every = await smallExport(t, { schemes: SCHEMES })
  const all = readApiCatalog(every.read('.well-known/api-catalog').toString(), BASE)
  assert.deepEqual(Object.keys(all).toSorted(), ['resourcesync', 'wacz'])
  assert.equal(every.read('metadata/site.wacz').subarray(0, 2).toString(), 'PK')
  assert.doesNotMatch(exported.read('metadata/capabilitylist.xml').toString(), /comity\/(?:batch|changes)/)
})

test('outside hubs and the key of IndexNow are files too', async (t) => {
  const exported = await smallExport(t, { push: { hubs: ['https://hub.example/'], indexNowKey: 'abcdefgh12345678' } })
  assert.equal(exported.read('abcdefgh12345678.txt').toString(), 'abcdefgh12345678')
  const { links } = readSync(exported.read('metadata/changelist.xml'), `${BASE}metadata/changelist.xml`).summary
  const ofRel = (rel: string): string | undefined => links.find((link) => link.rel === rel)?.href
  assert.deepEqual([ofRel('hub'), ofRel('self')], ['https://hub.example/', `${BASE}metadata/changelist.xml`])
})

test('texts have a packed copy beside them that holds the same', async (t) => {
  const exported = new Exported(t, { schemes: SCHEMES })
  await exported.sample.put(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`/page-${i}.html`, `page ${i}`])))
  await exported.run()
  const packed = ['sitemap.xml', 'metadata/resourcelist.xml', 'robots.rdf']
  for (const path of packed) assert.deepEqual(gunzipSync(exported.read(`${path}.gz`)), exported.read(path))
  for (const path of ['metadata/site.wacz.gz', 'robots.txt.gz', 'metadata/capabilitylist.xml.gz'])
    assert.ok(!existsSync(join(exported.dir, path)), path)
})

test('a second run writes nothing; after one change only what tells of it is written', async (t) => {
  const exported = await smallExport(t, { limits: { listPages: 4 } })
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`/page-${i}.html`, `page ${i}`]))
  await exported.sample.put(many)
  await exported.run()
  const again = await exported.run()
  assert.deepEqual([again.written, again.removed, again.foreign], [[], [], []])
  const before = new Map(namesIn(exported.dir).map((name) => [name, statSync(join(exported.dir, name)).mtimeMs]))
  await exported.sample.put({ '/page-7.html': 'changed' })
  const { written } = await exported.run()
  const parts = written.filter((path) => /^\/sitemap-\w+\.xml$/.test(path))
  assert.equal(parts.length, 1, written.join(' '))
  const moved = namesIn(exported.dir).filter((name) => before.get(name) !== statSync(join(exported.dir, name)).mtimeMs)
  assert.deepEqual(
    moved
      .filter((name) => name !== '.comity-files.json')
      .map((name) => `/${name}`)
      .toSorted(),
    written.toSorted(),
  )
})

test('when nothing has changed, nothing is made to see that', async (t) => {
  const exported = await smallExport(t)
  const bodies = t.mock.method(exported.sample.journal, 'version')
  const same = await exported.run()
  assert.deepEqual([same.written, bodies.mock.callCount()], [[], 0])
  // Anything that documents are made of: a change, a rule, or a file that is not as it was.
  writeFileSync(join(exported.dir, 'robots.rdf'), 'touched')
  assert.deepEqual((await exported.run()).foreign, ['/robots.rdf'])
  assert.ok(bodies.mock.callCount() > 0)
  const other = await exported.another({ base: 'https://b.example/' }).run()
  assert.ok(other.written.includes('/sitemap.xml'))
})

test('one process that exports again and again makes only what changed', async (t) => {
  const exported = new Exported(t)
  await exported.sample.put({ '/': 'home' })
  const running = exported.another()
  await running.run()
  assert.deepEqual((await running.run()).written, [])
  await exported.sample.put({ '/a.html': 'new' })
  const { written, bytes, files } = await running.run()
  assert.ok(written.includes('/sitemap.xml') && !written.includes('/metadata/capabilitylist.xml'), written.join(' '))
  const fresh = await exported.run()
  assert.deepEqual([fresh.written, fresh.bytes, fresh.files], [[], bytes, files])
})

test('files that are no longer wanted go, and no others', async (t) => {
  const exported = new Exported(t, { limits: { listPages: 4 } })
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`/page-${i}`, `page ${i}`]))
  await exported.sample.put(many)
  await exported.run()
  exported.write('sitemap-of-mine.xml', 'mine')
  const parts = (): string[] => namesIn(exported.dir).filter((name) => /^sitemap-\w+\.xml$/.test(name))
  assert.ok(parts().length > 4)
  await exported.sample.put(
    Object.fromEntries(
      Object.keys(many)
        .slice(2)
        .map((path) => [path, null]),
    ),
  )
  const { removed } = await exported.run()
  assert.deepEqual(parts(), [])
  assert.ok(removed.length > 8)
  assert.equal(exported.read('sitemap-of-mine.xml').toString(), 'mine')
})

test('a file that somebody else wrote is neither overwritten nor removed', async (t) => {
  const exported = new Exported(t)
  exported.write('sitemap.xml', '<urlset>the owner made this</urlset>')
  symlinkSync('sitemap.xml', join(exported.dir, 'robots.rdf'))
  await exported.sample.put({ '/': 'home' })
  const { foreign } = await exported.run()
  assert.deepEqual(foreign, ['/sitemap.xml', '/robots.rdf'])
  assert.match(exported.read('sitemap.xml').toString(), /the owner made this/)
  // One of ours that the owner has edited since is the owner's.
  exported.write('metadata/changelist.xml', 'edited')
  await exported.sample.put({ '/a': 'a' })
  assert.ok((await exported.run()).foreign.includes('/metadata/changelist.xml'))
  assert.equal(exported.read('metadata/changelist.xml').toString(), 'edited')
})

test('files of an export whose manifest was lost are taken up again when they are the same', async (t) => {
  const exported = await smallExport(t)
  exported.write('.comity-files.json', '{')
  const again = await exported.run()
  assert.deepEqual([again.written, again.foreign], [[], []])
  await exported.sample.put({ '/new.html': 'new' })
  const after = await exported.run()
  assert.deepEqual(after.foreign, [])
  assert.ok(after.written.includes('/sitemap.xml'))
})

test('a manifest that leads out of the folder removes nothing there', async (t) => {
  const exported = await smallExport(t)
  const outside = join(testFolder(t), 'precious')
  writeFileSync(outside, 'precious')
  const path = `/../${outside.split('/').slice(-2).join('/')}`
  const file = { name: 'x', sums: [], bytes: 8, mtimeMs: statSync(outside).mtimeMs }
  exported.write('.comity-files.json', JSON.stringify({ comity: 1, files: { [path]: file } }))
  await exported.run()
  assert.ok(existsSync(outside))
})

test('an export that was killed between two files is finished by the next one', async (t) => {
  const exported = await smallExport(t)
  const old = exported.read('sitemap.xml')
  const manifest = exported.read('.comity-files.json')
  await exported.sample.put({ '/c.html': 'page c' })
  await exported.run()
  const [sitemap, mtime] = [exported.read('sitemap.xml'), statSync(join(exported.dir, 'sitemap.xml')).mtimeMs]
  // As it is when the manifest is out and the sitemap not yet renamed: the sums of both, the file of before.
  const { files } = JSON.parse(manifest.toString()) as { files: Record<string, { sums: string[] }> }
  const now = JSON.parse(exported.read('.comity-files.json').toString()) as typeof manifest & { files: typeof files }
  for (const [path, file] of Object.entries(now.files)) file.sums = [...(files[path]?.sums ?? []), ...file.sums]
  exported.write('.comity-files.json', JSON.stringify(now))
  exported.write('sitemap.xml', old.toString())
  mkdirSync(join(exported.dir, '.comity-part'))
  exported.write('.comity-part/3', 'half')
  const { foreign } = await exported.run()
  assert.deepEqual(foreign, [])
  assert.deepEqual(exported.read('sitemap.xml'), sitemap)
  assert.ok(statSync(join(exported.dir, 'sitemap.xml')).mtimeMs > mtime, 'another second, another validator')
  assert.ok(!existsSync(join(exported.dir, '.comity-part')))
})

test("the owner's robots.txt is kept to the last byte, and its rules count", async (t) => {
  const exported = new Exported(t)
  const own = Buffer.from('User-agent: *\r\nDisallow: /secret\r\n# caf\xe9', 'latin1')
  writeFileSync(join(exported.dir, 'robots.txt'), own)
  await exported.sample.put({ '/open.html': 'open', '/secret.html': 'secret' })
  await exported.run()
  const merged = exported.read('robots.txt')
  assert.deepEqual(merged.subarray(0, own.length), own)
  assert.match(merged.toString('latin1'), /\n\n# comity begin.*\nSitemap: .*\n[^]*# comity end\n$/)
  assert.doesNotMatch(exported.read('sitemap.xml').toString(), /secret/)
  assert.deepEqual((await exported.run()).written, [])
  // The owner goes on editing around our lines.
  exported.write('robots.txt', merged.toString('latin1').replace('/secret', '/open') + 'User-agent: x\nDisallow: /\n')
  await exported.run()
  assert.match(
    exported.read('robots.txt').toString(),
    /Disallow: \/open[^]*User-agent: x\nDisallow: \/\n\n# comity begin/,
  )
  assert.match(exported.read('sitemap.xml').toString(), /secret/)
  assert.doesNotMatch(exported.read('sitemap.xml').toString(), /open/)
})

test('into a folder of its own goes a copy of robots.txt with the lines added', async (t) => {
  const sample = new SampleSite()
  await sample.put({ '/': 'home' })
  const [docroot, into] = [testFolder(t), join(testFolder(t), 'new')]
  writeFileSync(join(docroot, 'robots.txt'), 'User-agent: *\nAllow: /\n')
  const site = { journal: sample.journal, base: BASE, now: () => sample.now, read: async () => undefined }
  const exporting = new StaticExport(site, { into, docroot })
  await exporting.run()
  assert.equal(readFileSync(join(docroot, 'robots.txt'), 'utf8'), 'User-agent: *\nAllow: /\n')
  assert.deepEqual(namesIn(docroot), ['robots.txt'])
  assert.match(readFileSync(join(into, 'robots.txt'), 'utf8'), /^User-agent: \*\nAllow: \/\n\n# comity begin/)
  assert.match(await exporting.robotsLines(), /^Sitemap: https:\/\/a\.example\/sitemap\.xml\nSitemap: /)
})

test('two versions of one file never have one second, however fast they come', async (t) => {
  const exported = new Exported(t)
  const seconds = new Set<number>()
  for (let i = 0; i < 4; i++) {
    await exported.sample.put({ '/': `version ${i}` })
    exported.sample.now -= 1_000
    await exported.run()
    seconds.add(statSync(join(exported.dir, 'metadata/changelist.xml')).mtimeMs)
  }
  assert.equal(seconds.size, 4)
})

test('a folder that cannot be written is named, with what to do', async (t) => {
  const exported = new Exported(t)
  writeFileSync(join(exported.dir, 'file'), '')
  const site = { journal: exported.sample.journal, base: BASE, now: () => 0, read: async () => undefined }
  const into = join(exported.dir, 'file')
  await assert.rejects(
    new StaticExport(site, { into }).run(),
    failsAs('EXPORT_UNWRITABLE', /cannot be written into .*file/),
  )
})

test('files are for everybody to read, whatever the umask', async (t) => {
  const exported = new Exported(t)
  chmodSync(exported.dir, 0o755)
  const before = process.umask(0o077)
  t.after(() => process.umask(before))
  await exported.sample.put({ '/': 'home' })
  await exported.run()
  for (const name of ['sitemap.xml', '.well-known/resourcesync'])
    assert.equal(statSync(join(exported.dir, name)).mode & 0o777, 0o644)
  for (const name of ['.well-known', 'metadata']) assert.equal(statSync(join(exported.dir, name)).mode & 0o777, 0o755)
})

test('a scan knows what an export writes, and nothing else', async (t) => {
  const exported = await smallExport(t, { limits: { listPages: 1 } })
  const globs = exportedGlobs('/').map(pathGlob)
  const isOwn = (path: string): boolean => globs.some((matches) => matches(path))
  const visible = namesIn(exported.dir).filter((name) => !name.startsWith('.'))
  assert.deepEqual(
    visible.filter((name) => !isOwn(`/${name}`)),
    [],
  )
  for (const path of ['/', '/a.html', '/metadata/', '/metadata/notes.txt', '/site.zip', '/sitemap.html'])
    assert.ok(!isOwn(path), path)
  assert.ok(exportedGlobs('/docs/').includes('/docs/sitemap.xml'))
})

test('times of files that a copy has lost are no reason to write them again', async (t) => {
  const exported = await smallExport(t)
  utimesSync(join(exported.dir, 'sitemap.xml'), 1, 1)
  assert.deepEqual((await exported.run()).written, [])
})

function namesIn(dir: string): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 1))
}
