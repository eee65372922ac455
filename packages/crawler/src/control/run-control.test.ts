import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Collection, FACTS } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import { Acknowledgements } from '@comity/ingest'
import { Bell } from '../run/bell.ts'
import { RunBudget } from './crawl-budget.ts'
import { ImportanceSample } from '../run/importance-sample.ts'
import { crawlOptions } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import { RunControl } from './run-control.ts'
import { runFrontier } from '../run/run-frontier.ts'
import { RunSwitch } from './run-switch.ts'
import { SitesGivenUp } from '../run/sites-given-up.ts'
import { StartPages } from '../run/start-pages.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-run-control-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

interface Bench extends AsyncDisposable {
  readonly control: RunControl
  readonly frontier: Frontier
  readonly collection: Collection
  readonly start: StartPages
  readonly runSwitch: RunSwitch
  readonly acknowledgements: Acknowledgements
}

async function bench(given: Partial<CrawlOptions> = {}): Promise<Bench> {
  const options = crawlOptions({ userAgent: 'test (+https://example.org/bot)', ...given })
  const collection = await Collection.open(mkdtempSync(join(scratch, 'c-')), 0)
  const budget = new RunBudget(options)
  const frontier = runFrontier(options, budget, collection, { random: () => 0, lag: () => 0 })
  const start = new StartPages(options, collection, 0)
  start.offerAll(frontier)
  const runSwitch = new RunSwitch()
  const acknowledgements = new Acknowledgements(() => undefined)
  const control = new RunControl({
    options,
    frontier,
    start,
    budget,
    totals: { pages: 0, bytes: 0, links: 0, requests: 0, outcomes: {} },
    importance: new ImportanceSample(frontier, collection, () => 0),
    runSwitch,
    acknowledgements,
    bell: new Bell(),
    now: () => 1_000,
    visits: () => 0,
    unindexed: () => 0,
    stop: () => runSwitch.stop(),
  })
  const close = (): Promise<void> => collection.close()
  return { control, frontier, collection, start, runSwitch, acknowledgements, [Symbol.asyncDispose]: close }
}

test('a new start page is taken in at the next turn, widens the scope, and is answered when it is durable', async () => {
  await using at = await bench({ seeds: ['https://a.example/'] })
  const beyond = 'https://b.example/x'
  assert.equal(at.start.reasonFor(beyond, { depth: 1, listed: false }), 'scope')
  let answer: unknown
  const adding = at.control.addSeed('HTTPS://B.example:443/start#top').then((seed) => (answer = seed))
  await turn()
  assert.equal(at.frontier.findUrl('https://b.example/start'), -1)
  at.control.takeTurn()
  assert.notEqual(at.frontier.findUrl('https://b.example/start'), -1)
  assert.equal(at.start.reasonFor(beyond, { depth: 1, listed: false }), undefined)
  assert.equal(at.start.ofSite('https://b.example'), 1)
  assert.deepEqual(at.collection.fact(FACTS.seeds), ['https://a.example/', 'https://b.example/start'])
  at.acknowledgements.begins()
  await turn()
  assert.equal(answer, undefined)
  at.acknowledgements.begins()
  await adding
  assert.deepEqual(answer, { url: 'https://b.example/start', isNew: true })
})

test('a start page that is one already is no second one', async () => {
  await using at = await bench({ seeds: ['https://a.example/'] })
  const adding = at.control.addSeed('https://a.example')
  at.control.takeTurn()
  for (let n = 0; n < 2; n++) {
    at.acknowledgements.begins()
    await turn()
  }
  assert.deepEqual(await adding, { url: 'https://a.example/', isNew: false })
  assert.deepEqual(at.start.urls, ['https://a.example/'])
})

// oxfmt-ignore
const refused: [sentence: string, url: string, options: Partial<CrawlOptions>, code: string][] = [
  ['what is no URL',                        'hello',                   {},                                   'SEED_INVALID'],
  ['what is not of the Web',                'ftp://example.org/',      {},                                   'SEED_INVALID'],
  ['a host that wants no visit',            'https://www.x.example/',  { doNotCrawl: ['x.example'] },        'SEED_REFUSED'],
  ['a public host, by one who has no name', 'https://example.org/',    { userAgent: 'nobody/1.0' },          'CONTACT_MISSING'],
]
for (const [sentence, url, options, code] of refused) {
  test(`${sentence} is refused as a start page`, async () => {
    await using at = await bench(options)
    await assert.rejects(at.control.addSeed(url), { code })
    at.control.takeTurn()
    assert.deepEqual(at.start.urls, [])
  })
}

test('a crawl that is ending takes no start page, also one that came just before', async () => {
  await using at = await bench()
  const early = assert.rejects(at.control.addSeed('https://a.example/'), { code: 'CRAWL_ENDING' })
  at.control.stop()
  at.control.end()
  await early
  await assert.rejects(at.control.addSeed('https://a.example/'), { code: 'CRAWL_ENDING' })
})

test('a start page whose commit fails is answered with that', async () => {
  await using at = await bench()
  const adding = at.control.addSeed('https://a.example/')
  at.control.takeTurn()
  at.acknowledgements.fail(new Error('the disk is full'))
  await assert.rejects(adding, /the disk is full/)
})

test('a site that had spent its budget is visited again when there is more, after its rest', async () => {
  await using at = await bench({ seeds: ['http://a.example/1', 'http://a.example/2'], ignoreRobots: true })
  at.control.setBudget({ sitePages: 1 })
  const lease = at.frontier.lease(0)
  assert.ok(lease?.first.kind === 'page')
  at.frontier.settle(lease.first.page, 'done')
  at.frontier.release(lease, 0)
  assert.equal(at.frontier.wakesAt(), Infinity)
  at.control.setBudget({ sitePages: 2 })
  assert.ok(at.frontier.wakesAt() < Infinity)
  assert.deepEqual(at.control.status().budget.sitePages, 2)
})

test('sites are given up once, for the first reason', async () => {
  await using at = await bench({ seeds: ['http://a.example/'] })
  const sites = new SitesGivenUp(at.frontier)
  sites.add(0, 'dns-error', 'nobody knows it')
  sites.add(0, 'busy', 'later')
  sites.nameUnfinished(1_000)
  assert.deepEqual(sites.reports, [{ origin: 'http://a.example', outcome: 'dns-error', problem: 'nobody knows it' }])
})
