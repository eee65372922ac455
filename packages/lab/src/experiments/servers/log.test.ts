import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { factsOf, parseAccessLine, readAccessLog } from './log.ts'
import type { AccessLine } from './log.ts'
import { logMix, mediaCrawls, paperMix } from './media.ts'
import { serversDefaults } from './settings.ts'
import { slopeOf } from './traffic.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-log-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const line =
  '83.149.9.216 - - [17/May/2015:10:05:03 +0000] "GET /a/b.png?x=1 HTTP/1.1" 200 203023 "http://a.example/" "Some bot/1.0 \\"quoted\\""'

test('a request is read from its line', () => {
  assert.deepEqual(parseAccessLine(line), {
    address: '83.149.9.216',
    hour: '2015-05-17T10',
    method: 'GET',
    path: '/a/b.png',
    status: 200,
    bytes: 203_023,
    agent: 'Some bot/1.0 "quoted"',
  })
  assert.equal(parseAccessLine('::1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.0" 304 -')?.bytes, 0)
})

const request = (given: Partial<AccessLine>): AccessLine => ({
  address: 'a',
  hour: '2015-05-17T10',
  method: 'GET',
  path: '/',
  status: 200,
  bytes: 100,
  agent: 'Browser',
  ...given,
})

test('crawlers are addresses that asked for robots.txt, and some of them got a 304', () => {
  const { crawlers, hours, days } = factsOf('log', [
    request({ address: 'c', path: '/robots.txt' }),
    request({ address: 'c', status: 304 }),
    request({ address: 'd', path: '/robots.txt', hour: '2015-05-18T11' }),
    request({ address: 'e', status: 304 }),
    request({ address: 'f', agent: 'Slurp' }),
  ])
  assert.deepEqual(crawlers, { addresses: 2, withNotModified: 1 })
  assert.deepEqual(hours, [
    { hits: 4, byRobots: 2, byName: 1 },
    { hits: 1, byRobots: 1, byName: 0 },
  ])
  assert.equal(days, 2)
})

test('a file counts once, at its largest, and small types are "other"', () => {
  const lines = [
    ...Array.from({ length: 60 }, (_, i) => request({ path: `/${i}.html` })),
    ...Array.from({ length: 37 }, (_, i) => request({ path: `/${i}.gif`, bytes: 200 })),
    ...['/x.pdf', '/x.pdf'].map((path, i) => request({ path, bytes: 1_000 * i })),
    request({ path: '/missing.html', status: 404 }),
    request({ path: '/form.html', method: 'POST' }),
  ]
  const mix = logMix(factsOf('log', lines))
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
