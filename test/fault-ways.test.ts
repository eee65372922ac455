/**
 * Every way in: whatever brings an item, the one in the middle makes us throw, by a bug in the desk that it comes to; those
 * before and behind it are taken in, it is counted and kept aside by name, and a restart does not meet it again. What visits,
 * pushes and imports bring is in `faults.test.ts`, what goes by a gateway in `gateway-faults.test.ts`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { DeadLetters, deadLetters } from '@comity/collection'
import type { CrawlOptions } from '@comity/crawler'
import type { Scheme } from '@comity/site'
import { batchItem, gatewayBench, NOON } from '../packages/crawler/src/gateway-fixture.ts'
import type { MadeBatch, Passed } from '../packages/crawler/src/gateway-fixture.ts'
import { PageDesk } from '../packages/crawler/src/page-desk.ts'
import { RobotsDesk } from '../packages/crawler/src/robots-desk.ts'
import { SitemapDesk } from '../packages/crawler/src/sitemap-desk.ts'
import { comityHere } from '../packages/cli/src/spawned-comity.ts'
import { createCooperatingSite } from './cooperating-site.ts'
import { heldPages } from './held-pages.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'
import { createSmallSite, page } from './small-site.ts'
import type { Route } from './small-site.ts'

const LIMIT = { timeout: 120_000 }

/** From now on, a method of a desk fails on what is bad. */
function failing<T extends object>(
  t: TestContext,
  desk: T,
  name: keyof T & string,
  isBad: (args: readonly unknown[]) => boolean,
): void {
  const whole = desk[name] as (...args: readonly unknown[]) => unknown
  const mended = function (this: unknown, ...args: readonly unknown[]): unknown {
    if (isBad(args)) throw new TypeError("Cannot read properties of undefined (reading 'bad')")
    return Reflect.apply(whole, this, args)
  }
  t.mock.method(desk as Record<string, typeof whole>, name, mended)
}

const isBad = (said: unknown): boolean => typeof said === 'string' && said.includes('bad')
const isBadTask = (task: unknown): boolean => isBad((task as { readonly url: string }).url)

/** What was kept aside, by kind and path. */
const kept = (dir: string): string[] =>
  deadLetters(dir).map(({ kind, url = '' }) => `${kind} ${url.replace(/^\w+:\/\/[^/]+/, '')}`)

const textsIn = async (into: string): Promise<string[]> =>
  [...(await heldPages(into)).texts.values()].map(String).toSorted()

// ── what gateways ship ────────────────────────────────────────────────────────────────────────────────────────────────

const urls = ['one', 'bad', 'two'].map((name) => `http://${name}.example/${name}`)
const passed = (version: number, at = version): Passed[] =>
  urls.map((url) => ({ url, text: `words of ${url} at ${version}`, at }))

const LATER = NOON + 1_000
// oxfmt-ignore
const shipped: [what: string, batch: MadeBatch, desk: 'pages' | 'rows', outcome: string][] = [
  ['a page that comes as its words', { words: passed(LATER) },                                                           'pages', 'taken'],
  ['a page that comes whole',        { whole: passed(LATER) },                                                           'pages', 'taken'],
  ['a page that is gone',            { gone: urls.map((url) => ({ url, status: 410, at: LATER })) },                     'pages', 'gone'],
  ['a page that was seen again',     { seen: passed(NOON, LATER) },                     'rows',  'confirmed'],
  ['a count of readers',             { hits: urls.map((url) => ({ url, readers: 3, robots: 0 })) },                      'rows',  'people'],
]
for (const [what, batch, desk, outcome] of shipped) {
  test(`a gateway: ${what} and makes us throw is kept aside; the others of its batch count`, LIMIT, async (t) => {
    const dir = newDirectory()
    {
      await using bench = await gatewayBench(dir)
      await bench.desk.take(batchItem('north', 1, { words: passed(NOON) }))
      if (desk === 'pages') failing(t, PageDesk.prototype, 'answered', ([task]) => isBadTask(task))
      else failing(t, SitemapDesk.prototype, 'offer', ([url]) => isBad(url))
      await bench.desk.take(batchItem('north', 2, batch))
      const { outcomes, people } = bench.desk.rows['north']!
      const counted =
        outcome === 'people' ? people : (outcomes[outcome as 'taken'] ?? 0) - (outcome === 'taken' ? 3 : 0)
      assert.deepEqual([outcomes.fault, counted], [1, outcome === 'people' ? 6 : 2])
      assert.deepEqual(kept(dir), ['shipped /bad'])
      await bench.commit(2)
    }
    await using bench = await gatewayBench(dir)
    await bench.desk.take(batchItem('north', 2, batch))
    assert.deepEqual([bench.desk.rows['north']!.repeated, kept(dir)], [1, ['shipped /bad']])
  })
}

// ── what a site hands out besides its pages ───────────────────────────────────────────────────────────────────────────

const PATHS = Array.from({ length: 12 }, (_, n) => (n === 6 ? '/bad.html' : `/page-${n}.html`))
const PAGES = {
  '/': page('Home', ...PATHS),
  ...Object.fromEntries(PATHS.map((path) => [path, `${page(path, '/')}<p>${`words of ${path} `.repeat(50)}`])),
}

