/** A crawler and a site that help each other: what changed is told, and only that is fetched; and it is right. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Collection, storedContent } from '@comity/collection'
import type { CaptureRow } from '@comity/collection'
import { crawl, watchOptions } from '@comity/crawler'
import type { WatchOptions, World } from '@comity/crawler'
import { API_CATALOG_PATH, BATCH_PATH, writeApiCatalog, writeBatchPage, writeClosing } from '@comity/protocol'
import { createCooperatingSite } from './cooperating-site.ts'
import type { CooperatingSite } from './cooperating-site.ts'
import { newDirectory, quick, quickCrawl } from './quick-crawl.ts'
import { createSmallSite, page } from './small-site.ts'
import type { SmallSite } from './small-site.ts'

const words = 'words that every page of this site has in common, as sites do, '.repeat(40)
const article = (n: number, version = 1): string => `${page(`Article ${n}`, '/')}<p>${words}<p>version ${version}`
const paths = (count: number): string[] => Array.from({ length: count }, (_, n) => `/a${n}`)

function pagesOf(count: number): Record<string, string> {
  const entries = paths(count).map((path, n) => [path, article(n)] as const)
  return { '/': page('Home', ...paths(count)), ...Object.fromEntries(entries) }
}

interface HeldPage {
  readonly text: string | undefined
  readonly outcome: string
  readonly captures: readonly CaptureRow[]
}

/** Every page by its path. */
async function holdings(into: string): Promise<Map<string, HeldPage>> {
  await using collection = Collection.openReadOnly(into)
  const held = new Map<string, HeldPage>()
  for (const { key, value } of collection.pages()) {
    const content = value.body === undefined ? undefined : storedContent(collection, value.body)
    const text = content?.kind === 'ok' ? Buffer.from(content.bytes).toString() : undefined
    const captures = [...collection.captures(key)].map((capture) => capture.value)
    held.set(new URL(collection.url(key)!).pathname, { text, outcome: value.outcome, captures })
  }
  return held
}

/** Keeps fresh until `isEnough`, looked at as the run goes on. */
async function watch(
  into: string,
  isEnough: () => boolean | Promise<boolean>,
  options: Partial<WatchOptions> = {},
  world: World = { now: () => Date.now(), random: () => Math.random() },
): Promise<void> {
  const settings = { requestsPerSecond: 50, dayMs: 4_000, explore: 0.2, minPollMs: 150 }
  const stop = new AbortController()
  const late = AbortSignal.timeout(60_000)
  const watching = { ...quick, watch: watchOptions({ ...settings, ...options }) }
  const run = crawl({ into, options: watching, world, signal: stop.signal })
  try {
    while (!late.aborted && !(await isEnough())) await setTimeout(50)
  } finally {
    stop.abort()
    await run
  }
  assert.ok(!late.aborted, 'a minute was not enough')
}

/** The site has said what it offers and what changed until now. */
async function acquainted(site: CooperatingSite, into: string): Promise<void> {
  await watch(into, () => site.asked.filter(({ path }) => path.endsWith('/changes')).length >= 2)
}

test('a change is told, and comes as a difference, with a handful of requests', async () => {
  await using site = await createCooperatingSite(pagesOf(60))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { sitemaps: false })
  await acquainted(site, into)
  await site.set('/a7', article(7, 2))
  const from = site.asked.length
  // At two requests a second, asking for all sixty pages would take half a minute.
  await watch(into, async () => (await holdings(into)).get('/a7')?.text === article(7, 2), { requestsPerSecond: 2 })
  const [first] = (await holdings(into))
    .get('/a7')!
    .captures.filter(({ outcome }) => outcome === 'ok')
    .slice(1)
  assert.ok(first?.scheme === 'difference' || first?.scheme === 'batch', first?.scheme)
  assert.match(first.why ?? '', /signal/)
  const asked = site.asked.slice(from).map(({ method, path }) => `${method} ${path}`)
  assert.ok(asked.length <= 30, asked.join('\n'))
})

