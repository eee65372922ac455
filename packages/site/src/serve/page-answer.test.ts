import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  applyDelta,
  checkUnencoded,
  decodeBody,
  decodeWithDictionary,
  dictionaryMatches,
  headerOf,
  offerDictionary,
  parseUseAsDictionary,
} from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { sampleHtml } from '../testing/adapter-sample.ts'
import { AT } from '../testing/journal-sample.ts'
import { answerPage, exactPattern, PAGE_CACHE_CONTROL } from './page-answer.ts'
import type { AnsweredPage, CurrentPage, PageHead } from './page-answer.ts'
import { PageCodings } from './page-answer-coding.ts'
import type { PageCodingOptions } from './page-answer-coding.ts'
import { etagOf } from '../page-etag.ts'
import { digestOf } from '../journal/version-store.ts'

const OLD = Buffer.from(sampleHtml('Bread', 1))
const NEW = Buffer.from(sampleHtml('Bread', 2))
const HTML = ['Content-Type', 'text/html'] as const
const NOW = AT + 60_000
const LIMITS = { maxBytes: 1 << 20 }

const pageOf = (body: Uint8Array, more: Partial<PageHead> = {}): CurrentPage => ({
  head: { path: '/bread', headers: [HTML], digest: digestOf(body), modifiedAt: AT, ...more },
  body,
})

/** Versions of one page; `made` counts how often one was read. */
function codingsOf(versions: readonly Buffer[], options: PageCodingOptions = {}): PageCodings & { read: () => number } {
  let read = 0
  const codings = new PageCodings(
    {
      digestOf: (path, etag) =>
        path === '/bread' ? versions.map(digestOf).find((digest) => etagOf(digest) === etag) : undefined,
      version: (digest) => {
        read++
        return versions.find((body) => digestOf(body) === digest)
      },
      dictionary: () => undefined,
    },
    { share: 1, burstMs: 60_000, ...options },
  )
  return Object.assign(codings, { read: () => read })
}

const ask = (
  headers: HeaderList,
  page: CurrentPage,
  codings: PageCodings = codingsOf([OLD]),
  method = 'GET',
  now = NOW,
): AnsweredPage => answerPage({ method, headers }, page, codings, now)

const names = ({ headers }: AnsweredPage): string[] => headers.map(([name]) => name.toLowerCase()).toSorted()

test('an answer whose page did not change has no body and nothing that describes one', () => {
  const csp = ['Content-Security-Policy', "default-src 'self'"] as const
  const page = pageOf(NEW, { headers: [HTML, csp, ['Content-Language', 'en'], ['X-Own', '1'], ['Expires', '0']] })
  const answer = ask([['If-None-Match', etagOf(page.head.digest)]], page)
  assert.equal(answer.status, 304)
  assert.equal(answer.scheme, 'not-modified')
  assert.deepEqual(names(answer), ['content-security-policy', 'etag', 'expires', 'vary', 'x-own'])
})

const conditions: [sentence: string, headers: HeaderList, status: number][] = [
  [
    'a tag goes before a date',
    [
      ['If-None-Match', '"x"'],
      ['If-Modified-Since', new Date(NOW).toUTCString()],
    ],
    200,
  ],
  ['any tag is a page that is there', [['If-None-Match', '*']], 304],
  ['the date of its change is good enough', [['If-Modified-Since', new Date(AT).toUTCString()]], 304],
  ['a date before its change is not', [['If-Modified-Since', new Date(AT - 1_000).toUTCString()]], 200],
  ['a date that is none is no condition', [['If-Modified-Since', 'yesterday']], 200],
  ['a version that is not there cannot be matched', [['If-Match', '"x"']], 412],
  ['a range is not served: the whole page is', [['Range', 'bytes=0-9']], 200],
]
for (const [sentence, headers, status] of conditions) {
  test(`conditions: ${sentence}`, () => assert.equal(ask(headers, pageOf(NEW)).status, status))
}

test('a page changed within this second has no date yet, for it may change again in it', () => {
  const page = pageOf(NEW, { modifiedAt: AT + 300 })
  assert.equal(headerOf(ask([], page, codingsOf([]), 'GET', AT + 900).headers, 'last-modified'), undefined)
  assert.ok(headerOf(ask([], page, codingsOf([]), 'GET', AT + 1_000).headers, 'last-modified'))
})

