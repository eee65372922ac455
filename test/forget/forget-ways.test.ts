/**
 * Forgotten, whichever way it came: after `comity forget` no file of the collection holds a byte of the page, packed or not,
 * whether it was visited, sent and taken in, sent and still waiting, or kept aside. What came with it of other pages stays, and
 * is taken in once.
 */
import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Collection, DeadLetters, deadLetters, FileInbox, inboxCursor, SubscriptionStore } from '@comity/collection'
import type { InboxItem, NewInboxItem, NewLetter } from '@comity/collection'
import { watchOptions } from '@comity/crawler'
import type { IntakePort } from '@comity/crawler'
import { API_CATALOG_PATH, BATCH_PATH, writeApiCatalog, WARC_TYPE } from '@comity/protocol'
import { receiverLimits } from '../../packages/receiver/src/limits.ts'
import { UploadStore } from '../../packages/receiver/src/body/upload-store.ts'
import { batchItem, NOON } from '../../packages/ingest/src/testing/gateway-batch-fixture.ts'
import type { MadeBatch } from '../../packages/ingest/src/testing/gateway-batch-fixture.ts'
import { packageOf } from '../../packages/follow/src/testing/package-fixture.ts'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import { tracesIn } from './forgotten-traces.ts'
import { cooperationOf, holdings, keepFresh } from '../watch/kept-fresh.ts'
import { warcOf } from '../push/push-sender.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { SmallSite } from '../sites/small-site.ts'

const LIMIT = { timeout: 120_000 }

/** Nobody else says these: one in the address, one in the page. */
const PATH = '/zqhushpath'
const WORD = 'zqwhispered'
const MARKS = [PATH.slice(1), WORD]
const NEXT = '/next'
const secret = `${page('Hush')}<p>${WORD} and ${WORD}`
const other = `${page('Next')}<p>words of another page`
const AT = Date.now()

// ── held as it came ────────────────────────────────────────────────────────────────────────────────────────────────────

interface Way {
  readonly name: string
  /** What is put into the inbox: the page, and another one unless it says so. */
  readonly item: (origin: string) => Partial<NewInboxItem>
  readonly isAlone?: boolean
  /** Notices bring no page. */
  readonly marks?: readonly string[]
}

const pair = (origin: string): Parameters<typeof warcOf>[0] => [
  { url: origin + PATH, body: secret, at: AT },
  { url: origin + NEXT, body: other, at: AT },
]
const line = (url: string): string => `${JSON.stringify({ url, change: 'updated', channel: 'websub' })}\n`
const NDJSON = 'application/x-ndjson'
const gateway = (made: (origin: string) => MadeBatch) => (origin: string) => batchItem('north', 1, made(origin))
const seen = (origin: string): { url: string; text: string; at: number }[] => [
  { url: origin + PATH, text: secret, at: NOON },
  { url: origin + NEXT, text: other, at: NOON },
]
const NAMED = [PATH.slice(1)]

const WAYS: readonly Way[] = [
  { name: 'a push of pages', item: (origin) => ({ body: warcOf(pair(origin)) }) },
  { name: 'a push of that page alone', item: (origin) => ({ body: warcOf(pair(origin).slice(0, 1)) }), isAlone: true },
  { name: 'a packed push', item: (origin) => ({ body: gzipSync(warcOf(pair(origin))) }) },
  { name: 'a push that broke off', item: (origin) => ({ body: warcOf(pair(origin), false) }) },
  {
    name: 'a push too large for a segment',
    item: (origin) => ({
      body: warcOf([...pair(origin), { url: `${origin}/long`, body: 'long '.repeat(80_000), at: AT }]),
    }),
  },
  {
    name: 'a package',
    item: (origin) => ({
      scheme: 'batches',
      type: 'application/zip',
      body: packageOf(origin, [
        { path: PATH, body: Buffer.from(secret) },
        { path: NEXT, body: Buffer.from(other) },
      ]),
    }),
  },
  {
    name: 'a list of notices',
    item: (origin) => ({
      scheme: 'changes',
      type: NDJSON,
      body: Buffer.from(line(origin + PATH) + line(origin + NEXT)),
    }),
    marks: NAMED,
  },
  {
    name: 'a list of what an agent says',
    item: (origin) => ({
      scheme: 'agent',
      type: NDJSON,
      body: Buffer.from(
        [
          { agent: 'a', version: '1' },
          ...[PATH, NEXT].map((path) => ({
            page: null,
            record: { kind: 'words', url: origin + path, text: WORD.slice(path === PATH ? 0 : 2) },
          })),
          { end: 'done', records: 2 },
          '',
        ]
          .map((row) => (row === '' ? '' : JSON.stringify(row)))
          .join('\n'),
      ),
    }),
  },
  { name: "a gateway's batch of words", item: gateway((origin) => ({ words: seen(origin) })) },
  { name: "a gateway's batch of pages", item: gateway((origin) => ({ whole: seen(origin) })) },
  {
    name: "a gateway's batch of counts",
    item: gateway((origin) => ({ hits: seen(origin).map(({ url }) => ({ url, readers: 2, robots: 0 })) })),
    marks: NAMED,
  },
]

