/**
 * Every way in: whatever brings an item, the one in the middle makes us throw, by a bug in the handler that it comes to; those
 * before and behind it are taken in, it is counted and kept aside by name, and a restart does not meet it again. What visits,
 * pushes and imports bring is in `faults.test.ts`, what goes by a gateway in `node/gateway-faults.test.ts`.
 */
import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Collection, DeadLetters, deadLetters, FileInbox } from '@comity/collection'
import type { InboxItem } from '@comity/collection'
import { watchOptions } from '@comity/crawler'
import type { AgentPort, CrawlOptions, IntakePort } from '@comity/crawler'
import type { SentEvent } from '@comity/ingest'
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
import { WatchEndpoints } from '@comity/receiver'
import type { SiteScheme } from '@comity/site'
import { gatewayBench } from '../../packages/crawler/src/testing/gateway-fixture.ts'
import { batchItem, NOON } from '../../packages/ingest/src/testing/gateway-batch-fixture.ts'
import type { MadeBatch, Passed } from '../../packages/ingest/src/testing/gateway-batch-fixture.ts'
import { HeldVersion } from '@comity/follow'
import { NoticeHandler } from '../../packages/crawler/src/push/notice-handler.ts'
import { PageHandler } from '../../packages/ingest/src/page-handler.ts'
import type { Arrived } from '../../packages/ingest/src/page-handler.ts'
import { DeliveryRouter } from '../../packages/crawler/src/watch/delivery-router.ts'
import { RobotsHandler } from '../../packages/crawler/src/fetch/robots-handler.ts'
import { SiteTalk } from '../../packages/follow/src/site-talk.ts'
import { SitemapHandler } from '../../packages/crawler/src/fetch/sitemap-handler.ts'
import { ReportedPages } from '../../packages/crawler/src/watch/reported-pages.ts'
import { comityHere } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import { heldPages } from '../crawl/held-pages.ts'
import { cooperationOf, holdings, keepFresh } from '../watch/kept-fresh.ts'
import { warcOf } from '../push/push-sender.ts'
import { comesTrue, newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { Answer, Asked, Route, SmallSite } from '../sites/small-site.ts'

const LIMIT = { timeout: 120_000 }

/** From now on, a method of a handler fails on what is bad. */
function failing<T extends object>(
  t: TestContext,
  handler: T,
  name: keyof T & string,
  isBad: (args: readonly unknown[]) => boolean,
): void {
  const whole = handler[name] as (...args: readonly unknown[]) => unknown
  const mended = function (this: unknown, ...args: readonly unknown[]): unknown {
    if (isBad(args)) throw new TypeError("Cannot read properties of undefined (reading 'bad')")
    return Reflect.apply(whole, this, args)
  }
  t.mock.method(handler as Record<string, typeof whole>, name, mended)
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
const shipped: [what: string, batch: MadeBatch, handler: 'pages' | 'rows', outcome: string][] = [
  ['a page that comes as its words', { words: passed(LATER) },                                                           'pages', 'taken'],
  ['a page that comes whole',        { whole: passed(LATER) },                                                           'pages', 'taken'],
  ['a page that is gone',            { gone: urls.map((url) => ({ url, status: 410, at: LATER })) },                     'pages', 'gone'],
  ['a page that was seen again',     { seen: passed(NOON, LATER) },                     'rows',  'confirmed'],
  ['a count of readers',             { hits: urls.map((url) => ({ url, readers: 3, robots: 0 })) },                      'rows',  'people'],
]
for (const [what, batch, handler, outcome] of shipped) {
  test(`a gateway: ${what} and makes us throw is kept aside; the others of its batch count`, LIMIT, async (t) => {
    const dir = newDirectory()
    {
      await using bench = await gatewayBench(dir)
      await bench.handler.take(batchItem('north', 1, { words: passed(NOON) }))
      if (handler === 'pages')
        failing(t, PageHandler.prototype, 'answered', ([arrived]) => isBadTask((arrived as Arrived).task))
      else failing(t, SitemapHandler.prototype, 'offer', ([url]) => isBad(url))
      await bench.handler.take(batchItem('north', 2, batch))
      const { outcomes, people } = bench.handler.rows['north']!
      const counted =
        outcome === 'people' ? people : (outcomes[outcome as 'taken'] ?? 0) - (outcome === 'taken' ? 3 : 0)
      assert.deepEqual([outcomes.fault, counted], [1, outcome === 'people' ? 6 : 2])
      assert.deepEqual(kept(dir), ['shipped /bad'])
      await bench.commit(2)
    }
    await using bench = await gatewayBench(dir)
    await bench.handler.take(batchItem('north', 2, batch))
    assert.deepEqual([bench.handler.rows['north']!.repeated, kept(dir)], [1, ['shipped /bad']])
  })
}

// ── what a site hands out besides its pages ───────────────────────────────────────────────────────────────────────────

const PATHS = Array.from({ length: 12 }, (_, n) => (n === 6 ? '/bad.html' : `/page-${n}.html`))
const PAGES = {
  '/': page('Home', ...PATHS),
  ...Object.fromEntries(PATHS.map((path) => [path, `${page(path, '/')}<p>${`words of ${path} `.repeat(50)}`])),
}

/** The home page is visited before an archive is known of. */
const copies: [what: string, schemes: readonly SiteScheme[], taken: number][] = [
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
        PageHandler.prototype,
        'answered',
        ([arrived]) => isBadTask((arrived as Arrived).task) && (arrived as Arrived).sent?.source === 'dump',
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
  failing(t, SitemapHandler.prototype, 'take', ([prerequisite]) =>
    isBad((prerequisite as { readonly path: string }).path),
  )
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
    failing(t, RobotsHandler.prototype, 'answered', ([, , exchange]) => {
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

// ── what a watch asks for, and hears ──────────────────────────────────────────────────────────────────────────────────

const THREE = ['/one', '/bad', '/two']
const versionOf = (path: string, version: number): string => `${page(path, '/')}<p>${words}<p>version ${version}`
const words = 'words that every page of this site has in common, as sites do, '.repeat(20)
const homeOf = (version: number): string => `${page('Home', ...THREE)}<p>version ${version}`

/** Pages that are all other ones from some moment on. */
interface Changing {
  version: number
  readonly pages: Readonly<Record<string, Route>>
}

function changing(
  answer: (path: string, version: number, asked: Asked) => Answer | undefined = () => undefined,
): Changing {
  const all: { version: number } = { version: 1 }
  const served = (path: string, body: (version: number) => string): [string, Route] => [
    path,
    (asked) =>
      answer(path, all.version, asked) ?? { headers: { etag: `"${path}-${all.version}"` }, body: body(all.version) },
  ]
  const routes = THREE.map((path) => served(path, (version) => versionOf(path, version)))
  return Object.assign(all, { pages: Object.fromEntries([served('/', homeOf), ...routes]) })
}

/** Crawled once, then other ones, and watched until those that are not bad are held as they are now. */
async function watchChange(site: SmallSite, all: Changing, into: string): Promise<void> {
  await quickCrawl(into, [`${site.origin}/`])
  all.version = 2
  await keepFresh(into, () => isHeldAs(into, ['/one', '/two'], 2))
}

async function isHeldAs(into: string, paths: readonly string[], version: number): Promise<boolean> {
  const held = await holdings(into)
  return paths.every((path) => held.get(path)?.text === versionOf(path, version))
}

test(
  'a page that came with others in a batch and makes us throw is kept aside, and visited by itself',
  LIMIT,
  async (t) => {
    const all = changing()
    const batch = (): Answer => {
      const sent = THREE.map((path) => ({
        url: site.origin + path,
        status: 200,
        headers: [['etag', `"${path}-2"`]] as const,
        body: Buffer.from(versionOf(path, 2)),
      }))
      const closing = { sent: sent.length, unchanged: 0, rest: [], refused: [] }
      const records = sent.map((one) => writeBatchPage(one, Date.now()))
      return { body: Buffer.concat([...records, writeClosing(closing, `${site.origin}/`, Date.now())]) }
    }
    const site: SmallSite = await createSmallSite({
      ...all.pages,
      [API_CATALOG_PATH]: writeApiCatalog('/', { batch: BATCH_PATH }),
      [BATCH_PATH]: batch,
    })
    await using _ = site
    const into = newDirectory()
    failing(
      t,
      PageHandler.prototype,
      'answered',
      ([arrived]) => isBadTask((arrived as Arrived).task) && (arrived as Arrived).sent?.scheme === 'batch',
    )
    await watchChange(site, all, into)
    await keepFresh(into, async () => kept(into).length > 0 && (await isHeldAs(into, ['/bad'], 2)))
    assert.deepEqual(new Set(kept(into)), new Set(['delivered /bad']))
  },
)

test(
  'a difference that makes us throw is kept aside with its page, and the others come as they are',
  LIMIT,
  async (t) => {
    const all = changing((path, version, { headers }) =>
      path === '/bad' && version === 2 && headers['a-im'] !== undefined ? { status: 226, body: 'bad' } : undefined,
    )
    await using site = await createSmallSite(all.pages)
    const into = newDirectory()
    failing(t, HeldVersion.prototype, 'rebuild', ([exchange]) => {
      const { head } = exchange as { readonly head: { readonly status: number } }
      return head.status === 226
    })
    await watchChange(site, all, into)
    await keepFresh(into, () => kept(into).length > 0)
    assert.deepEqual(new Set(kept(into)), new Set(['page /bad']))
    assert.equal((await holdings(into)).get('/bad')?.text, versionOf('/bad', 1), 'what was held is held')
  },
)

/** What a site offers, and what of it is looked at. */
const looks: [what: string, routes: (origin: () => string) => Record<string, Route>, kind: string][] = [
  [
    'a filter',
    () => ({
      [API_CATALOG_PATH]: writeApiCatalog('/', { changes: CHANGES_PATH }),
      [CHANGES_PATH]: { body: `{"url":"/bad","change":"updated","at":${Date.now()}}\n{"token":"t"}\n` },
    }),
    'filter',
  ],
  [
    'a list of changes',
    (origin) => ({
      '/.well-known/resourcesync': () =>
        writeSyncDocument({ capability: 'description' }, [
          { url: `${origin()}/caps.xml`, capability: 'capabilitylist' },
        ]),
      '/caps.xml': () =>
        writeSyncDocument({ capability: 'capabilitylist' }, [
          { url: `${origin()}/changes.xml`, capability: 'changelist' },
        ]),
      '/changes.xml': () =>
        writeSyncDocument({ capability: 'changelist', from: 0 }, [
          { url: `${origin()}/bad`, change: 'updated', changedAt: Date.now() },
        ]),
    }),
    'change-list',
  ],
]
for (const [what, routes, wanted] of looks) {
  test(
    `${what} that makes us throw is kept aside and rests, and the pages are visited all the same`,
    LIMIT,
    async (t) => {
      const all = changing()
      const site: SmallSite = await createSmallSite({ ...all.pages, ...routes(() => site.origin) })
      await using _ = site
      const into = newDirectory()
      failing(t, ReportedPages.prototype, 'tell', ([, , , told]) => isBadTask(told))
      await watchChange(site, all, into)
      await keepFresh(into, () => kept(into).length > 0 && isHeldAs(into, THREE, 2))
      assert.match(kept(into).join('\n'), /^(question \S+\n?)+$/)
      const offer = (await cooperationOf(into)).offers?.offers.find(({ kind }) => kind === wanted)
      assert.match(offer?.problem ?? '', /not answered to its end/)
      assert.ok(offer!.restsUntil > offer!.checkedAt)
    },
  )
}

test(
  'a site that makes us throw when we are about to ask it something is kept aside, and visited on',
  LIMIT,
  async (t) => {
    const all = changing()
    await using site = await createSmallSite(all.pages)
    const into = newDirectory()
    failing(t, SiteTalk.prototype, 'begin', () => true)
    await watchChange(site, all, into)
    assert.deepEqual(new Set(kept(into)), new Set(['question ']))
  },
)

test('a page that makes us throw when it is due is kept aside, and the others are visited', LIMIT, async (t) => {
  const all = changing()
  await using site = await createSmallSite(all.pages)
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const bad = await badPage(into)
  failing(t, DeliveryRouter.prototype, 'send', ([revisit]) => (revisit as { readonly page: number }).page === bad)
  await watchChange(site, all, into)
  await keepFresh(into, () => kept(into).length > 0)
  assert.deepEqual(new Set(kept(into)), new Set(['page /bad']))
})

async function badPage(into: string): Promise<number> {
  await using collection = Collection.openReadOnly(into)
  return [...collection.pages()].find(({ key }) => isBad(collection.url(key)))!.key
}

/** A watch that finds these in its inbox, until it has dealt with all of them. */
async function hearing(into: string, items: readonly InboxItem[], agents: AgentPort): Promise<void> {
  const stop = new AbortController()
  const inbox = inboxOf(items, agents, () => stop.abort())
  const options = { watch: watchOptions({ requestsPerSecond: 50, dayMs: 3_600_000, minPollMs: 3_600_000 }) }
  await quickCrawl(into, [], options, AbortSignal.any([stop.signal, AbortSignal.timeout(60_000)]), { intake: inbox })
  assert.ok(stop.signal.aborted, 'all was dealt with')
}

const nothing = (): Promise<undefined> => Promise.resolve(undefined)

function inboxOf(items: readonly InboxItem[], agents: AgentPort, onDone: () => void): IntakePort {
  return {
    agents,
    last: items.length,
    read: (after, limit) => Promise.resolve(items.filter(({ number }) => number > after).slice(0, limit)),
    acknowledged: async (upTo) => {
      if (upTo === items.length) onDone()
      await Promise.resolve()
    },
    append: () => Promise.reject(new Error('nobody sends')),
    callbackOf: (token) => token,
    begin: nothing,
    subscribe: nothing,
    leave: nothing,
    subscriptions: () => Promise.resolve([]),
    setPriorities: nothing,
    end: nothing,
  }
}

test('a claim of an agent that makes us throw is kept aside, and what else it says is heard', LIMIT, async (t) => {
  const all = changing()
  await using site = await createSmallSite(all.pages)
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const claims = THREE.map((path) => ({
    url: site.origin + path,
    digest: `sha-256:${'a'.repeat(64)}`,
    change: 'updated' as const,
  }))
  const news = { agent: 'a', version: '1', bundle: 'b', at: Date.now(), isPerPage: true, claims }
  const agents: AgentPort = { read: () => Promise.resolve(news), audit: () => Promise.resolve(undefined) }
  const item = {
    number: 1,
    at: Date.now(),
    origin: site.origin,
    door: 'push',
    scheme: 'agent',
    proof: 'signature',
  } as const
  const items = [{ ...item, type: 'application/x-ndjson', body: new Uint8Array(0) }]
  const heard: string[] = []
  const hear = (event: unknown): void => {
    const { url = '', outcome } = event as SentEvent
    heard.push(`${outcome} ${url.slice(site.origin.length)}`)
  }
  subscribe('comity:sent', hear)
  t.after(() => unsubscribe('comity:sent', hear))
  failing(t, NoticeHandler.prototype, 'hear', ([signal]) => isBadTask(signal))
  await hearing(into, items, agents)
  assert.deepEqual(heard, ['heard /one', 'fault /bad', 'heard /two'])
  assert.deepEqual(kept(into), ['claim /bad'])
  await hearing(into, items, agents)
  assert.deepEqual([heard.length, kept(into)], [3, ['claim /bad']], 'a restart does not meet it again')
})

test('a receiver whose thread ends takes the watch with it, by name; the next one loses nothing', LIMIT, async (t) => {
  await using site = await createSmallSite({ '/': page('Home') }, '127.0.50.32')
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const workers: Worker[] = []
  const hear = (message: unknown): void => void workers.push((message as { readonly worker: Worker }).worker)
  subscribe('worker_threads', hear)
  t.after(() => unsubscribe('worker_threads', hear))
  const options = { watch: watchOptions({ requestsPerSecond: 50, dayMs: 3_600_000, minPollMs: 3_600_000 }) }
  const listening = (signal: AbortSignal, onOpen: () => void): Promise<unknown> => {
    const intake = new WatchEndpoints({ dir: into, listen: { host: '127.0.50.33', port: 0 }, mayBeHttp: true, onOpen })
    return quickCrawl(into, [], options, signal, { intake })
  }
  const dying = listening(AbortSignal.timeout(60_000), () => void workers[0]!.terminate())
  await assert.rejects(dying, /the receiver's thread has ended/)
  // A command ends with the watch, and its locks with it; this process lives on.
  for (const name of readdirSync(into, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.lock')) rmSync(join(into, name))
  {
    await using inbox = await FileInbox.open(into, 0)
    const sent = { at: Date.now(), door: 'push', scheme: 'pages', proof: 'signature', type: WARC_TYPE } as const
    const body = warcOf([{ url: `${site.origin}/sent`, body: page('Sent'), at: Date.now() }])
    await inbox.append({ origin: site.origin, ...sent, body })
  }
  const stop = new AbortController()
  const living = listening(stop.signal, () => undefined)
  const isTaken = async (): Promise<boolean> => (await holdings(into)).get('/sent')?.text === page('Sent')
  assert.ok(await comesTrue(isTaken))
  stop.abort()
  await living
})

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
