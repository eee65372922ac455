// Runs alone: how late its event loop is counts.
/**
 * Politeness, as the served side sees it: a faulty living web writes down what arrives, and the log is searched for
 * broken promises. The crawl is killed with kill -9 at random moments and started again on the same collection; the
 * servers live on, so the log spans all its lives.
 *
 * One exemption, and only this: what a site asked for in an answer that no commit had acknowledged when the process was
 * killed (a Crawl-delay or a Retry-After on its way to the disk) cannot be known afterwards. Our own rest between two
 * connections, and one connection at a time, need no such knowledge and hold without exemption.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { amount } from '@comity/protocol/testing'
import { Collection } from '@comity/collection'
import { crawl, realWorld } from '@comity/crawler'
import type { CrawlOptions } from '@comity/crawler'
import type { SiteRow } from '@comity/frontier'
import { createLivingWeb, createRandom, floorsOf, violations } from '@comity/testbed'
import type { LivingWeb, LivingWebOptions, RequestLog, Violation } from '@comity/testbed'
import { startCrawl } from './child-crawl.ts'
import type { ChildCrawl } from './child-crawl.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-polite-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

interface Setting {
  readonly seed: number
  /** Rest between connections, pages on one, visits at once: the w, k and r of 004 §4. */
  readonly w: number
  readonly k: number
  readonly r: number
  readonly addressing: NonNullable<LivingWebOptions['addressing']>
  readonly kills: number
}

const KILLS = amount(4, 40)
// oxfmt-ignore
const settings: readonly Setting[] = [
  { seed: 1, w: 400, k: 1,  r: 64, addressing: 'own-address',    kills: KILLS },
  { seed: 2, w: 500, k: 4,  r: 3,  addressing: 'own-address',    kills: KILLS },
  { seed: 3, w: 400, k: 6,  r: 64, addressing: 'shared-address', kills: KILLS },
  { seed: 4, w: 400, k: 10, r: 8,  addressing: 'shared-server',  kills: KILLS },
]
/**
 * A server hears of a closed connection when its event loop comes round to it, so a gap in its log is shorter than the
 * real one by its lag. On a busy machine that is much, so it is measured and allowed for; 40 ms are for the kernel.
 */
const lag = monitorEventLoopDelay({ resolution: 5 })
lag.enable()
const toleranceMs = (): number => 40 + lag.max / 1e6

const userAgent = 'comity-test/1.0 (+https://example.org/bot)'
const optionsFor = ({ seed, w, k, r }: Setting): Partial<CrawlOptions> => ({
  userAgent,
  scope: 'any',
  allowPrivate: true,
  privateDelayMs: w,
  parallel: r,
  // Who reads is nothing to a site, and costs a start in each life: one of them has a thread, as most crawls have.
  threads: seed === 1 ? 1 : 0,
  maxTries: 3,
  commitEveryMs: 30,
  politeness: {
    delayMs: w,
    pagesPerConnection: k,
    slowdown: 1,
    backoffMs: 150,
    maxBackoffMs: 600,
    maxRetryAfterMs: 86_400_000,
  },
})

/** What no commit held when the process was killed: by site, whether its Crawl-delay was known and until when it rests. */
interface Kill {
  readonly at: number
  readonly known: ReadonlyMap<string, { crawlDelayMs: number; askedUntil: number }>
}

async function killAndLook(web: LivingWeb, into: string, child: ChildCrawl): Promise<Kill> {
  await child.kill()
  const at = Date.now()
  const names = new Map(web.sites.map((site) => [site.origin, site.spec.name]))
  await using collection = Collection.openReadOnly(into)
  const rows = [...collection.sites<SiteRow>()].map(([, { origin, crawlDelayMs, askedUntil }]) => {
    return [names.get(origin) ?? origin, { crawlDelayMs, askedUntil }] as const
  })
  return { at, known: new Map(rows) }
}

