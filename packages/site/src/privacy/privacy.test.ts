import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HeaderList } from '@comity/protocol'
import fc from 'fast-check'
import { CookieWatch } from '../sources/cookie-watch.ts'
import { AT, failsAs } from '../testing/journal-sample.ts'
import { contentVerdict, fileVerdict, publicVerdict } from './privacy.ts'
import type { AnswerFacts, RequestFacts } from './privacy.ts'
import { isWithdrawn, PRIVATE_REASONS } from './private-reason.ts'
import type { PrivateReason } from './private-reason.ts'
import { pathVerdict, publicRules } from './public-rules.ts'
import type { PublicRuleOptions } from './public-rules.ts'

const rules = publicRules({
  robots:
    'User-agent: *\nDisallow: /secret/\nAllow: /secret/open\nDisallow: /*.json$\n\nUser-agent: other\nDisallow: /\n',
  include: ['/', '/docs/*', '*.html', '/secret/*', '/.well-known/*', '/%2*', '*.json', '/list*'],
  reject: ['/docs/draft*', '*/internal/*'],
  queries: ['/list?page=*'],
})
const html = (head: string): Buffer => Buffer.from(`<!doctype html><title>t</title>${head}<p>words</p>`)
const HTML: HeaderList = [['Content-Type', 'text/html; charset=utf-8']]
const and = (name: string, value: string): HeaderList => [...HTML, [name, value]]

