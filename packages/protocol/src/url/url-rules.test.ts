import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalUrl } from './canonical-url.ts'
import { createLinkResolver } from './link-resolver.ts'
import { writeUrlKey } from './url-key.ts'
import { siteOf } from './site.ts'
import { defaultUrlRules, firstUrlRules, hasSameUrlRules, isParameterName, keptPath, keptQuery } from './url-rules.ts'
import type { SiteUrlRules, UrlRules } from './url-rules.ts'

const SITE = 'https://a.example'
const HEX = '0123456789abcdef0123456789abcdef'

/** What is dropped everywhere, as it is met. */
const sessions: [platform: string, query: string, expected: string][] = [
  ['PHP', 'id=7&PHPSESSID=3c8d1cl9qf5d8l8sv0k1r2qg56', 'id=7'],
  ['PHP, in small letters', 'phpsessid=3c8d1cl9qf5d8l8sv0k1r2qg56&id=7', 'id=7'],
  ['servlets, in the query', 'jsessionid=3CF844281959DC472AB104', ''],
  ['ASP', 'id=7&ASPSESSIONIDAQBSDSRT=DNLCOLIBKJDIHJHPMLHCMJMH', 'id=7'],
  ['ASP.NET, its cookie in a query', 'ASP.NET_SessionId=tuucni55xfzj2xqx1mnqdg55&id=7', 'id=7'],
  ['ColdFusion', 'CFID=7998379&CFTOKEN=27833541', ''],
  ['ColdFusion, the other way about', 'cftoken=4453ea12a82bc0b-B2D364D8&a=1&cfid=199', 'a=1'],
  ['osCommerce', 'osCsid=hd4sjsek8k5hfrn7eel2mr0c17&products_id=204', 'products_id=204'],
  ['xt:Commerce', 'cat=c12&XTCsid=9361125f7b96c5d60456f6e76a11eb9e', 'cat=c12'],
  ['Zen Cart', 'main_page=index&cPath=2&zenid=e4q2vdsdq57b6tcada1p30j1d7', 'main_page=index&cPath=2'],
  ['CGI::Session', 'CGISESSID=233fadfev3as1ass&id=7', 'id=7'],
  ['Gallery 2', 'g2_itemId=3051&g2_GALLERYSID=51c0ca5a9ce1296ccfd5307fa77fd998', 'g2_itemId=3051'],
  ['a session that has no value', 'PHPSESSID&id=7', 'id=7'],
  ['parted by a semicolon, as CGI.pm does', 'CGISESSID=233fadfev3as1ass;rm=view;id=7', 'rm=view;id=7'],
  ['the last of those', 'rm=view;id=7;CGISESSID=233fadfev3as1ass', 'rm=view;id=7'],
  ['among both signs', 'a=1&topic=17;PHPSESSID=3c8d1cl9;b=2&c=3', 'a=1&topic=17;b=2&c=3'],
  ['without a value there', 'PHPSESSID;id=7', 'id=7'],
  ['alone there', 'id=7&;PHPSESSID=1', 'id=7'],
  ['ColdFusion, parted by semicolons', 'CFID=7998379;CFTOKEN=27833541;id=7', 'id=7'],
]
for (const [platform, query, expected] of sessions) {
  test(`session ids go by name: ${platform}`, () => assert.equal(keptQuery(query, defaultUrlRules, SITE), expected))
}

/** What only looks like one: other people's pages hang on it. */
const innocents: [what: string, query: string][] = [
  ['an id of MongoDB for a session of a conference', 'session=507f1f77bcf86cd799439011'],
  ['a search for a digest', `s=${HEX}`],
  ['a sid of many hexadecimal digits', `sid=${HEX}&f=2`],
  ['a story of Slash', 'sid=25/11/25/157251'],
  ['a station', 'sid=90'],
  ['a session of something else', 'sessionid=0123456789ABCDEFGH'],
  ['the same in two words', `session_id=${HEX}`],
  ['sessid', `sessid=${HEX}`],
  ['a commit', `id=${HEX}`],
  ['a campaign of DYMO', 'cfid=online-support-sdk'],
  ['a filter of the NBA', 'CFID=33&CFPARAMS=2014-15&ContextFilter='],
  ['a token of Cloudflare', 'cfToken=jwt'],
  ['a name that only begins alike', 'PHPSESSIDX=1&zenids=2&ASPSESSIONID=3&ASPSESSIONIDABCDEFGHI=4'],
  ['a name that only ends alike', 'myPHPSESSID=1&xjsessionid=2'],
  ['a name in a value', 'next=PHPSESSID&q=jsessionid'],
]
for (const [what, query] of innocents) {
  test(`stays: ${what}`, () => assert.equal(keptQuery(query, defaultUrlRules, SITE), query))
}