/** The home page is visited before an archive is known of. */
const copies: [what: string, schemes: readonly Scheme[], taken: number][] = [
  ['a dump', ['robots', 'archives', 'resourcesync', 'dump', 'sitemap'], 12],
  ['a web archive', ['robots', 'catalog', 'wacz'], 11],
]
for (const [what, schemes, taken] of copies) {
  test(
    `${what}: a page of it that makes us throw is kept aside, visited by itself, and the others are taken in`,
    LIMIT,
    async (t) => {
      await using site = await createCooperatingSite(PAGES, { schemes })
      const into = newDirectory()
      failing(
        t,
        PageDesk.prototype,
        'answered',
        ([task, , , , , came]) => isBadTask(task) && (came as { source?: string } | undefined)?.source === 'dump',
      )
      const { dumps } = await quickCrawl(into, [`${site.origin}/`], { dumps: true })
      assert.equal(dumps[0]?.pages, taken)
      assert.deepEqual(kept(into), ['delivered /bad.html'])
      assert.deepEqual(await textsIn(into), Object.values(PAGES).toSorted())
      await quickCrawl(into, [`${site.origin}/`], { dumps: true })
      assert.deepEqual(kept(into), ['delivered /bad.html'], 'a restart does not meet it again')
    },
  )
}

const list = (...paths: readonly string[]): Route => ({
  headers: { 'content-type': 'text/plain' },
  body: paths.map((path) => `http://127.0.50.7:${PORT}${path}\n`).join(''),
})
const PORT = 50_807

test('a sitemap that makes us throw is kept aside, and what the others list is visited', LIMIT, async (t) => {
  const robots = ['/1.txt', '/bad.txt', '/2.txt'].map((path) => `Sitemap: http://127.0.50.7:${PORT}${path}\n`).join('')
  const pages = { '/': page('Home'), '/a': page('A'), '/b': page('B'), '/c': page('C') }
  const lists = { '/robots.txt': { body: robots }, '/1.txt': list('/a'), '/bad.txt': list('/b'), '/2.txt': list('/c') }
  await using site = await createSmallSite({ ...pages, ...lists }, '127.0.50.7', PORT)
  failing(t, SitemapDesk.prototype, 'take', ([errand]) => isBad((errand as { readonly path: string }).path))
  const into = newDirectory()
  for (const _ of ['first', 'again']) {
    const { failed } = await quickCrawl(into, [`${site.origin}/`])
    assert.deepEqual([failed, kept(into)], [0, ['question /bad.txt']])
  }
  assert.deepEqual(await textsIn(into), [pages['/a'], pages['/c'], pages['/']].toSorted())
})

const rules = (says: string): Route => ({
  headers: { 'content-type': 'text/plain' },
  body: `# ${says}\nUser-agent: *\n`,
})

test(
  'rules that make us throw are kept aside and close their site by name, and the other sites are visited',
  LIMIT,
  async (t) => {
    const sites = await Promise.all(
      ['good', 'bad', 'fine'].map((says, n) =>
        createSmallSite({ '/': page(says), '/robots.txt': rules(says) }, `127.0.50.${20 + n}`),
      ),
    )
    await using stack = new AsyncDisposableStack()
    for (const site of sites) stack.use(site)
    failing(t, RobotsDesk.prototype, 'answered', ([, , exchange]) => {
      const { kind, body = new Uint8Array(0) } = exchange as { readonly kind: string; readonly body?: Uint8Array }
      return kind === 'answered' && isBad(Buffer.from(body).toString())
    })
    const into = newDirectory()
    const options: Partial<CrawlOptions> = { maxTries: 1 }
    const { givenUp } = await quickCrawl(
      into,
      sites.map(({ origin }) => `${origin}/`),
      options,
    )
    assert.deepEqual(
      givenUp.map(({ origin, outcome }) => [origin, outcome]),
      [[sites[1]!.origin, 'fault']],
    )
    assert.deepEqual(await textsIn(into), [page('good'), page('fine')].toSorted())
    assert.deepEqual(kept(into), ['question /robots.txt'])
  },
)

// ── what is forgotten ─────────────────────────────────────────────────────────────────────────────────────────────────

test('what was kept aside of a site that is forgotten goes with it, its bytes too, and no other', LIMIT, async () => {
  await using site = await createSmallSite({ '/': page('Home') }, '127.0.50.30')
  await using other = await createSmallSite({ '/': page('Home') }, '127.0.50.31')
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`, `${other.origin}/`])
  const letters = new DeadLetters(into, 'crawl')
  for (const [n, { origin }] of [other, site, other].entries())
    letters.keep({ kind: 'page', at: n, reason: 'TypeError', url: `${origin}/${n}`, origin, body: Buffer.from('it') })
  const { code, stderr } = await comityHere(['forget', into, site.origin])
  assert.equal(code, 0, stderr)
  assert.deepEqual(kept(into), ['page /0', 'page /2'])
})
