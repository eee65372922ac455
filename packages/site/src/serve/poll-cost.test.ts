/**
 * What a crawler pays that polls: the bytes of requests and answers, heads and all, until it knows that one page changed,
 * on a site of all of Debian's HTML manuals. And what the site's own description of itself comes to (000 §3.2-3.3).
 */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  CHANGES_PATH,
  parseMetadataArchiveName,
  readArchiveList,
  readChanges,
  readSync,
  writeChangeQuery,
} from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { manuals } from '@comity/protocol/testing'
import type { JournaledPage } from '../journal/journal.ts'
import { BASE, SampleSite, wireBytes } from '../testing/site-sample.ts'
import type { Asked, ReadAnswer } from '../testing/site-sample.ts'

const AGENT: HeaderList = [
  ['User-Agent', 'comity/0.1 (+https://crawler.example/about)'],
  ['Accept-Encoding', 'br, zstd, gzip'],
]

function manualPages(t: TestContext): JournaledPage[] | undefined {
  const sites = manuals(t)
  if (sites === undefined) return undefined
  const listed: JournaledPage[] = []
  for (const [origin, entries] of sites) {
    const folder = new URL(origin).hostname.split('.')[0]!
    for (const { url, bytes = 0, modifiedAt = 0 } of entries) {
      const path = `/${folder}${new URL(url).pathname}`
      listed.push({
        path,
        bytes,
        modifiedAt,
        digest: `sha-256:${hash('sha256', `${path} ${modifiedAt}`)}`,
        type: 'text/html',
      })
    }
  }
  return listed
}

const changed = (page: JournaledPage, at: number): JournaledPage => ({
  ...page,
  modifiedAt: at,
  bytes: page.bytes + 7,
  digest: `sha-256:${hash('sha256', `${page.path} ${at}`)}`,
})

/** A crawler's requests, each with the tag it got before. */
class Poller {
  readonly #sample: SampleSite
  readonly #tags = new Map<string, string>()
  bytes = 0
  requests = 0

  constructor(sample: SampleSite) {
    this.#sample = sample
  }

  async get(path: string): Promise<ReadAnswer> {
    const tag = this.#tags.get(path)
    const headers: HeaderList = tag === undefined ? AGENT : [...AGENT, ['If-None-Match', tag]]
    const answer = await this.ask(path, { headers })
    this.#tags.set(path, answer.header('etag')!)
    return answer
  }

  async ask(path: string, asked: Asked): Promise<ReadAnswer> {
    const answer = await this.#sample.ask(path, asked)
    this.bytes += wireBytes(path, asked, answer)
    this.requests++
    return answer
  }

  /** What was paid since the last time. */
  paid(): { bytes: number; requests: number } {
    const { bytes, requests } = this
    this.bytes = 0
    this.requests = 0
    return { bytes, requests }
  }
}

let sample: SampleSite | undefined
let pages: JournaledPage[] = []

/** Made once, by the first test that wants it. */
async function manualSite(t: TestContext): Promise<SampleSite | undefined> {
  if (sample !== undefined) return sample
  pages = manualPages(t) ?? []
  if (pages.length === 0) return undefined
  const made = new SampleSite()
  await made.journal.record(pages, made.now)
  return (sample = made)
}

const changeOne = async (site: SampleSite, i: number): Promise<void> => {
  site.now += 60_000
  await site.journal.record([changed(pages[(i * 7_919) % pages.length]!, site.now)], site.now)
}

test('archives of the manuals take at most 22 bytes a page and 0.16 % of their content', async (t) => {
  const site = await manualSite(t)
  if (site === undefined) return
  let [bytes, archives] = [0, 0]
  for await (const { path, bytes: size, scheme } of site.site.documents()) {
    if (archives > 0 && scheme !== 'archives') break
    if (scheme !== 'archives') continue
    bytes += size
    if (path.endsWith('.gz')) archives++
  }
  const content = pages.reduce((sum, page) => sum + page.bytes, 0)
  t.diagnostic(
    `${pages.length} pages of ${content} bytes: ${archives} archives and their lists, ${(bytes / pages.length).toFixed(2)} bytes a page, ` +
      `${((100 * bytes) / content).toFixed(3)} % of content`,
  )
  assert.ok(bytes / pages.length <= 22)
  assert.ok(bytes / content <= 0.0016)
})

test('100,000 pages of many types are in 250 archives or fewer', async (t) => {
  if (manualSite(t) === undefined) return
  const types = ['text/html', 'image/png', 'text/plain', 'application/pdf', 'image/gif', 'text/css', 'application/zip']
  const more = pages.map((page, i) => ({ ...page, path: `/more${page.path}`, type: types[i % types.length]! }))
  const large = new SampleSite()
  await large.journal.record([...pages, ...more].slice(0, 100_000), large.now)
  const list = readArchiveList((await large.ask('/metadata/archives.txt')).text, `${BASE}metadata/archives.txt`)
  const closed = readArchiveList((await large.ask(new URL(list.lists[0]!.url).pathname)).text, list.lists[0]!.url)
  const archives = list.archives.length + closed.archives.length
  t.diagnostic(`${large.journal.pageCount} pages: ${archives} archives`)
  assert.ok(archives <= 250)
})