async function send(into: string, origin: string, item: Partial<NewInboxItem>, name = 'inbox'): Promise<void> {
  await using inbox = await FileInbox.open(into, 0, { name })
  const usual = { at: AT, door: 'push', scheme: 'pages', proof: 'signature', type: WARC_TYPE, origin } as const
  const { body = new Uint8Array(0), number: _, ...rest } = item as Partial<InboxItem>
  if (body.length <= 200_000) return void (await inbox.append({ ...usual, ...rest, body }))
  const spool = await inbox.spool()
  await spool.write(body)
  await inbox.append({ ...usual, ...rest, body: new Uint8Array(0), file: await spool.finish() })
}

/** Its home page is crawled, and what is asked for later. */
const site = await createSmallSite({ '/': page('Home'), [NEXT]: other, [PATH]: secret }, '127.0.50.60')
const base = newDirectory()
const visited = newDirectory()
before(async () => {
  await quickCrawl(base, [`${site.origin}/`], { index: true })
  await quickCrawl(visited, [`${site.origin}/`, site.origin + PATH, site.origin + NEXT], { index: true })
})
after(() => site[Symbol.asyncDispose]())

function copyOf(collection: string): string {
  const into = newDirectory()
  cpSync(collection, into, { recursive: true })
  return into
}

async function forget(into: string, what: string): Promise<void> {
  const { code, stderr } = await comityHere(['forget', into, what])
  assert.equal(code, 0, stderr)
}

async function waitingIn(into: string, cursor = 0): Promise<InboxItem[]> {
  await using inbox = await FileInbox.open(into, cursor)
  return await inbox.read(cursor, 100)
}

for (const { name, item, isAlone = false, marks = MARKS } of WAYS) {
  test(
    `${name} that waits holds nothing of a forgotten page, and the rest of it and all others wait`,
    LIMIT,
    async () => {
      const into = copyOf(base)
      const elsewhere = 'https://elsewhere.example'
      const foreign = { origin: elsewhere, body: warcOf([{ url: `${elsewhere}/x`, body: 'elsewhere', at: AT }]) }
      for (const one of [foreign, item(site.origin), foreign]) await send(into, site.origin, one)
      assert.deepEqual(new Set(tracesIn(into, marks).map((found) => found.split(' ')[0])), new Set(marks))
      await forget(into, site.origin + PATH)
      assert.deepEqual(tracesIn(into, MARKS), [])
      const left = await waitingIn(into)
      assert.deepEqual(
        left.map(({ number, origin }) => [number, origin === elsewhere]),
        isAlone
          ? [
              [1, true],
              [3, true],
            ]
          : [
              [1, true],
              [2, false],
              [3, true],
            ],
      )
      assert.deepEqual(tracesIn(into, ['elsewhere.example/x']).length, 1)
      if (!isAlone) assert.notDeepEqual(tracesIn(join(into, 'inbox'), [site.origin + NEXT]), [], 'the rest is named')
      await send(into, site.origin, foreign)
      assert.equal((await waitingIn(into)).at(-1)?.number, 4, 'no number is given again')
    },
  )

  test(`${name} that waits holds nothing of a forgotten site`, LIMIT, async () => {
    const into = copyOf(base)
    await send(into, site.origin, item(site.origin))
    await forget(into, site.origin)
    assert.deepEqual(tracesIn(into, [...MARKS, `${site.origin}${NEXT}`]), [])
  })
}

