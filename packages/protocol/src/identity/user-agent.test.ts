import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { KNOWN_ROBOTS, readUserAgent, robotKind } from './user-agent.ts'
import type { RobotKind, RobotPurpose } from './user-agent.ts'
import { readAccessLogLine } from '../http/access-log-line.ts'
import { missing, sharedData } from '../testing/shared-data.ts'

/** Fields of real logs, with who stands behind them. */
// oxfmt-ignore
const robots: [field: string, name: string, purpose: RobotPurpose, kind: RobotKind][] = [
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot', 'search', 'crawler'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 6_0 like Mac OS X) AppleWebKit/536.26 (KHTML, like Gecko) Version/6.0 Mobile/10A5376e Safari/8536.25 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot', 'search', 'crawler'],
  ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.0; +https://openai.com/gptbot)', 'GPTBot', 'assistant', 'crawler'],
  ['Mozilla/5.0 (compatible; archive.org_bot +http://www.archive.org/details/archive.org_bot)', 'archive.org_bot', 'archive', 'crawler'],
  ['Mozilla/5.0 (compatible; Ezooms/1.0; help@moz.com)', 'Ezooms', 'marketing', 'crawler'],
  ['Mozilla/5.0 (compatible; SomeNewBot/0.1; +https://new.example/bot)', 'SomeNewBot', 'crawl', 'crawler'],
  ['Mozilla/5.0 (compatible; Gatherer/0.1; +https://new.example/about)', 'Gatherer', 'crawl', 'crawler'],
  ['Mozilla/5.0 (compatible; Dataprovider.com)', 'Dataprovider.com', 'crawl', 'crawler'],
  ['Mozilla/5.0 (Windows NT 6.1) Chrome/21.0.1180.89 Safari/537.1; 360Spider', '360Spider', 'crawl', 'crawler'],
  ['Mozilla/5.0 (compatible; YandexImages/3.0; +http://yandex.com/bots)', 'YandexImages', 'crawl', 'crawler'],
  ['Sogou inst spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)', 'Sogou inst spider', 'crawl', 'crawler'],
  ['nutch-1.4/Nutch-1.4', 'Nutch', 'crawl', 'crawler'],
  ['binlar_2.6.3 test@mgmt.mic', 'without a name', 'crawl', 'crawler'],
  ['UniversalFeedParser/4.2-pre-314-svn +http://feedparser.org/', 'UniversalFeedParser', 'feed', 'feed-reader'],
  ['Tiny Tiny RSS/1.11 (http://tt-rss.org/)', 'Tiny Tiny RSS', 'feed', 'feed-reader'],
  ['Feedbin - 1 subscribers', 'Feedbin', 'feed', 'feed-reader'],
  ['FeedDemon/4.5 (http://www.feeddemon.com/)', 'FeedDemon', 'feed', 'feed-reader'],
  ['LiveJournal.com (webmaster@livejournal.com; for http://www.livejournal.com/users/semicomplete_rs/; 1 readers)', 'LiveJournal.com', 'feed', 'feed-reader'],
  ['Digg Feed Fetcher 1.0 (Mozilla/5.0 (Macintosh; Intel Mac OS X 10_7_1) AppleWebKit/534.48.3)', 'Digg Feed Fetcher', 'feed', 'feed-reader'],
  ['FreshRSS/1.11.2 (Linux; https://freshrss.org) like Googlebot', 'FreshRSS', 'feed', 'feed-reader'],
  ['Reeder/2.1.1 CFNetwork/672.0.8 Darwin/14.0.0', 'Reeder', 'feed', 'feed-reader'],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'facebookexternalhit', 'preview', 'preview'],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b', 'BingPreview', 'preview', 'preview'],
  ['Embedly +support@embed.ly', 'Embedly', 'preview', 'preview'],
  ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot', 'ChatGPT-User', 'user', 'preview'],
  ['Wget/1.14 (linux-gnu)', 'Wget', 'program', 'tool'],
  ['curl/7.22.0 (i686-pc-linux-gnu) libcurl/7.22.0 OpenSSL/1.0.1 zlib/1.2.3.4 libidn/1.23 librtmp/2.3', 'curl', 'program', 'tool'],
  ['LWP::Simple/5.827 libwww-perl/5.833', 'libwww-perl', 'program', 'tool'],
  ['Java/1.7.0_51', 'Java', 'program', 'tool'],
  ['python-requests/2.31', 'python-requests', 'program', 'tool'],
  ['fetch libfetch/2.0', 'fetch libfetch', 'program', 'tool'],
  ['Ruby', 'Ruby', 'program', 'tool'],
  ['Mozilla/3.0 (compatible; Indy Library)', 'Indy Library', 'program', 'tool'],
  ['Chef Client/10.18.2 (ruby-1.9.3-p327; ohai-6.16.0; x86_64-linux; +http://opscode.com)', 'Chef Client', 'program', 'tool'],
  ['Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/534.34 (KHTML, like Gecko) PhantomJS/1.9.2 Safari/534.34', 'PhantomJS', 'program', 'tool'],
  ['Xenu Link Sleuth/1.3.8', 'Xenu Link Sleuth', 'watch', 'tool'],
  ['eZ Publish Link Validator', 'eZ Publish Link Validator', 'watch', 'tool'],
  ['Uptime-Kuma/1.23.16', 'Uptime-Kuma', 'watch', 'tool'],
  ['-', 'without a name', 'program', 'tool'],
  ['', 'without a name', 'program', 'tool'],
]
for (const [field, name, purpose, kind] of robots) {
  test(`"${field.slice(0, 80)}" is ${name}, a ${kind}`, () => {
    const read = readUserAgent(field)
    assert.ok(read.kind === 'robot')
    assert.deepEqual([read.agent.name, read.agent.purpose, robotKind(read.agent)], [name, purpose, kind])
  })
}

