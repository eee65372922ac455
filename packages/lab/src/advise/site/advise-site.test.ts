import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { missing, sharedData, writeAccessLogLine } from '@comity/protocol/testing'
import type { CrawlerAccount } from './account.ts'
import { logText, SITE_BEGINS, visitedSite } from '../../testing/advise-site-fixture.ts'
import type { Truth } from '../../testing/advise-site-fixture.ts'
import { adviseSite } from './advise-site.ts'
import type { SiteAdvice, SiteToAdvise } from './advise-site.ts'
import { reportFiles } from '../../report/files.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-advise-site-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const inFolder = (name: string): string => join(folder, name)

const now = Date.UTC(2026, 5, 1)
const base = 'https://site.example/'
const quick = { samplePages: 20, sampleChanges: 5 }
const site = visitedSite({ pages: 18, days: 20, seed: 1 })
const text = logText(site)
writeFileSync(inFolder('access.log'), text)
const docroot = inFolder('html')
mkdirSync(docroot)
site.writeDocroot(docroot)
const journal = inFolder('journal')
await site.writeJournal(journal)

const advised = async (given: Partial<SiteToAdvise> = {}, settings: object = {}): Promise<SiteAdvice> =>
  await adviseSite({ logs: [inFolder('access.log')], now, ...given }, { ...quick, ...settings })
const byLog = await advised()
const byJournal = await advised({ docroot, base, journal })
/** Processor time is measured, and never the same twice: at no price, bytes alone decide which scheme is the best. */
const byBytes = await advised({ docroot, base, journal }, { processingUsd: 0 })

const counted = ({ first, changed, needless, notModified, bytes }: CrawlerAccount): Truth => ({
  first: first.count,
  changed: changed.count,
  needless: needless.count,
  notModified: notModified.count,
  bytes,
})
const accountOf = ({ facts }: SiteAdvice, name: string): CrawlerAccount =>
  facts.accounts.crawlers.find((one) => one.name === name)!

test('with a journal each crawler’s fetches are told apart to the last one', () => {
  for (const [name, truth] of Object.entries(site.truth)) {
    const { bytes, ...counts } = counted(accountOf(byJournal, name))
    const { bytes: sent, ...known } = truth
    assert.deepEqual(counts, known, name)
    // robots.txt is in it, too.
    assert.ok(bytes - sent <= 150, name)
  }
  assert.equal(byJournal.facts.accounts.changes, site.changes)
  assert.equal(byJournal.facts.accounts.evidence.bytes, 0)
})

test('by the log alone, changes that keep a page’s length are not seen, and count as needless', () => {
  for (const [name, truth] of Object.entries(site.truth)) {
    const { first, changed, needless } = counted(accountOf(byLog, name))
    assert.equal(first, truth.first, name)
    assert.ok(changed <= truth.changed && changed > 0, name)
    assert.equal(changed + needless, truth.changed + truth.needless, name)
  }
  assert.ok(byLog.facts.accounts.changes < site.changes)
})

test('a document root without a journal knows the last change of each page by its date', async () => {
  const byRoot = await advised({ docroot, base, journal: inFolder('nowhere') })
  const [log, root, truth] = [byLog, byRoot, byJournal].map((one) => accountOf(one, 'Googlebot').changed.count)
  assert.ok(log! <= root! && root! <= truth!, `${log} ${root} ${truth}`)
  assert.ok(byRoot.facts.accounts.evidence.mtime > 0)
})

test('people are told from crawlers, and views from search engines counted', () => {
  const { traffic } = byLog.facts.accounts
  assert.equal(traffic.people.requests, 400)
  assert.deepEqual([traffic.views, traffic.searched], [200, 100])
  assert.deepEqual(byLog.facts.accounts.crawlers.map(({ name }) => name).toSorted(), Object.keys(site.truth).toSorted())
})

test('a 304 in place of what came for nothing saves just those bodies, and no request', () => {
  const { savings, units } = byJournal.facts
  const { needless } = accountOf(byJournal, 'Googlebot')
  const own = savings.crawlers.find(({ account }) => account.name === 'Googlebot')!
  const scheme = own.schemes.find((one) => one.scheme.id === 'only-if-modified')!
  const expected = needless.bytes + needless.count * (units.page.heads - units.notModified.bytes)
  assert.ok(Math.abs(own.logged.bytes - scheme.cost.bytes - expected) < 1)
  assert.equal(scheme.cost.requests, own.logged.requests)
})