test('a notice that waits for its proof goes, and the other that came with it still waits', LIMIT, async () => {
  const into = copyOf(base)
  const body = Buffer.from(line(site.origin + PATH) + line(site.origin + NEXT))
  const claim = { key: 'k'.repeat(8), keyLocation: `${site.origin}/k.txt` }
  await send(
    into,
    site.origin,
    { door: 'indexnow', scheme: 'changes', proof: 'pending', type: NDJSON, body, claim },
    'pending',
  )
  await forget(into, site.origin + PATH)
  assert.deepEqual(tracesIn(into, MARKS), [])
  assert.equal(tracesIn(join(into, 'pending'), [NEXT]).length, 1)
})

async function* chunk(said: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(said)
}

test('an upload that is half there goes with its site, and no other', LIMIT, async () => {
  const into = copyOf(base)
  const store = UploadStore.open(into, AT, {
    limits: receiverLimits,
    random: (n) => crypto.getRandomValues(new Uint8Array(n)),
  })
  const facts = { door: 'push', scheme: 'pages', type: WARC_TYPE, topic: '' } as const
  const begin = async (origin: string, said: string): Promise<void> => {
    const upload = await store.begin({ ...facts, origin }, AT)
    assert.ok(typeof upload === 'object')
    await store.append(upload.id, chunk(said), { maxBytes: 1e6, now: () => AT, keeps: () => true })
  }
  await begin(site.origin, WORD)
  await begin('https://elsewhere.example', 'elsewhere')
  await forget(into, site.origin + PATH)
  assert.deepEqual(tracesIn(into, MARKS), [])
  assert.equal(tracesIn(join(into, 'uploads'), ['elsewhere']).length, 2)
})

test('a subscription to a page that is forgotten ends, and names it no more', LIMIT, async () => {
  const into = copyOf(base)
  const kept = SubscriptionStore.open(into)
  const wish = { origin: site.origin, hub: 'https://hub.example/', scheme: 'changes' } as const
  for (const path of [PATH, NEXT]) await kept.ask({ ...wish, topic: site.origin + path }, AT)
  await send(into, site.origin, WAYS[0]!.item(site.origin))
  await forget(into, site.origin + PATH)
  assert.deepEqual(tracesIn(into, MARKS), [])
  assert.deepEqual(
    [...SubscriptionStore.open(into).all()].map(({ state, topic }) => [state, topic]),
    [
      ['ended', `${site.origin}/`],
      ['asked', site.origin + NEXT],
    ],
  )
})

// ── taken in ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const none = (): Promise<undefined> => Promise.resolve(undefined)

/** A watch that takes in what waits in the inbox, until it has dealt with all of it. */
async function takeIn(into: string): Promise<void> {
  const stop = new AbortController()
  const cursor = await cursorOf(into)
  await using inbox = await FileInbox.open(into, cursor)
  const { last } = inbox
  const intake: IntakePort = {
    last,
    gateways: { mayName: () => true },
    read: async (from, limit) => await Promise.all((await inbox.read(from, limit)).map((item) => withBody(item))),
    acknowledged: async (upTo) => {
      await inbox.acknowledged(upTo)
      if (upTo >= last) stop.abort()
    },
    append: () => Promise.reject(new Error('nobody sends')),
    callbackOf: (token) => token,
    begin: none,
    subscribe: none,
    leave: none,
    subscriptions: () => Promise.resolve([]),
    setPriorities: none,
    end: none,
  }
  const options = {
    index: true,
    watch: watchOptions({ requestsPerSecond: 50, dayMs: 3_600_000, minPollMs: 3_600_000 }),
  }
  await quickCrawl(into, [], options, AbortSignal.any([stop.signal, AbortSignal.timeout(60_000)]), { intake })
  assert.ok(stop.signal.aborted, 'all was dealt with')
}

async function cursorOf(into: string): Promise<number> {
  await using collection = Collection.openReadOnly(into)
  return inboxCursor(collection)
}

