import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { test } from 'node:test'
import { codedOf } from './page-verdict.ts'
import { PrivacyGate } from './privacy-gate.ts'
import type { PrivacyGateOptions } from './privacy-gate.ts'
import { PRIVACY_REASONS } from './privacy-reasons.ts'
import type { PrivacyReason } from './privacy-reasons.ts'
import { sampleExchange, seenExchange } from '../testing/observed-exchange-sample.ts'
import type { ExchangeChange } from '../testing/observed-exchange-sample.ts'
import { ReaderQuorum } from './reader-quorum.ts'

const PAGE = '<title>A page</title><p>for everybody'

const newGate = (options: Partial<PrivacyGateOptions> = {}, robots?: (url: string) => boolean): PrivacyGate =>
  new PrivacyGate(
    { hosts: ['www.site.example', '*.below.example'], inside: ['10.0.0.0/8'], ...options },
    new ReaderQuorum(Uint8Array.of(1), { readers: 2 }),
    robots,
  )

// oxfmt-ignore
const cases: [what: string, expected: PrivacyReason | 'admitted', change: ExchangeChange, options?: Partial<PrivacyGateOptions>][] = [
  ['a page for everybody',                           'admitted',       {}],
  ['a page of a host below',                         'admitted',       { url: 'http://a.b.below.example/', server: '1.1.1.1' }],
  ['a host at a server that may speak for it',       'admitted',       {}, { servers: ['192.0.2.0/24', '2001:db8::/32'] }],
  ['any host, where all are ours',                   'admitted',       { url: 'http://elsewhere.example/', server: 'localhost' }, { hosts: ['*'] }],
  ['any host of a server that is ours',              'admitted',       { url: 'http://elsewhere.example/' }, { hosts: ['*'], servers: ['192.0.2.80'] }],
  ['a port that the operator names',                 'admitted',       { url: 'http://www.site.example:8080/' }, { hosts: ['www.site.example:8080'], servers: ['192.0.2.80'] }],
  ['a port that is the server’s',                    'admitted',       { url: 'http://www.site.example:8080/', serverPort: 8_080 }, { servers: ['192.0.2.80'] }],
  ['a connection met in the middle, where that is no matter', 'admitted', { authentication: 'unseen' }, { midstream: true }],
  ['a packed page',                                  'admitted',       { answer: { 'Content-Encoding': 'gzip' }, body: gzipSync(PAGE) }],
  ['what may be cached',                             'admitted',       { answer: { 'Cache-Control': 'public, max-age=60', Vary: 'Accept-Encoding' } }],
  ['plain text where it is wanted',                  'admitted',       { answer: { 'Content-Type': 'text/plain' } }, { plainText: true }],
  ['a PDF file where those are wanted',              'admitted',       { answer: { 'Content-Type': 'application/pdf' } }, { pdf: true }],
  ['a query that the operator allows',               'admitted',       { url: 'http://www.site.example/list?page=2' }, { queries: new Map([['www.site.example', ['page']]]) }],
  ['a cookie on a host that is public',              'admitted',       { ask: { Cookie: 'a=1' } }, { publicHosts: ['www.site.example'] }],
  ['a reader inside, where those count',             'admitted',       { client: '10.1.2.3' }, { readers: 'inside' }],
  ['what has a hole',                                'not-whole',      { verdict: 'hole' }],
  ['what nobody can pair',                           'not-whole',      { verdict: 'unpaired' }],
  ['a server of somebody else',                      'foreign-server', { url: 'http://elsewhere.example/', server: '203.0.113.1' }],
  ['a host that is ours at somebody else’s server',  'foreign-server', { server: '203.0.113.1' }, { servers: ['192.0.2.80'] }],
  ['a server of ours for somebody else’s host',      'foreign-server', { url: 'http://elsewhere.example/' }, { servers: ['192.0.2.80'] }],
  ['a server that is known by no address',           'foreign-server', { server: 'localhost' }, { servers: ['192.0.2.80'] }],
  ['a port that is not the server’s',                'foreign-server', { url: 'http://www.site.example:8080/' }, { servers: ['192.0.2.80'] }],
  ['a host that only ends alike',                    'foreign-server', { url: 'http://xbelow.example/', server: '203.0.113.1' }],
  ['a reader inside, where those outside count',     'other-readers',  { client: '10.1.2.3' }, { readers: 'outside' }],
  ['a reader outside, where those inside count',     'other-readers',  {}, { readers: 'inside' }],
  ['a form that was sent',                           'not-get',        { method: 'POST' }],
  ['a page that is not there',                       'status',         { status: 404 }],
  ['a part of a page',                               'status',         { status: 206 }],
  ['a picture',                                      'media-type',     { answer: { 'Content-Type': 'image/png' } }],
  ['something without a type',                       'media-type',     { answer: { 'Content-Type': '' } }],
  ['plain text where it is not wanted',              'media-type',     { answer: { 'Content-Type': 'text/plain' } }],
  ['whoever said who they are',                      'authorization',  { ask: { Authorization: 'Basic YTpi' } }],
  ['even where the server calls it public',          'authorization',  { ask: { Authorization: 'Basic YTpi' }, answer: { 'Cache-Control': 'public' } }],
  ['whoever has a key',                              'authorization',  { ask: { 'x_api-KEY': '1' } }],
  ['whoever is known by what the operator adds',     'authorization',  { ask: { 'X-Card': '1' } }, { credentialFields: ['x-card'] }],
  ['what is said to somebody who is known',          'authorization',  { answer: { 'WWW-Authenticate': 'Negotiate oYG2' } }],
  ['a connection that was signed in',                'authenticated',  { authentication: 'known' }],
  ['though the host is public',                      'authenticated',  { authentication: 'known' }, { publicHosts: ['www.site.example'] }],
  ['a connection met in the middle',                 'unseen',         { authentication: 'unseen' }],
  ['what is answered for another address',           'steered',        { ask: { 'X-Original-URL': '/admin' } }],
  ['what is answered for another method',            'steered',        { ask: { 'x-http-method-override': 'DELETE' } }],
  ['what is answered for another host',              'steered',        { ask: { 'X-Forwarded-Host': 'bank.example' } }],
  ['what is answered to a body',                     'steered',        { ask: { 'Content-Length': '6' } }],
  ['what is answered to a body in chunks',           'steered',        { ask: { 'Transfer-Encoding': 'chunked' } }],
  ['what a script asked a part of a page for',       'steered',        { ask: { 'HX-Request': 'true' } }],
  ['what is answered for another host by a word of its own', 'steered', { ask: { 'X-Original-Host': 'bank.example' } }],
  ['what is answered for the host that it is of',    'admitted',       { ask: { 'X-Forwarded-Host': 'WWW.site.example' } }],
  ['an address with a session in it',                'session',        { url: 'http://www.site.example/a;jsessionid=12/b' }],
  ['an address with a ticket in it',                 'session',        { url: 'http://www.site.example/(S(4hqa0555fwsecu455xqckv45))/b' }],
  ['an address with what may be a session',         'session',        { url: 'http://www.site.example/?session=507f1f77bcf86cd799439011' }],
  ['what nobody may keep',                           'no-store',       { answer: { 'Cache-Control': 'max-age=5, No-Store' } }],
  ['what the reader wants nobody to keep',           'no-store',       { ask: { 'Cache-Control': 'no-store' } }],
  ['what is private',                                'private',        { answer: { 'Cache-Control': 'private, max-age=5' } }],
  ['what is private in one field',                   'private',        { answer: { 'Cache-Control': 'private="x"' } }],
  ['an answer that makes somebody known',            'set-cookie',     { answer: { 'Set-Cookie': 'session=1' } }],
  ['an answer that differs by cookie',               'varies',         { answer: { Vary: 'Accept-Encoding, Cookie' } }],
  ['an answer that differs by anything',             'varies',         { answer: { Vary: '*' } }],
  ['whoever was known by a cookie',                  'cookie',         { ask: { Cookie: 'session=1' } }],
  ['an address that looks like a key',               'secret-address', { url: 'http://www.site.example/reset/eyJhbGciOiJIUzI1NiJ9.eyJ1IjoxfQ.c2ln' }],
  ['such a one of a host that is public',            'admitted',       { url: 'http://www.site.example/s/3f2504e0-4f89-41d3-9a0c-0305e82c3301' }, { publicHosts: ['www.site.example'] }],
  ['a query that nobody allowed',                    'query',          { url: 'http://www.site.example/?session=1' }],
  ['a query with one parameter too many',            'query',          { url: 'http://www.site.example/?page=1&token=x' }, { queries: new Map([['www.site.example', ['page']]]) }],
  ['a query of a host called constructor',           'query',          { url: 'http://constructor/?page=1' }, { hosts: ['*'] }],
  ['a query of a host called __proto__',             'query',          { url: 'http://__proto__/?page=1' }, { hosts: ['*'] }],
  ['a path that the operator keeps',                 'private-path',   { url: 'http://www.site.example/account/me' }, { privatePaths: ['/account/'] }],
  ['such a path with an encoded letter',             'private-path',   { url: 'http://www.site.example/%61ccount/me' }, { privatePaths: ['/account/'] }],
  ['such a path behind two slashes',                 'private-path',   { url: 'http://www.site.example//account/me' }, { privatePaths: ['/account/'] }],
  ['such a path behind an encoded slash',            'private-path',   { url: 'http://www.site.example/x/..%2faccount/me' }, { privatePaths: ['/account/'] }],
  ['such a path in capitals',                        'private-path',   { url: 'http://www.site.example/Account/me' }, { privatePaths: ['/account/'] }],
  ['such a path with parameters of a segment',       'private-path',   { url: 'http://www.site.example/account;v=1/me' }, { privatePaths: ['/account/'] }],
  ['a private path that is written encoded',         'private-path',   { url: 'http://www.site.example/~me/' }, { privatePaths: ['/%7Eme/'] }],
  ['a path with a NUL, wherever paths are private',  'private-path',   { url: 'http://www.site.example/a%00' }, { privatePaths: ['/account/'] }],
  ['a path beside one that the operator keeps',      'admitted',       { url: 'http://www.site.example/accounts' }, { privatePaths: ['/account/'] }],
  ['a page that says noindex in its head',           'noindex',        { body: '<meta name="robots" content="noindex">' }],
  ['one whose answer says so',                       'noindex',        { answer: { 'X-Robots-Tag': 'noindex' } }],
  ['one that says none',                             'noindex',        { answer: { 'X-Robots-Tag': 'none' } }],
  ['a page that asks for a password',                'password',       { body: '<form><input name=p type="password">' }],
  ['a coding that cannot be undone',                 'coding',         { answer: { 'Content-Encoding': 'gzip' }, body: 'no gzip' }],
  ['a coding that makes too much of it',             'coding',         { answer: { 'Content-Encoding': 'gzip' }, body: gzipSync(Buffer.alloc(1 << 20)) }, { maxPageBytes: 1_000 }],
]
test('what goes by is indexed only if it is for everybody', async (t) => {
  for (const [what, expected, change, options] of cases) {
    await t.test(`${what}: ${expected}`, () => {
      const gate = newGate(options)
      const verdict = gate.pass(seenExchange(change))
      assert.equal(typeof verdict === 'string' ? verdict : 'admitted', expected)
      assert.equal(gate.counters[expected], 1)
    })
  }
  const covered = new Set<string>(cases.map(([, expected]) => expected))
  const missing = PRIVACY_REASONS.filter((reason) => !covered.has(reason) && reason !== 'robots')
  assert.deepEqual(missing, [])
})

