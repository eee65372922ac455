/**
 * Control: a crawl that is paused, resumed, given start pages and budgets, and stopped while it runs, by whoever started
 * it and by other processes; and the promises of a crawl hold all the same.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectCrawl, crawl } from '@comity/crawler'
import type { CrawlControl, CrawlLine, CrawlOptions, CrawlSample, CrawlSummary } from '@comity/crawler'
import { createLivingWeb, floorsOf, violations } from '@comity/testbed'
import type { LivingWeb } from '@comity/testbed'
import { startCrawl } from './child-crawl.ts'
import { holdingsOf } from './holdings.ts'
import { newDirectory, quick } from './quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'

/** Slow enough that a crawl of it can be caught in the middle. */
const createWeb = (firstAddress: string, sites = 3, pages = 40): Promise<LivingWeb> =>
  createLivingWeb({
    seed: 7,
    firstAddress,
    sites: Array.from({ length: sites }, () => ({
      pages,
      robots: 'allow' as const,
      latencyMs: 15,
      changeEveryMs: Infinity,
      troubleMs: 0,
      odd: false,
    })),
  })

/** Stopped when the test is over, however it ends. */
interface Started extends AsyncDisposable {
  readonly control: CrawlControl
  readonly finished: Promise<CrawlSummary>
}

async function start(into: string, seeds: readonly string[], options: Partial<CrawlOptions> = {}): Promise<Started> {
  const { promise, resolve, reject } = Promise.withResolvers<CrawlControl>()
  const finished = crawl({ into, options: { ...quick, seeds, ...options }, onControl: resolve })
  // A crawl that cannot begin has no control to hand out.
  finished.catch(reject)
  const control = await promise
  const stop = async (): Promise<void> => {
    control.stop()
    await finished
  }
  return { control, finished, [Symbol.asyncDispose]: stop }
}

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (const limit = Date.now() + 20_000; !(await what()); await sleep(5)) assert.ok(Date.now() < limit, 'in time')
}

async function lineTo(dir: string): Promise<CrawlLine> {
  let line: CrawlLine | undefined
  await until(async () => (line = await connectCrawl(dir)) !== undefined)
  assert.ok(line)
  return line
}

const homes = (web: LivingWeb): string[] => web.sites.map(({ origin }) => `${origin}/`)
const requestsIn = (web: LivingWeb): number => web.log.read().requests.length
const bySite = (web: LivingWeb): Map<string, number> =>
  new Map([...Map.groupBy(web.log.read().requests, ({ site }) => site)].map(([site, { length }]) => [site, length]))

test('a pause stops after the request under way, keeps what came, and a resume goes on to the same end', async () => {
  await using web = await createWeb('127.0.60.1')
  const into = newDirectory()
  await using started = await start(into, homes(web))
  const { control, finished } = started
  await until(() => requestsIn(web) > 20)
  const before = bySite(web)
  await control.pause()
  const paused = bySite(web)
  for (const [site, count] of paused) assert.ok(count - (before.get(site) ?? 0) <= 1, `${site} was asked on and on`)
  const { sample } = control.status()
  assert.deepEqual([sample.state, sample.visits], ['paused', 0])
  // What the sites have answered is durable, to the last page.
  const held = [...(await holdingsOf(into)).values()].filter(({ row }) => row !== undefined).length
  const pagesAsked = web.log.read().requests.filter(({ path }) => !/^\/(?:robots\.txt|sitemap\.xml)$/.test(path)).length
  assert.equal(held, pagesAsked)
  assert.equal(sample.pages, held)
  await sleep(1_100)
  assert.deepEqual(bySite(web), paused, 'a pause is a pause')
  assert.equal(control.status().sample.pagesPerSecond, 0)
  control.resume()
  const summary = await finished
  assert.deepEqual([summary.pages, summary.waiting, summary.interrupted], [web.reachable().urls.size, 0, false])
})

/** As in the test of politeness: a server's log is late by its lag. */
const lag = monitorEventLoopDelay({ resolution: 5 })
lag.enable()

