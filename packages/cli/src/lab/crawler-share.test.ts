import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { comityHere } from '../testing/spawned-comity.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-crawler-share-cli-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string): string => join(folder, name)

const line = (agent: string): string =>
  `192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET /a.html HTTP/1.1" 200 512 "-" "${agent}"\n`
writeFileSync(at('access.log'), line('Googlebot/2.1').repeat(3) + line('Mozilla/5.0 Firefox/140.0'))

test('crawler-share tells the share of crawlers by day and writes a report', async () => {
  const { code, stdout, stderr } = await comityHere(['lab', 'crawler-share', at('access.log'), '--into', at('report')])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /75 % of the hits/)
  assert.ok(existsSync(at('report/report.html')))
})

test('crawler-share without a log says what to name', async () => {
  const { code, stderr } = await comityHere(['lab', 'crawler-share'])
  assert.equal(code, 2)
  assert.match(stderr, /Name the access logs/)
})

test('network runs with its settings from the command line', async () => {
  const set = ['rates=[0.001,0.003]', 'seeds=[1]', 'ticks=100000', 'warmUpTicks=10000', 'beyondSeeds=0']
  const { code, stdout, stderr } = await comityHere([
    'lab',
    'network',
    ...set.flatMap((one) => ['--set', one]),
    '--into',
    at('network'),
  ])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /indexing, 7 %/)
  assert.ok(existsSync(at('network/data/network-fig2.csv')))
})
