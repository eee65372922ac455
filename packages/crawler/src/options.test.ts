import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionPages } from '@comity/frontier'
import {
  crawlDefaults,
  crawlOptions,
  hasContact,
  headersFor,
  politenessFor,
  productTokenOf,
  requireContact,
  withPlugin,
} from './options.ts'
import type { CrawlOptions } from './options.ts'

test('without a word the options are the polite defaults', () => {
  const { politeness, allowPrivate, ignoreRobots, parallel, ...rest } = crawlOptions({})
  assert.deepEqual([politeness.delayMs, connectionPages(politeness)], [15_000, 1])
  assert.deepEqual([allowPrivate, ignoreRobots, parallel, rest.avoidSideEffects], [false, false, 64, true])
})

// oxfmt-ignore
const bad: [sentence: string, options: object, message: RegExp][] = [
  ['an unknown name',             { maxPage: 1 },                                   /no crawl option "maxPage"/],
  ['no pages at all',             { maxPages: 0 },                                  /maxPages must be more than 0, not 0/],
  ['a number that is none',       { parallel: Number.NaN },                         /parallel must be more than 0, not NaN/],
  ['a number written as text',    { maxBytes: '10' },                               /maxBytes must be more than 0, not 10/],
  ['a negative depth',            { maxDepth: -1 },                                 /maxDepth must be 0 or more/],
  ['a negative delay',            { politeness: { ...crawlDefaults.politeness, delayMs: -1 } }, /politeness.delayMs must be 0 or more/],
  ['no page per connection',      { politeness: { ...crawlDefaults.politeness, pagesPerConnection: 0 } }, /pagesPerConnection must be 1 or more/],
  ['a time limit of nothing',     { limits: { ...crawlDefaults.limits, totalTimeoutMs: 0 } }, /limits.totalTimeoutMs must be more than 0/],
  ['a proxy that is no URL',      { proxy: 'proxy.example.org:3128' },              /A proxy is a URL such as/],
  ['a proxy of another kind',     { proxy: 'ftp://proxy.example.org' },             /A proxy is a URL such as/],
  ['a site\u2019s proxy too',     { sites: [{ host: 'a', proxy: 'x' }] },           /A proxy is a URL such as/],
  ['a network with a delay that is none', { addressDelays: [{ network: '10.0.0.0/40', delayMs: 1 }] }, /addressDelays takes networks such as .* not "10.0.0.0\/40"/],
  ['an address\u2019s delay below 0', { addressDelays: [{ delayMs: -1 }] },              /the delay must be 0 or more, not -1/],
  ['a network that is none',      { allowPrivate: ['10.0.0.0/40'] },                /10.1.0.0\/16 or fd00::\/8, not "10.0.0.0\/40"/],
]
for (const [sentence, options, message] of bad) {
  test(`${sentence} is refused`, () => assert.throws(() => crawlOptions(options), { code: 'OPTION_INVALID', message }))
}

// oxfmt-ignore
const agents: [userAgent: string, contact: boolean, token: string][] = [
  ['comity/0.1',                                    false, 'comity'],
  ['mybot/1.0 (+https://example.org/bot)',          true,  'mybot'],
  ['my-bot_x (bot@example.org)',                    true,  'my-bot_x'],
  ['mybot (http://localhost)',                      false, 'mybot'],
  ['2bot/1.0',                                      false, '*'],
]
for (const [userAgent, contact, token] of agents) {
  test(`"${userAgent}" ${contact ? 'names a contact' : 'names nobody'} and goes by ${token} in robots.txt`, () => {
    assert.equal(hasContact(userAgent), contact)
    assert.equal(productTokenOf(userAgent), token)
  })
}

const check = (seed: string) => (): void => requireContact({ ...crawlDefaults, seeds: [seed] })

test('a nameless user agent may visit its own machine and network, and nothing else', () => {
  for (const own of [
    'http://localhost/',
    'http://x.localhost:80/',
    'http://127.0.0.1/',
    'http://[::1]:8080/',
    'http://10.0.0.1/',
  ]) {
    assert.doesNotThrow(check(own), own)
  }
  for (const other of ['http://example.org/', 'http://8.8.8.8/', 'http://[2606:4700::1]/']) {
    assert.throws(check(other), { code: 'CONTACT_MISSING' }, other)
  }
})

const sites = [
  { origin: 'http://a.example:8080', delayMs: 5, cookie: 'c=1', basicAuth: 'u:p', headers: { 'X-A': '1' } },
  { host: '*.b.example', pagesPerConnection: 7 },
]

test('politeness: an override wins, then one\u2019s own network, then the default', () => {
  const options: CrawlOptions = crawlOptions({ sites, privateDelayMs: 50 })
  const delay = (origin: string, address?: string): number => politenessFor(options, origin, address).delayMs
  assert.equal(delay('http://a.example:8080', '10.0.0.1'), 5)
  assert.equal(delay('http://c.example', '10.0.0.1'), 50)
  assert.equal(delay('http://c.example', '93.184.216.34'), 15_000)
  assert.equal(delay('http://c.example'), 15_000, 'an address that is not known yet may be anybody\u2019s')
  assert.equal(politenessFor(options, 'http://x.b.example', undefined).pagesPerConnection, 7)
})

test('headers: who we are first, then what the site is told alone', () => {
  const options = crawlOptions({ sites, userAgent: 'x (a@b.example)' })
  const { 'user-agent': agent, cookie, authorization, 'x-a': extra } = headersFor(options, 'http://a.example:8080')
  assert.deepEqual([agent, cookie, authorization, extra], ['x (a@b.example)', 'c=1', 'Basic dTpw', '1'])
  for (const other of ['http://a.example', 'https://a.example:8080', 'http://a.example:8081', 'http://c.example']) {
    assert.deepEqual(Object.keys(headersFor(options, other)), ['user-agent', 'accept', 'accept-encoding'], other)
  }
})

test('a scope plug-in is asked only about what the rules let through', () => {
  const asked: string[] = []
  const plugin = (url: string): boolean => asked.push(url) > 0 && !url.endsWith('no')
  const scope = withPlugin((url) => (url.startsWith('far') ? 'scope' : undefined), plugin)
  const found = { depth: 1, listed: false }
  assert.deepEqual(
    [scope('far', found), scope('near', found), scope('near-no', found)],
    ['scope', undefined, 'plug-in'],
  )
  assert.deepEqual(asked, ['near', 'near-no'])
})
