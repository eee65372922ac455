// Runs alone: it looks at memory.
/**
 * Hostile servers: every misbehaviour of the lab's table is met by a crawl, and ends as its row says.
 *
 * One crawl visits all of them at once, each at an address of its own, in a child process: what the servers of this
 * process hold does not count as the crawler's memory.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { endsMazes } from '@comity/frontier'
import { OUTCOMES } from '@comity/ingest'
import type { CrawlOptions } from '@comity/crawler'
import type { Outcome, SiteOutcome } from '@comity/ingest'
import { createHostileSite, hostileCases, isExpectedOutcome } from '@comity/testbed'
import type { HostileCase, HostileSite, VisitOutcome } from '@comity/testbed'
import { startCrawl } from '../crawl/child-crawl.ts'
import type { ChildReport } from '../crawl/child-crawl.ts'
import { holdingsOf } from '../crawl/holdings.ts'
import type { HeldPage } from '../crawl/holdings.ts'

const MB = 1 << 20
/** Two rounds of the same: the first shows what a crawl of such servers needs, the second that none of it stays. */
const rounds = 2
const maxPages = 40
const maxKnown = 1_000
/** Of any other case: a chain of redirects or a tree of sitemaps is the longest. */
const maxRequests = 150
const options: Partial<CrawlOptions> = {
  userAgent: 'comity-test/1.0 (+https://example.org/bot)',
  // The servers are on loopback; of all other private addresses none may be touched.
  allowPrivate: ['127.0.2.0/24'],
  privateDelayMs: 0,
  parallel: 32,
  maxTries: 2,
  maxStrikes: 3,
  patienceMs: 5_000,
  siteBudget: { maxPages, maxBytes: 20 * MB, maxKnown },
  // Just above what a gibibyte of zeros packs to, so that bombs come whole and go off.
  limits: {
    connectTimeoutMs: 1_000,
    headersTimeoutMs: 1_500,
    bodyTimeoutMs: 1_500,
    totalTimeoutMs: 3_500,
    maxBodyBytes: 1.25 * MB,
    maxHeaderBytes: 65_536,
  },
  maxDecodedBytes: 2 * MB,
  politeness: {
    delayMs: 0,
    pagesPerConnection: 10,
    slowdown: 1,
    backoffMs: 20,
    maxBackoffMs: 100,
    maxRetryAfterMs: 86_400_000,
  },
}

const scratch = mkdtempSync(join(tmpdir(), 'comity-hostile-'))
const directories = Array.from({ length: rounds }, (_, round) => join(scratch, String(round)))
const sites = new Map<string, HostileSite>()
let report: ChildReport
/** What each round holds. */
let held: Map<string, HeldPage>[]

async function open(cases: readonly HostileCase[]): Promise<void> {
  const opened = cases.map(async (one) => {
    sites.set(one.name, await createHostileSite(one, { paceMs: 200, limits: { bytes: 50 * MB, ms: 20_000 } }))
  })
  await Promise.all(opened)
}

const lookup = (host: string): Promise<readonly string[]> => {
  const name = sites.get(host.replace(/\.test$/, ''))?.name
  return name === undefined ? Promise.reject(new Error(`there is no ${host}`)) : name.resolve(host)
}

before(async () => {
  await open(hostileCases)
  const all = [...sites.values()]
  const seeds = all.map(({ url }) => url)
  const ca = all.map(({ authority }) => authority ?? '').join('')
  const finished = await startCrawl({ into: directories, options: { ...options, seeds, ca }, lookup }).finished
  assert.ok(finished !== undefined)
  report = finished
  held = await Promise.all(directories.map(holdingsOf))
})

after(async () => {
  await Promise.all([...sites.values()].map((site) => site[Symbol.asyncDispose]()))
  rmSync(scratch, { recursive: true, force: true })
})

/** How the visit of a page ended, redirects followed to their end. A site that was given up has a reason of its own. */
function endOf(url: string, round: number): VisitOutcome | 'nothing' {
  const page = held[round]!.get(url)
  if (page?.excludedFor === 'robots') return 'robots-disallowed'
  if (page?.row?.outcome === 'redirect' && page.row.redirectTo !== undefined) return endOf(page.row.redirectTo, round)
  if (page?.row !== undefined) return page.row.outcome as Outcome
  const { origin } = new URL(url)
  const given: SiteOutcome | undefined = report.summaries[round]!.givenUp.find(
    (site) => site.origin === origin,
  )?.outcome
  return given ?? 'nothing'
}

