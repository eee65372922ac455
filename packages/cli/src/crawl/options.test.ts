import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crawlDefaults } from '@comity/crawler'
import type { CrawlOptions } from '@comity/crawler'
import { parseCommandLine } from '../command-line.ts'
import { crawlCommand } from './command.ts'
import { crawlOptionsOf, urlSettingsOf, withScheme } from './options.ts'

function optionsOf(argv: readonly string[], doNotCrawl: readonly string[] = []): Partial<CrawlOptions> {
  const { settings, operands } = parseCommandLine(crawlCommand, argv, {})
  return crawlOptionsOf(settings, { seeds: operands, doNotCrawl, order: crawlDefaults.order }, { hooks: {} })
}

test("without flags a crawl has the crawler's own defaults, can be searched, and takes dumps", () => {
  const defaults: Readonly<Record<string, unknown>> = { ...crawlDefaults, index: true, dumps: true }
  const given = optionsOf([])
  for (const [name, value] of Object.entries(given)) {
    assert.deepEqual(value, defaults[name], name)
  }
})

/** For programs that use the crawler, for `comity watch`, and, of the URL rules, for the config file alone. */
// oxfmt-ignore
const WITHOUT_FLAG = ['maxTries', 'maxRedirects', 'maxStrikes', 'stayOpen', 'urlRules', 'insecureTls', 'gzipLevel', 'commitEveryMs', 'watch']

test('every option of a crawl is reached by a setting, or is known to have none', () => {
  const reached = new Set(Object.keys(optionsOf([])))
  const missing = Object.keys(crawlDefaults).filter((name) => !reached.has(name))
  assert.deepEqual(missing, WITHOUT_FLAG)
})

test('a delay that is named counts for public and private hosts alike', () => {
  const { politeness, privateDelayMs } = optionsOf(['--delay', '3s'])
  assert.equal(politeness?.delayMs, 3_000)
  assert.equal(privateDelayMs, 3_000)
})

// oxfmt-ignore
const cases: [argv: string[], expected: Partial<CrawlOptions>][] = [
  [['--max-pages', '10k'],               { maxPages: 10_000 }],
  [['--max-depth', '0'],                 { maxDepth: 0 }],
  [['--max-bytes', '500MB'],             { maxBytes: 5e8 }],
  [['--rate', '2MB/s'],                  { bytesPerSecond: 2e6 }],
  [['--scope', 'domain'],                { scope: 'domain' }],
  [['--include', 'a', '--include', 'b'], { include: ['a', 'b'] }],
  [['--types', 'page,image'],            { kinds: ['page', 'image'], types: [] }],
  [['--types', 'image/*,Application/PDF'], { kinds: [], types: ['image/*', 'application/pdf'] }],
  [['--types', 'page', '--types', 'image/png'], { kinds: ['page'], types: ['image/png'] }],
  [['--no-dumps'],                       { dumps: false }],
  [['--address-delay', '2s'],            { addressDelays: [{ delayMs: 2_000 }] }],
  [['--address-delay', '104.16.0.0/13=500ms,::1=0', '--address-delay', '1s'], { addressDelays: [
    { network: '104.16.0.0/13', delayMs: 500 }, { network: '::1', delayMs: 0 }, { delayMs: 1_000 }] }],
  [['--parallel', '8'],                  { parallel: 8 }],
  [['--no-sitemaps'],                    { sitemaps: false }],
  [['--no-index'],                       { index: false }],
  [['--programs'],                       { avoidSideEffects: false }],
  [['--revisit', '1d'],                  { revisitAfterMs: 86_400_000 }],
  [['--proxy', 'http://p:3128'],         { proxy: 'http://p:3128/' }],
  [['--threads', '0'],                   { threads: 0 }],
  [['--site-pages', '5'],                { siteBudget: { ...crawlDefaults.siteBudget, maxPages: 5 } }],
  [['--ignore-robots', '--allow-private'], { ignoreRobots: true, allowPrivate: true }],
]
for (const [argv, expected] of cases) {
  test(argv.join(' '), () => {
    const options: Readonly<Record<string, unknown>> = { ...optionsOf(argv) }
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(options[name], value)
  })
}

test('a topic is its words, however they are written', () => {
  assert.deepEqual(optionsOf(['--topic', 'Computer Science', '--topic', 'exam']).topic?.words, [
    'computer',
    'science',
    'exam',
  ])
})

test('what makes two URLs one page is stated by a config file alone, so that a collection has its own', () => {
  const { settings } = parseCommandLine(crawlCommand, [], {})
  assert.deepEqual(urlSettingsOf(settings), { sites: [] })
  const stated = urlSettingsOf({ ...settings, urls: { dropSessionIds: false } })
  assert.deepEqual(stated.urlRules, { ...crawlDefaults.urlRules, dropSessionIds: false })
})

test('a do-not-crawl list may hold hosts and URLs', () => {
  assert.deepEqual(optionsOf([], ['Example.org', 'https://b.example/x']).doNotCrawl, ['example.org', 'b.example'])
})

// oxfmt-ignore
const schemes: [typed: string, meant: string][] = [
  ['https://example.org/', 'https://example.org/'],
  ['example.org',          'https://example.org'],
  ['example.org/a?b',      'https://example.org/a?b'],
  ['example.org:8080/',    'https://example.org:8080/'],
  ['localhost:8080',       'http://localhost:8080'],
  ['127.0.0.1:8080/x',     'http://127.0.0.1:8080/x'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
  ['nonsense',             'nonsense'],
]
for (const [typed, meant] of schemes) test(`${typed} means ${meant}`, () => assert.equal(withScheme(typed), meant))
