import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { WARCParser } from 'warcio'
import { gunzipSync } from 'node:zlib'
import { parseCdxjLine, readSync, readZipDirectory, readZipEntry } from '@comity/protocol'
import type { SyncEntry } from '@comity/protocol'
import { missing } from '@comity/protocol/testing'
import { testFolder } from '../testing/journal-sample.ts'
import { BASE, SampleSite } from '../testing/site-sample.ts'
import { digestOf } from '../journal/version-store.ts'

const pages = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [
    `/page-${i}.html`,
    `<p>page ${i}</p>${'<p>words of a site</p>'.repeat(i * 5)}`,
  ]),
)

async function dumpedSite(): Promise<SampleSite> {
  const sample = new SampleSite({ limits: { dumpBytes: 10_000 } })
  await sample.put(pages)
  await sample.put({ '/same.html': pages['/page-3.html']!, '/gone.html': 'soon gone' })
  await sample.put({ '/gone.html': null, '/page-5.html': 'page 5, again' })
  return sample
}

const entriesOf = async (sample: SampleSite, path: string): Promise<readonly SyncEntry[]> => {
  const { entries, summary } = readSync((await sample.ask(path)).body, BASE)
  assert.deepEqual(summary.problems, {})
  return entries
}

/** What a crawler should hold. */
const textsOf = ({ bodies }: SampleSite): Map<string, string> =>
  new Map([...bodies].map(([path, body]) => [path, body.toString('utf8')]))

const pathOf = ({ url }: { readonly url: string }): string => new URL(url).pathname

async function zipFiles(bytes: Buffer): Promise<Map<string, Buffer>> {
  const source = { size: bytes.length, read: async (at: number, length: number) => bytes.subarray(at, at + length) }
  const directory = await readZipDirectory(source)
  assert.equal(directory.kind, 'ok')
  const files = new Map<string, Buffer>()
  for (const entry of directory.kind === 'ok' ? directory.entries : []) {
    const chunks: Uint8Array[] = []
    for await (const chunk of readZipEntry(source, entry)) chunks.push(chunk)
    files.set(entry.name, Buffer.concat(chunks))
  }
  return files
}

/** Unpacked by somebody else's program. */
function unzipped(bytes: Uint8Array, dir: string): (name: string) => Buffer {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'dump.zip'), bytes)
  execFileSync('unzip', ['-q', '-o', 'dump.zip'], { cwd: dir })
  return (name) => readFileSync(join(dir, name))
}