test('a crawler that asks as it should has nothing to gain from 304', () => {
  const own = byJournal.facts.savings.crawlers.find(({ account }) => account.name === 'CarefulBot')!
  const scheme = own.schemes.find((one) => one.scheme.id === 'only-if-modified')!
  assert.equal(scheme.cost.bytes, own.logged.bytes)
})

test('a push brings every change of the pages that a crawler holds, once', () => {
  const { pushed, batched, busy, first } = accountOf(byJournal, 'Googlebot')
  assert.equal(first.count, 18)
  assert.equal(pushed.count, site.changes)
  // No page changes twice in a day here.
  assert.equal(batched.count, pushed.count)
  assert.ok(busy > 0 && busy <= 20)
})

test('every tier of the paper finds a scheme here, and each saves at least as much as the one before', () => {
  const { tiers, logged } = byBytes.facts.savings
  const costs = tiers.map(({ best }) => best!.cost.money.site)
  assert.ok(costs[0]! < logged.money.site)
  assert.equal(tiers[0]!.best!.scheme.id, 'only-if-modified')
  assert.ok(costs[1]! < costs[0]!)
})

test('processor time has its price: what a site pays is its bytes and its milliseconds', () => {
  const { settings, savings } = byJournal.facts
  for (const { cost } of savings.schemes) {
    const network = (cost.bytes / settings.pageBytes) * settings.networkUsd
    assert.ok(Math.abs(cost.money.network - network) < 1e-12)
    assert.equal(cost.money.processing > 0, cost.siteMs > 0)
    assert.ok(Math.abs(cost.money.site - cost.money.network - cost.money.processing) < 1e-12)
  }
})

test('the entire site each time is dearer than anything else where little changes', () => {
  const { schemes } = byJournal.facts.savings
  const most = schemes.toSorted((a, b) => b.cost.bytes - a.cost.bytes)[0]!
  assert.match(most.scheme.id, /^(?:serve|send)-site$/)
})

test('the report is words with bars, and a page with figures', () => {
  const words = byBytes.lines.join('\n')
  for (const pattern of [
    /Who comes\n {2}people {7}█+/,
    /Googlebot +360 █+/,
    /Little: +Only if modified/,
    /Assumed\n/,
    /by the journal for 100 %/,
  ])
    assert.match(words, pattern)
  assert.doesNotMatch(words, /NaN|undefined|Infinity/)
  const files = reportFiles([byBytes.result])
  assert.match(String(files.get('report.html')), /What each scheme would have cost/)
})

test('files may be packed, cut into pieces and named in any order', async () => {
  const lines = text.trimEnd().split('\n')
  const cut = Math.floor(lines.length / 2)
  const pieces = [lines.slice(cut), lines.slice(0, cut)].map((some) => `${some.join('\n')}\n`)
  writeFileSync(inFolder('new.log.gz'), gzipSync(pieces[0]!))
  writeFileSync(inFolder('old.log.zst'), zstdCompressSync(pieces[1]!))
  const { facts } = await advised({ logs: [inFolder('new.log.gz'), inFolder('old.log.zst')] })
  assert.deepEqual(facts.accounts, byLog.facts.accounts)
  assert.deepEqual(facts.log.files, [inFolder('old.log.zst'), inFolder('new.log.gz')])
})

