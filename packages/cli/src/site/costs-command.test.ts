import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

const line = (hour: number, path: string, bytes: number, agent: string): string =>
  `203.0.113.7 - - [19/Nov/2026:${String(hour).padStart(2, '0')}:05:03 +0000] "GET ${path} HTTP/1.1" 200 ${bytes} "-" "${agent}"`
const GB = 1_000_000_000
/** Ten times the same two pages in five hours, and somebody who reads. */
const LINES = [
  ...Array.from({ length: 20 }, (_, n) => line(n % 5, `/p${n % 2}.html`, GB, 'Googlebot/2.1')),
  line(9, '/p1.html', GB, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'),
  'no line of a log',
  line(9, `/${'x'.repeat(100_000)}`, 1, 'Googlebot/2.1'),
]

test('logs say what crawlers cost and what cooperation would save, in the money of whoever asks', async () => {
  const [old, now] = [folder.at('access.log.1.gz'), folder.at('access.log')]
  writeFileSync(old, gzipSync(LINES.slice(0, 10).join('\n')))
  writeFileSync(now, LINES.slice(10).join('\n'))
  const page = folder.at('costs.html')
  const words = ['costs', old, now, '--price-gb', '0.10', '--price-requests', '2', '--currency', 'EUR']
  const { stdout, code, stderr } = await comityHere([...words, '--page', page])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /2 of 23 lines are no requests/)
  assert.match(stdout, /crawlers cost you +EUR 2\.00 {2}20 requests, 20 GB/)
  assert.match(stdout, /cooperation would save +EUR 1\.80 {2}13 requests, 18 GB/)
  assert.match(readFileSync(page, 'utf8'), /crawlers cost you <b>EUR 2\.00<\/b>/)
  const told = lastJson(await comityHere([...words, '--json'])) as { cost: { price: number }; crawlers: unknown[] }
  assert.equal(told.crawlers.length, 1)
  assert.ok(Math.abs(told.cost.price - 2.00004) < 1e-9)
})

test('a log without a crawler, a folder and a price that is none are told in a sentence', async () => {
  writeFileSync(folder.at('empty.log'), '')
  assert.match((await comityHere(['costs', folder.at('empty.log')])).stdout, /No crawler is in these logs/)
  for (const [words, says] of [
    [[folder.at('.')], /is a folder: name an access log/],
    [[folder.at('empty.log'), '--price-gb', 'free'], /is no price/],
    [[folder.at('empty.log'), '--currency', '<b>'], /is no currency/],
  ] as const) {
    const { code, stderr } = await comityHere(['costs', ...words])
    assert.notEqual(code, 0)
    assert.match(stderr, says)
  }
})