function hasUnzip(): boolean {
  try {
    execFileSync('unzip', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    // Not installed; the test says so.
    return false
  }
}

test('unzip finds every page of the site in the packages of its dump, as their manifests say', async (t) => {
  if (!hasUnzip()) return missing(t, 'unzip', 'install the package unzip')
  const sample = await dumpedSite()
  const dir = testFolder(t)
  const held = new Map<string, string>()
  const packages = await entriesOf(sample, '/metadata/resourcedump.xml')
  assert.ok(packages.length >= 4)
  for (const [i, one] of packages.entries()) {
    assert.equal(one.kind, 'package')
    const { sent, header } = await sample.ask(pathOf(one), { headers: [['Accept-Encoding', 'gzip, br']] })
    assert.deepEqual([header('content-type'), header('content-encoding')], ['application/zip', undefined])
    const file = unzipped(sent, join(dir, String(i)))
    const manifest = readSync(file('manifest.xml'), BASE)
    assert.equal(manifest.summary.capability, 'resourcedump-manifest')
    const outside = one.links?.find(({ rel }) => rel === 'contents')?.href
    assert.equal((await sample.ask(pathOf({ url: outside! }))).text, file('manifest.xml').toString('utf8'))
    assert.equal(one.extension?.['pages'], String(manifest.entries.length))
    for (const entry of manifest.entries) {
      const body = file(`.${entry.path!}`)
      assert.deepEqual([digestOf(body), body.length], [entry.digest, entry.bytes])
      held.set(pathOf(entry), body.toString('utf8'))
    }
  }
  assert.deepEqual(held, textsOf(sample))
  return undefined
})

test('a change makes one package anew', async () => {
  const sample = await dumpedSite()
  const tags = async (): Promise<Map<string, string>> => {
    const found = new Map<string, string>()
    for (const one of await entriesOf(sample, '/metadata/resourcedump.xml'))
      found.set(one.url, (await sample.ask(pathOf(one))).header('etag')!)
    return found
  }
  const before = await tags()
  await sample.put({ '/page-9.html': 'page 9, again' })
  const after = await tags()
  assert.deepEqual([...after.keys()], [...before.keys()])
  assert.equal([...after].filter(([url, tag]) => before.get(url) !== tag).length, 1)
})

test('a page whose bytes are not what the journal says is in no dump until somebody has looked at it', async () => {
  const sample = new SampleSite(
    {},
    { versions: { put: async () => undefined, get: () => undefined, supersede: () => undefined } },
  )
  await sample.put({ '/a.html': 'recorded', '/b.html': 'page b' })
  sample.bodies.set('/a.html', Buffer.from('changed and perhaps private'))
  const [one] = await entriesOf(sample, '/metadata/resourcedump.xml')
  const { sent } = await sample.ask(pathOf(one!))
  const files = await zipFiles(sent)
  assert.equal(files.size, 2)
  assert.deepEqual(readSync(files.get('manifest.xml')!, BASE).entries.map(pathOf), ['/b.html'])
})

test('change dumps hold the pages that changed and say which are gone', async (t) => {
  if (!hasUnzip()) return missing(t, 'unzip', 'install the package unzip')
  const sample = await dumpedSite()
  const dir = testFolder(t)
  const told = new Map<string, string | undefined>()
  for (const [i, one] of (await entriesOf(sample, '/metadata/changedump.xml')).entries()) {
    const file = unzipped((await sample.ask(pathOf(one))).sent, join(dir, String(i)))
    const { entries, summary } = readSync(file('manifest.xml'), BASE)
    assert.deepEqual([summary.capability, summary.problems], ['changedump-manifest', {}])
    for (const entry of entries) {
      const isDeleted = 'change' in entry && entry.change === 'deleted'
      if (entry.path !== undefined) told.set(pathOf(entry), file(`.${entry.path}`).toString('utf8'))
      else if (isDeleted) told.delete(pathOf(entry))
    }
  }
  assert.deepEqual(told, textsOf(sample))
  return undefined
})

test('warcio reads every page out of the WACZ, each where its index says', async () => {
  const sample = await dumpedSite()
  const { sent } = await sample.ask('/metadata/site.wacz')
  const files = await zipFiles(sent)
  const file = (name: string): Buffer => files.get(name)!
  const lines = gunzipSync(file('indexes/index.cdx.gz')).toString('utf8').trim().split('\n')
  assert.deepEqual(lines, lines.toSorted())
  const found = new Map<string, string>()
  for (const line of lines) {
    const { url, filename, offset, length } = parseCdxjLine(line)!
    const record = file(`archive/${filename}`).subarray(offset, offset + length)
    const read = await new WARCParser(new Blob([new Uint8Array(record)]).stream()).parse()
    assert.equal(read?.warcTargetURI, url)
    found.set(pathOf({ url }), await read.contentText())
  }
  assert.deepEqual(found, textsOf(sample))
  const description = JSON.parse(file('datapackage.json').toString('utf8')) as {
    resources: { path: string; hash: string }[]
  }
  for (const { path, hash } of description.resources)
    assert.equal(hash.replace('sha256:', 'sha-256:'), digestOf(file(path)))
})

test('any part of the WACZ can be had without the rest', async () => {
  const sample = await dumpedSite()
  const whole = await sample.ask('/metadata/site.wacz')
  const { length } = whole.sent
  for (const [start, end] of [
    [0, 99],
    [length - 22, length - 1],
    [5_000, 9_000],
  ] as const) {
    const part = await sample.ask('/metadata/site.wacz', {
      headers: [
        ['Range', `bytes=${start}-${end}`],
        ['If-Range', whole.header('etag')!],
      ],
    })
    assert.equal(part.status, 206)
    assert.deepEqual(part.sent, whole.sent.subarray(start, end + 1))
  }
})

test('a site that is larger than it may be offers no dump of itself, and does not say that it does', async () => {
  const sample = new SampleSite({ limits: { siteBytes: 100 } })
  await sample.put({ '/a.html': 'a'.repeat(101) })
  assert.equal(sample.site.isOurs('/metadata/resourcedump.xml'), true)
  await assert.rejects(sample.ask('/metadata/resourcedump.xml'), /not one of/)
  await assert.rejects(sample.ask('/metadata/site.wacz'), /not one of/)
  assert.doesNotMatch((await sample.ask('/metadata/capabilitylist.xml')).text, /resourcedump/)
  assert.doesNotMatch((await sample.ask('/.well-known/api-catalog')).text, /wacz/)
})