type Case = [
  sentence: string,
  request: Partial<RequestFacts>,
  answer: Partial<AnswerFacts>,
  reason: PrivateReason | 'public',
]
const cases: Case[] = [
  ['a plain page', {}, {}, 'public'],
  ['a page that robots.txt disallows', { path: '/secret/a.html' }, {}, 'robots'],
  ['a page that a wildcard of robots.txt disallows', { path: '/docs/a.json' }, {}, 'robots'],
  ['a disallowed page in another spelling', { path: '/%73ecret/a.html' }, {}, 'robots'],
  ['a page that robots.txt allows within what it disallows', { path: '/secret/open.html' }, {}, 'public'],
  ['a dot file', { path: '/docs/.git/config.html' }, {}, 'hidden'],
  ['a dot file in another spelling', { path: '/%2Ehtaccess' }, {}, 'hidden'],
  ['a dot file where a backslash is a slash', { path: '/docs%5C.git%5Cconfig' }, {}, 'hidden'],
  ['well-known files, which nobody needs to have listed', { path: '/.well-known/security.txt' }, {}, 'hidden'],
  ['a page that a reject pattern matches', { path: '/docs/draft-1.html' }, {}, 'rejected'],
  ['a page that a reject pattern matches anywhere', { path: '/docs/internal/a.html' }, {}, 'rejected'],
  ['a page that no include pattern matches', { path: '/other' }, {}, 'not-included'],
  ['an address with a query', { path: '/docs/a.html?session=1' }, {}, 'query'],
  ['an address with a query that is let out', { path: '/list?page=2' }, {}, 'public'],
  ['an address with a query that the owner listed', { path: '/docs/a.html?topic=1', isListed: true }, {}, 'public'],
  ['a listed address that robots.txt disallows', { path: '/secret/a.html?x=1', isListed: true }, {}, 'robots'],
  ['a path with a blank', { path: '/docs/a b.html' }, {}, 'path'],
  ['a path without an end', { path: `/docs/${'a/'.repeat(3_000)}` }, {}, 'path'],
  ['a post', { method: 'POST' }, {}, 'method'],
  ['a head', { method: 'HEAD' }, {}, 'method'],
  ['a request with authorization', { headers: [['authorization', 'Basic eA==']] }, {}, 'authorization'],
  ['a request with a token', { headers: [['X-Auth-Token', 'x']] }, {}, 'authorization'],
  ['a request of somebody a proxy knows', { headers: [['Remote-User', 'ann']] }, {}, 'authorization'],
  ['a request with a cookie', { headers: [['Cookie', 'session=1']] }, {}, 'cookie-sent'],
  ['status 401', {}, { status: 401 }, 'protected'],
  ['status 403', {}, { status: 403 }, 'protected'],
  ['a page that asks who is there', {}, { headers: and('WWW-Authenticate', 'Negotiate') }, 'protected'],
  ['status 404', {}, { status: 404 }, 'missing'],
  ['status 410', {}, { status: 410 }, 'missing'],
  ['a redirect', {}, { status: 302 }, 'redirect'],
  ['not modified', {}, { status: 304 }, 'status'],
  ['a part of a page', {}, { status: 206 }, 'status'],
  ['a fault of the server', {}, { status: 500 }, 'status'],
  ['too many requests', {}, { status: 429 }, 'status'],
  ['a page made by a post', {}, { status: 201 }, 'status'],
  ['an answer that sets a cookie', {}, { headers: and('set-cookie', 'a=1') }, 'cookie-set'],
  ['a private answer', {}, { headers: and('Cache-Control', 'max-age=0, private') }, 'private'],
  ['an answer private in one field', {}, { headers: and('Cache-Control', 'private="x"') }, 'private'],
  ['an answer not to be stored', {}, { headers: and('cache-control', 'No-Store') }, 'private'],
  [
    'private in a second field',
    {},
    { headers: [...and('Cache-Control', 'max-age=5'), ['Cache-Control', 'private']] },
    'private',
  ],
  ['an answer only to be checked anew', {}, { headers: and('Cache-Control', 'no-cache, must-revalidate') }, 'public'],
  ['an answer that varies by anything', {}, { headers: and('Vary', 'Accept-Encoding, *') }, 'varies'],
  ['an answer that varies by cookie, asked without one', {}, { headers: and('Vary', 'Cookie') }, 'public'],
  ['X-Robots-Tag noindex', {}, { headers: and('X-Robots-Tag', 'noindex') }, 'noindex'],
  ['X-Robots-Tag none', {}, { headers: and('X-Robots-Tag', 'none') }, 'noindex'],
  ['X-Robots-Tag noindex for one robot', {}, { headers: and('X-Robots-Tag', 'otherbot: noindex') }, 'noindex'],
  ['X-Robots-Tag nofollow', {}, { headers: and('X-Robots-Tag', 'nofollow') }, 'public'],
  [
    'X-Robots-Tag with a time that is over',
    {},
    { headers: and('X-Robots-Tag', 'unavailable_after: 25 Jun 2025 15:00:00 GMT') },
    'noindex',
  ],
  [
    'X-Robots-Tag with a time to come',
    {},
    { headers: and('X-Robots-Tag', 'unavailable_after: 25 Jun 2031 15:00:00 GMT') },
    'public',
  ],
  ['meta robots noindex', {}, { body: html('<meta name="ROBOTS" content="follow, NOINDEX">') }, 'noindex'],
  ['meta robots noindex with entities', {}, { body: html('<meta name="r&#111;bots" content="noindex">') }, 'noindex'],
  ['meta googlebot noindex', {}, { body: html('<meta content="none" name=googlebot>') }, 'noindex'],
  [
    'meta robots noindex, late in the page',
    {},
    { body: html(`<p>${'x'.repeat(200_000)}<meta name=robots content=noindex>`) },
    'noindex',
  ],
  [
    'meta robots noindex in UTF-16',
    {},
    { body: Buffer.from('\ufeff<meta name=robots content=noindex>', 'utf16le') },
    'noindex',
  ],
  [
    'meta robots noindex, where only the ending of the path says what it is, and that is encoded',
    { path: '/docs/a.htm%6c' },
    { headers: [['Content-Type', 'application/octet-stream']], body: html('<meta name=robots content=noindex>') },
    'noindex',
  ],
  ['meta robots index', {}, { body: html('<meta name="robots" content="index, follow">') }, 'public'],
  [
    'noindex in a text that only speaks of it',
    {},
    { headers: [['Content-Type', 'text/plain']], body: html('<meta name=robots content=noindex>') },
    'public',
  ],
  [
    'noindex in a page without a type',
    {},
    { headers: [], body: html('<meta name=robots content=noindex>') },
    'noindex',
  ],
]
for (const [sentence, request, answer, expected] of cases) {
  test(`${sentence}: ${expected}`, () => {
    const asked = { path: '/docs/a.html', ...request }
    const answered = { status: 200, headers: HTML, body: html(''), ...answer }
    const verdict = publicVerdict(asked, answered, rules, AT)
    assert.equal(verdict.public ? 'public' : verdict.reason, expected)
    if (!verdict.public) assert.notEqual(verdict.detail, '')
  })
}

