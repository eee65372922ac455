/** A crawler that proves who it is, and a site that keeps its offers for such: over real sockets, with keys in real files. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Collection, storedContent } from '@comity/collection'
import { CrawlerIdentity, watchOptions } from '@comity/crawler'
import { BATCH_PATH, CHANGES_PATH, KEY_DIRECTORY_PATH, keyDirectoryAnswer, readKeySet } from '@comity/protocol'
import { KeyFile, Ledger } from '@comity/site'
import { comity } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite } from '../watch/cooperating-site.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'
import { page } from '../sites/small-site.ts'

/** The keys of a crawler in a file, and a server that publishes their public halves. */
class Publisher implements AsyncDisposable {
  readonly file: KeyFile
  readonly agent: string
  readonly #server: ReturnType<typeof createServer>
  #asked = 0

  static async open(address: string): Promise<Publisher> {
    const server = createServer()
    await new Promise<void>((resolve) => void server.listen(0, address, resolve))
    return new Publisher(server, address)
  }

  private constructor(server: ReturnType<typeof createServer>, address: string) {
    this.#server = server
    this.agent = `http://${address}:${(server.address() as AddressInfo).port}`
    this.file = KeyFile.openOrMake(`${newDirectory()}-keys.json`, { now: Date.now, lookMs: 0 })
    server.on('request', (request, response) => {
      this.#asked++
      const { headers, body } = keyDirectoryAnswer(this.file.ring(), `${this.agent}${KEY_DIRECTORY_PATH}`, Date.now())
      if (request.url === KEY_DIRECTORY_PATH) response.writeHead(200, headers.flat()).end(body)
      else response.writeHead(404).end()
    })
  }

  /** Times that somebody asked for its keys. */
  get asked(): number {
    return this.#asked
  }

  get identity(): CrawlerIdentity {
    return new CrawlerIdentity({ ring: () => this.file.ring(), agent: this.agent })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()))
  }
}

const words = 'words that every page of this site has in common, as sites do, '.repeat(40)
const article = (n: number, version = 1): string => `${page(`Article ${n}`, '/')}<p>${words}<p>version ${version}`
const PATHS = Array.from({ length: 12 }, (_, n) => `/a${n}`)
const pages = { '/': page('Home', ...PATHS), ...Object.fromEntries(PATHS.map((path, n) => [path, article(n)])) }

async function closedSite(address: string, ledger: Ledger): Promise<CooperatingSite> {
  return await createCooperatingSite(pages, {
    address,
    front: {
      offersTo: 'proven',
      // Keys stand on this machine here, without TLS, and are looked for again whenever one is not known.
      proof: { allowPrivate: ['127.0.0.0/8'], mayBeHttp: true, limits: { minFreshMs: 1 } },
      onServed: (served) => ledger.note(served),
    },
  })
}

/** Keeps fresh until `isEnough`. */
async function watch(
  into: string,
  identity: CrawlerIdentity | undefined,
  isEnough: () => boolean | Promise<boolean>,
): Promise<void> {
  const settings = watchOptions({ requestsPerSecond: 50, dayMs: 4_000, explore: 0.2, minPollMs: 150 })
  const stop = new AbortController()
  const late = AbortSignal.timeout(60_000)
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void (async () => {
      if (await isEnough()) stop.abort()
      isLooking = false
    })()
  }, 50)
  try {
    await quickCrawl(into, [], { watch: settings, identity }, AbortSignal.any([stop.signal, late]))
  } finally {
    clearInterval(timer)
  }
  assert.ok(await isEnough(), 'a minute was not enough')
}

async function textOf(into: string, path: string): Promise<string> {
  await using collection = Collection.openReadOnly(into)
  for (const { key, value } of collection.pages()) {
    if (new URL(collection.url(key)!).pathname !== path || value.body === undefined) continue
    const content = storedContent(collection, value.body)
    return content.kind === 'ok' ? Buffer.from(content.bytes).toString() : ''
  }
  return ''
}

/** How requests of a kind were answered, each status once. */
function statuses(site: CooperatingSite, isOne: (path: string) => boolean): number[] {
  const answered = site.asked.filter(({ path, status }) => isOne(path) && status !== 0)
  return [...new Set(answered.map(({ status }) => status))].toSorted((a, b) => a - b)
}

/** Questions about more than a page. */
const isOffer = (path: string): boolean =>
  /^\/(?:sitemap|resourcelist|changelist|capabilitylist|metadata|robots\.rdf|push)|resourcesync/.test(path) ||
  path === BATCH_PATH ||
  path.startsWith(CHANGES_PATH)

