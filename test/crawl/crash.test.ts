// Runs alone: it kills by the clock.
/**
 * Crash: a crawl that is killed with kill -9 again and again, at moments drawn at random, ends with the very collection
 * that an undisturbed one makes, and asks for no page again whose visit had been acknowledged.
 *
 * Acknowledged is what the collection holds when it is opened after the kill; everything else that the servers saw in
 * that life was in flight, and there is a bound to it.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Collection } from '@comity/collection'
import type { CrawlOptions } from '@comity/crawler'
import { createLivingWeb, createRandom } from '@comity/testbed'
import type { LivingWeb } from '@comity/testbed'
import { payloadDigest } from '@comity/protocol'
import { amount } from '@comity/protocol/testing'
import { startCrawl } from './child-crawl.ts'
import { holdingsOf } from './holdings.ts'
import type { HeldPage } from './holdings.ts'

const seed = Number(process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)
const kills = amount(7, 200)
/** As many pages as so many lives need. */
const pages = (count: number): number => Math.ceil(count * Math.max(1, kills / 50))
/** Pages that may be in flight at a kill: what the sites answer while the readers start and the disk is busy. */
const maxInFlight = 200

/** How far the crawl is to have come by the last kill, of some 450 pages. */
const pagesBeforeTheEnd = pages(Math.min(350, 14 * kills))

const scratch = mkdtempSync(join(tmpdir(), 'comity-crash-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const options: Partial<CrawlOptions> = {
  userAgent: 'comity-test/1.0 (+https://example.org/bot)',
  allowPrivate: true,
  privateDelayMs: 0,
  parallel: 8,
  // A page that fails is not asked for again, so that every second request for one is a fault.
  maxTries: 1,
  commitEveryMs: 10,
  politeness: {
    delayMs: 0,
    pagesPerConnection: 20,
    slowdown: 1,
    backoffMs: 10,
    maxBackoffMs: 20,
    maxRetryAfterMs: 10_000,
  },
}

/** Nothing changes, so two crawls of it can be compared; slow enough that so many lives do not reach its end. */
const createWeb = (): Promise<LivingWeb> => {
  const steady = { latencyMs: 12, bytesPerSecond: Infinity, changeEveryMs: Infinity, troubleMs: 0 }
  return createLivingWeb({
    seed,
    firstAddress: '127.0.40.1',
    sites: [
      { ...steady, pages: pages(170), robots: 'allow', sitemap: true },
      { ...steady, pages: pages(130), robots: 'disallow-directory', gzip: true },
      { ...steady, pages: pages(90), robots: 'missing', sitemap: false, gzip: false },
    ],
  })
}

/** Request paths by origin, with robots.txt and sitemaps left out: only pages are promised to be asked for once. */
function pagesAsked(web: LivingWeb, since: number): string[] {
  const origins = new Map(web.sites.map(({ spec, origin }) => [spec.name, origin]))
  const { requests } = web.log.read()
  return requests
    .slice(since)
    .filter(({ path }) => path !== '/robots.txt' && path !== '/sitemap.xml')
    .map(({ site, path }) => `${origins.get(site)}${path}`)
}

function storedBytes(dir: string): number {
  const archives = globSync(join(dir, 'warc', '*.warc.gz'))
  return archives.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** Or until it has been waited for long enough. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !isTrue(); tries++) await sleep(10)
}

/** The pages whose visits the collection holds; none when the process died before it had made one. */
async function acknowledgedIn(dir: string): Promise<Set<string>> {
  if (!existsSync(join(dir, 'collection.json'))) return new Set()
  const held = await holdingsOf(dir)
  return new Set([...held.values()].filter(({ row }) => row !== undefined).map(({ url }) => url))
}

/** What must not depend on how often we were killed. */
const factsOf = ({ url, state, excludedFor, row, links }: HeldPage): unknown[] => [
  url,
  state,
  excludedFor,
  row?.outcome,
  row?.status,
  row?.digest,
  row?.redirectTo,
  links.toSorted(),
]

const sorted = (held: ReadonlyMap<string, HeldPage>): unknown[] =>
  [...held.values()].toSorted((a, b) => (a.url < b.url ? -1 : 1)).map(factsOf)

test(`${kills} kills change nothing (seed ${seed}; COMITY_SEED=${seed} repeats it)`, async (t) => {
  await using web = await createWeb()
  const random = createRandom(seed)
  const seeds = web.sites.map(({ origin }) => `${origin}/`)
  const into = join(scratch, 'killed')
  const call = { into: [into], options: { ...options, seeds } }

  let acknowledged = new Set<string>()
  let mostInFlight = 0
  let killed = 0
  while (killed < kills) {
    const seen = web.log.read().requests.length
    const stored = storedBytes(into)
    const child = startCrawl(call)
    await child.ready
    // While the crawl is behind, lives are counted from a first page that is stored: threads take long to start on a busy
    // machine, and kills are to fall into all of the crawl, not into its beginnings alone.
    const isBehind = acknowledged.size < (killed / kills) * pagesBeforeTheEnd
    if (isBehind) await until(() => storedBytes(into) > stored)
    await sleep(random.between(0, isBehind ? 500 : 250))
    await child.kill()
    assert.equal(await child.finished, undefined, `the crawl was over after ${killed} kills: the web is too small`)
    killed++
    // The servers hear of the end of their connections a moment later.
    await sleep(5)
    const asked = pagesAsked(web, seen)
    assert.equal(new Set(asked).size, asked.length, 'no page is asked for twice in one life')
    const again = asked.filter((url) => acknowledged.has(url))
    assert.deepEqual(again, [], `life ${killed} asked again for what was acknowledged`)
    const now = await acknowledgedIn(into)
    for (const url of acknowledged) assert.ok(now.has(url), `life ${killed} lost ${url}`)
    mostInFlight = Math.max(mostInFlight, asked.filter((url) => !now.has(url)).length)
    acknowledged = now
  }
  assert.ok(mostInFlight <= maxInFlight, `${mostInFlight} pages were in flight at a kill`)
  const half = acknowledged.size
  assert.ok(half >= pagesBeforeTheEnd / 3, `kills fell into the beginning alone: ${half} pages`)
  const seen = web.log.read().requests.length
  await startCrawl(call).finished
  assert.deepEqual(
    pagesAsked(web, seen).filter((url) => acknowledged.has(url)),
    [],
  )

  const undisturbed = join(scratch, 'undisturbed')
  await startCrawl({ into: [undisturbed], options: { ...options, seeds } }).finished
  const [ours, theirs] = [await holdingsOf(into), await holdingsOf(undisturbed)]
  assert.deepEqual(sorted(ours), sorted(theirs))
  const truth = web.reachable()
  assert.deepEqual(
    [...truth.urls].filter((url) => ours.get(url)?.row?.outcome !== 'ok'),
    [],
  )
  await checkBodies(into)
  t.diagnostic(
    `${half} of ${ours.size} URLs acknowledged after ${killed} kills, at most ${mostInFlight} pages in flight`,
  )
})

/** Every body that the state refers to is in the WARC, whole. */
async function checkBodies(dir: string): Promise<void> {
  await using collection = Collection.openReadOnly(dir)
  let checked = 0
  for (const { value: row } of collection.pages()) {
    if (row.body === undefined) continue
    assert.equal(payloadDigest(collection.readBody(row.body)), row.digest)
    checked++
  }
  assert.ok(checked > 300, `${checked} bodies`)
}
