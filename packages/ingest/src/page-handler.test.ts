import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Collection } from '@comity/collection'
import { Frontier, orderNamed, createScope, politeDefaults } from '@comity/frontier'
import type { HeaderList } from '@comity/protocol'
import { timingsOf } from './exchange.ts'
import type { AnsweredExchange } from './exchange.ts'
import { LinkHandler } from './deposit/link-handler.ts'
import { IngestEvents } from './ingest-events.ts'
import { readingOptions } from './testing/reading-fixture.ts'
import { PageHandler } from './page-handler.ts'
import { CrawlFollowUp } from './deposit/follow-up.ts'
import type { PageTask } from './deposit/follow-up.ts'
import { read } from './read/reading.ts'
import { Tally } from './tally.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-pages-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const origin = 'http://a.example'
const options = { ...readingOptions, types: [], maxRedirects: 3, hooks: {} }

interface Bench extends AsyncDisposable {
  readonly frontier: Frontier
  readonly collection: Collection
  readonly tally: Tally
  readonly moved: string[]
  readonly deposits: number
  /** Lease the next page at `now`. */
  take(now?: number): PageTask
  /** The next page is answered so. */
  answer(status: number, headers?: HeaderList, body?: string | Uint8Array, more?: Partial<AnsweredExchange>): void
  readonly outcomeOf: (path: string) => string | undefined
  readonly handler: PageHandler
}

async function bench(maxKnown = 1_000): Promise<Bench> {
  const collection = await Collection.open(mkdtempSync(join(scratch, 'c-')), 0)
  const frontier = new Frontier({
    order: orderNamed('depth'),
    politenessOf: () => ({ ...politeDefaults, delayMs: 0 }),
    budgetOf: () => ({ maxPages: 100, maxBytes: 1e9, maxKnown }),
    maxTries: 2,
    random: () => 0,
    gates: false,
    textOf: (page) => collection.text(page),
  })
  const rules = {
    include: [],
    exclude: [],
    doNotCrawl: [],
    maxDepthOf: () => Infinity,
    avoidSideEffects: true,
    year: 2026,
  }
  const scope = createScope({ ...rules, kind: 'host', seeds: [`${origin}/`] })
  const [tally, moved] = [new Tally(), [] as string[]]
  let deposits = 0
  const taken = new IngestEvents()
  taken.follow('deposit', () => deposits++)
  const handler = new PageHandler({
    pool: { read: (answered) => Promise.resolve(read(answered, options)) },
    collection,
    tally,
    options,
    links: new LinkHandler(frontier, scope),
    followUp: new CrawlFollowUp({ frontier, collection, scope, options, onSeedMoved: (url) => moved.push(url) }),
    taken,
  })
  frontier.offer(`${origin}/`, { depth: 0, seed: 0 })
  let clock = 0
  const take = (now = (clock += 1_000)): PageTask => {
    const lease = frontier.lease(now)
    assert.ok(lease?.first.kind === 'page')
    frontier.release(lease, now)
    return lease.first
  }
  const answer: Bench['answer'] = (status, headers = [], body = '', more = {}) => {
    const task = take()
    const at = clock
    const head = { status, statusText: '', headers }
    const bytes = Uint8Array.from(typeof body === 'string' ? Buffer.from(body) : body)
    const timed = { startedAt: at, endedAt: at + 5, connectMs: 1, firstByteMs: 2, transferMs: 3 }
    const exchange: AnsweredExchange = { kind: 'answered', head, body: bytes, declined: false, ...timed, ...more }
    const { truncated } = exchange
    const asked = { address: '93.184.216.34', origin: { requestHeaders: [] } }
    const reading = read({ url: task.url, at, ...asked, ...head, body: bytes, truncated }, options)
    handler.answered({ task, site: 0, answer: exchange, timings: timingsOf(exchange), ...asked }, reading)
  }
  const outcomeOf = (path: string): string | undefined => collection.page(frontier.findUrl(origin + path))?.outcome
  return {
    frontier,
    collection,
    tally,
    moved,
    handler,
    take,
    answer,
    outcomeOf,
    get deposits() {
      return deposits
    },
    [Symbol.asyncDispose]: () => collection.close(),
  }
}
const html: HeaderList = [['Content-Type', 'text/html']]
const to = (location: string): HeaderList => [['Location', location]]

test('a page that was sent has no timings: nobody was asked', async () => {
  await using at = await bench()
  const task = at.take()
  const body = Uint8Array.from(Buffer.from('<title>Sent</title>'))
  const answer = { head: { status: 200, statusText: '', headers: html }, body, startedAt: 7, declined: false }
  const cameBy = { how: 'page by push', via: `${origin}/`, as: 'answer' } as const
  await at.handler.ingest({ task, site: 0, answer, address: '', origin: cameBy, sent: { source: 'push' } })
  const row = at.collection.page(task.page)
  assert.deepEqual([row?.outcome, row?.visitedAt, row?.timings], ['ok', 7, {}])
})

test('a page is a row, a capture, its links and their offers, in one deposit', async () => {
  await using at = await bench()
  at.answer(
    200,
    [...html, ['ETag', '"1"']],
    '<title>Home</title><a href="/b">to b</a><a href="http://b.example/">away</a>',
  )
  const row = at.collection.page(0)
  assert.deepEqual([row?.outcome, row?.title, row?.etag, row?.visits, row?.changes], ['ok', 'Home', '"1"', 1, 0])
  assert.deepEqual(row?.timings, { connectMs: 1, firstByteMs: 2, transferMs: 3 })
  assert.deepEqual([at.frontier.count('waiting'), at.frontier.count('excluded'), at.deposits], [1, 1, 1])
  await at.collection.commit(at.frontier.drain())
  assert.deepEqual(
    at.collection.links(0).map(({ anchor }) => anchor),
    ['to b', 'away'],
  )
  assert.equal([...at.collection.captures(0)].length, 1)
})

