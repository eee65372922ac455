import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { accessHits } from './access-hits.ts'

const line = (request: string, status: number, agent: string): string =>
  `192.0.2.7 - - [17/May/2015:10:05:03 +0000] "${request} HTTP/1.1" ${status} 512 "-" "${agent}"`
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

test('readers are counted by URL; robots, failures and other methods are not', async () => {
  const counted = await accessHits(
    [
      line('GET /a', 200, FIREFOX),
      line('GET /a', 304, FIREFOX),
      line('GET /a', 200, BOT),
      line('GET /none', 404, FIREFOX),
      line('POST /a', 200, FIREFOX),
      line('GET /b?x=1', 200, '-'),
      'nonsense',
    ],
    'https://a.example/',
  )
  assert.deepEqual([...counted.hits], [['https://a.example/a', 2]])
  assert.deepEqual([counted.lines, counted.malformed, counted.byCrawlers], [7, 1, 2])
})

test('whoever says nothing is no reader, unless the log keeps nobody’s name', async () => {
  const said = await accessHits([line('GET /a', 200, '-'), line('GET /b', 200, FIREFOX)], 'https://a.example/')
  assert.deepEqual([[...said.hits.keys()], said.byCrawlers], [['https://a.example/b'], 1])
  const kept = await accessHits([line('GET /a', 200, '-'), line('GET /b', 200, '-')], 'https://a.example/')
  assert.deepEqual([kept.hits.size, kept.byCrawlers], [2, 0])
})

test('a real log is read to its end', async (t) => {
  const path = sharedData('logs/elastic-apache_logs.log')
  if (path === undefined) return missing(t, 'logs/elastic-apache_logs.log')
  const counted = await accessHits(createInterface({ input: createReadStream(path) }), 'https://semicomplete.example/')
  assert.equal(counted.lines, 10_000)
  assert.ok(counted.malformed < 10)
  assert.ok(counted.byCrawlers > 1_500 && counted.byCrawlers < 4_000, `${counted.byCrawlers}`)
  assert.ok((counted.hits.get('https://semicomplete.example/favicon.ico') ?? 0) > 500)
})