test("the site's own word on caching stands, and other reasons to vary stay", () => {
  const said = ask([], pageOf(NEW, { headers: [HTML, ['Cache-Control', 'max-age=60'], ['Vary', 'Accept-Language']] }))
  assert.equal(headerOf(said.headers, 'cache-control'), 'max-age=60')
  assert.equal(headerOf(said.headers, 'vary'), 'Accept-Language, accept-encoding, available-dictionary')
  assert.equal(headerOf(ask([], pageOf(NEW)).headers, 'cache-control'), PAGE_CACHE_CONTROL)
})

test('what the site said of other bytes is said no more', () => {
  const headers: HeaderList = [
    HTML,
    ['ETag', 'W/"own"'],
    ['Content-Length', '7'],
    ['Content-MD5', 'x'],
    ['Accept-Ranges', 'bytes'],
  ]
  const answer = ask([['Accept-Encoding', 'br']], pageOf(NEW, { headers }))
  for (const name of ['content-md5', 'accept-ranges']) assert.equal(headerOf(answer.headers, name), undefined)
  assert.equal(headerOf(answer.headers, 'etag'), etagOf(digestOf(NEW)))
  assert.equal(headerOf(answer.headers, 'content-length'), String(answer.body.length))
  assert.equal(names(answer).filter((name) => name === 'content-length').length, 1)
})

test('no-transform is heeded', () => {
  const answer = ask(
    [['Accept-Encoding', 'br, gzip']],
    pageOf(NEW, { headers: [HTML, ['Cache-Control', 'no-transform']] }),
  )
  assert.equal(headerOf(answer.headers, 'content-encoding'), undefined)
  assert.deepEqual(Buffer.from(answer.body), NEW)
})

const optional = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined })

test('whatever is asked for in whatever way, the page that comes out is the page', () => {
  const site = codingsOf([OLD])
  const asked = fc.record({
    encoding: optional(
      fc.constantFrom(
        'gzip',
        'br',
        'zstd',
        'dcz',
        'dcb',
        'dcb, dcz, br',
        'gzip;q=0, br',
        '*',
        'identity',
        'gzip, dcz;q=0',
      ),
    ),
    aim: optional(fc.constantFrom('vcdiff', 'vcdiff, gzip', 'gzip', 'diffe', 'vcdiff;q=0')),
    tag: optional(
      fc.constantFrom(etagOf(digestOf(OLD)), etagOf(digestOf(NEW)), '"x"', `W/${etagOf(digestOf(OLD))}`, '*'),
    ),
    dictionary: optional(fc.constantFrom(OLD, NEW, Buffer.from('unknown'))),
    masked: fc.boolean(),
    method: fc.constantFrom('GET', 'HEAD'),
  })
  fc.assert(
    fc.property(asked, ({ encoding, aim, tag, dictionary, masked, method }) => {
      const headers: [string, string][] = []
      if (encoding !== undefined) headers.push(['Accept-Encoding', encoding])
      if (aim !== undefined) headers.push(['A-IM', aim])
      if (tag !== undefined) headers.push(['If-None-Match', tag])
      if (dictionary !== undefined) headers.push(...(offerDictionary(dictionary, 'x') as [string, string][]))
      const answer = ask(headers, pageOf(NEW, { masked }), site, method)
      if (answer.status === 304) return assert.ok(tag === '*' || tag === etagOf(digestOf(NEW)))
      assert.ok(answer.body.length <= NEW.length)
      if (method === 'HEAD') return assert.equal(answer.body.length, 0)
      return assert.deepEqual(Buffer.from(wholeOf(answer, dictionary)), NEW)
    }),
  )
})

/** As a client would have it. */
function wholeOf({ status, headers, body }: AnsweredPage, dictionary: Uint8Array | undefined): Uint8Array {
  const coding = headerOf(headers, 'content-encoding')
  if (status === 226) {
    const applied = applyDelta({ status, headers, body }, new Map([[etagOf(digestOf(OLD)), OLD]]), LIMITS)
    assert.ok(applied.kind === 'ok' && applied.isVerified)
    return applied.body
  }
  const decoded =
    coding === 'dcz' || coding === 'dcb'
      ? decodeWithDictionary(coding, body, dictionary!, LIMITS)
      : decodeBody(body, coding, LIMITS)
  assert.ok(decoded.kind === 'ok')
  assert.notEqual(checkUnencoded(headers, decoded.body), 'differs')
  return decoded.body
}

