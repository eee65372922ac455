/** A crawler and a site that help each other: what changed is told, and only that is fetched; and it is right. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cooperationStory } from '@comity/follow'
import type { CooperationRow } from '@comity/follow'
import {
  API_CATALOG_PATH,
  BATCH_PATH,
  CHANGES_PATH,
  WARC_TYPE,
  writeApiCatalog,
  writeBatchPage,
  writeClosing,
  writeSyncDocument,
} from '@comity/protocol'
import type { Capture } from '@comity/protocol'
import { toldTruly } from '../crawl/archive-records.ts'
import { createCooperatingSite } from './cooperating-site.ts'
import type { CooperatingSite } from './cooperating-site.ts'
import { CHECKING_WORLD, REAL_WORLD, cooperationOf, holdings, keepFresh } from './kept-fresh.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { Answer, Asked, SmallSite } from '../sites/small-site.ts'

const words = 'words that every page of this site has in common, as sites do, '.repeat(40)
const article = (n: number, version = 1): string => `${page(`Article ${n}`, '/')}<p>${words}<p>version ${version}`
const paths = (count: number): string[] => Array.from({ length: count }, (_, n) => `/a${n}`)

function pagesOf(count: number): Record<string, string> {
  const entries = paths(count).map((path, n) => [path, article(n)] as const)
  return { '/': page('Home', ...paths(count)), ...Object.fromEntries(entries) }
}

/** The site has said what it offers and what changed until now. */
async function acquainted(site: CooperatingSite, into: string): Promise<void> {
  await keepFresh(into, () => site.asked.filter(({ path }) => path.endsWith('/changes')).length >= 2)
}

test('a change is told, and comes as a difference, with a handful of requests', async () => {
  await using site = await createCooperatingSite(pagesOf(60))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { sitemaps: false })
  await acquainted(site, into)
  await site.set('/a7', article(7, 2))
  const from = site.asked.length
  // At two requests a second, asking for all sixty pages would take half a minute.
  await keepFresh(into, async () => (await holdings(into)).get('/a7')?.text === article(7, 2), { requestsPerSecond: 2 })
  const [first] = (await holdings(into))
    .get('/a7')!
    .captures.filter(({ outcome }) => outcome === 'ok')
    .slice(1)
  assert.ok(['difference', 'batch', 'filter'].includes(first?.scheme ?? ''), first?.scheme)
  assert.match(first?.why ?? '', first?.scheme === 'filter' ? /sent it along/ : /signal/)
  const asked = site.asked.slice(from).map(({ method, path }) => `${method} ${path}`)
  assert.ok(asked.length <= 30, asked.join('\n'))
  const { trust } = await cooperationOf(into)
  const filter = trust?.recall?.find(({ channel }) => channel === 'filter')
  assert.ok(
    filter !== undefined && filter.told > 0 && filter.listenedAt !== undefined,
    'the filter had told of it itself',
  )
})

test('many changes come together, and every page is right', async () => {
  await using site = await createCooperatingSite(pagesOf(40), {
    // Its filter tells what changed, and sends no pages.
    before: ({ headers, url }, response) => {
      const isForPages = url === CHANGES_PATH && headers.accept === WARC_TYPE
      if (isForPages) response.writeHead(422).end()
      return isForPages
    },
  })
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
  const seen: Capture[] = []
  await keepFresh(into, isRight, { explore: 0 }, REAL_WORLD, { onCapture: (capture) => void seen.push(capture) })
  const held = await holdings(into)
  const schemes = changed.map((path) => held.get(path)!.captures.findLast(({ outcome }) => outcome === 'ok')!.scheme)
  assert.ok(schemes.filter((scheme) => scheme === 'batch').length >= 15, schemes.join(' '))
  assert.ok(site.asked.length - from < 40, `${site.asked.length - from} requests for thirty pages`)
  assert.deepEqual((await toldTruly(into, seen)).get('batch'), new Set(['response']))
})