/** Whether a violation rests on what an answer said that was not acknowledged at the last kill before it. */
function isExempt({ rule, key, at }: Violation, kills: readonly Kill[], log: RequestLog): boolean {
  const kill = kills.findLast((one) => one.at <= at)
  if (kill === undefined) return false
  const known = kill.known.get(key)
  if (rule === 'request-before-crawl-delay') {
    // Until robots.txt has been read again; from then on it is known and kept.
    const read = log.requests.find(
      ({ site, path, endedAt }) => site === key && path === '/robots.txt' && endedAt > kill.at,
    )
    return (known?.crawlDelayMs ?? 0) === 0 && at <= (read?.endedAt ?? Infinity)
  }
  if (rule !== 'request-before-retry-after') return false
  const told = log.requests.filter(
    ({ site, startedAt, retryAt }) => site === key && retryAt !== undefined && startedAt < at,
  )
  const later = told.filter(({ retryAt = 0 }) => retryAt > at)
  // What counts is the kill that came after the answer: at a later one the site may be known by another answer, which
  // named about the same moment.
  return later.every(({ endedAt, retryAt = 0 }) => {
    const cut = kills.find((one) => one.at >= endedAt)
    return cut !== undefined && cut.at <= at && (cut.known.get(key)?.askedUntil ?? 0) < retryAt - 1_000
  })
}

async function crawlWithKills(web: LivingWeb, setting: Setting): Promise<Kill[]> {
  const random = createRandom(setting.seed)
  const into = join(scratch, String(setting.seed))
  // Every second site is met in its trouble, so that kills fall into the time that its Retry-After asks for.
  const seeds = web.sites.map(({ origin }, index) => `${origin}${index % 2 === 0 ? '/shaky/repairs' : '/'}`)
  const call = {
    into: [into],
    options: { ...optionsFor(setting), seeds },
    lookup: (host: string) => Promise.resolve([web.addressOf(host) ?? '']),
  }
  const kills: Kill[] = []
  for (let life = 0; life < setting.kills; life++) {
    const child = startCrawl(call)
    await firstRequest(web, child)
    await sleep(random.between(300, 1_600))
    kills.push(await killAndLook(web, into, child))
    if ((await child.finished) !== undefined) break
  }
  // The last life may end by itself, and need not.
  const last = startCrawl(call)
  const stop = setTimeout(() => void last.kill(), 12_000)
  await last.finished
  clearTimeout(stop)
  return kills
}

/** A life begins with its first request: how long a process takes to start is the machine's affair. */
async function firstRequest({ log }: LivingWeb, child: ChildCrawl): Promise<void> {
  const before = log.read().requests.length
  const over = new AbortController()
  void child.finished.finally(() => over.abort())
  while (!over.signal.aborted && log.read().requests.length === before) await sleep(20)
}

test('no kill and no setting makes a crawl impolite', { concurrency: true }, async (t) => {
  await Promise.all(
    settings.map((setting, index) =>
      t.test(
        `seed ${setting.seed}: w ${setting.w} ms, k ${setting.k}, r ${setting.r}, ${setting.addressing}`,
        async () => {
          const specs = ['allow', 'disallow-directory', 'crawl-delay', 'missing', 'server-error'] as const
          await using web = await createLivingWeb({
            seed: setting.seed,
            addressing: setting.addressing,
            firstAddress: `127.0.${20 + index}.1`,
            sites: specs.map((robots) => ({ robots, pages: 4, latencyMs: 5 })),
            crawlDelaySeconds: 0.6,
            troubleMs: 25_000,
          })
          const kills = await crawlWithKills(web, setting)
          const log = web.log.read()
          assert.ok(kills.length >= 3, `${kills.length} kills`)
          assert.deepEqual(broken(web, setting, kills), [])
          assert.ok(
            log.requests.some(({ status, retryAt }) => status === 503 && retryAt !== undefined),
            'the web is faulty',
          )
          checkPoliteness(log, setting)
        },
      ),
    ),
  )
  t.diagnostic(`the servers' event loop lagged by ${Math.round(lag.max / 1e6)} ms at most`)
})

