/** What `comity publish` writes as files: few, without a broken link by our own crawler, and taken away to the last one by `unpublish`. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { docrootHandler } from '@comity/site'
import { readArchiveList } from '@comity/protocol'
import { comity, comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { unpack } from '../formats/kept-formats.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-published-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
/** As the fixture was published. */
const BASE = 'http://127.0.0.1:8401/'

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(dir.length))
    .toSorted()
const documentsIn = (dir: string): string[] => filesIn(dir).filter((path) => !path.endsWith('.html'))

/** Every address that a document names, whatever kind of document it is. */
function named(path: string, text: string, base: string): string[] {
  if (/archives[^/]*\.txt$/.test(path)) {
    const { archives, lists } = readArchiveList(text, new URL(path, base).href)
    return [...archives, ...lists].map(({ url }) => url)
  }
  const found = text.matchAll(/(?:<loc>|href="|resource="|about="|^Sitemap: |^Metadata: |"href":\s*")([^"<\s]+)/gm)
  return Array.from(found, ([, address = '']) => new URL(address, new URL(path, base)).href)
}

test('no document of a site that changed often leads to something that is not there, says our own crawler', async (t) => {
  const root = join(scratch, 'links/www')
  mkdirSync(root, { recursive: true })
  const files = docrootHandler(root, Date.now)
  const server = createServer((request, response) => {
    // Any server but ours, which keeps hidden files to itself, answers with these.
    const hidden = /^\/\.well-known\/[\w-]+$/.exec(request.url ?? '')
    if (hidden === null) files(request, response)
    else if (existsSync(join(root, hidden[0]))) response.end(readFileSync(join(root, hidden[0])))
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const write = (name: string, text: string, at: number): void => {
    writeFileSync(join(root, name), text)
    utimesSync(join(root, name), at, at)
  }
  const now = Date.now() / 1_000
  for (let n = 0; n < 40; n++) write(`p${n}.html`, `<title>Page ${n}</title><p>words ${n}</p>`, now - 7_200)
  write('index.html', '<title>Home</title><a href="/p1.html">one</a>', now - 7_200)
  await comityHere(['publish', root, '--base', base])
  // Enough changes for parts of three sizes.
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 40; n++)
      write(`p${n}.html`, `<title>Page ${n}</title><p>${round} ${n}</p>`, now - 3_600 + round)
    await comityHere(['publish', root, '--base', base])
  }
  const documents = documentsIn(root).filter((path) => !path.startsWith('/.comity'))
  assert.ok(documents.includes('/metadata/changelist-65-96.xml'), documents.join(' '))
  const links = new Set(
    documents
      .filter((path) => !/\.(?:gz|zip)$/.test(path))
      .flatMap((path) => named(path, readFileSync(join(root, path), 'utf8'), base)),
  )
  const seeds = [...links].filter((url) => url.startsWith(base))
  assert.ok(seeds.length > 60, `${seeds.length} links`)
  const summary = await quickCrawl(newDirectory(), seeds, { maxDepth: 0, maxPages: 1_000, sitemaps: false })
  // What is no page is asked for, and not kept.
  assert.deepEqual(Object.keys(summary.outcomes).toSorted(), ['ok', 'skipped-type'], JSON.stringify(summary.outcomes))

  const checked = lastJson(await comity(['check', base, '--allow-private', '--json', '--max-requests', '200'])) as {
    findings: { about: string; state: string; found: string }[]
  }
  assert.deepEqual(
    checked.findings.filter(({ state }) => state === 'wrong'),
    [],
  )
})

test('what an earlier version published becomes few documents, and what it wrote besides is taken away', async () => {
  const dir = unpack(join(scratch, 'earlier'), 'published-1')
  const root = join(dir, 'www')
  const before = documentsIn(root)
  assert.ok(before.length > 75 && before.includes('/site.wacz'))
  const dry = lastJson(await comityHere(['publish', root, '--base', BASE, '--dry-run', '--json']))
  const planned = dry['documents'] as { path: string; change: string }[]
  assert.deepEqual(documentsIn(root), before, 'a dry run writes nothing')
  const made = lastJson(await comityHere(['publish', root, '--base', BASE, '--json']))['made'] as {
    removed: string[]
    files: number
  }
  assert.deepEqual(
    planned.filter(({ change }) => change === 'removed').map(({ path }) => path),
    made.removed.toSorted(),
  )
  const now = documentsIn(root).filter((path) => !path.startsWith('/.comity'))
  assert.deepEqual(
    planned.filter(({ change }) => change !== 'removed').map(({ path }) => path),
    now,
  )
  assert.ok(now.length < 25, now.join(' '))
  const beside = now.filter((path) => !/^\/(?:metadata|\.well-known)\//.test(path))
  assert.deepEqual(beside, ['/robots.rdf', '/robots.rdf.gz', '/robots.txt', '/sitemap.xml', '/sitemap.xml.gz'])
})

test('unpublish takes away all that was written, by this version or an earlier one, and nothing else', async () => {
  const [own, robots] = ['/p1.html', 'User-agent: *\nDisallow: /private/\n']
  for (const isEarlier of [true, false]) {
    const dir = unpack(join(scratch, `unpublish-${isEarlier}`), 'published-1')
    const root = join(dir, 'www')
    const pages = filesIn(root).filter((path) => path.endsWith('.html'))
    if (!isEarlier) await comityHere(['publish', root, '--base', BASE, '--schemes', 'all'])
    writeFileSync(join(root, 'sitemap.xml'), '<urlset>mine now</urlset>')
    writeFileSync(join(root, 'metadata/notes.txt'), 'mine')
    const dry = await comityHere(['unpublish', root, '--dry-run'])
    assert.match(dry.stdout, /\d+ files would be removed/)
    assert.ok(existsSync(join(root, 'robots.rdf')))
    const done = await comityHere(['unpublish', root])
    assert.equal(done.code, 0, done.stderr)
    assert.match(done.stdout, /\/sitemap\.xml stays: it was edited since/)
    const left = ['/metadata/notes.txt', ...pages, '/robots.txt', '/sitemap.xml'].toSorted()
    assert.deepEqual(filesIn(root), left)
    assert.equal(readFileSync(join(root, 'robots.txt'), 'utf8'), robots)
    assert.ok(existsSync(join(root, own)) && existsSync(join(dir, '.comity-www/journal.log')))
    assert.match((await comityHere(['unpublish', root])).stdout, /nothing of ours is there/)
    writeFileSync(join(dir, '.comity-www/mine.txt'), 'mine')
    await comityHere(['unpublish', root, '--forget'])
    assert.deepEqual(readdirSync(join(dir, '.comity-www')), ['mine.txt'])
  }
})