test('a page that nothing links to is found by the list, and one that is gone is known to be', async () => {
  await using site = await createCooperatingSite(pagesOf(5))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { sitemaps: false })
  await acquainted(site, into)
  await site.set('/behind-a-form', article(99))
  await site.set('/a3', undefined)
  await keepFresh(into, async () => {
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

test('a capability list that only a page names is found, also when that page never changes', async () => {
  const at = Date.now() - 60_000
  let version = 1
  const site: SmallSite = await createSmallSite({
    '/': ({ headers }) =>
      headers['if-none-match'] === '"home"'
        ? { status: 304 }
        : {
            headers: { etag: '"home"' },
            body: `<head><link rel="resourcesync" href="/files/c.xml"></head>${page('Home', '/1')}`,
          },
    '/1': () => article(1, version),
    '/files/c.xml': () =>
      writeSyncDocument({ capability: 'capabilitylist' }, [{ url: `${site.origin}/l.xml`, capability: 'changelist' }]),
    '/l.xml': () =>
      writeSyncDocument({ capability: 'changelist', from: at }, [
        { url: `${site.origin}/1`, change: 'updated', changedAt: version === 1 ? at : Date.now() },
      ]),
  })
  await using _ = site
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { dumps: true })
  version = 2
  const lists = (): number => site.paths.filter((path) => path === '/l.xml').length
  await keepFresh(into, async () => lists() > 0 && (await holdings(into)).get('/1')?.text === article(1, 2))
})

/** A site that takes batches and puts `lie` into the answer, in place of the page it serves. */
async function createLyingSite(lie: () => string, served: () => Answer = servedNext): Promise<SmallSite> {
  const at = Date.now()
  let version = 1
  const site: SmallSite = await createSmallSite({
    '/': () => ({ headers: { etag: `"home"` }, body: page('Home', '/1', '/2') }),
    '/1': () => (version++ === 1 ? { headers: { etag: '"old"' }, body: article(1) } : served()),
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

/** What is wrong with the batches of the site, as far as is known. */
async function batchProblem(into: string): Promise<string | undefined> {
  const row = (await cooperationOf(into)) as CooperationRow | undefined
  return row?.offers?.offers.find(({ kind }) => kind === 'batch')?.problem
}

const servedNext = (): Answer => ({ headers: { etag: '"new"' }, body: article(1, 2) })

test('a page that says it has changed since it was delivered is excused, but not for ever', async () => {
  let version = 2
  const served = (): Answer => {
    const headers = { etag: `"${++version}"`, 'last-modified': new Date(Date.now() + 1_000).toUTCString() }
    return { headers, body: article(1, version) }
  }
  await using site = await createLyingSite(() => article(1, 600 + version), served)
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const batches = (): number => site.asked.filter(({ path }) => path === BATCH_PATH).length
  await keepFresh(into, async () => (await batchProblem(into)) !== undefined, {}, CHECKING_WORLD)
  assert.match((await batchProblem(into))!, /another page than it serves/)
  assert.ok(batches() > 3, `found out by ${batches()} batches`)
})

test('a site that delivers another page than it serves is found out, and delivers no more', async () => {
  await using site = await createLyingSite(() => article(1, 666))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const batches = (): number => site.asked.filter(({ path }) => path === BATCH_PATH).length
  await keepFresh(
    into,
    async () => (await batchProblem(into)) !== undefined && (await holdings(into)).get('/1')?.text === article(1, 2),
    {},
    CHECKING_WORLD,
  )
  const before = batches()
  await keepFresh(into, afterMore(site, 5), {}, CHECKING_WORLD)
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
    await keepFresh(into, async () => (await holdings(into)).get('/1')?.text === article(1, 2))
    assert.ok(site.paths.filter((path) => path === BATCH_PATH).length <= 1)
  }
})

test('a page that a batch holds as a difference nobody can use is asked for, and not taken for unchanged', async () => {
  const at = Date.now()
  let version = 1
  const site: SmallSite = await createSmallSite({
    '/': () => page('Home', '/1', '/2'),
    '/1': () => ({ headers: { etag: `"${version}"` }, body: article(1, version) }),
    '/2': () => article(2),
    [API_CATALOG_PATH]: () => writeApiCatalog('/', { batch: BATCH_PATH }),
    [BATCH_PATH]: () => {
      const url = `${site.origin}/1`
      const headers = [['IM', 'vcdiff'] as const, ['Delta-Base', '"1"'] as const]
      const broken = { url, status: 226, headers, body: Buffer.from('no difference') }
      const closing = { sent: 1, unchanged: 2, rest: [], refused: [] }
      const body = Buffer.concat([writeBatchPage(broken, at), writeClosing(closing, url, at)])
      return { headers: { 'content-type': 'application/warc' }, body }
    },
  })
  await using _ = site
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  version = 2
  const batches = (): number => site.paths.filter((path) => path === BATCH_PATH).length
  await keepFresh(into, () => batches() > 0)
  await keepFresh(into, async () => (await holdings(into)).get('/1')?.text === article(1, 2))
  const schemes = (await holdings(into)).get('/1')!.captures.map(({ scheme }) => scheme)
  assert.ok(!schemes.includes('batch'), schemes.join(' '))
})

function afterMore(site: SmallSite, count: number): () => boolean {
  const before = site.asked.length
  return () => site.asked.length >= before + count
}

const stays = ({ headers }: Asked, body: string): Answer =>
  headers['if-none-match'] === '"1"' ? { status: 304 } : { headers: { etag: '"1"' }, body }

/** A site of pages that stay, and a sitemap that names some of them. */
async function createListingSite(count: number, isListed: (n: number) => boolean): Promise<SmallSite> {
  const all = paths(count)
  const routes = all.map((path, n) => [path, (asked: Asked) => stays(asked, article(n))] as const)
  const site: SmallSite = await createSmallSite({
    '/': (asked) => stays(asked, page('Home', ...all)),
    ...Object.fromEntries(routes),
    '/robots.txt': () => ({ headers: { 'content-type': 'text/plain' }, body: `Sitemap: ${site.origin}/sitemap.xml\n` }),
    '/sitemap.xml': () => {
      const listed = all.filter((_, n) => isListed(n)).map((path) => ({ url: `${site.origin}${path}` }))
      return writeSyncDocument({ capability: 'resourcelist', at: 0 }, listed)
    },
  })
  return site
}

test('a page that the sitemap names no more is visited to see; many at once are tried before they are believed', async (t) => {
  let gone = new Set<number>()
  await using site = await createListingSite(300, (n) => !gone.has(n))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const options = { requestsPerSecond: 100, dayMs: 3_000, explore: 0, minPollMs: 100 }
  const looks = (): number => site.paths.filter((path) => path === '/sitemap.xml').length
  const first = looks()
  await keepFresh(into, () => looks() > first, options)
  gone = new Set([7])
  const before = site.asked.length
  const visitsTo = (wanted: ReadonlySet<number>): string[] =>
    [...new Set(site.asked.slice(before).map(({ path }) => path))].filter((path) => wanted.has(Number(path.slice(2))))
  await keepFresh(into, () => visitsTo(gone).includes('/a7'), options)
  const { captures } = (await holdings(into)).get('/a7')!
  assert.match(captures.at(-1)?.why ?? '', /signal/)
  // Two hundred pages leave the sitemap, and all of them are still there.
  gone = new Set(Array.from({ length: 200 }, (_, n) => n + 50))
  const doubted = /sitemap.*(announced much of the site at once|because of mass announcement)/
  await keepFresh(into, async () => doubted.test(await trustOf(into)), options)
  t.diagnostic(await trustOf(into))
})

async function trustOf(into: string): Promise<string> {
  return cooperationStory(await cooperationOf(into), 3_000, Date.now()).why.join(' ')
}