async function withBody(item: InboxItem): Promise<InboxItem> {
  return item.file === undefined ? item : { ...item, body: await readFile(item.file.path) }
}

for (const { name, item } of WAYS) {
  test(`${name} that was taken in is forgotten with its page, in the files of the inbox too`, LIMIT, async () => {
    const into = copyOf(base)
    await send(into, site.origin, item(site.origin))
    await takeIn(into)
    const { code, stderr } = await comityHere(['forget', into, site.origin + PATH])
    // Of what an agent says nothing is taken in where none is known.
    assert.ok(code === 0 || /not known here/.test(stderr), stderr)
    assert.deepEqual(tracesIn(into, MARKS), [])
  })
}

test('what is left of a push is taken in once, and what was forgotten stays so', LIMIT, async () => {
  const into = copyOf(base)
  await send(into, site.origin, {
    body: warcOf([...pair(site.origin), { url: `${site.origin}/third`, body: other, at: AT }]),
  })
  await send(into, site.origin, { body: warcOf([{ url: `${site.origin}/fourth`, body: 'fourth', at: AT }]) })
  await forget(into, site.origin + PATH)
  const count = site.asked.length
  const asked = (): string[] => site.asked.slice(count).map(({ path }) => path)
  await takeIn(into)
  assert.equal((await holdings(into)).get('/fourth')?.text, 'fourth')
  await keepFresh(into, async () => (await holdings(into)).get(NEXT)?.text === other && asked().includes('/third'))
  assert.ok(!asked().includes(PATH))
  assert.deepEqual(await waitingIn(into, await cursorOf(into)), [])
})

test('a page that was sent, and that no crawl knows yet, is forgotten and kept out', LIMIT, async () => {
  const into = copyOf(base)
  await send(into, site.origin, WAYS[0]!.item(site.origin))
  const dry = lastJson(await comityHere(['forget', into, site.origin + PATH, '--dry-run', '--json']))
  assert.deepEqual([dry['pages'], dry['sent'], dry['letters'], dry['forgotten']], [1, 1, 0, false])
  assert.notDeepEqual(tracesIn(into, MARKS), [], 'only counted')
  await forget(into, site.origin + PATH)
  await send(into, site.origin, WAYS[0]!.item(site.origin))
  await takeIn(into)
  assert.equal((await holdings(into)).get(NEXT)?.text, other)
  assert.deepEqual([...(await holdings(into)).keys()].includes(PATH), false)
  assert.deepEqual(tracesIn(into, MARKS), [], 'nothing of it was kept')
  const { code, stderr } = await comityHere(['forget', into, `${site.origin}/never-heard-of`])
  assert.equal(code, 1)
  assert.match(stderr, /is not known here/)
})

// ── asked for ──────────────────────────────────────────────────────────────────────────────────────────────────────────

test('a page that was visited, from a start page or a link', LIMIT, async () => {
  const into = copyOf(visited)
  assert.notDeepEqual(tracesIn(into, MARKS), [])
  await forget(into, site.origin + PATH)
  assert.deepEqual(tracesIn(into, MARKS), [])
})

const copies = [
  ['a dump', ['robots', 'archives', 'resourcesync', 'dump', 'sitemap']],
  ['a web archive', ['robots', 'catalog', 'wacz']],
] as const
for (const [what, schemes] of copies) {
  test(`a page that came in ${what}`, LIMIT, async () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`/${n}.html`, page(`Page ${n}`)]))
    await using own = await createCooperatingSite(
      { '/': page('Home', ...Object.keys(many), PATH), ...many, [PATH]: secret },
      { schemes: [...schemes] },
    )
    const into = newDirectory()
    const { dumps } = await quickCrawl(into, [`${own.origin}/`], { dumps: true, index: true })
    assert.ok((dumps[0]?.pages ?? 0) > 0)
    assert.notDeepEqual(tracesIn(into, [WORD]), [])
    await forget(into, own.origin + PATH)
    // The address stands in a link of the home page's, which is that page's.
    assert.deepEqual(tracesIn(into, [WORD]), [])
    assert.equal((await holdings(into)).get('/3.html')?.text, page('Page 3'))
  })
}