test('every reason that an answer can have is in the table of cases', () => {
  const covered = new Set(cases.map(([, , , reason]) => reason))
  const elsewhere = ['backup', 'program', 'secret-file', 'secret-address', 'too-large', 'unreadable', 'no-answer']
  assert.deepEqual(
    Object.keys(PRIVATE_REASONS).filter((reason) => !covered.has(reason as PrivateReason)),
    elsewhere,
  )
})

const files: [path: string, body: string, reason: PrivateReason | 'public'][] = [
  ['/docs/a.html', '<p>words', 'public'],
  ['/docs/a.html', '<meta name=robots content=noindex>', 'noindex'],
  ['/docs/a.txt', '<meta name=robots content=noindex>', 'public'],
  ['/secret/a.html', '', 'robots'],
  ['/docs/.env', '', 'hidden'],
  ['/docs/a.html~', '', 'backup'],
  ['/docs/a.html.bak', '', 'backup'],
  ['/docs/%23a.html%23', '', 'backup'],
  ['/docs/index.php', '', 'program'],
  ['/docs/a.PHP5', '', 'program'],
  ['/docs/web.config', '', 'program'],
  ['/docs/cgi-bin/guestbook', '', 'program'],
  ['/docs/install.sh', '', 'public'],
  ['/docs/draft.html', '', 'rejected'],
  ['/elsewhere', '', 'not-included'],
]
for (const [path, body, expected] of files) {
  test(`a file ${path} that holds "${body}": ${expected}`, () => {
    const type = path.endsWith('.txt') ? 'text/plain' : 'text/html'
    const byName = fileVerdict([path], rules)
    const verdict = byName.public ? contentVerdict(Buffer.from(body), type, AT) : byName
    assert.equal(verdict.public ? 'public' : verdict.reason, expected)
  })
}

const indexFiles: [sentence: string, options: PublicRuleOptions, reason: PrivateReason | 'public'][] = [
  ['both of whose addresses are open', {}, 'public'],
  ['one of whose addresses is included', { include: ['*.html'] }, 'public'],
  ['none of whose addresses is included', { include: ['/b/*'] }, 'not-included'],
  ['whose folder is disallowed', { robots: 'User-agent: *\nDisallow: /a/$' }, 'robots'],
  ['whose name is disallowed', { robots: 'User-agent: *\nDisallow: /a/index.html' }, 'robots'],
  ['whose name is rejected, though its folder is included', { include: ['/a/'], reject: ['*/index.html'] }, 'rejected'],
]
for (const [sentence, options, expected] of indexFiles) {
  test(`an index file ${sentence}: ${expected}`, () => {
    const verdict = fileVerdict(['/a/', '/a/index.html'], publicRules(options))
    assert.equal(verdict.public ? 'public' : verdict.reason, expected)
  })
}

const isWithdrawnBy = (request: Partial<RequestFacts>, answer: Partial<AnswerFacts>): boolean =>
  isWithdrawn(publicVerdict({ path: '/docs/a.html', ...request }, { status: 200, headers: HTML, ...answer }, rules, AT))

test('a page that turned private is withdrawn; an answer for somebody known changes nothing', () => {
  assert.equal(isWithdrawnBy({}, {}), false)
  assert.equal(isWithdrawnBy({}, { headers: and('X-Robots-Tag', 'noindex') }), true)
  assert.equal(isWithdrawnBy({}, { status: 404 }), true)
  assert.equal(isWithdrawnBy({}, { status: 503 }), false)
  assert.equal(isWithdrawnBy({ headers: [['Cookie', 'a=1']] }, { status: 404 }), false)
})

