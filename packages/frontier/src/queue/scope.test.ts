import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EXCLUSION_REASONS, reasonCode, reasonNamed } from './exclusion-reasons.ts'
import type { ExclusionReason } from './exclusion-reasons.ts'
import { createScope, scopePattern } from './scope.ts'
import type { ScopeFacts, ScopeOptions } from './scope.ts'

const options: ScopeOptions = {
  kind: 'host',
  seeds: ['https://www.example.org/docs/start.html?v=1'],
  include: [],
  exclude: [],
  doNotCrawl: [],
  maxDepthOf: (url) => (url.includes('//shallow.') ? 1 : 5),
  avoidSideEffects: true,
  year: 2026,
}

type Case = [
  sentence: string,
  given: Partial<ScopeOptions>,
  url: string,
  expected: ExclusionReason | undefined,
  found?: Partial<ScopeFacts>,
]
const www = 'https://www.example.org'
const cases: Case[] = [
  ['host: the same site is in', {}, `${www}/x`, undefined],
  ['host: another host is out', {}, 'https://api.example.org/', 'scope'],
  ['host: another scheme is another site', {}, 'http://www.example.org/', 'scope'],
  ['host: another port is another site', {}, 'https://www.example.org:8443/', 'scope'],
  ['domain: another host of the domain is in', { kind: 'domain' }, 'http://api.example.org:8080/', undefined],
  ['domain: another domain is out', { kind: 'domain' }, 'https://example.com/', 'scope'],
  ['domain: a name that only ends alike is out', { kind: 'domain' }, 'https://badexample.org/', 'scope'],
  ['prefix: below the folder of the start page is in', { kind: 'prefix' }, `${www}/docs/a/b.html`, undefined],
  ['prefix: the folder beside it is out', { kind: 'prefix' }, `${www}/docs2/`, 'scope'],
  ['prefix: above it is out', { kind: 'prefix' }, `${www}/`, 'scope'],
  ['any: everything is in', { kind: 'any' }, 'https://elsewhere.example/', undefined],
  ['include: one of the patterns must match', { include: ['*/a/*', '/b$/'] }, `${www}/b`, undefined],
  ['include: else the page is excluded', { include: ['*/a/*', '/b$/'] }, `${www}/c`, 'excluded'],
  ['exclude: a match keeps a page out', { exclude: ['*.pdf'] }, `${www}/x.pdf`, 'excluded'],
  [
    'exclude: a match of another spelling keeps it out, too',
    { exclude: [`${www}/drafts/*`] },
    `${www}//drafts/x`,
    'excluded',
  ],
  ['exclude: a folder is all below it', { exclude: ['*/drafts/'] }, `${www}/x/drafts/a/b.html`, 'excluded'],
  ['exclude: and itself', { exclude: [`${www}/drafts/`] }, `${www}/drafts/`, 'excluded'],
  ['exclude: not what only begins like it', { exclude: [`${www}/drafts/`] }, `${www}/drafts2/a`, undefined],
  ['exclude: of a site the home page alone', { exclude: [`${www}/`] }, `${www}/a`, undefined],
  ['exclude: of all folders their first pages alone', { exclude: ['*/'] }, `${www}/docs/a`, undefined],
  ['include: a folder is its first page alone', { include: ['*/docs/'] }, `${www}/docs/a`, 'excluded'],
  ['exclude: an encoded slash is one', { exclude: ['*/drafts/*'] }, `${www}/drafts%2Fx`, 'excluded'],
  ['exclude: a way round is seen through', { exclude: ['*/drafts/*'] }, `${www}/docs/..%2Fdrafts%2fx`, 'excluded'],
  ['exclude: a regular expression, too', { exclude: ['/[.]org.drafts/'] }, `${www}//drafts`, 'excluded'],
  ['include: by the canonical form', { include: [`${www}/docs/*`] }, `${www}//docs/x`, undefined],
  ['include: not by a way that leads out of it', { include: [`${www}/docs/*`] }, `${www}/docs/..%2Fdrafts`, 'excluded'],
  ['prefix: nor does one lead out of a folder', { kind: 'prefix' }, `${www}/docs/..%2f..%2Fx`, 'scope'],
  ['exclude wins over include', { include: ['*'], exclude: ['*/x'] }, `${www}/x`, 'excluded'],
  [
    'do-not-crawl: the host itself',
    { kind: 'any', doNotCrawl: ['Example.com'] },
    'https://example.com/',
    'do-not-crawl',
  ],
  [
    'do-not-crawl: its subdomains',
    { kind: 'any', doNotCrawl: ['example.com'] },
    'http://a.b.example.com:81/',
    'do-not-crawl',
  ],
  [
    'do-not-crawl: not a name that ends alike',
    { kind: 'any', doNotCrawl: ['ample.com'] },
    'https://example.com/',
    undefined,
  ],
  ['do-not-crawl wins over everything', { doNotCrawl: ['www.example.org'], include: ['*'] }, `${www}/`, 'do-not-crawl'],
  ['depth: the deepest allowed is in', {}, `${www}/x`, undefined, { depth: 5 }],
  ['depth: one more is out', {}, `${www}/x`, 'depth', { depth: 6 }],
  ['depth: a site may have its own', { kind: 'any' }, 'https://shallow.example/x', 'depth', { depth: 2 }],
  ['a path that repeats itself is a trap', {}, `${www}/${'a/b/'.repeat(20)}`, 'trap'],
  ['a program is excluded', {}, `${www}/cgi-bin/x.cgi`, 'side-effect'],
  ['a program that the site lists is not', {}, `${www}/cgi-bin/x.cgi`, undefined, { listed: true }],
  ['a program is fetched when that is wanted', { avoidSideEffects: false }, `${www}/cgi-bin/x.cgi`, undefined],
  ['a trap stays one even when it is listed', {}, `${www}/${'a/b/'.repeat(20)}`, 'trap', { listed: true }],
]
for (const [sentence, given, url, expected, found] of cases) {
  test(sentence, () => {
    const scope = createScope({ ...options, ...given })
    assert.equal(scope(url, { depth: 1, listed: false, ...found }), expected)
  })
}