test('no pause and no resume makes a crawl impolite', async () => {
  const w = 250
  await using web = await createLivingWeb({
    seed: 8,
    firstAddress: '127.0.61.1',
    sites: (['allow', 'crawl-delay', 'missing'] as const).map((robots) => ({ robots, pages: 6, latencyMs: 10 })),
    crawlDelaySeconds: 0.4,
  })
  await using started = await start(newDirectory(), homes(web), {
    privateDelayMs: w,
    patienceMs: 3_000,
    politeness: { ...quick.politeness!, delayMs: w, pagesPerConnection: 3, backoffMs: 100, maxBackoffMs: 300 },
  })
  const { control, finished } = started
  for (let n = 0; n < 12; n++) {
    await sleep(130)
    if (n % 3 === 0) await control.pause()
    else void control.pause()
    await sleep(n % 4 === 0 ? 0 : 60)
    control.resume()
  }
  const stop = setTimeout(() => control.stop(), 3_000)
  await finished
  clearTimeout(stop)
  const log = web.log.read()
  assert.ok(log.connections.length > 6)
  const floors = floorsOf(web.sites, { connectionGapMs: w, toleranceMs: 40 + lag.max / 1e6 })
  assert.deepEqual(
    violations(log, floors).map(({ rule, sentence }) => `${rule}: ${sentence}`),
    [],
  )
})

test('a start page that is added while a crawl runs is crawled with its site', async () => {
  await using web = await createWeb('127.0.62.1')
  await using other = await createSmallSite({ '/start': page('Start', '/next'), '/next': page('Next') }, '127.0.62.9')
  const into = newDirectory()
  await using started = await start(into, homes(web))
  const { control, finished } = started
  await until(() => requestsIn(web) > 5)
  assert.deepEqual(await control.addSeed(`${other.origin}/start#top`), { url: `${other.origin}/start`, isNew: true })
  assert.deepEqual(await control.addSeed(`${other.origin}/start`), { url: `${other.origin}/start`, isNew: false })
  await assert.rejects(control.addSeed('not a page'), { code: 'SEED_INVALID' })
  const summary = await finished
  assert.deepEqual(other.paths, ['/start', '/next'])
  assert.deepEqual(summary.seeds.at(-1), { url: `${other.origin}/start`, done: true, waiting: 0 })
  assert.equal(summary.pages, web.reachable().urls.size + 2)
  await assert.rejects(control.addSeed(`${other.origin}/more`), { code: 'CRAWL_ENDING' })
})

test('a start page that was acknowledged survives kill -9, and so does the line: a new crawl listens again', async () => {
  await using web = await createWeb('127.0.63.1', 2, 200)
  await using other = await createSmallSite({ '/': page('Other', '/b'), '/b': page('B') }, '127.0.63.9')
  const into = newDirectory()
  const child = startCrawl({ into: [into], options: { ...quick, seeds: homes(web) } })
  {
    using line = await lineTo(into)
    assert.equal((await line.pause()).pid === process.pid, false)
    // Paused, so that it cannot have been fetched before the kill.
    await line.addSeed(`${other.origin}/`)
    await child.kill()
    await assert.rejects(line.status(), { code: 'CONTROL_LOST' })
  }
  assert.deepEqual(other.paths, [])
  assert.ok(existsSync(join(into, 'crawl.sock')), 'a killed process leaves its socket behind')
  assert.equal(await connectCrawl(into), undefined, 'and nobody takes it for a living one')
  await using started = await start(into, [], { maxPages: 250 })
  const { control, finished } = started
  using line = await lineTo(into)
  assert.equal((await line.status()).pid, process.pid)
  await until(() => other.paths.length === 2)
  control.stop()
  const summary = await finished
  assert.equal(summary.interrupted, true)
  assert.equal(existsSync(join(into, 'crawl.sock')), false)
})

test('a budget that is lowered ends a crawl, one that is raised lets it go on', async () => {
  await using web = await createWeb('127.0.64.1', 2, 60)
  await using started = await start(newDirectory(), homes(web), { maxPages: 20 })
  const { control, finished } = started
  await until(() => control.status().sample.pages >= 10)
  assert.equal(control.setBudget({ maxPages: 50 }).maxPages, 50)
  await until(() => control.status().sample.pages > 25)
  assert.throws(() => control.setBudget({ maxPages: -1 }), { code: 'OPTION_INVALID' })
  const pages = control.status().sample.pages + 5
  control.setBudget({ maxPages: pages })
  const summary = await finished
  assert.ok(summary.pages >= pages - 1 && summary.pages <= pages + 3, `${summary.pages} of ${pages}`)
  assert.ok(summary.waiting > 0 && !summary.interrupted)
})

