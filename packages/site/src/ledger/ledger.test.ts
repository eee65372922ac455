import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { crawlerName } from '../serve/crawler-name.ts'
import { AT, testFolder } from '../testing/journal-sample.ts'
import { LedgerFile } from './ledger-file.ts'
import { ledgerJson, ledgerPage } from './ledger-page.ts'
import { Ledger, LEDGER_SCHEMES, readLedger, sumOf } from './ledger.ts'
import type { LedgerEntry } from './ledger.ts'

const entry = (more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  scheme: 'not-modified',
  agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  bytes: 0,
  cpuMs: 0.5,
  pages: 1,
  pageBytes: 10_000,
  ...more,
})

const agents: [agent: string, name: string, kind?: string][] = [
  [
    'Mozilla/5.0 AppleWebKit/537.36 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116',
    'bingbot',
    'crawler',
  ],
  ['Mozilla/5.0 AppleWebKit/537.36 (compatible; GPTBot/1.2; +https://openai.com/gptbot)', 'GPTBot', 'crawler'],
  ['comity/0.1 (+https://a.example/about)', 'comity', 'crawler'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'browsers'],
  ['ExampleBot/1.0', 'ExampleBot', 'crawler'],
  ['Mozilla/5.0 (compatible; my-own.crawler/3)', 'my-own.crawler', 'crawler'],
  ['python-requests/2.32', 'python-requests', 'tool'],
  ['Feedbin - 1 subscribers', 'Feedbin', 'feed-reader'],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'facebookexternalhit', 'preview'],
  ['Lynx/2.8.7rel.2 libwww-FM/2.14', 'Lynx'],
  ['', 'without a name', 'tool'],
  ['<script>alert(1)</script>', 'without a name'],
]
for (const [agent, name, kind] of agents) {
  test(`"${agent.slice(0, 60)}" is ${name}`, () =>
    assert.deepEqual(crawlerName(agent), { crawler: name, ...(kind !== undefined && { kind }) }))
}

test('what was sent stands under the host that was called, with all requests of an upload', () => {
  const ledger = new Ledger(AT)
  ledger.note(entry({ scheme: 'sent-site', agent: '', called: 'c.example', requests: 5, bytes: 900, pages: 10 }))
  ledger.note(entry({ scheme: 'sent-changes', agent: '', called: 'c.example', bytes: 100, pages: 3 }))
  const counts = ledger
    .store()
    .rows.map(({ crawler, scheme, requests, wholeRequests }) => [crawler, scheme, requests, wholeRequests])
  assert.deepEqual(counts, [
    ['c.example (called)', 'sent-changes', 1, 0],
    ['c.example (called)', 'sent-site', 5, 10],
  ])
  assert.match(ledgerPage(ledger.store(), 'https://a.example/'), /sent: entire site/)
})

test('requests, bytes and time add up by crawler and scheme, beside what whole pages would have cost', () => {
  const ledger = new Ledger(AT)
  for (let i = 0; i < 3; i++) ledger.note(entry())
  ledger.note(entry({ scheme: 'difference', bytes: 200 }))
  ledger.note(entry({ scheme: 'batch', bytes: 5_000, pages: 50, pageBytes: 400_000 }))
  // Its manifest names the same pages and brings none.
  ledger.note(entry({ scheme: 'dump', bytes: 9_000, pages: 50, pageBytes: 0 }))
  ledger.note(entry({ scheme: 'sitemap', bytes: 3_000, pages: 1_000, pageBytes: 0 }))
  const { rows } = ledger.store()
  assert.deepEqual(
    rows.map(({ scheme, requests, bytes, wholeRequests, wholeBytes }) => [
      scheme,
      requests,
      bytes,
      wholeRequests,
      wholeBytes,
    ]),
    [
      ['not-modified', 3, 0, 3, 30_000],
      ['difference', 1, 200, 1, 10_000],
      ['sitemap', 1, 3_000, 0, 0],
      ['dump', 1, 9_000, 0, 0],
      ['batch', 1, 5_000, 50, 400_000],
    ],
  )
  assert.deepEqual(sumOf(rows), { requests: 7, bytes: 17_200, cpuMs: 3.5, wholeRequests: 54, wholeBytes: 440_000 })
})

test('a stranger who invents names fills no more than a page of them, and known crawlers keep their rows', () => {
  const ledger = new Ledger(AT)
  for (let i = 0; i < 5_000; i++) ledger.note(entry({ agent: `made-up-${i}/1.0` }))
  ledger.note(entry())
  const crawlers = new Set(ledger.store().rows.map(({ crawler }) => crawler))
  assert.match(ledgerPage(ledger.store(), 'https://a.example/'), /Googlebot <span class="quiet">crawler</)
  assert.ok(crawlers.size <= 202 && crawlers.has('Googlebot') && crawlers.has('others'))
  assert.equal(sumOf(ledger.store().rows).requests, 5_001)
})