// oxfmt-ignore
const endings: [sentence: string, status: number, headers: HeaderList, more: Partial<AnsweredExchange>, outcome: string][] = [
  ['a body cut at its limit is kept and not trusted',  200, html, { truncated: 'length' },      'too-large'],
  ['a body that broke off too',                        200, html, { truncated: 'disconnect' },  'truncated'],
  ['a body that took too long is named for that',      200, html, { truncated: 'time' },        'timeout-body'],
  ['a part that nobody asked for is no page',          206, html, {},                           'truncated'],
  ['a kind that nobody wants is skipped',              200, [['Content-Type', 'image/png']], { declined: true }, 'skipped-type'],
  ['a coding nobody knows is named',                   200, [...html, ['Content-Encoding', 'rot13']], {}, 'bad-coding'],
  ['a transfer coding nobody undid too',               200, [...html, ['Transfer-Encoding', 'rot13']], {}, 'bad-coding'],
  ['chunked is undone by the client',                  200, [...html, ['Transfer-Encoding', 'chunked']], {}, 'ok'],
  ['a lost page is a client error',                    404, html, {},                           'client-error'],
  ['a site under load is busy',                        503, html, {},                           'busy'],
  ['a 304 that nobody asked for is no answer',         304, html, {},                           'bad-response'],
]
for (const [sentence, status, headers, more, outcome] of endings) {
  test(sentence, async () => {
    await using at = await bench()
    at.answer(status, headers, '<a href="/found">x</a>', more)
    assert.equal(at.outcomeOf('/'), outcome)
    assert.equal(
      at.frontier.findUrl(`${origin}/found`) !== -1,
      outcome === 'ok',
      'only a whole page\u2019s links count',
    )
    assert.equal(at.deposits, 1)
  })
}

test('noise that is called a page is kept, named with its reason, and neither read nor indexed', async () => {
  await using at = await bench()
  const noise = createHash('shake256', { outputLength: 20_000 }).update('<a href="/found">').digest()
  at.answer(200, html, noise)
  assert.equal(at.outcomeOf('/'), 'not-text')
  const row = at.collection.page(at.frontier.findUrl(`${origin}/`))
  assert.equal(row?.problem, 'it is called text/html, and its bytes are no text')
})

test('redirects in a row are counted, and the one too many is not followed', async () => {
  await using at = await bench()
  for (const target of ['/1', '/2', '/3', '/4']) at.answer(302, to(target))
  assert.deepEqual(['/', '/1', '/2', '/3'].map(at.outcomeOf), ['redirect', 'redirect', 'redirect', 'redirect-too-long'])
  assert.equal(at.frontier.findUrl(`${origin}/4`), -1)
  assert.equal(at.frontier.count('waiting'), 0)
})

test('a circle of redirects is named where it closes', async () => {
  await using at = await bench()
  at.answer(302, to('/1'))
  at.answer(302, to('/2'))
  at.answer(302, to('/'))
  assert.deepEqual(['/', '/1', '/2'].map(at.outcomeOf), ['redirect', 'redirect', 'redirect-loop'])
})

test('a redirect of a start page is told, one of another page stays in the scope', async () => {
  await using at = await bench()
  at.answer(301, to('http://b.example/'))
  assert.deepEqual(at.moved, ['http://b.example/'])
  at.frontier.offer(`${origin}/deep`, { depth: 2, seed: 0 })
  at.answer(301, to('http://c.example/'))
  assert.deepEqual(at.moved, ['http://b.example/'])
  assert.equal(at.outcomeOf('/deep'), 'redirect-out-of-scope')
})

test('a redirect to a site that is full is a redirect, and its target is not remembered', async () => {
  await using at = await bench(1)
  at.answer(301, to('/2'))
  assert.deepEqual([at.outcomeOf('/'), at.frontier.findUrl(`${origin}/2`)], ['redirect', -1])
})

test('a page without an answer comes back, and is given up after its tries; both are deposits', async () => {
  await using at = await bench()
  for (const waiting of [1, 0]) {
    const task = at.take()
    at.handler.failed(task, 0, { outcome: 'timeout-headers', problem: 'silence' }, 5)
    assert.equal(at.frontier.count('waiting'), waiting)
  }
  const row = at.collection.page(0)
  assert.deepEqual([row?.outcome, row?.problem, row?.visits, row?.status], ['timeout-headers', 'silence', 2, 0])
  assert.deepEqual([at.frontier.count('failed'), at.deposits], [1, 2])
  assert.deepEqual(at.tally.totals.outcomes, { 'timeout-headers': 2 })
})

test('304 keeps what we know, and says when we looked', async () => {
  await using at = await bench()
  at.answer(200, [...html, ['ETag', '"1"']], '<title>Home</title>')
  const before = at.collection.page(0)
  at.frontier.admit(0)
  const task = at.take()
  const head = { status: 304, statusText: '', headers: [] }
  const timings = { firstByteMs: 1, transferMs: 0 }
  at.handler.unchanged({ task, site: 0, head, at: 9_000, timings, address: '93.184.216.34' })
  const row = at.collection.page(0)
  assert.deepEqual([row?.outcome, row?.title, row?.digest, row?.etag], ['not-modified', 'Home', before?.digest, '"1"'])
  assert.deepEqual([row?.visitedAt, row?.changedAt, row?.visits, at.deposits], [9_000, before?.changedAt, 2, 2])
  assert.equal(at.tally.totals.pages, 1)
})
