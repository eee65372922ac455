import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { LoggedRequest } from '@comity/protocol'
import { missing, sharedData } from '@comity/protocol/testing'
import { CrawlerShareCount } from '../../advise/crawlers/count.ts'
import { adviseSiteDefaults } from '../../advise/site/settings.ts'
import { VisitorCount } from '../../advise/site/visitors.ts'
import { readAccessLog } from './log.ts'
import type { LogFacts } from './log-facts.ts'
import { logMix, mediaCrawls, paperMix } from './media.ts'
import { serversDefaults } from './settings.ts'
import { slopeOf } from './traffic.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-log-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const AT = Date.UTC(2015, 4, 17, 10)
const request = (given: Partial<LoggedRequest>): LoggedRequest => ({
  address: 'a',
  at: AT,
  method: 'GET',
  target: '/',
  protocol: 'HTTP/1.1',
  status: 200,
  bytes: 100,
  agent: 'Mozilla/5.0 Firefox/140.0',
  ...given,
})

function factsOf(requests: readonly LoggedRequest[]): LogFacts {
  const [visitors, count] = [new VisitorCount(adviseSiteDefaults), new CrawlerShareCount()]
  for (const one of requests) {
    visitors.note(one)
    count.look(one)
  }
  for (const one of requests) count.note(one, visitors.robotOf(one))
  return count.facts('log', 0)
}

test('crawlers are addresses that asked for robots.txt, and some of them got a 304', () => {
  const { crawlers, hours, days } = factsOf([
    request({ address: 'c', target: '/robots.txt' }),
    request({ address: 'c', status: 304 }),
    request({ address: 'd', target: '/robots.txt', at: AT + 25 * 3_600_000 }),
    request({ address: 'e', status: 304 }),
    request({ address: 'f', agent: 'Slurp' }),
    request({ address: 'g', agent: 'Feedbin - 1 subscribers' }),
    request({ address: 'h', agent: 'Wget/1.14 (linux-gnu)' }),
  ])
  assert.deepEqual(crawlers, { addresses: 2, withNotModified: 1 })
  assert.deepEqual(hours, [
    { hits: 6, byRobots: 2, crawlers: 3 },
    { hits: 1, byRobots: 1, crawlers: 1 },
  ])
  assert.equal(days, 2)
})

test('a file counts once, at its largest, and small types are "other"', () => {
  const lines = [
    ...Array.from({ length: 60 }, (_, i) => request({ target: `/${i}.html` })),
    ...Array.from({ length: 37 }, (_, i) => request({ target: `/${i}.gif`, bytes: 200 })),
    ...['/x.pdf', '/x.pdf'].map((target, i) => request({ target, bytes: 1_000 * i })),
    request({ target: '/missing.html', status: 404 }),
    request({ target: '/form.html', method: 'POST' }),
  ]
  const mix = logMix(factsOf(lines))
  assert.deepEqual(mix.groups, [
    { type: 'HTML', files: 60, bytes: 6_000 },
    { type: 'images', files: 37, bytes: 7_400 },
    { type: 'other', files: 1, bytes: 1_000 },
  ])
  const [html, metadata] = mediaCrawls(mix, serversDefaults)
  assert.equal(html!.requests, 97)
  assert.ok(Math.abs(html!.needlessRequests - 60 / 97) < 1e-12)
  assert.deepEqual([metadata!.requests, metadata!.bytes], [38, 7_400 + 37 * 22])
})

test("the paper's mix wastes what the paper says", () => {
  const [html] = mediaCrawls(paperMix(serversDefaults), serversDefaults)
  assert.ok(Math.abs(html!.needlessRequests - 0.66) < 0.001)
  assert.ok(Math.abs(html!.needlessBytes - 0.3) < 0.001)
})

test('a file that is no log is refused', async () => {
  const path = join(folder, 'no.log')
  writeFileSync(path, 'one\ntwo\n')
  await assert.rejects(readAccessLog(path), /Nothing here can be read as an access log/)
})

test('a slope is that of the nearest line', () => {
  assert.equal(
    slopeOf([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
    2,
  )
  assert.ok(
    Number.isNaN(
      slopeOf([
        [1, 1],
        [1, 2],
      ]),
    ),
  )
})

test('of a real log: requests, and crawlers that ever got a 304', async (t) => {
  const path = sharedData('logs/elastic-apache_logs.log')
  if (path === undefined) return missing(t, 'logs/elastic-apache_logs.log')
  const { requests, malformed, crawlers, days } = await readAccessLog(path)
  assert.deepEqual([requests, malformed, days], [10_000, 0, 4])
  assert.deepEqual(crawlers, { addresses: 121, withNotModified: 12 })
})