test('many changes come together, and every page is right', async () => {
  await using site = await createCooperatingSite(pagesOf(40))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { sitemaps: false })
  await acquainted(site, into)
  const changed = paths(40).slice(5, 35)
  for (const path of changed) await site.set(path, article(Number(path.slice(2)), 2))
  const isRight = async (): Promise<boolean> => {
    const held = await holdings(into)
    return changed.every((path) => held.get(path)?.text === article(Number(path.slice(2)), 2))
  }
  const from = site.asked.length
  await watch(into, isRight, { explore: 0 })
  const held = await holdings(into)
  const schemes = changed.map((path) => held.get(path)!.captures.findLast(({ outcome }) => outcome === 'ok')!.scheme)
  assert.ok(schemes.filter((scheme) => scheme === 'batch').length >= 15, schemes.join(' '))
  assert.ok(site.asked.length - from < 40, `${site.asked.length - from} requests for thirty pages`)
})

test('a page that nothing links to is found by the list, and one that is gone is known to be', async () => {
  await using site = await createCooperatingSite(pagesOf(5))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { sitemaps: false })
  await acquainted(site, into)
  await site.set('/behind-a-form', article(99))
  await site.set('/a3', undefined)
  await watch(into, async () => {
    const held = await holdings(into)
    return held.get('/behind-a-form')?.text === article(99) && held.get('/a3')?.outcome === 'client-error'
  })
})

test('what robots.txt forbids is neither told nor delivered', async () => {
  const pages = { ...pagesOf(3), '/private/salaries': article(1) }
  await using site = await createCooperatingSite(pages, { robots: 'User-agent: *\nDisallow: /private/\n' })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  await acquainted(site, into)
  assert.ok(!site.asked.some(({ path }) => path.startsWith('/private')))
  assert.ok(!(await holdings(into)).has('/private/salaries'))
})

/** A site that takes batches and puts `lie` into the answer, in place of the page it serves. */
async function createLyingSite(lie: () => string): Promise<SmallSite> {
  const truth = article(1, 2)
  const at = Date.now()
  let version = 1
  const site: SmallSite = await createSmallSite({
    '/': () => ({ headers: { etag: `"home"` }, body: page('Home', '/1', '/2') }),
    '/1': () =>
      version++ === 1 ? { headers: { etag: '"old"' }, body: article(1) } : { headers: { etag: '"new"' }, body: truth },
    '/2': () => ({ headers: { etag: '"two"' }, body: article(2) }),
    [API_CATALOG_PATH]: () => writeApiCatalog('/', { batch: BATCH_PATH }),
    [BATCH_PATH]: () => {
      const url = `${site.origin}/1`
      const delivered = { url, status: 200, headers: [['etag', '"new"']] as const, body: Buffer.from(lie()) }
      const closing = { sent: 1, unchanged: 2, rest: [], refused: [] }
      const body = Buffer.concat([writeBatchPage(delivered, at), writeClosing(closing, url, at)])
      return { headers: { 'content-type': 'application/warc' }, body }
    },
  })
  return site
}

test('a site that delivers another page than it serves is found out, and delivers no more', async () => {
  await using site = await createLyingSite(() => article(1, 666))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  // Every delivered page is compared, whatever chance would have said.
  const world = { now: () => Date.now(), random: () => 0.02 }
  const batches = (): number => site.asked.filter(({ path }) => path === BATCH_PATH).length
  await watch(into, async () => batches() > 0 && (await holdings(into)).get('/1')?.text === article(1, 2), {}, world)
  const before = batches()
  await watch(into, afterMore(site, 5), {}, world)
  assert.equal(batches(), before)
  assert.equal((await holdings(into)).get('/1')?.text, article(1, 2))
})

test('a batch whose answer is cut off, or nonsense, loses nothing: the pages are asked for one by one', async () => {
  for (const body of ['', 'nonsense']) {
    let version = 1
    await using site = await createSmallSite({
      '/': () => page('Home', '/1', '/2'),
      '/1': ({ headers }) =>
        headers['if-none-match'] === `"${version}"`
          ? { status: 304 }
          : { headers: { etag: `"${version}"` }, body: article(1, version) },
      '/2': () => article(2),
      [API_CATALOG_PATH]: () => writeApiCatalog('/', { batch: BATCH_PATH }),
      [BATCH_PATH]: () => ({ headers: { 'content-type': 'application/warc' }, body }),
    })
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`])
    version = 2
    await watch(into, async () => (await holdings(into)).get('/1')?.text === article(1, 2))
    assert.ok(site.paths.filter((path) => path === BATCH_PATH).length <= 1)
  }
})

function afterMore(site: SmallSite, count: number): () => boolean {
  const before = site.asked.length
  return () => site.asked.length >= before + count
}