function broken(web: LivingWeb, { w }: Setting, kills: readonly Kill[]): string[] {
  const log = web.log.read()
  const found = violations(log, floorsOf(web.sites, { connectionGapMs: w, toleranceMs: toleranceMs() }))
  return found
    .filter((violation) => !isExempt(violation, kills, log))
    .map(({ rule, sentence }) => `${rule}: ${sentence}`)
}

function checkPoliteness(log: RequestLog, { k, r }: Setting): void {
  const byConnection = Map.groupBy(log.requests, ({ connectionId }) => connectionId)
  for (const requests of byConnection.values()) {
    const counted = requests.filter(({ path }) => path !== '/robots.txt').length
    assert.ok(counted <= k, `${counted} requests on one connection`)
  }
  const moments = log.connections.map(({ openedAt }) => openedAt + toleranceMs())
  for (const at of moments) {
    const open = log.connections.filter(({ openedAt, closedAt }) => openedAt <= at && closedAt > at).length
    assert.ok(open <= r, `${open} connections at once`)
  }
  for (const [site, requests] of Map.groupBy(log.requests, (request) => request.site)) {
    assert.equal(requests[0]?.path, '/robots.txt', `the first that ${site} was asked for`)
  }
}

test('a site whose robots.txt answers 5xx is never asked for a page', async () => {
  await using web = await createLivingWeb({ seed: 5, sites: [{ robots: 'server-error' }], firstAddress: '127.0.30.1' })
  const summary = await crawl({
    into: join(scratch, 'closed'),
    options: { ...optionsFor({ ...settings[0]!, w: 20 }), seeds: [web.home] },
  })
  const asked = web.log.read().requests.map(({ path }) => path)
  assert.ok(asked.length >= 2 && asked.every((path) => path === '/robots.txt'), asked.join(' '))
  assert.deepEqual(
    summary.givenUp.map(({ outcome }) => outcome),
    ['robots-unreachable'],
  )
  assert.deepEqual([summary.pages, summary.waiting, summary.seeds[0]?.done], [0, 1, false])
})

test('loopback and private addresses are left alone unless they are allowed', async () => {
  await using web = await createLivingWeb({ seed: 6, sites: [{ pages: 3, odd: false }], firstAddress: '127.0.31.1' })
  const into = join(scratch, 'private')
  const refused = await crawl({ into, options: { userAgent, seeds: [web.home] } })
  assert.deepEqual(
    refused.givenUp.map(({ outcome }) => outcome),
    ['address-refused'],
  )
  assert.deepEqual(web.log.read().connections, [])
  // What was refused waits, and is fetched when the user changes his mind.
  const allowed = await crawl({
    into,
    options: { ...optionsFor({ ...settings[0]!, w: 0 }), allowPrivate: ['127.0.31.1'] },
  })
  assert.ok(allowed.pages >= 3)
})

const publicAddress = (): Promise<{ addresses: string[]; ttlMs: number }> =>
  Promise.resolve({ addresses: ['93.184.216.34'], ttlMs: 0 })

test('public hosts are not visited by somebody who does not say who he is', async () => {
  const into = join(scratch, 'nameless')
  await assert.rejects(crawl({ into, options: { seeds: ['http://example.org/'] } }), { code: 'CONTACT_MISSING' })
  // A name that passes for one's own and leads to a public address is found out before anybody connects.
  const summary = await crawl({
    into,
    options: { seeds: ['http://mine.localhost/'] },
    world: { ...realWorld, lookup: publicAddress },
  })
  assert.equal(summary.givenUp[0]?.outcome, 'address-refused')
  assert.match(summary.givenUp[0]?.problem ?? '', /names no contact/)
})