test('after one change whoever polls the open change list pays less than 2,000 bytes', async (t) => {
  const site = await manualSite(t)
  if (site === undefined) return
  const poller = new Poller(site)
  let open = new URL(readSync((await site.ask('/metadata/changelist.xml')).body, BASE).entries.at(-1)!.url).pathname
  await poller.get(open)
  poller.paid()
  let [most, unchanged, turned] = [0, 0, 0]
  for (let i = 0; i < 40; i++) {
    await changeOne(site, i)
    const polled = await poller.get(open)
    assert.equal(polled.status, 200)
    const { until, links } = readSync(polled.body, BASE).summary
    if (until !== undefined) {
      open = new URL(links.find(({ rel }) => rel === 'next')!.href).pathname
      await poller.get(open)
      turned = Math.max(turned, poller.paid().bytes)
    } else most = Math.max(most, poller.paid().bytes)
    assert.equal((await poller.get(open)).status, 304)
    unchanged = Math.max(unchanged, poller.paid().bytes)
  }
  t.diagnostic(
    `change list: ${most} bytes at most, ${turned} when the next part begins, ${unchanged} when nothing changed`,
  )
  assert.ok(Math.max(most, turned) < 2_000)
})

test('after one change whoever polls the archives pays less than 2,000 bytes', async (t) => {
  const site = await manualSite(t)
  if (site === undefined) return
  const poller = new Poller(site)
  const listed = async (): Promise<string | undefined> => {
    const answer = await poller.get('/metadata/archives.txt')
    if (answer.status === 304) return undefined
    const { archives } = readArchiveList(answer.text, `${BASE}metadata/archives.txt`)
    return new URL(archives.toSorted((a, b) => b.name.number - a.name.number)[0]!.url).pathname
  }
  let open = (await listed())!
  await poller.get(open)
  poller.paid()
  let [most, unchanged, turned] = [0, 0, 0]
  for (let i = 0; i < 70; i++) {
    await changeOne(site, i)
    const next = await listed()
    await poller.get(open)
    if (next !== undefined) {
      assert.ok(parseMetadataArchiveName(next)!.number > parseMetadataArchiveName(open)!.number)
      open = next
      await poller.get(open)
      turned = Math.max(turned, poller.paid().bytes)
    } else most = Math.max(most, poller.paid().bytes)
    await listed()
    assert.equal((await poller.get(open)).status, 304)
    unchanged = Math.max(unchanged, poller.paid().bytes)
  }
  t.diagnostic(
    `archives: ${most} bytes at most, ${turned} when the next archive begins, ${unchanged} when nothing changed`,
  )
  assert.ok(Math.max(most, turned) < 2_000)
})

test('after one change whoever asks the filter pays less than 2,000 bytes', async (t) => {
  const site = await manualSite(t)
  if (site === undefined) return
  const poller = new Poller(site)
  const headers: HeaderList = [...AGENT, ['Content-Type', 'application/json']]
  const first = readChanges((await site.ask(`${CHANGES_PATH}?limit=1`)).text)
  let since = `${first.end!.token.split('.')[0]}.${site.journal.last}`
  let [most, unchanged] = [0, 0]
  for (let i = 0; i < 20; i++) {
    for (const isChanged of [true, false]) {
      if (isChanged) await changeOne(site, i)
      const answer = await poller.ask(CHANGES_PATH, {
        method: 'QUERY',
        headers,
        body: writeChangeQuery({ since, fields: 'meta' }),
      })
      const { entries, end } = readChanges(answer.text)
      assert.equal(entries.length, isChanged ? 1 : 0)
      since = end!.token
      const { bytes } = poller.paid()
      if (isChanged) most = Math.max(most, bytes)
      else unchanged = Math.max(unchanged, bytes)
    }
  }
  t.diagnostic(`filter: ${most} bytes at most, ${unchanged} when nothing changed`)
  assert.ok(most < 2_000)
})

test('after one change the documents are made anew in milliseconds, whatever the size of the site', async (t) => {
  const site = await manualSite(t)
  if (site === undefined) return
  const paths = [
    '/sitemap.xml',
    '/metadata/resourcelist.xml',
    '/metadata/changelist.xml',
    '/metadata/archives.txt',
    '/metadata/resourcedump.xml',
    CHANGES_PATH,
  ]
  for (const path of paths) await site.ask(path)
  for (const path of paths.slice(0, -1)) {
    await changeOne(site, path.length)
    const began = performance.now()
    const { sent } = await site.ask(path, { headers: AGENT })
    t.diagnostic(`${path}: ${(performance.now() - began).toFixed(1)} ms, ${sent.length} bytes`)
    assert.ok(sent.length > 0, path)
  }
})