test('lines that are no requests are left out and counted by what is wrong', async () => {
  const odd = ['', 'nonsense', `x ${'y'.repeat(100_000)}`, '1.2.3.4 - - [01/Mar/2026:00:00:00 +0000] "-" 408 -']
  writeFileSync(inFolder('odd.log'), `${odd.join('\n')}\n${text}${text.slice(0, 50)}`)
  const { facts, lines } = await advised({ logs: [inFolder('odd.log')] })
  assert.deepEqual(facts.log.faults, { empty: 1, 'no-time': 1, 'too-long': 1, 'no-request': 1, 'bad-request': 1 })
  assert.deepEqual(facts.accounts, byLog.facts.accounts)
  assert.match(lines[0]!, /5 lines were left out \(1 /)
})

test('of a log of several hosts only requests to this one count', async () => {
  const hosts = site.requests.flatMap((request) => [
    writeAccessLogLine({ ...request, host: 'site.example:443' }),
    writeAccessLogLine({ ...request, host: 'other.example:443', target: '/other' }),
  ])
  writeFileSync(inFolder('hosts.log'), `${hosts.join('\n')}\n`)
  const { facts } = await advised({ logs: [inFolder('hosts.log')], base })
  assert.deepEqual(facts.accounts, byLog.facts.accounts)
})

const visit = (address: string, target: string, at: number): string =>
  writeAccessLogLine({
    address,
    at: SITE_BEGINS + at,
    method: 'GET',
    target,
    protocol: 'HTTP/1.1',
    status: 200,
    bytes: 9,
    agent: 'Mozilla/5.0 (Windows) Firefox/140.0',
  })

test('a visitor without a name that takes pages only is a crawler, one with pictures is not', async () => {
  const lines = Array.from({ length: 25 }, (_, at) => [
    visit('192.0.2.1', `/a${at}.html`, at * 1_000),
    visit('192.0.2.2', at % 2 === 0 ? `/a${at}.html` : `/b${at}.png`, at * 1_000),
  ]).flat()
  writeFileSync(inFolder('quiet.log'), `${lines.join('\n')}\n`)
  const { facts } = await advised({ logs: [inFolder('quiet.log')] })
  assert.deepEqual(
    facts.accounts.crawlers.map(({ name, requests }) => [name, requests]),
    [['unnamed, took pages only', 25]],
  )
})

test('a log without crawlers gives advice in finite numbers', async () => {
  const line = writeAccessLogLine({
    address: '192.0.2.1',
    at: SITE_BEGINS,
    method: 'GET',
    target: '/',
    protocol: 'HTTP/1.1',
    status: 200,
    bytes: 0,
  })
  writeFileSync(inFolder('people.log'), `${line}\n`)
  const { lines, result } = await advised({ logs: [inFolder('people.log')] })
  assert.match(lines.join('\n'), /No crawlers came[\s\S]*Nothing to save/)
  assert.doesNotMatch(lines.join('\n'), /NaN|Infinity/)
  assert.ok(reportFiles([result]).has('report.html'))
})

const wrong: [name: string, given: Partial<SiteToAdvise>, words: RegExp][] = [
  ['a file that is not there', { logs: [inFolder('none.log')] }, /none\.log: It cannot be read/],
  ['a file that is no log', { logs: [import.meta.filename] }, /Nothing here can be read as an access log/],
  ['a root without an address', { docroot }, /name it with --base/],
  ['a root that is not there', { docroot: inFolder('nowhere'), base }, /nowhere/],
  [
    'a log of another host',
    { logs: [inFolder('hosts.log')], base: 'https://third.example/' },
    /No request in it is for https:\/\/third\.example\//,
  ],
]
for (const [name, given, words] of wrong)
  test(`${name} is refused with what to do`, () => assert.rejects(advised(given), words))

test('prices that make no sense are refused', async () => {
  const logs = [inFolder('access.log')]
  await assert.rejects(adviseSite({ logs, now }, { viewUsd: 0.001 }), /raise viewUsd/)
  await assert.rejects(adviseSite({ logs, now }, { pollHours: 0 }), /pollHours is 0/)
  const odd: Record<string, unknown> = { viewUsd: '0.1' }
  await assert.rejects(adviseSite({ logs, now }, odd), /viewUsd is "0.1", which is no number/)
})

test('of a real log: who crawls, and the shares of 001 §III', async (t) => {
  const path = sharedData('logs/elastic-apache_logs.log')
  if (path === undefined) return missing(t, 'logs/elastic-apache_logs.log')
  const { facts, result } = await adviseSite({ logs: [path], now }, quick)
  const { traffic, crawlers } = facts.accounts
  assert.equal(facts.log.requests, 10_000)
  t.diagnostic(`${traffic.crawlers.requests} of 10,000 requests by ${crawlers.length} crawlers`)
  assert.ok(traffic.crawlers.requests > 1_700 && traffic.crawlers.requests < 1_900)
  assert.equal(crawlers[0]!.name, 'Googlebot')
  assert.match(result.claims[0]!.ours, /of the hits/)
})