const patterns: [pattern: string, url: string, matches: boolean][] = [
  ['*/manual/*', 'https://a.example/manual/x', true],
  ['*/manual/*', 'https://a.example/manuals', false],
  ['https://a.example/', 'https://a.example/', true],
  ['https://a.example/', 'https://a.example/x', false],
  ['*a.b?c=(1)', 'https://x.example/a.b?c=(1)', true],
  ['*a.b', 'https://x.example/aXb', false],
  ['/\\.PDF$/i', 'https://a.example/x.pdf', true],
  ['/\\.PDF$/', 'https://a.example/x.pdf', false],
]
for (const [pattern, url, matches] of patterns) {
  test(`${pattern} ${matches ? 'matches' : 'does not match'} ${url}`, () =>
    assert.equal(scopePattern(pattern)(url), matches))
}

test('a pattern that is no regular expression is refused with a reason', () => {
  assert.throws(() => createScope({ ...options, exclude: ['/(/'] }), { name: 'FrontierError', code: 'SCOPE_INVALID' })
})

test('without stars a glob matches itself and nothing else', () => {
  const text = fc.string().filter((pattern) => !pattern.includes('*') && !pattern.startsWith('/'))
  fc.assert(fc.property(text, fc.string(), (a, b) => scopePattern(a)(a) && scopePattern(a)(b) === (a === b)))
})

test('reasons keep their numbers, which are on disk', () => {
  const written = [
    'scope',
    'depth',
    'nofollow',
    'type',
    'trap',
    'side-effect',
    'robots',
    'excluded',
    'do-not-crawl',
    'plug-in',
    'told-type',
    'elsewhere',
  ]
  assert.deepEqual(EXCLUSION_REASONS, written)
  assert.deepEqual(EXCLUSION_REASONS.map(reasonCode).map(reasonNamed), EXCLUSION_REASONS)
})
