import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { CRAWLER_AGENTS, readCrawlerAgent } from './crawler-agent.ts'
import { missing, sharedData } from '../testing/shared-data.ts'

// oxfmt-ignore
const crawlers: [field: string, name: string, purpose: string][] = [
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot', 'search'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 6_0 like Mac OS X) AppleWebKit/536.26 (KHTML, like Gecko) Version/6.0 Mobile/10A5376e Safari/8536.25 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot', 'search'],
  ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.0; +https://openai.com/gptbot)', 'GPTBot', 'assistant'],
  ['Mozilla/5.0 (compatible; archive.org_bot +http://www.archive.org/details/archive.org_bot)', 'archive.org_bot', 'archive'],
  ['Mozilla/5.0 (compatible; SomeNewBot/0.1; +https://new.example/bot)', 'SomeNewBot', 'program'],
  ['Mozilla/5.0 (compatible; Gatherer/0.1; +https://new.example/about)', 'Gatherer', 'program'],
  ['Chef Client/10.18.2 (ruby-1.9.3-p327; ohai-6.16.0; x86_64-linux; +http://opscode.com)', 'Chef Client', 'program'],
  ['Java/1.7.0_51', 'Java/', 'program'],
  ['Mozilla/5.0 (Windows NT 6.1) Chrome/21.0.1180.89 Safari/537.1; 360Spider', '360Spider', 'program'],
  ['Mozilla/5.0 (compatible; YandexImages/3.0; +http://yandex.com/bots)', 'YandexImages', 'program'],
  ['python-requests/2.31', 'python-requests', 'program'],
  ['FeedDemon/4.5 (http://www.feeddemon.com/)', 'FeedDemon', 'program'],
]
for (const [field, name, purpose] of crawlers) {
  test(`${field.slice(0, 80)} is ${name}`, () => {
    const read = readCrawlerAgent(field)
    assert.equal(read.kind, 'crawler')
    assert.deepEqual(read.kind === 'crawler' && [read.agent.name, read.agent.purpose], [name, purpose])
  })
}

// oxfmt-ignore
const browsers: string[] = [
  'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/32.0.1700.107 Safari/537.36',
  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:27.0) Gecko/20100101 Firefox/27.0',
  'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; SV1)',
  'Mozilla/5.0 (iPad; CPU OS 7_0_4 like Mac OS X) AppleWebKit/537.51.1 (KHTML, like Gecko) Version/7.0 Mobile/11B554a Safari/9537.53',
  'Mozilla/5.0 (Linux; Android 9; CUBOT_X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/80.0 Mobile Safari/537.36',
  'Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.16',
]
for (const field of browsers)
  test(`${field.slice(0, 60)} is a browser`, () => assert.deepEqual(readCrawlerAgent(field), { kind: 'browser' }))

for (const field of ['', 'Safari/9537.71 CFNetwork/672.0.8 Darwin/14.0.0', 'Lynx/2.8.8 libwww-FM/2.14', 'Opera 9.6'])
  test(`"${field}" tells nothing for sure`, () => assert.deepEqual(readCrawlerAgent(field), { kind: 'unknown' }))

test('every name of the table is found, and none is hidden by one before it', () => {
  for (const { name } of CRAWLER_AGENTS) {
    const read = readCrawlerAgent(`Mozilla/5.0 (compatible; ${name}/1.0)`)
    assert.equal(read.kind === 'crawler' && read.agent.name, name)
  }
})

test('no field, however odd, throws or takes long', () => {
  fc.assert(fc.property(fc.string({ maxLength: 3_000 }), (field) => void readCrawlerAgent(field)))
  for (const long of ['a', 'a-', 'compatible; ', 'bot', '+http://', '@a.b', '(']) readCrawlerAgent(long.repeat(100_000))
})

test('of 1,498 kinds of crawlers gathered by others few are taken for browsers', (t) => {
  const path = sharedData('conformance/user-agents/crawler-user-agents.json')
  if (path === undefined) return missing(t, 'conformance/user-agents')
  const list = JSON.parse(readFileSync(path, 'utf8')) as { readonly instances: readonly string[] }[]
  const kinds = list.flatMap(({ instances }) => instances).map((field) => readCrawlerAgent(field).kind)
  const share = (kind: string): number => kinds.filter((one) => one === kind).length / kinds.length
  t.diagnostic(
    `${kinds.length} fields: crawlers ${share('crawler')}, unknown ${share('unknown')}, browsers ${share('browser')}`,
  )
  assert.ok(share('crawler') > 0.8)
  assert.ok(share('browser') < 0.1)
})