test('a page that came with others in a batch', LIMIT, async () => {
  const paths = [PATH, '/one', '/two']
  let version = 1
  const text = (path: string): string => `${page(path)}<p>${WORD} version ${version}${' common words'.repeat(40)}`
  const plain = (path: string): string => (path === PATH ? text(path) : text(path).replace(WORD, 'plain'))
  const own: SmallSite = await createSmallSite(
    {
      '/': page('Home'),
      ...Object.fromEntries(
        paths.map((path) => [path, () => ({ headers: { etag: `"${version}"` }, body: plain(path) })]),
      ),
      [API_CATALOG_PATH]: writeApiCatalog('/', { batch: BATCH_PATH }),
      [BATCH_PATH]: () => ({
        body: warcOf(
          paths.map((path) => ({
            url: own.origin + path,
            headers: [['etag', '"2"']] as const,
            body: plain(path),
            at: Date.now(),
          })),
        ),
      }),
    },
    '127.0.50.61',
  )
  await using _ = own
  const into = newDirectory()
  await quickCrawl(into, [`${own.origin}/`, ...paths.map((path) => own.origin + path)], { index: true })
  version = 2
  await keepFresh(
    into,
    async () => (await holdings(into)).get(PATH)?.captures.some(({ scheme }) => scheme === 'batch') === true,
  )
  assert.ok((await cooperationOf(into)) !== undefined)
  await forget(into, own.origin + PATH)
  assert.deepEqual(tracesIn(into, MARKS), [])
})

test('a page that was imported', LIMIT, async () => {
  const into = newDirectory()
  const archive = `${newDirectory()}.warc`
  writeFileSync(archive, warcOf(pair('https://a.example')))
  assert.equal((await comityHere(['import', archive, '--into', into])).code, 0)
  assert.notDeepEqual(tracesIn(into, MARKS), [])
  await forget(into, `https://a.example${PATH}`)
  assert.deepEqual(tracesIn(into, MARKS), [])
})

// ── kept aside ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const sitemap = (...urls: readonly string[]): Buffer =>
  Buffer.from(`<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`)
const sentAs = (item: Partial<NewInboxItem>): Pick<NewLetter, 'origin' | 'item' | 'body'> => {
  const { origin, body, door = 'push', scheme = 'pages', type = WARC_TYPE } = item
  return {
    ...(origin === undefined ? {} : { origin }),
    body,
    item: { number: 1, at: AT, door, scheme, proof: 'signature', type },
  }
}

/** A letter of each kind about a page of a site, as it is kept. */
type Aside = (
  origin: string,
  path: string,
  text: string,
) => Omit<NewLetter, 'at' | 'reason'> & Partial<Pick<NewLetter, 'reason'>>
const ASIDE: Readonly<Record<string, Aside>> = {
  'the answer of a page': (origin, path, text) => ({
    kind: 'page',
    url: origin + path,
    origin,
    body: Buffer.from(text),
  }),
  'a page of a dump': (origin, path, text) => ({ kind: 'delivered', url: origin + path, body: Buffer.from(text) }),
  'a batch': (origin, path, text) => ({
    kind: 'delivered',
    url: `${origin}/batch`,
    body: warcOf([{ url: origin + path, body: text, at: AT }]),
  }),
  'a package of a dump': (origin, path, text) => ({
    kind: 'delivered',
    from: `${origin}/dump.zip`,
    body: packageOf(origin, [{ path, body: Buffer.from(text) }]),
  }),
  'a sitemap': (origin, path) => ({
    kind: 'question',
    url: `${origin}/sitemap.xml`,
    origin,
    body: sitemap(origin + path),
  }),
  'a packed sitemap': (origin, path) => ({
    kind: 'question',
    url: `${origin}/sitemap.xml.gz`,
    origin,
    body: gzipSync(sitemap(origin + path)),
  }),
  'a push': (origin, path, text) => ({
    kind: 'push',
    ...sentAs({ origin, body: warcOf([{ url: origin + path, body: text, at: AT }]) }),
  }),
  'a notice': (origin, path) => ({
    kind: 'notice',
    ...sentAs({ origin, scheme: 'changes', type: NDJSON, body: Buffer.from(line(origin + path).trim()) }),
  }),
  'a claim of an agent': (origin, path, text) => ({
    kind: 'claim',
    url: origin + path,
    origin,
    body: Buffer.from(text),
  }),
  'a shipment of a gateway': (origin, path, text) => ({
    kind: 'shipment',
    ...sentAs(batchItem('north', 1, { whole: [{ url: origin + path, text, at: NOON }] })),
  }),
  'a page that a gateway saw': (origin, path, text) => ({
    kind: 'shipped',
    url: origin + path,
    origin: 'gateway:north',
    body: Buffer.from(text),
  }),
  'a record of an archive': (origin, path) => ({ kind: 'record', url: origin + path, from: 'a.warc, at 0' }),
  'a question whose error quotes the page': (origin, path) => ({
    kind: 'question',
    origin,
    reason: `TypeError: bad: ${origin}${path}`,
  }),
}