test('whatever else is in an answer, each of these alone keeps it private', () => {
  const fatal: [string, string][] = [
    ['Set-Cookie', 'a=1'],
    ['Cache-Control', 'private'],
    ['Cache-Control', 'no-store'],
    ['X-Robots-Tag', 'noindex'],
    ['WWW-Authenticate', 'Basic'],
  ]
  const field = fc.tuple(fc.constantFrom('X-A', 'Vary', 'Cache-Control', 'X-Robots-Tag', 'Content-Type'), fc.string())
  fc.assert(
    fc.property(
      fc.array(field),
      fc.constantFrom(...fatal),
      fc.array(field),
      fc.uint8Array(),
      (before, one, after, body) => {
        const answer = { status: 200, headers: [...before, one, ...after], body }
        assert.equal(publicVerdict({ path: '/' }, answer, publicRules(), AT).public, false)
      },
    ),
  )
})

test('no path, header or body makes a verdict throw', () => {
  const headers = fc.array(
    fc.tuple(fc.constantFrom('Cache-Control', 'Vary', 'X-Robots-Tag', 'Content-Type'), fc.string()),
  )
  fc.assert(
    fc.property(fc.string(), headers, fc.uint8Array(), fc.integer(), (path, fields, body, status) => {
      assert.equal(typeof publicVerdict({ path }, { status, headers: fields, body }, rules, AT).public, 'boolean')
    }),
  )
})

for (const options of [{ include: ['docs/*'] }, { reject: [''] }, { inclde: ['/a'] } as object]) {
  test(`rules that cannot be meant are refused: ${JSON.stringify(options)}`, () => {
    assert.throws(() => publicRules(options), failsAs('PUBLISH_OPTION_INVALID', /pattern|named inclde/))
  })
}

test('a site that sets a cookie on every answer is told so, and one that does not is not', () => {
  const watch = new CookieWatch()
  for (let answer = 1; answer < 20; answer++) watch.note(true)
  assert.equal(watch.advice(), undefined)
  watch.note(true)
  assert.match(watch.advice() ?? '', /All 20 answers so far set a cookie.*saveUninitialized/)
  watch.note(false)
  assert.equal(watch.advice(), undefined)
})

const reasonOf = (request: RequestFacts, options: PublicRuleOptions = {}): string => {
  const verdict = publicVerdict(request, { status: 200, headers: HTML }, publicRules(options), AT)
  return verdict.public ? 'public' : verdict.reason
}

test('a link that looks like a key is not learnt from a visit, unless its owner includes or lists it', () => {
  const path = '/share/3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  assert.equal(reasonOf({ path }), 'secret-address')
  assert.equal(reasonOf({ path }, { include: ['/share/*'] }), 'public')
  assert.equal(reasonOf({ path, isListed: true }), 'public')
  assert.ok(PRIVATE_REASONS['secret-address'].about === 'page', 'and what was listed before is withdrawn')
})

// oxfmt-ignore
const folders: [reject: string, path: string, isRejected: boolean][] = [
  ['/account/',  '/account/',          true],
  ['/account/',  '/account/a.html',    true],
  ['/account/',  '/account/b/c',       true],
  ['/account/',  '//accoun%74/a.html', true],
  ['/account/',  '/account%2Fa.html',  true],
  ['/account/',  '/accounts/a.html',   false],
  ['/account/',  '/x/account/a.html',  false],
  ['*/print/',   '/x/print/a.html',    true],
  ['/account',   '/account/a.html',    false],
  ['/',          '/a.html',            false],
  ['*/',         '/docs/',             true],
  ['*/',         '/docs/a.html',       false],
]
for (const [reject, path, isRejected] of folders)
  test(`--reject ${reject} ${isRejected ? 'keeps' : 'does not keep'} ${path} back`, () =>
    assert.equal(pathVerdict(path, publicRules({ reject: [reject] })).public, !isRejected))