// oxfmt-ignore
const browsers: string[] = [
  'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/32.0.1700.107 Safari/537.36',
  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:27.0) Gecko/20100101 Firefox/27.0',
  'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; SV1)',
  'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; SV1; EmbeddedWB 14.52 from: http://www.bsalsa.com/ EmbeddedWB 14.52; .NET CLR 1.1.4322)',
  'Mozilla/5.0 (compatible; Konqueror/4.5; Linux) KHTML/4.5.4 (like Gecko)',
  'Mozilla/4.5 (compatible; iCab 2.9.8; Macintosh; U; PPC)',
  'Mozilla/5.0 (iPad; CPU OS 7_0_4 like Mac OS X) AppleWebKit/537.51.1 (KHTML, like Gecko) Version/7.0 Mobile/11B554a Safari/9537.53',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.1',
  'Mozilla/5.0 (Linux; Android 9; CUBOT_X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/80.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 5.1.1; vivo) AppleWebKit/537.36 Mobile Safari/537.36 SogouMSE,SogouMobileBrowser/5.15.8',
  'Mozilla/5.0 (Android 9; Mobile; rv:68.0) Gecko/68.0 Firefox/68.0 QwantMobile/3.5',
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) coc_coc_browser/80.0.182 Chrome/74 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36 (Ecosia android@150.0.0.0)',
  'Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.16',
]
for (const field of browsers)
  test(`${field.slice(0, 60)} is a browser`, () => assert.deepEqual(readUserAgent(field), { kind: 'browser' }))

for (const field of [
  'Safari/9537.71 CFNetwork/672.0.8 Darwin/14.0.0',
  'Lynx/2.8.8 libwww-FM/2.14',
  'Links (2.7; CYGWIN_NT-5.1)',
  'Opera 9.6',
])
  test(`"${field}" tells nothing for sure`, () => assert.deepEqual(readUserAgent(field), { kind: 'unknown' }))

