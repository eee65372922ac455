import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { hostileCase, hostileCases } from './cases.ts'
import { createHostileSite } from './site.ts'
import type { HostileSite } from './site.ts'
import { askRaw } from '../testing/raw-client.ts'

const quick = { paceMs: 5, limits: { bytes: 50_000_000, ms: 5_000 } }

test('every case of the table gets a site, and all of it goes away again', async () => {
  // In turns of sixteen: all at once would be a test of the machine.
  for (let from = 0; from < hostileCases.length; from += 16) {
    const sites = await Promise.all(hostileCases.slice(from, from + 16).map((one) => createHostileSite(one, quick)))
    assert.equal(new Set(sites.map(({ address }) => address)).size, sites.length)
    for (const { url } of sites) assert.ok(URL.canParse(url))
    await Promise.all(sites.map((site) => site[Symbol.asyncDispose]()))
  }
})

// oxfmt-ignore
const whole: [name: string, path: string, bytes: RegExp][] = [
  ['robots-forbids-all',   '/robots.txt', /Disallow: \/\n$/],
  ['robots-forbids-all',   '/',           /A fine page/],
  ['robots-500',           '/robots.txt', /^HTTP\/1\.1 500 /],
  ['robots-html',          '/robots.txt', /<!doctype html>/],
  ['robots-redirect-loop', '/robots.txt', /Location: \/robots\.txt\r\n/],
  ['sitemap-of-itself',    '/robots.txt', /Sitemap: http:\/\/127\.0\.2\.\d+:\d+\/sitemap\.xml/],
  ['sitemap-of-itself',    '/sitemap.xml', /<sitemap><loc>http:\/\/127\.0\.2\.\d+:\d+\/sitemap\.xml<\/loc>/],
  ['sitemap-bomb',         '/sitemap.xml', /\r\n\r\n\S\x8b/],
  ['calendar-trap',        '/2026/12',    /href="\/2026\/11".*\n.*href="\/2027\/1"/],
  ['session-trap',         '/',           /href="\/\?sid=\w+"/],
  ['repeating-path-trap',  '/a/b/a/',     /href="a\/b\/"/],
  ['pagination-trap',      '/page/7',     /href="\/page\/8"/],
  ['soft-404-maze',        '/any/thing',  /^HTTP\/1\.1 200 .*[^]*Page not found/],
]
for (const [name, path, bytes] of whole) {
  test(`${name} answers ${path} as it says`, async () => {
    await using site = await createHostileSite(hostileCase(name), quick)
    assert.match((await askRaw({ ...site, path, timeoutMs: 2_000 })).text, bytes)
  })
}

test('a trap never runs out: a hundred steps give a hundred new links', async () => {
  await using site = await createHostileSite(hostileCase('path-session-trap'), quick)
  const seen = new Set<string>()
  for (let path = '/', step = 0; step < 100; step += 1) {
    const { text } = await askRaw({ ...site, path, timeoutMs: 2_000 })
    path = /href="([^"]+)"/.exec(text)?.[1] ?? ''
    seen.add(path)
  }
  assert.equal(seen.size, 100)
})

// oxfmt-ignore
const early: [name: string, end: string, timeoutMs: number][] = [
  ['refuses', 'error', 2_000],
  ['closes-at-accept', 'closed', 2_000],
  ['resets-at-accept', 'error', 2_000],
  ['never-speaks', 'timeout', 150],
  ['floods-at-accept', 'enough', 2_000],
]
for (const [name, end, timeoutMs] of early) {
  test(`${name}: a connection ends in ${end}`, async () => {
    await using site = await createHostileSite(hostileCase(name), quick)
    assert.equal((await askRaw({ ...site, timeoutMs })).end, end)
  })
}

test('never-accepts: no connection comes about', async () => {
  await using site = await createHostileSite(hostileCase('never-accepts'))
  const { end, text } = await askRaw({ ...site, path: '/', timeoutMs: 400 })
  assert.deepEqual([end, text], ['timeout', ''])
})

/** The code of the handshake's failure, or undefined when it went well. */
function handshake(site: HostileSite, authority: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const trust = authority === undefined ? {} : { ca: authority }
    const socket = connect({ host: site.address, port: site.port, ...trust }, () => {
      socket.destroy()
      resolve(undefined)
    })
    socket.setTimeout(200, () => socket.destroy(Object.assign(new Error('too slow'), { code: 'SLOW' })))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}

// oxfmt-ignore
const tls: [name: string, trusts: boolean, expected: RegExp | undefined][] = [
  ['tls-fine',          true,  undefined],
  ['tls-fine',          false, /UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED|UNABLE_TO_GET_ISSUER/],
  ['tls-self-signed',   true,  /DEPTH_ZERO_SELF_SIGNED_CERT/],
  ['tls-expired',       true,  /CERT_HAS_EXPIRED/],
  ['tls-not-yet-valid', true,  /CERT_NOT_YET_VALID/],
  ['tls-wrong-name',    true,  /ERR_TLS_CERT_ALTNAME_INVALID/],
  ['plain-on-tls-port', true,  /ERR_SSL|EPROTO/],
  ['tls-noise',         true,  /ERR_SSL|EPROTO/],
  ['tls-alert',         true,  /ERR_SSL|EPROTO/],
  ['tls-closes',        true,  /ECONNRESET/],
  ['tls-silence',       true,  /SLOW/],
]
for (const [name, trusts, expected] of tls) {
  test(`${name}: the handshake of ${trusts ? 'one who trusts the authority' : 'a stranger'} ${expected === undefined ? 'succeeds' : 'fails'}`, async () => {
    await using site = await createHostileSite(hostileCase(name), quick)
    const code = await handshake(site, trusts ? site.authority : undefined)
    if (expected === undefined) assert.equal(code, undefined)
    else assert.match(code ?? '', expected)
  })
}

test('a name that rebinds is public once and private ever after', async () => {
  await using site = await createHostileSite(hostileCase('name-rebinds'))
  const name = site.name
  assert.ok(name)
  assert.deepEqual(await name.resolve('name-rebinds.test'), [site.address])
  assert.deepEqual(await name.resolve('name-rebinds.test'), ['10.0.0.1'])
  assert.equal(name.asked, 2)
})

test('a name server fails with a code, in both shapes of lookup', async () => {
  await using site = await createHostileSite(hostileCase('name-unknown'))
  const name = site.name
  assert.ok(name)
  await assert.rejects(name.resolve('name-unknown.test'), { code: 'ENOTFOUND' })
  await assert.rejects(promisify(name.lookup)('name-unknown.test', { all: true }), { code: 'ENOTFOUND' })
})