const queries: [sentence: string, query: string, expected: string][] = [
  ['tracking parameters go', 'utm_source=a&id=7&UTM_Medium=b&gclid=c', 'id=7'],
  ['parameters without a value go as well', 'fbclid&id=7', 'id=7'],
  ['the order of the others stays', 'b=2&fbclid=x&a=1', 'b=2&a=1'],
  ['a name that only starts alike stays', 'gclidx=1', 'gclidx=1'],
  ['odd separators stay when nothing is dropped', 'a=1&&b', 'a=1&&b'],
  ['whatever the value of one that is dropped', 'utm_content=a;b&id=7', 'id=7'],
  ['and behind a semicolon they stay', 'id=7;utm_source=a', 'id=7;utm_source=a'],
]
for (const [sentence, query, expected] of queries) {
  test(sentence, () => assert.equal(keptQuery(query, defaultUrlRules, SITE), expected))
}

const paths: [sentence: string, path: string, expected: string][] = [
  ['a jsessionid goes from the end of a path', '/a/b.do;jsessionid=12AB.node1', '/a/b.do'],
  ['one of WebSphere too', '/b.do;jsessionid=0000Zx1_2cXq:-1', '/b.do'],
  ['and from its middle', '/a;JSESSIONID=12/b;v=1', '/a/b;v=1'],
  ['a cookieless ticket goes with its segment', '/(S(4hqa0555fwsecu455xqckv45))/mileg.aspx', '/mileg.aspx'],
  ['several in one segment', '/app/(A(x1-_abcdefghijklmnopqrstuv)S(4hqa0555fwsecu455xqckv45))/a.aspx', '/app/a.aspx'],
  ['that of a browser tried for cookies', '/(X(1)S(cp53yq30mtagv555unhr0t45))/system/index.aspx', '/system/index.aspx'],
  ['the trial alone stays', '/(X(1))/a.aspx', '/(X(1))/a.aspx'],
  ['other brackets stay', '/(a)/b', '/(a)/b'],
  ['a function in a path stays', '/(f(x))/b', '/(f(x))/b'],
  ['a long word in brackets stays', `/(${HEX})/b`, `/(${HEX})/b`],
  ['another letter stays', `/(B(${HEX}))/b`, `/(B(${HEX}))/b`],
  ['another parameter of a segment stays', `/a;sid=${HEX}/b;v=1`, `/a;sid=${HEX}/b;v=1`],
]
for (const [sentence, path, expected] of paths) {
  test(sentence, () => assert.equal(keptPath(path, defaultUrlRules, SITE), expected))
}

test('session ids stay when the rules say so', () => {
  const rules = { ...defaultUrlRules, dropSessionIds: false }
  for (const query of ['PHPSESSID=1', 'CFID=1&CFTOKEN=2']) assert.equal(keptQuery(query, rules, SITE), query)
  for (const path of ['/a;jsessionid=1', '/(S(4hqa0555fwsecu455xqckv45))/b'])
    assert.equal(keptPath(path, rules, SITE), path)
})

/** Collections are known by it. */
const first: [url: string, expected: string][] = [
  ['/x?session=507f1f77bcf86cd799439011', '/x'],
  ['/x?s=0123456789abcdef&a=1', '/x?a=1'],
  ['/x?SID=0123456789ABCDEF', '/x'],
  ['/x?sessid=0123456789abcdef&sessionid=0123456789abcdef&session_id=0123456789abcdef', '/x'],
  ['/x?sid=17', '/x?sid=17'],
  ['/x?CFID=1', '/x'],
  ['/x?CFTOKEN=1', '/x'],
  ['/x?ASPSESSIONID=1', '/x'],
  ['/x?XTCsid=1&CGISESSID=1&g2_GALLERYSID=1', '/x?XTCsid=1&CGISESSID=1&g2_GALLERYSID=1'],
  ['/(X(1)S(cp53yq30mtagv555unhr0t45))/a', '/(X(1)S(cp53yq30mtagv555unhr0t45))/a'],
  [`/(B(${HEX}))/b`, '/b'],
  ['/x?utm_source=a', '/x'],
]
for (const [url, expected] of first) {
  test(`rules of version 1 make ${expected} of ${url}`, () => {
    assert.equal(canonicalUrl(url, SITE, firstUrlRules), SITE + expected)
  })
}