test('every name of the table is found, and none is hidden by one before it', () => {
  for (const { name } of KNOWN_ROBOTS) {
    const read = readUserAgent(`Mozilla/5.0 (compatible; ${name}/1.0)`)
    assert.equal(read.kind === 'robot' && read.agent.name, name)
  }
})

test('no field, however odd, throws or takes long', () => {
  fc.assert(fc.property(fc.string({ maxLength: 3_000 }), (field) => void readUserAgent(field)))
  for (const long of ['a', 'a-', 'compatible; ', 'bot', '+http://', '@a.b', '(']) readUserAgent(long.repeat(100_000))
})

interface Pattern {
  readonly instances: readonly string[]
  readonly tags: readonly string[]
}

/** What the list’s own tags come to here. */
const KIND_OF_TAG: ReadonlyMap<string, RobotKind> = new Map([
  ...['seo', 'search-engine', 'advertising', 'ai-crawler', 'academic', 'archiver'].map(
    (tag) => [tag, 'crawler'] as const,
  ),
  ...['monitoring', 'scanner', 'http-library', 'browser-automation'].map((tag) => [tag, 'tool'] as const),
  ['feed-reader', 'feed-reader'],
  ['social-preview', 'preview'],
])

test('of 1,498 kinds of robots gathered by others few are taken for browsers, and their kinds are mostly right', (t) => {
  const path = sharedData('conformance/user-agents/crawler-user-agents.json')
  if (path === undefined) return missing(t, 'conformance/user-agents')
  const list = JSON.parse(readFileSync(path, 'utf8')) as readonly Pattern[]
  const kinds = list.flatMap(({ instances, tags }) => {
    const wanted = new Set(tags.map((tag) => KIND_OF_TAG.get(tag)!))
    return instances.map((field) => ({ wanted, kind: kindOf(field) }))
  })
  const share = (kind: string): number => kinds.filter((one) => one.kind === kind).length / kinds.length
  const unknown = share('unknown')
  const told = 1 - unknown - share('browser')
  t.diagnostic(`${kinds.length} fields: robots ${told}, unknown ${unknown}, browsers ${share('browser')}`)
  assert.ok(told > 0.87 && share('browser') < 0.04)
  for (const [kind, precision, recall] of FLOORS) {
    const [said, are] = [kinds.filter((one) => one.kind === kind), kinds.filter(({ wanted }) => wanted.has(kind))]
    const right = said.filter(({ wanted }) => wanted.has(kind)).length
    t.diagnostic(`${kind}: precision ${right / said.length}, recall ${right / are.length}`)
    assert.ok(right / said.length >= precision && right / are.length >= recall, kind)
  }
})

/** Half of the monitors and scanners of that list call themselves bots and say no more. */
const FLOORS: readonly (readonly [kind: RobotKind, precision: number, recall: number])[] = [
  ['crawler', 0.8, 0.84],
  ['feed-reader', 0.85, 0.65],
  ['preview', 0.85, 0.6],
  ['tool', 0.75, 0.35],
]

function kindOf(field: string): string {
  const read = readUserAgent(field)
  return read.kind === 'robot' ? robotKind(read.agent) : read.kind
}

test('a real log, by who asks', (t) => {
  const path = sharedData('logs/elastic-apache_logs.log')
  if (path === undefined) return missing(t, 'logs')
  const counts = new Map<string, number>()
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const read = readAccessLogLine(line)
    const kind = read.kind === 'malformed' ? 'malformed' : kindOf(read.request.agent ?? '')
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  // Its 99 fields that are called robots were looked at: one is a browser that names an address (tropicdesigns.net).
  assert.deepEqual(Object.fromEntries(counts), {
    browser: 7_064,
    crawler: 1_554,
    'feed-reader': 900,
    tool: 294,
    unknown: 109,
    preview: 79,
  })
})
