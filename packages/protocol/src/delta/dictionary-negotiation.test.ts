import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '../testing/processor-time.ts'
import {
  dictionaryMatches,
  offerDictionary,
  parseDictionaryOffer,
  parseUseAsDictionary,
  writeUseAsDictionary,
  type DictionaryUse,
  type StoredDictionary,
} from './dictionary-negotiation.ts'

const fields: [field: string, expected: DictionaryUse | undefined][] = [
  ['match="/a/*"', { match: '/a/*', destinations: [], id: '' }],
  [
    'match="/a", match-dest=("document" "frame"), id="v\\"1", type=raw',
    { match: '/a', destinations: ['document', 'frame'], id: 'v"1' },
  ],
  ['id="x", match="/a", ttl=5', { match: '/a', destinations: [], id: 'x' }],
  ['match=/a', undefined],
  ['match=""', undefined],
  ['id="x"', undefined],
  ['match="/a", type=trained', undefined],
  ['match="/a", type="raw"', undefined],
  ['match="/a", match-dest="document"', undefined],
  ['match="/a", match-dest=(document)', undefined],
  [`match="/a", id="${'x'.repeat(1_025)}"`, undefined],
  ['', undefined],
]
for (const [field, expected] of fields) {
  test(`Use-As-Dictionary: ${field.slice(0, 60)} ${expected === undefined ? 'is void' : 'is read'}`, () => {
    assert.deepEqual(parseUseAsDictionary(field), expected)
  })
}

test('what is written is read back; what cannot be written is not', () => {
  const text = fc.stringMatching(/^[ -~]{1,40}$/)
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), text, (match, destinations, id) => {
      const use = { match, destinations, id }
      assert.deepEqual(parseUseAsDictionary(writeUseAsDictionary(use)!), use)
    }),
  )
  assert.equal(writeUseAsDictionary({ match: '/ü' }), undefined)
  assert.equal(writeUseAsDictionary({ match: '/a', id: 'x'.repeat(1_025) }), undefined)
})

const stored = (
  match: string,
  more: Partial<StoredDictionary> = {},
  destinations: readonly string[] = [],
): StoredDictionary => ({
  url: 'https://site.example/news/',
  use: { match, destinations, id: '' },
  fetchedAt: 0,
  ...more,
})

const matches: [match: string, url: string, expected: boolean][] = [
  ['/news/*', 'https://site.example/news/today', true],
  ['/news/*', 'https://site.example/news/today#part', true],
  ['/news/*', 'https://site.example/old/today', false],
  ['/news/*', 'https://other.example/news/today', false],
  ['/news/*', 'http://site.example/news/today', false],
  ['today', 'https://site.example/news/today', true],
  ['/news/:day/:page', 'https://site.example/news/1/2', true],
  ['/news/:day/:page', 'https://site.example/news/1', false],
  ['/p?id=*', 'https://site.example/p?id=7', true],
  ['https://other.example/*', 'https://site.example/news/', false],
  ['/(a|b)', 'https://site.example/a', false],
  ['((', 'https://site.example/a', false],
  ['/news/*', 'not a url', false],
]
for (const [match, url, expected] of matches) {
  test(`"${match}" ${expected ? 'matches' : 'does not match'} ${url}`, () => {
    assert.equal(dictionaryMatches(stored(match), url), expected)
  })
}

test('on this machine plain HTTP will do', () => {
  for (const origin of ['http://localhost:8080', 'http://127.0.0.16', 'http://[::1]:1']) {
    assert.ok(dictionaryMatches(stored('/*', { url: `${origin}/` }), `${origin}/page`), origin)
  }
})

test('a destination must be listed, and where there is none all match', () => {
  const frames = stored('/*', {}, ['frame'])
  const url = 'https://site.example/x'
  assert.deepEqual(
    [dictionaryMatches(frames, url), dictionaryMatches(frames, url, 'frame'), dictionaryMatches(frames, url, 'image')],
    [true, true, false],
  )
})

test('patterns that would take long are not tried', () => {
  const url = `https://site.example/${'a'.repeat(2_000)}`
  const began = processorMs()
  for (const match of ['/*a*a*a*a*a*a*b', '/{a*}*b', '/{a}+*b', '/:x*b*:y+', '/**b']) {
    assert.ok(!dictionaryMatches(stored(match), url), match)
  }
  assert.ok(processorMs() - began < 500)
})

const dictionary = Buffer.from('hello')
const offerOf = (acceptEncoding: string): ReturnType<typeof parseDictionaryOffer> =>
  parseDictionaryOffer([...offerDictionary(dictionary, 'v1'), ['Accept-Encoding', acceptEncoding]])

test('an offer is read as it was made', () => {
  const offer = offerOf('gzip, dcb, dcz')!
  assert.equal(Buffer.from(offer.sha256).toString('hex').slice(0, 8), '2cf24dba')
  assert.deepEqual([offer.id, offer.codings], ['v1', ['dcz', 'dcb']])
})

const accepted: [acceptEncoding: string, expected: readonly string[] | undefined][] = [
  ['dcb', ['dcb']],
  ['dcb;q=0.9, dcz;q=0.1', ['dcb', 'dcz']],
  ['dcz;q=0, dcb', ['dcb']],
  ['gzip, br', undefined],
  ['*', undefined],
]
for (const [acceptEncoding, expected] of accepted) {
  test(`Accept-Encoding: ${acceptEncoding} allows ${expected?.join(' and ') ?? 'neither'}`, () => {
    assert.deepEqual(offerOf(acceptEncoding)?.codings, expected)
  })
}

test('an offer without a whole digest is none, and any text is survived', () => {
  for (const digest of ['', 'abc', ':AAAA:', '"text"']) {
    assert.equal(
      parseDictionaryOffer([
        ['Available-Dictionary', digest],
        ['Accept-Encoding', 'dcz'],
      ]),
      undefined,
    )
  }
  fc.assert(
    fc.property(fc.string(), fc.webUrl(), (text, url) => {
      parseUseAsDictionary(text)
      dictionaryMatches(stored(text), url)
    }),
  )
})