const second: [url: string, expected: string][] = [
  ['/x?PHPSESSID=1;id=7', '/x'],
  ['/x?id=7;PHPSESSID=1', '/x?id=7;PHPSESSID=1'],
  ['/x?ASPSESSIONIDABCDEFGH;id=7', '/x?ASPSESSIONIDABCDEFGH;id=7'],
  ['/x?CFID=1;CFTOKEN=2', '/x?CFID=1;CFTOKEN=2'],
  ['/x?session=507f1f77bcf86cd799439011', '/x?session=507f1f77bcf86cd799439011'],
]
for (const [url, expected] of second) {
  test(`rules of version 2 make ${expected} of ${url}`, () => {
    assert.equal(canonicalUrl(url, SITE, { ...defaultUrlRules, version: 2 }), SITE + expected)
  })
}

const dropping = (...dropParameters: string[]): UrlRules => ({ ...defaultUrlRules, dropParameters })
test('parameters are named in any letter case, by the beginning of their names, and in any script', () => {
  assert.equal(keptQuery('ref=x&REFID=2&id=7', dropping('Ref*'), SITE), 'id=7')
  assert.equal(canonicalUrl('/?größe=1&id=7', SITE, dropping('größe')), `${SITE}/?id=7`)
  assert.equal(canonicalUrl('/?a[b]=1&a.b=2', SITE, dropping('a[b]')), `${SITE}/?a.b=2`)
  assert.equal(canonicalUrl('/?a=1&b', SITE, dropping('*')), `${SITE}/`)
  assert.equal(keptQuery('a=1', dropping(), SITE), 'a=1')
})

const shop: readonly SiteUrlRules[] = [
  { host: 'shop.example', dropParameters: ['session', 'sid'], keepParameters: ['utm_source', 'zenid'] },
  { origin: 'https://old.example', dropSessionIds: false },
  { host: '*.example', dropParameters: ['s'] },
]
const bySite: [url: string, expected: string][] = [
  ['http://shop.example/x?session=1&id=7&gclid=2', 'http://shop.example/x?id=7'],
  [
    'https://shop.example:81/x?SID=1&utm_source=a&utm_medium=b&zenid=3&s=1',
    'https://shop.example:81/x?utm_source=a&zenid=3&s=1',
  ],
  ['http://SHOP.example./x;jsessionid=1?sid=1', 'http://shop.example/x'],
  ['https://old.example/a;jsessionid=1?PHPSESSID=1', 'https://old.example/a;jsessionid=1?PHPSESSID=1'],
  ['http://old.example/a;jsessionid=1?PHPSESSID=1&s=1', 'http://old.example/a'],
  ['http://www.shop.example/x?session=1&s=2', 'http://www.shop.example/x?session=1'],
  ['http://elsewhere.test/x?session=1&s=2&PHPSESSID=3', 'http://elsewhere.test/x?session=1&s=2'],
]
for (const [url, expected] of bySite) {
  test(`a site has rules of its own: ${url} is ${expected}`, () => {
    const rules = { ...defaultUrlRules, sites: shop }
    assert.equal(canonicalUrl(url, undefined, rules), expected)
    assert.equal(createLinkResolver('http://b.example/', rules)(url), expected)
  })
}

const compared: [sentence: string, a: Partial<UrlRules>, b: Partial<UrlRules>, isSame: boolean][] = [
  ['order and letter case say nothing', { dropParameters: ['a', 'B', 'b'] }, { dropParameters: ['b', 'A'] }, true],
  ['but in other scripts, whose letters are octets', { dropParameters: ['Ö'] }, { dropParameters: ['ö'] }, false],
  ['nor does how a name is escaped', { dropParameters: ['%41ö'] }, { dropParameters: ['a%c3%b6'] }, true],
  ['how long a URL may be is no part of it', { maxLength: 100 }, {}, true],
  ['what is said of another site says nothing', { sites: [{ host: 'b.example', dropParameters: ['x'] }] }, {}, true],
  ['what is said of this one does', { sites: [{ host: 'a.example', dropParameters: ['x'] }] }, {}, false],
  ['a site that keeps session ids is another', { sites: [{ host: 'a.example', dropSessionIds: false }] }, {}, false],
  ['a version is another', { version: 1 }, {}, false],
  ['unless no session ids are dropped', { version: 1, dropSessionIds: false }, { dropSessionIds: false }, true],
  [
    'an entry of a site that repeats what holds for all',
    { sites: [{ host: 'a.example', dropParameters: ['UTM_*'] }] },
    {},
    true,
  ],
]
for (const [sentence, a, b, isSame] of compared) {
  test(`rules are the same or not: ${sentence}`, () => {
    assert.equal(hasSameUrlRules({ ...defaultUrlRules, ...a }, { ...defaultUrlRules, ...b }, SITE), isSame)
  })
}