test('what is written is read back as it was', () => {
  const entries = fc.array(
    fc.record({
      scheme: fc.constantFrom(...LEDGER_SCHEMES),
      agent: fc.string({ maxLength: 60 }),
      bytes: fc.nat(),
      cpuMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
      pages: fc.nat(1_000),
      pageBytes: fc.nat(),
    }),
  )
  fc.assert(
    fc.property(entries, (list) => {
      const ledger = new Ledger(AT)
      for (const one of list) ledger.note(one)
      const store = ledger.store()
      assert.deepEqual(readLedger(JSON.stringify(store)), JSON.parse(JSON.stringify(store)))
      assert.deepEqual(new Ledger(0, store).store(), store)
    }),
  )
})

test('what is no ledger is none, and rows that make no sense are left out', () => {
  for (const text of ['', 'null', '[]', '{"version":2}', '{"version":1,"since":0}'])
    assert.equal(readLedger(text), undefined, text)
  fc.assert(fc.property(fc.json(), (text) => void readLedger(text)))
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (rows) => {
      assert.ok(readLedger(JSON.stringify({ version: 1, since: 0, rows }))!.rows.length <= rows.length)
    }),
  )
  const row = { crawler: 'a', scheme: 'batch', requests: 1, bytes: -1, cpuMs: 0, wholeRequests: 0, wholeBytes: 0 }
  assert.deepEqual(readLedger(JSON.stringify({ version: 1, since: 0, rows: [row] }))?.rows, [])
})

test('a ledger in a file goes on where it was', (t) => {
  const path = join(testFolder(t), 'ledger.json')
  {
    using file = new LedgerFile(path, { now: () => AT })
    file.note(entry())
    assert.equal(existsSync(path), false, 'some seconds later is soon enough')
  }
  using again = new LedgerFile(path, { now: () => AT + 5_000 })
  assert.equal(again.store().since, AT)
  assert.deepEqual(
    again.store().days?.map(({ crawler, requests }) => [crawler, requests]),
    [['Googlebot', 1]],
  )
  assert.equal(sumOf(again.store().rows).requests, 1)
})

test('what was noted is written some seconds later', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const path = join(testFolder(t), 'ledger.json')
  using file = new LedgerFile(path, { now: () => AT })
  file.note(entry())
  t.mock.timers.tick(4_999)
  assert.equal(existsSync(path), false)
  t.mock.timers.tick(1)
  assert.equal(readLedger(readFileSync(path, 'utf8'))?.rows.length, 1)
})

test('a damaged file is set aside and counting begins anew', (t) => {
  const path = join(testFolder(t), 'ledger.json')
  writeFileSync(path, '{"version":1,"since":17')
  const told: string[] = []
  using file = new LedgerFile(path, { now: () => AT, tell: (sentence) => told.push(sentence) })
  assert.deepEqual(file.store().rows, [])
  assert.equal(readFileSync(`${path}.damaged`, 'utf8'), '{"version":1,"since":17')
  assert.match(told[0]!, /counting begins anew/)
})

test('a file that cannot be written is told of, and counting goes on', (t) => {
  const told: string[] = []
  const folder = testFolder(t)
  mkdirSync(join(folder, 'ledger.json.part'))
  const file = new LedgerFile(join(folder, 'ledger.json'), { now: () => AT, tell: (sentence) => told.push(sentence) })
  file.note(entry())
  file.flush()
  assert.match(told[0]!, /could not be written/)
  assert.equal(sumOf(file.store().rows).requests, 1)
})

test('the page says what was saved, and nothing a stranger wrote is markup in it', () => {
  const ledger = new Ledger(AT)
  ledger.note(entry())
  ledger.note(entry({ scheme: 'page', bytes: 5_000, pageBytes: 5_000 }))
  const store = ledger.store()
  const row = { ...store.rows[0]!, crawler: '<img src=x onerror="x">' }
  const page = ledgerPage({ ...store, rows: [...store.rows, row] }, 'https://a.example/<x>')
  assert.match(page, /Googlebot/)
  assert.match(page, /<b>\d+\.\d % less<\/b>/)
  assert.doesNotMatch(page, /<img|<x>|<script/)
  assert.match(ledgerPage(new Ledger(AT).store(), 'a'), /Nobody has asked for anything since 2026-11-01/)
  assert.equal((JSON.parse(ledgerJson(store)) as { total: { wholeBytes: number } }).total.wholeBytes, 15_000)
})
