import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { LoggedRequest } from '@comity/protocol'
import { missing, sharedData, writeAccessLogLine } from '@comity/protocol/testing'
import { CrawlerShareCount } from './count.ts'
import { crawlerShare } from './crawler-share.ts'
import { trafficLine } from './figures.ts'
import type { SharedTraffic } from '../site/traffic.ts'
import { readAccessLog } from '../../experiments/servers/log.ts'
import { reportFiles } from '../../report/files.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-crawler-share-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const BEGINS = Date.UTC(2026, 2, 1)
const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const BING = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'
const request = (given: Partial<LoggedRequest>): LoggedRequest => ({
  address: '192.0.2.1',
  at: BEGINS,
  method: 'GET',
  target: '/a.html',
  protocol: 'HTTP/1.1',
  status: 200,
  bytes: 1_000,
  referrer: 'https://a.example/',
  agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ...given,
})

/** Of each of twelve days: so many requests of people, more each day, and ten of two crawlers. */
const requests = Array.from({ length: 12 }, (_, day) => {
  const at = BEGINS + day * 86_400_000
  return [
    ...Array.from({ length: 20 + 10 * day }, (__, n) =>
      request({ at: at + n * 1_000, target: n % 2 === 0 ? `/${n}.html` : `/${n}.png`, bytes: 2_000 }),
    ),
    ...Array.from({ length: 8 }, (__, n) =>
      request({ at, address: '66.249.66.1', agent: GOOGLE, target: `/${n}.html` }),
    ),
    request({ at, address: '40.77.167.1', agent: BING, target: '/robots.txt' }),
    request({ at, address: '40.77.167.1', agent: BING, target: '/2.html', status: 304, bytes: 0 }),
  ]
}).flat()

const path = join(folder, 'access.log')
writeFileSync(path, [...requests.map(writeAccessLogLine), 'no request'].map((line) => `${line}\n`).join(''))

test('hits and bytes of crawlers are told by day, and who of them got a 304', async () => {
  const { tables, claims, notes } = await crawlerShare([path])
  const [days, crawlers, types] = tables
  assert.equal(days!.rows.length, 12)
  assert.deepEqual(days!.rows[0], [1, 30, 10, 0.3333, 49_000, 9_000, 0.1837])
  assert.deepEqual(crawlers!.rows, [
    ['Googlebot', 'search', 96, 96_000, 0, 0, 'crawler'],
    ['bingbot', 'search', 24, 12_000, 0, 12, 'crawler'],
  ])
  assert.equal(types!.rows[0]![0], 'page')
  assert.deepEqual(
    claims.map(({ part, verdict }) => `${part}: ${verdict}`),
    [
      '001.1a: does not hold here',
      '001.1b: does not hold here',
      '001.1c: does not hold here',
      '001.1d: does not hold here',
      '001.1e: holds',
      '000.10a: does not hold here',
      '000.11a: does not hold here',
      '000.11b: does not hold here',
      '000.12a: holds',
    ],
  )
  assert.ok(notes.some((note) => note.startsWith('1 lines')))
})

test('the report can be written, and is the same whatever the order of the logs', async () => {
  const halves = [requests.slice(0, 300), requests.slice(300)].map((some, at) => {
    const half = join(folder, `access.log.${2 - at}`)
    writeFileSync(half, some.map((one) => `${writeAccessLogLine(one)}\n`).join(''))
    return half
  })
  const [one, other] = [await crawlerShare(halves), await crawlerShare(halves.toReversed())]
  assert.ok(reportFiles([one]).size > 0)
  assert.deepEqual(one.tables, other.tables)
})

test('a file that is no log is an error that says so', async () => {
  const none = join(folder, 'none.log')
  writeFileSync(none, 'hello\n')
  await assert.rejects(crawlerShare([none]), /access log/)
})

const NONE = { requests: 0, bytes: 0 }
const day = (hits: number, crawlers: number): SharedTraffic => ({
  people: { requests: hits - crawlers, bytes: 0 },
  crawlers: { requests: crawlers, bytes: 0 },
  feedReaders: NONE,
  previews: NONE,
  tools: NONE,
})

test('the fitted line goes through the middle and has the slope of the points', () => {
  const line = trafficLine([day(100, 50), day(200, 80), day(300, 90)])
  assert.ok(Math.abs(line.slope + 0.001) < 1e-12)
  assert.ok(Math.abs(line.at(200) - 0.4) < 1e-12)
})

test('addresses that asked for robots.txt are known before requests are counted', () => {
  const store = new CrawlerShareCount()
  const two = [request({ target: '/robots.txt', address: 'a' }), request({ address: 'a', status: 304 })]
  for (const one of two) store.look(one)
  for (const one of two) store.note(one, undefined)
  const { crawlers, hours } = store.facts('log', 0)
  assert.deepEqual(crawlers, { addresses: 1, withNotModified: 1 })
  assert.deepEqual(hours, [{ hits: 2, byRobots: 2, crawlers: 0 }])
})

test('a real log: who makes how much of it, and the same by whatever experiment', async (t) => {
  const log = sharedData('logs/elastic-apache_logs.log')
  if (log === undefined) return missing(t, 'elastic-apache_logs.log')
  const { finding, tables } = await crawlerShare([log])
  const kinds = tables.find(({ id }) => id.endsWith('-kinds'))!
  assert.match(
    finding,
    /^Crawlers make 18\.2 % of the hits and 11\.5 % of the bytes .*feed readers 9 % of the hits, tools 2\.7 %, previews 0\.8 %/,
  )
  const facts = await readAccessLog(log)
  const share = facts.hours.reduce((sum, { crawlers }) => sum + crawlers, 0) / facts.requests
  assert.equal(Math.round(share * 10_000) / 10_000, kinds.rows[1]![2], '`servers` says the same of it')
})