test('a name of a parameter has no sign of the query in it', () => {
  for (const name of ['a', 'a*', '*', 'a[b]', 'größe', 'a.b-c']) assert.ok(isParameterName(name), name)
  for (const name of ['', 'a=b', 'a&b', 'a b', '#', 'a*b', '**']) assert.ok(!isParameterName(name), name)
})

// oxfmt-ignore
const names = fc.constantFrom('sid', 's', 'session', 'cfid', 'cftoken', 'PHPSESSID', 'utm_source', 'utm_*', 'a', '*', 'größe', 'zenid', 'a[b]')
const lists = fc.array(names, { maxLength: 4 })
const sites: fc.Arbitrary<SiteUrlRules> = fc.record(
  {
    host: fc.constantFrom('a.example', '*.a.example', 'b.example', '127.0.0.1'),
    dropParameters: lists,
    keepParameters: lists,
    dropSessionIds: fc.boolean(),
  },
  { requiredKeys: ['host'] },
)
const anyRules: fc.Arbitrary<UrlRules> = fc.record({
  version: fc.constantFrom(1, 2, 3),
  dropParameters: fc.oneof(lists, fc.constant(defaultUrlRules.dropParameters)),
  dropSessionIds: fc.boolean(),
  maxLength: fc.constant(8_000),
  sites: fc.array(sites, { maxLength: 3 }),
})
// oxfmt-ignore
const pieces = fc.constantFrom(
  'a', 'b', '/', '?', '&', '&', '=', '=1', '#', ';', ';PHPSESSID=1;', ';cfid=1', '%', '%41', '%2e', '..', '.', ';jsessionid=1', 'sid=', 'cfid=1', 'cftoken=2', 'PHPSESSID',
  'session=507f1f77bcf86cd799439011', 'utm_source=1', '(S(4hqa0555fwsecu455xqckv45))', '/(', 'X(1)', 'größe=1', 'a[b]=2', '%70hpsessid=1', 'zenid',
)
const heads = fc.constantFrom(
  'http://a.example',
  'http://x.a.example./',
  'https://b.example/?',
  'http://0x7f.1..',
  'http://c.test/a?',
)
const urls = fc
  .tuple(heads, fc.array(pieces, { maxLength: 12 }))
  .map(([head, tail]) => head + (head.includes('/', 8) ? '' : '/') + tail.join(''))

const keyOf = (url: string): string => {
  const key = new Uint32Array(2)
  writeUrlKey(url.slice(siteOf(url).length), key, 0)
  return `${siteOf(url)} ${key.join(' ')}`
}

test('under any rules a canonical URL is its own canonical URL, and a link leads to it', () => {
  fc.assert(
    fc.property(urls, anyRules, (url, rules) => {
      const once = canonicalUrl(url, undefined, rules)
      assert.equal(createLinkResolver('http://a.example/', rules)(url), once)
      if (once !== undefined) assert.equal(canonicalUrl(once, undefined, rules), once)
    }),
    { numRuns: 3_000 },
  )
})

test('under any rules two URLs have one key when they are one page, and two when they are not', () => {
  fc.assert(
    fc.property(urls, fc.oneof(pieces, urls), anyRules, (one, more, rules) => {
      const other = more.startsWith('http') ? more : one + more
      const [a, b] = [one, other].map((url) => canonicalUrl(url, undefined, rules))
      if (a === undefined || b === undefined) return
      assert.equal(keyOf(a) === keyOf(b), a === b, `${a} ${b}`)
    }),
    { numRuns: 3_000 },
  )
})

test('the rules are all that a URL depends on: not those that were asked before, nor in what order', () => {
  fc.assert(
    fc.property(fc.array(urls, { maxLength: 6 }), anyRules, (list, rules) => {
      const anew = list.map((url) => canonicalUrl(url, undefined, structuredClone(rules)))
      assert.deepEqual(
        list.map((url) => canonicalUrl(url, undefined, rules)),
        anew,
      )
    }),
    { numRuns: 500 },
  )
})

test('two sets of rules that are the same at a site make the same of its URLs', () => {
  fc.assert(
    fc.property(urls, anyRules, anyRules, fc.boolean(), (url, one, another, isNear) => {
      const other = isNear ? { ...one, sites: another.sites } : another
      const canonical = canonicalUrl(url, undefined, one)
      if (canonical === undefined || !hasSameUrlRules(one, other, siteOf(canonical))) return
      assert.equal(canonicalUrl(url, undefined, other), canonical)
    }),
    { numRuns: 1_000 },
  )
})
