import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { crawlDefaults } from '@comity/crawler'
import { flagsOf } from '../command.ts'
import { readConfigFile } from '../config-file.ts'
import { crawlFlags } from './flags.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'
import { UsageError } from '../usage-error.ts'

function read(json: unknown): Map<string, unknown> {
  using folder = temporaryFolder()
  const path = folder.at('comity.json')
  writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json))
  return readConfigFile(path, flagsOf({ flags: crawlFlags }))
}

test('a site has its own delay, budget, headers, password and proxy', () => {
  const site = {
    origin: 'https://*.Intranet.example:443/',
    delay: '500ms',
    pagesPerConnection: 8,
    maxPages: '10k',
    maxBytes: '1GB',
    maxDepth: 3,
    headers: { 'X-Team': 'search' },
    cookie: 'a=b',
    basicAuth: 'user:pass:word',
    proxy: 'http://user:secret@proxy:3128',
    insecureTls: true,
  }
  assert.deepEqual(read({ sites: [site] }).get('sites'), [
    {
      origin: 'https://*.intranet.example',
      delayMs: 500,
      pagesPerConnection: 8,
      maxPages: 10_000,
      maxBytes: 1e9,
      maxDepth: 3,
      headers: { 'x-team': 'search' },
      cookie: 'a=b',
      basicAuth: 'user:pass:word',
      proxy: 'http://user:secret@proxy:3128/',
      insecureTls: true,
    },
  ])
})

test('what makes two URLs of a site one page is read with it', () => {
  const sites = [
    { host: '*.shop.example', dropParameters: ['sid', 'ref*'], keepParameters: ['utm_source'] },
    { origin: 'https://a.example', dropSessionIds: false },
  ]
  assert.deepEqual(read({ sites }).get('sites'), sites)
})

test('limits, URL rules, lists and plain settings are read with their units', () => {
  const config = read({
    limits: { connectTimeout: '5s', maxBody: '2MB', maxDecoded: '8MB' },
    urls: { dropParameters: ['ref'], dropSessionIds: false },
    doNotCrawl: ['a.example', 'b.example'],
    seeds: 'urls.txt',
    types: ['page', 'image'],
    delay: 2,
    sitemaps: false,
  })
  assert.deepEqual(config.get('limits'), {
    ...crawlDefaults.limits,
    connectTimeoutMs: 5_000,
    maxBodyBytes: 2e6,
    maxDecodedBytes: 8e6,
  })
  assert.deepEqual(config.get('urls'), { dropParameters: ['ref'], dropSessionIds: false })
  assert.deepEqual(config.get('doNotCrawl'), { kind: 'items', items: ['a.example', 'b.example'] })
  assert.deepEqual(config.get('seeds'), { kind: 'file', path: 'urls.txt' })
  assert.deepEqual(config.get('types'), ['page', 'image'])
  assert.equal(config.get('delay'), 2_000)
  assert.equal(config.get('sitemaps'), false)
})

// oxfmt-ignore
const refused: [json: unknown, message: RegExp][] = [
  ['{ "maxPages": 3,',                                  /is not JSON/],
  [[],                                                  /must hold one JSON object/],
  [{ maxPage: 3 },                                      /sets "maxPage", which is no setting\. Did you mean "maxPages"\?/],
  [{ 'max-pages': 3 },                                  /sets "max-pages", which is no setting\. Did you mean "maxPages"\?/],
  [{ config: 'x' },                                     /sets "config", which is no setting/],
  [{ maxPages: 'ten' },                                 /"maxPages" in .* is not a whole number/],
  [{ maxPages: null },                                  /"maxPages" in .* is neither a text nor a number/],
  [{ sitemaps: 'perhaps' },                             /"sitemaps" in .* is neither yes nor no/],
  [{ sites: {} },                                       /"sites" in .* is not a list/],
  [{ sites: [{}] },                                     /"sites" in .* number 1 names no "origin" and no "host"/],
  [{ sites: [{ host: 'a', origin: 'http://a' }] },      /number 1 names an "origin" and a "host": one is enough/],
  [{ sites: [{ host: 'a', cookie: 'x=1' }] },           /number 1 has headers, a cookie or a password.*"origin": "https:\/\/a", with http:\/\/ or a port/],
  [{ sites: [{ host: 'a', basicAuth: 'u:p' }] },        /"origin": "https:\/\/a"/],
  [{ sites: [{ host: '*.a', headers: { x: '1' } }] },   /"origin": "https:\/\/\*\.a"/],
  [{ sites: [{ origin: 'a.example' }] },                /number 1 has "origin", which is no origin: write https:/],
  [{ sites: [{ origin: 'https://u:p@a.example' }] },    /number 1 has "origin", which is no origin/],
  [{ sites: [{ origin: 'https://a.example/x' }] },      /number 1 has "origin", which is no origin/],
  [{ sites: [{ origin: 'https://a.*.example' }] },      /number 1 has "origin", which is no origin/],
  [{ sites: [{ origin: 'ftp://a.example' }] },          /number 1 has "origin", which is no origin/],
  [{ sites: [{ host: 'https://a.example/' }] },         /number 1 has "host", which is no host/],
  [{ sites: [{ host: 'a' }, { host: 'b', delai: 1 }] }, /number 2 has "delai", which is no setting\. Did you mean "delay"\?/],
  [{ sites: [{ origin: 'http://a', headers: { 'a b': 'c' } }] }, /the header name "a b", which cannot be sent/],
  [{ limits: { maxBody: -1 } },                         /has "maxBody", which is not a size/],
  [{ urls: { dropParameters: 'ref' } },                 /has "dropParameters", which is not a list/],
  [{ urls: { dropParameters: ['a&b'] } },               /has "dropParameters", which has "a&b", which is no name of a query parameter/],
  [{ urls: { keepParameters: ['a'] } },                 /has "keepParameters", which is no setting/],
  [{ sites: [{ host: 'a', keepParameters: [''] }] },    /number 1 has "keepParameters", which has "", which is no name/],
  [{ sites: [{ host: 'a', dropSessionIds: 'no' }] },    /number 1 has "dropSessionIds", which is neither true nor false/],
]
for (const [json, message] of refused) {
  test(`refused: ${JSON.stringify(json)}`, () => {
    assert.throws(
      () => read(json),
      (error) => error instanceof UsageError && message.test(error.message),
    )
  })
}

test('no message repeats what may be a secret', () => {
  const secret = 'hunter2\n'
  for (const key of ['cookie', 'basicAuth', 'proxy']) {
    assert.throws(
      () => read({ sites: [{ origin: 'http://a', [key]: secret }] }),
      (error: Error) => !error.message.includes('hunter2'),
    )
  }
  assert.throws(
    () => read({ sites: [{ origin: 'http://a', headers: { x: secret } }] }),
    (error: Error) => !error.message.includes('hunter2'),
  )
  assert.throws(
    () => read('{ "cookie": "hunter2" "x" }'),
    (error: Error) => !error.message.includes('hunter2'),
  )
})
