import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilSo } from '@comity/protocol/testing'
import { hostileCases } from './cases.ts'
import { createHostileServer } from './server.ts'
import type { HostileServer } from './server.ts'
import { askRaw } from '../testing/raw-client.ts'
import type { RawAnswer } from '../testing/raw-client.ts'

const ask = (server: HostileServer, name: string, rest = '/', timeoutMs = 250): Promise<RawAnswer> =>
  askRaw({ address: server.address, port: server.port, path: `/case/${name}${rest}`, timeoutMs })

// oxfmt-ignore
const cases: [name: string, end: RawAnswer['end'], bytes: RegExp][] = [
  ['endless-headers',       'enough',  /^HTTP\/1\.1 200 OK\r\n(X-More: [^\r]*\r\n)+/],
  ['ten-thousand-headers',  'closed',  /X-Header-9999: 9999\r\n/],
  ['megabyte-header',       'enough',  /X-Large: x{200000}/],
  ['never-answers',         'timeout', /^$/],
  ['closes-without-answer', 'closed',  /^$/],
  ['resets-mid-head',       'error',   /^HTTP\/1\.1 200 OK\r\nContent-Type: text\/ht$/],
  ['endless-continue',      'enough',  /^(HTTP\/1\.1 100 Continue\r\n\r\n){1000}/],
  ['http-0.9',              'closed',  /^<!doctype html>/],
  ['bare-lf',               'closed',  /^HTTP\/1\.1 200 OK\n[^\r]*$/],
  ['nul-in-header',         'closed',  /X-Nul: a\0b\r\n/],
  ['latin-1-header',        'closed',  /M\xfcnchen/],
  ['endless-body',          'enough',  /and so on and so on/],
  ['silent-body',           'timeout', /\r\n\r\n$/],
  ['resets-mid-body',       'error',   /<\/html>\n$/],
  ['length-too-long',       'closed',  /Content-Length: 1\d{3}\r\n/],
  ['two-lengths',           'closed',  /Content-Length: \d+\r\nContent-Length: 5\r\n/],
  ['missing-last-chunk',    'closed',  /<\/html>\n\r\n$/],
  ['endless-trailers',      'enough',  /\r\n0\r\nX-Trailer: /],
  ['unknown-coding',        'closed',  /Content-Encoding: pied-piper\r\n/],
  ['status-99999',          'closed',  /^HTTP\/1\.1 99999 /],
  ['redirect-to-metadata',  'closed',  /Location: http:\/\/169\.254\.169\.254\//],
  ['redirect-to-itself',    'closed',  /Location: \/case\/redirect-to-itself\/\r\n/],
  ['endless-redirects',     'closed',  /Location: \/case\/endless-redirects\/1\r\n/],
  ['retry-in-ages',         'closed',  /Retry-After: 1000000000000\r\n/],
  ['unasked-304',           'closed',  /^HTTP\/1\.1 304 Not Modified\r\n/],
  ['deep-nesting',          'enough',  /(<div>){50000}/],
  ['million-links',         'enough',  /<a href="5000">/],
  ['nul-bytes',             'closed',  /\0/],
]
test('cases do on the wire what they say', async (t) => {
  await using server = await createHostileServer()
  for (const [name, end, bytes] of cases) {
    await t.test(name, async () => {
      const answer = await ask(server, name, '/', end === 'timeout' ? 250 : 5_000)
      assert.match(answer.text, bytes)
      assert.equal(answer.end, end)
    })
  }
})

test('every case of a path starts, and the server outlives them all', async () => {
  await using server = await createHostileServer({ paceMs: 5 })
  const pages = hostileCases.filter(({ place }) => place === 'page')
  const ends = await Promise.all(pages.map(({ name }) => ask(server, name, '/', 2_000)))
  const silent = pages.filter((_, index) => ends[index]?.text === '').map(({ name }) => name)
  assert.deepEqual(silent, ['never-answers', 'closes-without-answer'])
  const { text } = await askRaw({ address: server.address, port: server.port, path: '/' })
  for (const { name } of pages) assert.ok(text.includes(`/case/${name}/`), name)
})

test('a dripping case takes its time', async () => {
  await using server = await createHostileServer({ paceMs: 50 })
  const { text, end } = await ask(server, 'dripping-headers', '/', 330)
  assert.equal(end, 'timeout')
  assert.ok('HTTP/1.1'.startsWith(text) && text.length > 0, text)
})

test('an endless case ends at the limit of bytes, and at the limit of time', async () => {
  await using server = await createHostileServer({ limits: { bytes: 200_000, ms: 150 } })
  const endless = await ask(server, 'endless-headers', '/', 2_000)
  assert.equal(endless.end, 'error')
  assert.ok(endless.text.length <= 200_000)
  assert.notEqual((await ask(server, 'never-answers', '/', 2_000)).end, 'timeout')
})

test('redirect chains count on', async () => {
  await using server = await createHostileServer()
  assert.match((await ask(server, 'endless-redirects', '/41')).text, /Location: \/case\/endless-redirects\/42\r\n/)
  assert.match((await ask(server, 'ten-redirects', '/10')).text, /^HTTP\/1\.1 200 /)
})

test('the server allows robots, misses unknown cases, and logs who asked', async () => {
  await using server = await createHostileServer()
  const at = { address: server.address, port: server.port }
  assert.match((await askRaw({ ...at, path: '/robots.txt' })).text, /Disallow:\n$/)
  assert.match((await ask(server, 'no-such-case')).text, /^HTTP\/1\.1 404 /)
  await untilSo(() => server.log.read().connections.every(({ closedAt }) => closedAt < Infinity))
  const { requests } = server.log.read()
  assert.deepEqual(
    requests.map(({ path, userAgent }) => [path, userAgent]),
    [
      ['/robots.txt', 'raw'],
      ['/case/no-such-case/', 'raw'],
    ],
  )
})

test('a request without end is cut off', async () => {
  await using server = await createHostileServer()
  const { end } = await askRaw({
    address: server.address,
    port: server.port,
    path: `/${'x'.repeat(70_000)}`,
    timeoutMs: 2_000,
  })
  assert.notEqual(end, 'timeout')
})

test('disposing ends cases that are under way', async () => {
  const server = await createHostileServer()
  const hanging = ask(server, 'never-answers', '/', 5_000)
  await untilSo(() => server.log.read().connections.length > 0)
  await server[Symbol.asyncDispose]()
  assert.notEqual((await hanging).end, 'timeout')
})
