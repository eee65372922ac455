import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overrideFor, parseOrigin, requireSiteOverride, secretHeaders, withoutSecrets } from './site-override.ts'
import type { SiteOverride } from './site-override.ts'

const sites: readonly SiteOverride[] = [
  { host: 'a.example', delayMs: 1 },
  { host: '*.b.example', delayMs: 2 },
  { origin: 'https://c.example', delayMs: 3 },
  { origin: 'http://*.d.example:8080', delayMs: 4 },
  { origin: 'http://[::1]:81', delayMs: 5 },
]
// oxfmt-ignore
const matches: [url: string, site: number | undefined][] = [
  ['http://a.example', 0], ['https://a.example:444', 0], ['http://x.a.example', undefined],
  ['https://x.y.b.example/page', 1], ['http://b.example:8080', 1], ['http://xb.example', undefined],
  ['https://c.example', 2], ['https://c.example/page?q=http://a.example', 2],
  ['http://c.example', undefined], ['https://c.example:444', undefined], ['http://c.example:443', undefined], ['https://x.c.example', undefined],
  ['http://x.d.example:8080', 3], ['http://d.example:8080', 3],
  ['http://x.d.example', undefined], ['https://x.d.example:8080', undefined], ['http://x.d.example:80801', undefined], ['http://xd.example:8080', undefined],
  ['http://[::1]:81/', 4], ['http://[::1]', undefined],
]
for (const [url, site] of matches) {
  test(`${url} is ${site === undefined ? 'no site of the list' : `site ${site} of the list`}`, () => {
    assert.equal(overrideFor(sites, url), site === undefined ? undefined : sites[site])
  })
}

test('the first override that matches counts', () => {
  const both = [{ host: 'a.example' }, { origin: 'http://a.example', cookie: 'x' }]
  assert.equal(overrideFor(both, 'http://a.example'), both[0])
  assert.equal(overrideFor(both.toReversed(), 'http://a.example'), both[1])
})

test('an origin is read as requests know it: lower case, without the usual port, in the letters of the DNS', () => {
  assert.deepEqual(parseOrigin('HTTPS://Bücher.Example:443/'), { origin: 'https://xn--bcher-kva.example' })
  assert.deepEqual(parseOrigin('http://0x7f.1:8080'), { origin: 'http://127.0.0.1:8080' })
})

// oxfmt-ignore
const refused: [site: SiteOverride, message: RegExp][] = [
  [{},                                                             /a host or an origin, one of them/],
  [{ host: 'a', origin: 'http://a' },                              /a host or an origin, one of them/],
  [{ host: 'a', cookie: 'x=TOPSECRET' },                           /instead of "host" write "origin": "https:\/\/a"/],
  [{ host: '*.a', headers: { 'x-api-key': 'TOPSECRET' } },         /"origin": "https:\/\/\*\.a"/],
  [{ host: 'a', basicAuth: 'u:TOPSECRET' },                        /"origin": "https:\/\/a"/],
  [{ origin: 'a.example' },                                        /is no origin/],
  [{ origin: 'http://A.example' },                                 /Write the origin http:\/\/a\.example/],
  [{ origin: 'http://a', headers: { 'x-key': 'TOPSECRET\r\nx: 1' } }, /cannot be sent: x-key/],
  [{ origin: 'http://a', headers: { 'x key': 'TOPSECRET' } },      /cannot be sent: x key/],
  [{ origin: 'http://a', cookie: 'TOPSECRET\n' },                  /cannot be sent: cookie/],
]
for (const [site, message] of refused) {
  test(`refused: ${JSON.stringify(site)}`, () => {
    assert.throws(
      () => requireSiteOverride(site),
      (error: Error) => message.test(error.message) && !error.message.includes('TOPSECRET'),
    )
  })
}

test('every header that was set for a site is left out of what is written, whatever its name', () => {
  const site = { origin: 'http://a', headers: { 'X-Api-Key': 'k', 'Accept-Language': 'de' }, cookie: 'c' }
  const secrets = secretHeaders([site], 'http://a')
  const sent = {
    'user-agent': 'x',
    'accept-language': 'de',
    'x-api-key': 'k',
    cookie: 'c',
    authorization: 'b',
    via: 'v',
  }
  assert.deepEqual(Object.fromEntries(withoutSecrets(sent, secrets)), {
    'user-agent': 'x',
    'accept-language': '(left out)',
    'x-api-key': '(left out)',
    cookie: '(left out)',
    authorization: '(left out)',
    via: 'v',
  })
})