/** All that a crawl wrote, unpacked. */
function writtenBy(into: string): string {
  const files = readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    .map((bytes) => (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('latin1'))
    .join('\n')
}

test('a crawler with an identity gets what is offered, also after its keys were rotated', async () => {
  const ledger = new Ledger(0)
  await using publisher = await Publisher.open('127.0.54.1')
  await using site = await closedSite('127.0.54.2', ledger)
  const into = newDirectory()
  const { identity } = publisher
  const summary = await quickCrawl(into, [`${site.origin}/`], { identity })
  assert.equal(summary.pages, PATHS.length + 1)
  assert.deepEqual(
    statuses(site, (path) => path === '/sitemap.xml'),
    [200],
  )

  for (const [n, path] of PATHS.entries()) await site.set(path, article(n, 2))
  await watch(into, identity, async () => (await textOf(into, '/a7')).includes('version 2'))
  assert.ok(statuses(site, (path) => path.startsWith(CHANGES_PATH)).includes(200), 'the filter answered')
  assert.ok(statuses(site, (path) => path === BATCH_PATH).includes(200), 'a batch was answered')
  assert.ok(!statuses(site, isOffer).includes(403))

  const before = publisher.file.signingKey().keyId
  const fetched = publisher.asked
  publisher.file.rotate({ leadMs: 0 })
  assert.notEqual(publisher.file.signingKey().keyId, before)
  for (const [n, path] of PATHS.entries()) await site.set(path, article(n, 3))
  await watch(into, identity, async () => (await textOf(into, '/a7')).includes('version 3'))
  assert.ok(!statuses(site, isOffer).includes(403))
  assert.ok(publisher.asked > fetched, 'the new key was looked for')

  const names = new Set(ledger.store().rows.map(({ crawler }) => crawler))
  assert.ok(names.has(`${new URL(publisher.agent).host} (proven)`), [...names].join(', '))
  const archive = writtenBy(into)
  assert.match(archive, /signature-agent: sig1="http:\/\/127\.0\.54\.1:/)
  for (const { privateKey } of publisher.file.ring()) {
    const { d = '' } = privateKey.export({ format: 'jwk' })
    assert.ok(d !== '' && !archive.includes(d), 'a private key is nowhere')
  }
})

test('without an identity the offers are refused, and the pages are crawled and kept fresh all the same', async () => {
  const ledger = new Ledger(0)
  await using site = await closedSite('127.0.54.3', ledger)
  const into = newDirectory()
  const summary = await quickCrawl(into, [`${site.origin}/`])
  assert.equal(summary.pages, PATHS.length + 1)
  assert.deepEqual(
    statuses(site, (path) => path === '/sitemap.xml'),
    [403],
  )
  await site.set('/a3', article(3, 2))
  await watch(into, undefined, async () => (await textOf(into, '/a3')).includes('version 2'))
  assert.deepEqual(statuses(site, isOffer), [403])
  assert.deepEqual(
    statuses(site, (path) => path === '/robots.txt'),
    [200],
  )
  assert.ok(ledger.store().rows.every(({ crawler }) => !crawler.endsWith('(proven)')))
})

test('whoever signs as another is refused like a stranger', async () => {
  const ledger = new Ledger(0)
  await using known = await Publisher.open('127.0.54.4')
  await using thief = await Publisher.open('127.0.54.5')
  await using site = await closedSite('127.0.54.6', ledger)
  const identity = new CrawlerIdentity({ ring: () => thief.file.ring(), agent: known.agent })
  const summary = await quickCrawl(newDirectory(), [`${site.origin}/`], { identity })
  assert.equal(summary.pages, PATHS.length + 1)
  assert.deepEqual(statuses(site, isOffer), [403])
  assert.ok(known.asked > 0, 'the keys of the one it claims to be were looked at')
  assert.equal(thief.asked, 0)
  assert.ok(ledger.store().rows.every(({ crawler }) => !crawler.endsWith('(proven)')))
})

test('a site that the command publishes keeps its offers for proven crawlers, and publishes keys of its own', async () => {
  const docroot = join(newDirectory(), 'html')
  mkdirSync(docroot, { recursive: true })
  writeFileSync(join(docroot, 'index.html'), page('Home'))
  const keys = join(docroot, '..', 'keys.json')
  const serving = ['--serve', '0', '--offers-to', 'proven', '--keys', keys]
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let publisher: ChildProcess | undefined
  const ended = comity(['publish', docroot, '--base', 'http://127.0.0.1/', ...serving, '--json'], {
    onStart: (child) => {
      publisher = child
      child.stdout?.once('data', (text: string) => resolve((JSON.parse(text.split('\n')[0]!) as { url: string }).url))
    },
  })
  void ended.then(({ stderr }) => reject(new Error(stderr)))
  const url = await promise
  try {
    assert.equal((await fetch(url)).status, 200)
    const refused = await fetch(`${url}sitemap.xml`)
    assert.equal(refused.status, 403)
    assert.match(refused.headers.get('accept-signature') ?? '', /tag="web-bot-auth"/)
    const directory = await fetch(new URL(KEY_DIRECTORY_PATH, url))
    const set = readKeySet(new Uint8Array(await directory.arrayBuffer()))
    assert.ok('keys' in set)
    assert.deepEqual([...set.keys.keys()], [KeyFile.open(keys, { now: Date.now }).signingKey().keyId])
  } finally {
    publisher?.kill('SIGINT')
  }
  assert.equal((await ended).code, 0)
})