/** Reasons that come of an answer's head alone. */
const byAnswer = cases.filter(
  ([, expected, { answer, ask, body }]) =>
    answer !== undefined && ask === undefined && body === undefined && expected !== 'admitted',
)

test('whatever in an answer’s head keeps a page out makes the same bytes another answer, which is judged anew', () => {
  assert.ok(byAnswer.length >= 10)
  for (const [what, , change] of byAnswer)
    assert.notEqual(codedOf(sampleExchange(change), ''), codedOf(sampleExchange(), ''), what)
})

test('robots.txt keeps a page out as far as it is known', () => {
  const gate = newGate({}, (url) => !url.endsWith('/page'))
  assert.equal(gate.pass(seenExchange()), 'robots')
  assert.notEqual(gate.pass(seenExchange({ url: 'http://www.site.example/other' })), 'robots')
})

test('with cookies a page is taken once several readers got the same, and what is made for each is not', () => {
  const gate = newGate()
  const by = (cookie: string, client: string, more: ExchangeChange = {}): PrivacyReason | 'admitted' => {
    const verdict = gate.pass(seenExchange({ ask: { Cookie: cookie }, client, ...more }))
    return typeof verdict === 'string' ? verdict : 'admitted'
  }
  assert.equal(by('session=1', '198.51.100.1'), 'cookie')
  assert.equal(by('session=1', '198.51.100.2'), 'cookie', 'the same person on the way')
  assert.equal(by('session=2', '198.51.100.2'), 'cookie', 'or signed in again')
  assert.equal(by('session=3', '198.51.100.3'), 'admitted')
  const own = { url: 'http://www.site.example/mine' }
  for (let at = 1; at < 9; at++)
    assert.equal(by(`s=${at}`, `2001:db8::${at}`, own), 'cookie', 'addresses of one network')
  for (let reader = 1; reader < 9; reader++) {
    const hello = { url: 'http://www.site.example/me', body: `<p>hello ${reader}` }
    assert.equal(by(`session=${reader}`, `198.51.100.${reader}`, hello), 'cookie')
  }
})

test('an address that looks like a key is taken once several readers got the same by it', () => {
  const gate = newGate()
  const url = 'http://www.site.example/share/3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  for (const client of ['198.51.100.1', '198.51.100.1'])
    assert.equal(gate.pass(seenExchange({ url, client })), 'secret-address')
  assert.notEqual(typeof gate.pass(seenExchange({ url, client: '198.51.100.2' })), 'string')
})

test('a body is not even rebuilt for what can never be indexed', () => {
  const gate = newGate()
  assert.ok(gate.wants([['Content-Type', 'text/html']], 200))
  assert.equal(gate.wants([['Content-Type', 'video/mp4']], 200), false)
  assert.equal(gate.wants([['Content-Type', 'text/html']], 304), false)
})