/** The crawl of a trap ended by itself, with pages left that it did not want, and within its budgets. */
function isTrapped(url: string, round: number): boolean {
  const own = [...held[round]!.values()].filter((page) => page.url.startsWith(new URL('/', url).href))
  const isLeft = own.some(({ state, excludedFor = '' }) => state === 'waiting' || endsMazes(excludedFor))
  return own.length <= maxKnown && (isLeft || own.length <= 3)
}

for (const one of hostileCases) {
  test(`${one.name}: a server that ${one.sentence} ends in ${one.expect}`, () => {
    const { url, log } = sites.get(one.name)!
    for (let round = 0; round < rounds; round++) {
      // By then the name leads to a private address, and is asked for again as a new crawl remembers nothing.
      const expected = { ...one, ...(one.name === 'name-rebinds' && round > 0 ? { expect: 'address-refused' } : {}) }
      const end = endOf(url, round)
      if (one.expect !== 'trap')
        assert.ok(isExpectedOutcome(expected as HostileCase, end as VisitOutcome), `it ended in ${end}`)
      else assert.deepEqual([end, isTrapped(url, round)], ['ok', true])
    }
    const asked = log?.read().requests.length ?? 0
    // Once more for robots.txt, and each page as often as it may be tried.
    const most = one.expect === 'trap' ? maxPages + 1 : maxRequests
    assert.ok(asked <= rounds * most, `${asked} requests in ${rounds} rounds`)
  })
}

test('nothing but the servers of the table is ever connected to, whatever a name or a redirect says', () => {
  const allowed = new BlockList()
  allowed.addSubnet('127.0.2.0', 24)
  assert.deepEqual(
    report.attempts.filter((address) => !allowed.check(address)),
    [],
  )
  assert.ok(report.attempts.length > 200)
})

test('memory is flat: nothing stays behind after a round, and both fit in 400 MB', () => {
  const [first = 0, second = 0] = report.kept
  assert.ok(second - first < 20 * MB, `${Math.round(first / MB)} MB were left, then ${Math.round(second / MB)} MB`)
  for (const most of report.memory) assert.ok(most < 400 * MB, `${Math.round(most / MB)} MB`)
})

test('every outcome of the crawler is a name of the lab, and most of them occur here', () => {
  const names = Object.keys(OUTCOMES) as Outcome[]
  const known: readonly VisitOutcome[] = names
  const occurring = new Set(hostileCases.map(({ expect }) => expect))
  // Those that need a second visit, an address without a route, or a proxy are in revisit.test.ts and outcome.test.ts; no
  // page is known that takes too long to read, and reading-pool.test.ts makes do with a short time, nor one that we fail on:
  // faults.test.ts makes us.
  const elsewhere = known.filter((name) => !occurring.has(name))
  assert.deepEqual(elsewhere.toSorted(), [
    'fault',
    'not-modified',
    'proxy-error',
    'redirect',
    'too-much-work',
    'unreachable',
  ])
})

const largeCases = hostileCases.filter(({ alsoFine }) => alsoFine?.includes('too-large') === true)

test('with limits above their size, documents of tens of megabytes are read whole', async () => {
  assert.ok(largeCases.length >= 9)
  const dir = join(scratch, 'large')
  const limits = { ...options.limits!, maxBodyBytes: 40 * MB, totalTimeoutMs: 60_000 }
  const seeds = largeCases.map(({ name }) => sites.get(name)!.url)
  const large = { ...options, seeds, limits, maxDecodedBytes: 40 * MB, parallel: 1, maxPages: seeds.length }
  const finished = await startCrawl({ into: [dir], options: { ...large, maxDepth: 0 } }).finished
  const pages = await holdingsOf(dir)
  assert.deepEqual(
    seeds.map((url) => pages.get(url)?.row?.outcome),
    seeds.map(() => 'ok'),
  )
  const [most = 0] = finished?.memory ?? []
  assert.ok(most < 800 * MB, `${Math.round(most / MB)} MB`)
})