for (const [what, aside] of Object.entries(ASIDE)) {
  test(`${what} that was kept aside goes with its page, and the same of others stays`, LIMIT, async () => {
    const into = copyOf(visited)
    const letters = new DeadLetters(into, 'crawl')
    const all = [
      aside(site.origin, NEXT, other),
      aside(site.origin, PATH, secret),
      aside('https://elsewhere.example', NEXT, other),
      aside('https://elsewhere.example', PATH.replace('zq', ''), other),
    ]
    for (const letter of all) letters.keep({ at: AT, reason: 'TypeError', ...letter })
    await forget(into, site.origin + PATH)
    assert.deepEqual(
      deadLetters(into).map(({ number }) => number),
      [1, 3, 4],
    )
    assert.deepEqual(tracesIn(into, MARKS), [])
    await forget(into, site.origin)
    assert.deepEqual(
      deadLetters(into).map(({ number }) => number),
      [3, 4],
    )
  })
}

test(
  'what cannot be read and may hold the page goes: of its site, of a gateway, of nobody; of others it stays',
  LIMIT,
  async () => {
    const into = newDirectory()
    await quickCrawl(into, [site.origin + PATH])
    const letters = new DeadLetters(into, 'crawl')
    const body = Buffer.from([0, 255, ...Buffer.from(WORD)])
    const keep = (letter: Omit<NewLetter, 'at' | 'reason'>): void =>
      letters.keep({ at: AT, reason: 'TypeError', ...letter })
    keep({ kind: 'push', ...sentAs({ origin: site.origin, body }) })
    keep({ kind: 'shipment', ...sentAs({ origin: 'gateway:north', door: 'gateway', body }) })
    keep({ kind: 'delivered', from: 'archive.warc, at 7', body })
    keep({ kind: 'push', ...sentAs({ origin: 'https://elsewhere.example', body: Buffer.from([0, 255]) }) })
    keep({ kind: 'question', url: 'https://elsewhere.example/list', body: Buffer.from([0, 255]) })
    writeFileSync(join(into, 'dead-letters', 'index-000000000001.letter'), `${WORD}, and no head`)
    await forget(into, site.origin + PATH)
    assert.deepEqual(
      deadLetters(into).map(({ number }) => number),
      [4, 5],
    )
    assert.deepEqual(tracesIn(into, MARKS), [])
  },
)

// ── whose it is ────────────────────────────────────────────────────────────────────────────────────────────────────────

test('while somebody else has the inbox nothing is forgotten, and it is said who has it', LIMIT, async () => {
  const into = copyOf(visited)
  await send(into, site.origin, WAYS[0]!.item(site.origin))
  new DeadLetters(into, 'crawl').keep({ kind: 'page', at: AT, reason: 'TypeError', url: site.origin + PATH })
  {
    await using _ = await FileInbox.open(into, 0)
    const { code, stderr } = await comityHere(['forget', into, site.origin + PATH])
    assert.equal(code, 1)
    assert.match(stderr, /inbox is being written by process \d+/)
    assert.equal(deadLetters(into).length, 1)
    assert.equal((await holdings(into)).get(PATH)?.text, secret)
  }
  await forget(into, site.origin + PATH)
  assert.deepEqual(tracesIn(into, MARKS), [])
})
