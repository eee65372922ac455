import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Collection } from '@comity/collection'
import { Frontier, orderNamed, politeDefaults } from '@comity/frontier'
import type { Prerequisite } from '@comity/frontier'
import { defaultUrlRules } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import type { AnsweredExchange, Exchange, Documents } from '@comity/ingest'
import type { FailedExchange } from '@comity/ingest/testing'
import { ownDocuments } from '@comity/ingest'
import { RobotsHandler } from './robots-handler.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-robots-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const origin = 'http://a.example'
const prerequisite: Prerequisite = { kind: 'robots', onBehalfOf: 0, path: '/robots.txt', hops: 0 }
const timed = { startedAt: 0, endedAt: 0, firstByteMs: 1, transferMs: 1 }
const answer = (
  status: number,
  body: string | Uint8Array,
  headers: HeaderList = [],
  truncated?: AnsweredExchange['truncated'],
): AnsweredExchange => ({
  ...timed,
  kind: 'answered',
  head: { status, statusText: '', headers },
  body: Uint8Array.from(Buffer.from(body)),
  truncated,
  declined: false,
})
const failure: FailedExchange = {
  ...timed,
  kind: 'failed',
  outcome: 'connection-refused',
  message: 'nobody',
  stale: false,
}

interface Bench extends AsyncDisposable {
  readonly frontier: Frontier
  readonly handler: RobotsHandler
  readonly collection: Collection
  readonly givenUp: string[]
}

async function bench(): Promise<Bench> {
  const collection = await Collection.open(mkdtempSync(join(scratch, 'c-')), 0)
  const frontier = new Frontier({
    order: orderNamed('depth'),
    politenessOf: () => ({ ...politeDefaults, delayMs: 0 }),
    budgetOf: () => ({ maxPages: 100, maxBytes: 1e9, maxKnown: 1_000 }),
    maxTries: 2,
    random: () => 0,
    gates: true,
    textOf: (page) => collection.text(page),
  })
  frontier.offer(`${origin}/page`, { depth: 0, seed: 0 })
  const givenUp: string[] = []
  const giveUpSite = (site: number, outcome: string): void => {
    givenUp.push(outcome)
    frontier.giveUp(site)
  }
  const handler = new RobotsHandler(frontier, collection, {
    productToken: 'comity',
    sitemaps: true,
    urlRules: defaultUrlRules,
    maxTries: 2,
    retryMs: 100,
    giveUp: giveUpSite,
  })
  return { frontier, handler, collection, givenUp, [Symbol.asyncDispose]: () => collection.close() }
}

/** What the frontier hands out next: the URL of a page or of a prerequisite. */
function nextOf(frontier: Frontier, now: number): string | undefined {
  const lease = frontier.lease(now)
  if (lease === undefined) return undefined
  frontier.release(lease, now)
  return lease.first.url
}

const giveUp = (): void => undefined

test('a site that was never read allows nothing', async () => {
  await using site = await bench()
  assert.equal(site.handler.allows(0, `${origin}/page`), false)
})

// oxfmt-ignore
const verdicts: [sentence: string, exchange: AnsweredExchange | FailedExchange, page: boolean, secret: boolean][] = [
  ['rules are kept to',                      answer(200, 'User-agent: *\nDisallow: /secret'),              true,  false],
  ['our own group counts',                   answer(200, 'User-agent: *\nDisallow: /\nUser-agent: Comity\nDisallow: /secret'), true, false],
  ['a missing file allows everything',       answer(404, 'no'),                                           true,  true],
  ['a forbidden file allows everything',     answer(403, 'no'),                                           true,  true],
  ['a coded file is decoded',                answer(200, gzipSync('User-agent: *\nDisallow: /secret'), [['Content-Encoding', 'gzip']]), true, false],
  ['a long file counts as far as it came',   answer(200, 'User-agent: *\nDisallow: /secret\n#', [], 'length'), true, false],
  ['a server error closes the site',         answer(500, 'no'),                                           false, false],
  ['so does a site under load',              answer(429, 'no'),                                           false, false],
  ['so does a file that broke off',          answer(200, 'User-agent: *\nDisallow: /s', [], 'disconnect'), false, false],
  ['so does one that took too long',         answer(200, 'User-agent: *\nDisallow: /s', [], 'time'),      false, false],
  ['so does a coding that cannot be undone', answer(200, 'plain', [['Content-Encoding', 'gzip']]),        false, false],
  ['so does one that unpacks without end',   answer(200, gzipSync(Buffer.alloc(17 << 20)), [['Content-Encoding', 'gzip']]), false, false],
  ['so does no answer',                      failure,                                                     false, false],
  ['a redirect without a target allows all', answer(301, ''),                                             true,  true],
]
/** As a visit does. */
async function readBy(handler: RobotsHandler, about: Prerequisite, exchange: Exchange, now: number): Promise<void> {
  const work = handler.workOf(exchange)
  const read = work === undefined ? undefined : await ownDocuments.work('rules', work)
  handler.answered(about, `${origin}/robots.txt`, exchange, now, read)
}