test('the shorter of difference and dictionary wins, and both are far below the page', () => {
  const headers: HeaderList = [
    ['If-None-Match', etagOf(digestOf(OLD))],
    ['A-IM', 'vcdiff'],
    ['Accept-Encoding', 'dcz'],
    ...offerDictionary(OLD, ''),
  ]
  const both = ask(headers, pageOf(NEW))
  const alone = [ask(headers.slice(0, 2), pageOf(NEW)), ask(headers.slice(2), pageOf(NEW))]
  assert.deepEqual(
    alone.map(({ scheme }) => scheme),
    ['difference', 'dictionary'],
  )
  assert.equal(both.body.length, Math.min(...alone.map(({ body }) => body.length)))
  assert.ok(both.body.length < 100)
})

test('a version of another page is no dictionary, whoever knows its digest', () => {
  const answer = ask([['Accept-Encoding', 'dcz'], ...offerDictionary(OLD, '')], pageOf(NEW, { path: '/other' }))
  assert.equal(headerOf(answer.headers, 'content-encoding'), undefined)
})

test('what was made once is not made again', () => {
  const site = codingsOf([OLD])
  const headers: HeaderList = [
    ['If-None-Match', etagOf(digestOf(OLD))],
    ['A-IM', 'vcdiff'],
  ]
  const [first, second] = [ask(headers, pageOf(NEW), site), ask(headers, pageOf(NEW), site)]
  assert.equal(site.read(), 1)
  assert.equal(second.body, first.body)
})

test('without processor time left the page goes out as it is, but what was made before still goes out small', () => {
  let clock = 0
  // Each look at the clock is a second later: all that is done takes at least that long.
  const site = codingsOf([OLD], { share: 0, burstMs: 1, clock: () => (clock += 1_000) })
  assert.equal(headerOf(ask([['Accept-Encoding', 'br']], pageOf(NEW), site).headers, 'content-encoding'), 'br')
  assert.equal(headerOf(ask([['Accept-Encoding', 'gzip']], pageOf(NEW), site).headers, 'content-encoding'), undefined)
  assert.equal(headerOf(ask([['Accept-Encoding', 'br']], pageOf(NEW), site).headers, 'content-encoding'), 'br')
})

test('processor time comes back with time', () => {
  let clock = 0
  const site = codingsOf([], { share: 0.2, burstMs: 10, clock: () => (clock += 10) })
  const coded = (body: string): boolean =>
    headerOf(
      ask([['Accept-Encoding', 'br']], pageOf(Buffer.from(body.repeat(500))), site).headers,
      'content-encoding',
    ) === 'br'
  assert.deepEqual(['a', 'b', 'c', 'd', 'e'].map(coded), [true, true, false, false, true])
})

test('a version names itself as the dictionary of the next, for its own address and no other', () => {
  const ending = fc.constantFrom('', '', ':', '+', '*', '(', ':a')
  const path = fc.tuple(fc.webPath(), ending).map(([text, end]) => (text === '' ? '/' : text) + end)
  const query = fc.option(fc.webQueryParameters(), { nil: '' })
  fc.assert(
    fc.property(path, query, (before, after) => {
      const full = after === '' || after === null ? before : `${before}?${after}`
      const url = URL.parse(full, 'https://a.example')
      fc.pre(url !== null && `${url.pathname}${url.search}` === full && full.length < 900)
      const field = headerOf(ask([], pageOf(NEW, { path: full })).headers, 'use-as-dictionary')
      const use = parseUseAsDictionary(field ?? '')
      assert.ok(use !== undefined, field)
      const pattern = new URLPattern(use.match, url.href)
      assert.ok(pattern.test(url.href), `${use.match} for ${full}`)
      assert.ok(!pattern.test(`https://a.example${before}x`))
      const shorter = `https://a.example${before.slice(0, -1)}${url.search}`
      assert.ok(before === '/' || !pattern.test(shorter), `${use.match} for ${shorter}`)
      assert.equal(dictionaryMatches({ url: url.href, use, fetchedAt: 0 }, 'https://b.example/'), false)
    }),
  )
})

test('special characters of patterns are letters in a path', () => {
  assert.equal(exactPattern('/a*b/:id(x)?q={1}+?'), String.raw`/a\*b/{\:}id\(x\)\?q=\{1\}\+{\?}`)
})
