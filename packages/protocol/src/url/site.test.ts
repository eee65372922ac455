import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOf, matchesSite, registrableDomain, siteOf } from './site.ts'
import type { SitePattern } from './site.ts'

const sites: [url: string, site: string, host: string][] = [
  ['https://a.example/x/y?z=://', 'https://a.example', 'a.example'],
  ['http://a.example:8080/', 'http://a.example:8080', 'a.example'],
  ['http://[::1]:8080/', 'http://[::1]:8080', '[::1]'],
  ['http://[::1]/', 'http://[::1]', '[::1]'],
  ['http://127.0.0.1/', 'http://127.0.0.1', '127.0.0.1'],
]
for (const [url, site, host] of sites) {
  test(`the site of ${url} is ${site} and its host ${host}`, () => {
    assert.equal(siteOf(url), site)
    assert.equal(hostOf(url), host)
  })
}

const domains: [host: string, domain: string][] = [
  ['www.a.co.uk', 'a.co.uk'],
  ['a.co.uk', 'a.co.uk'],
  ['x.alice.github.io', 'alice.github.io'],
  ['co.uk', 'co.uk'],
  ['localhost', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '[::1]'],
]
for (const [host, domain] of domains) {
  test(`${host} belongs to ${domain}`, () => assert.equal(registrableDomain(host), domain))
}

const patterns: [pattern: SitePattern, url: string, matches: boolean][] = [
  [{ host: 'a.example' }, 'https://a.example:444/x', true],
  [{ host: 'a.example' }, 'http://x.a.example', false],
  [{ host: '*.a.example' }, 'http://x.y.a.example/', true],
  [{ host: '*.a.example' }, 'http://a.example', true],
  [{ host: '*.a.example' }, 'http://xa.example', false],
  [{ origin: 'https://a.example' }, 'https://a.example/x?http://b.example', true],
  [{ origin: 'https://a.example' }, 'http://a.example', false],
  [{ origin: 'https://a.example' }, 'https://a.example:444', false],
  [{ origin: 'http://*.a.example:81' }, 'http://x.a.example:81/', true],
  [{ origin: 'http://*.a.example:81' }, 'http://x.a.example/', false],
  [{ host: '[::1]' }, 'http://[::1]:81/', true],
  [{}, 'http://a.example', false],
]
for (const [pattern, url, matches] of patterns) {
  test(`${url} is ${matches ? '' : 'not '}one of ${JSON.stringify(pattern)}`, () => {
    assert.equal(matchesSite(pattern, url), matches)
  })
}