test('a site at the end of its budget goes on when there is more', async () => {
  await using web = await createWeb('127.0.65.1', 2, 30)
  await using started = await start(newDirectory(), homes(web), {
    siteBudget: { maxPages: 5, maxBytes: Infinity, maxKnown: 10_000 },
    stayOpen: true,
  })
  const { control, finished } = started
  await until(() => control.status().sample.pages === 10)
  await sleep(200)
  assert.equal(control.status().sample.pages, 10)
  control.setBudget({ sitePages: Infinity })
  await until(() => control.status().sample.pagesWaiting === 0 && control.status().sample.visits === 0)
  assert.equal(control.status().sample.pages, web.reachable().urls.size)
  control.stop()
  await finished
})

test('a crawl that stays open waits for the next start page, and for somebody to say stop', async () => {
  await using site = await createSmallSite({ '/': page('Home'), '/more': page('More') }, '127.0.66.1')
  await using started = await start(newDirectory(), [`${site.origin}/`], { stayOpen: true })
  const { control, finished } = started
  await until(() => site.paths.length === 1)
  await sleep(200)
  await control.addSeed(`${site.origin}/more`)
  await until(() => control.status().sample.pages === 2)
  control.stop()
  assert.equal((await finished).pages, 2)
})

test('two clients see and steer the same crawl, and garbage between them disturbs nobody', async () => {
  await using web = await createWeb('127.0.67.1')
  const into = newDirectory()
  await using started = await start(into, homes(web), { parallel: 1 })
  const { finished } = started
  using one = await lineTo(into)
  using two = await lineTo(into)
  const samples: CrawlSample[] = []
  const watching = (async () => {
    for await (const sample of two.samples()) samples.push(sample)
  })()
  const raw = connect(join(into, 'crawl.sock'))
  const heard: string[] = []
  raw.on('data', (piece) => heard.push(piece.toString()))
  raw.on('error', () => undefined)
  for (const line of ['GET / HTTP/1.1', '{"id":', '\0\xff', '{"id":1,"do":"explode"}']) raw.write(`${line}\n`)
  await one.pause()
  await until(async () => (await two.status()).sample.state === 'paused')
  const seen = requestsIn(web)
  assert.equal((await two.setBudget({ maxBytes: 1e9 })).maxBytes, 1e9)
  assert.equal((await one.status()).budget.maxBytes, 1e9)
  assert.equal((await one.status()).sample.visits, 0)
  raw.write('x'.repeat(100_000))
  await until(() => samples.some(({ state }) => state === 'paused'))
  assert.equal(requestsIn(web), seen)
  assert.equal(heard.join('').split('CONTROL_INVALID').length - 1, 5)
  assert.equal((await two.resume()).sample.state, 'running')
  await until(() => requestsIn(web) > seen + 3)
  assert.equal((await one.stop()).sample.state, 'stopping')
  const summary = await finished
  assert.ok(summary.interrupted && summary.waiting > 0)
  await watching
  assert.ok(samples.length >= 2)
  for (const { importance, pages, at } of samples) {
    assert.ok(importance >= 0 && importance <= 1 && pages >= 0 && at > 0)
  }
})

test('a crawl into a folder with a long name is reached all the same', async () => {
  await using web = await createWeb('127.0.68.1', 1)
  const into = join(newDirectory(), 'a-folder-with-a-long-name'.repeat(4))
  await using started = await start(into, homes(web))
  const { control, finished } = started
  using line = await lineTo(into)
  const status = await line.status()
  assert.equal(status.pid, process.pid)
  const path = readFileSync(join(into, 'crawl.sock.path'), 'utf8').trim()
  assert.ok(existsSync(path))
  control.stop()
  await finished
  assert.equal(existsSync(path), false)
})

test('who wants no socket has none', async () => {
  await using site = await createSmallSite({ '/': page('Home') }, '127.0.69.1')
  const into = newDirectory()
  const seen: boolean[] = []
  const hooks = { onCapture: () => void seen.push(existsSync(join(into, 'crawl.sock'))) }
  await crawl({ into, options: { ...quick, seeds: [`${site.origin}/`], hooks }, listen: false })
  assert.deepEqual(seen, [false])
})