for (const [sentence, exchange, page, secret] of verdicts) {
  test(sentence, async () => {
    await using site = await bench()
    nextOf(site.frontier, 0)
    await readBy(site.handler, prerequisite, exchange, 0)
    assert.deepEqual(
      [site.handler.allows(0, `${origin}/page`), site.handler.allows(0, `${origin}/secret`)],
      [page, secret],
    )
    // What was read is in the collection: another handler reads the same in it.
    await site.collection.commit(site.frontier.drain())
    const other = new RobotsHandler(site.frontier, site.collection, {
      productToken: 'comity',
      sitemaps: true,
      urlRules: defaultUrlRules,
      maxTries: 2,
      giveUp,
    })
    assert.deepEqual([other.allows(0, `${origin}/page`), other.allows(0, `${origin}/secret`)], [page, secret])
  })
}

test('an unreachable file is asked for again after a while, then the site is given up', async () => {
  await using site = await bench()
  assert.equal(nextOf(site.frontier, 0), `${origin}/robots.txt`)
  site.handler.answered(prerequisite, `${origin}/robots.txt`, answer(503, ''), 0)
  assert.equal(nextOf(site.frontier, 99), undefined)
  assert.equal(nextOf(site.frontier, 100), `${origin}/robots.txt`)
  assert.deepEqual(site.givenUp, [])
  site.handler.answered(prerequisite, `${origin}/robots.txt`, answer(503, ''), 100)
  assert.deepEqual(site.givenUp, ['robots-unreachable'])
  assert.equal(site.frontier.wakesAt(), Infinity)
})

test('a site that nobody answers for is named for that', async () => {
  await using site = await bench()
  for (const now of [0, 1_000]) {
    nextOf(site.frontier, now)
    site.handler.answered(prerequisite, '', { kind: 'unmade', outcome: 'dns-error', message: 'no such name' }, now)
  }
  assert.deepEqual(site.givenUp, ['dns-error'])
})

test('a redirect sends the question to another host, up to five times, and its answer counts here', async () => {
  await using site = await bench()
  nextOf(site.frontier, 0)
  const to = (target: string): AnsweredExchange => answer(301, '', [['Location', target]])
  site.handler.answered(prerequisite, `${origin}/robots.txt`, to('http://b.example/rules'), 0)
  assert.equal(nextOf(site.frontier, 0), 'http://b.example/rules')
  const moved = { ...prerequisite, path: '/rules', hops: 1 }
  await readBy(site.handler, moved, answer(200, 'User-agent: *\nDisallow: /secret'), 0)
  assert.deepEqual(
    [site.handler.allows(0, `${origin}/page`), site.handler.allows(0, `${origin}/secret`)],
    [true, false],
  )
  site.handler.answered({ ...prerequisite, hops: 5 }, `${origin}/robots.txt`, to('/robots.txt'), 0)
  assert.equal(
    site.handler.allows(0, `${origin}/secret`),
    true,
    'the sixth redirect counts as no file (RFC 9309 §2.3.1.2)',
  )
})

test('Crawl-delay is a floor, sitemaps are asked for, and max-age says when to ask again', async () => {
  await using site = await bench()
  nextOf(site.frontier, 0)
  const rules = 'User-agent: *\nCrawl-delay: 2\nSitemap: /map.xml\n'
  await readBy(site.handler, prerequisite, answer(200, rules, [['Cache-Control', 'max-age=3600']]), 1_000)
  assert.equal(nextOf(site.frontier, 2_999), undefined)
  assert.equal(nextOf(site.frontier, 3_000), `${origin}/map.xml`)
  assert.equal(site.collection.robots(0)?.expiresAt, 1_000 + 3_600_000)
})

const longRules = (n: number): string =>
  `User-agent: *\nDisallow: /secret\n${`# ${n} ${'.'.repeat(97)}\n`.repeat(4_000)}`

test('long files are kept up to a weight; those beyond it are read anew by a thread before their sites are visited', async () => {
  await using site = await bench()
  const sites = Array.from({ length: 60 }, (_, n) => site.frontier.site(`http://a${n}.example`))
  let byThread = 0
  const documents: Documents = {
    work: (name, args) => {
      byThread++
      return ownDocuments.work(name, args)
    },
  }
  for (const [n, one] of sites.entries())
    await readBy(site.handler, { ...prerequisite, onBehalfOf: one }, answer(200, longRules(n)), 0)
  await site.collection.commit(site.frontier.drain())
  await site.handler.ready(sites.at(-1)!, documents)
  assert.equal(byThread, 0, 'the last is at hand')
  await site.handler.ready(sites[0]!, documents)
  assert.equal(byThread, 1, 'the first is not: sixty of them weigh too much')
  await site.handler.ready(sites[0]!, documents)
  assert.equal(byThread, 1)
  assert.equal(site.handler.allows(sites[0]!, 'http://a0.example/secret'), false)
  assert.equal(
    site.handler.allows(sites[1]!, 'http://a1.example/page'),
    true,
    'nor is the second, and who asks is answered',
  )
  const before = byThread
  await site.handler.readyFor('http://a2.example/unknown', documents)
  assert.equal(byThread, before, 'of a page that nobody knows nothing is read')
  site.frontier.offer('http://a2.example/page', { depth: 0, seed: 0 })
  await site.handler.readyFor('http://a2.example/page', documents)
  assert.equal(byThread, before + 1, 'nor is the third: whoever names a page of it waits for a thread')
})
