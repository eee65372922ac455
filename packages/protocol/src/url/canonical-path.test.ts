import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalPath, isPlainPath, pathSpellings, urlSpellings, withCanonicalPath } from './canonical-path.ts'
import { HOSTILE_SEGMENTS, spellingsOf } from '../testing/path-spellings-fixture.ts'

// oxfmt-ignore
const cases: [sentence: string, target: string, canonical: string | undefined][] = [
  ['a plain path is its own form',                        '/docs/a.html',             '/docs/a.html'],
  ['letters are decoded',                                 '/draft%73/%61.html',       '/drafts/a.html'],
  ['decoded once, and only once',                         '/%2573/%252e%252e/a',      '/%2573/%252e%252e/a'],
  ['what an escape is put together of stays apart',       '/%%37%30',                 '/%2570'],
  ['a percent sign alone stands for itself',              '/100%/%zz',                '/100%25/%25zz'],
  ['slashes are one',                                     '//account///x//',          '/account/x/'],
  ['dot segments go',                                     '/a/./b/../c',              '/a/c'],
  ['encoded ones too',                                    '/a/%2e/b/%2E%2e/c',        '/a/c'],
  ['half encoded ones too',                               '/a/.%2e/c',                '/c'],
  ['nothing is above the root',                           '/../../a',                 '/a'],
  ['a dot segment at the end is a folder',                '/a/b/..',                  '/a/'],
  ['an encoded slash is one',                             '/account%2Fx',             '/account/x'],
  ['and makes dot segments',                              '/docs/..%2faccount',       '/account'],
  ['three dots are a name',                               '/.../a',                   '/.../a'],
  ['what needs encoding keeps it, in capitals',           '/b%c3%bc/%3f%23%5c',       '/b%C3%BC/%3F%23%5C'],
  ['blanks and letters of the world are encoded',         '/b ü',                     '/b%20%C3%BC'],
  ['an asterisk is encoded: it is a wildcard elsewhere',  '/a*',                      '/a%2A'],
  ['octets that are no UTF-8 stay what they are',         '/%ff%C0%ae',               '/%FF%C0%AE'],
  ['names of a query are decoded',                        '/a?%70age=%2F2',           '/a?page=/2'],
  ['what divides parameters is not',                      '/a?x=1%26y%3d2%2b',        '/a?x=1%26y%3D2%2B'],
  ['slashes and dots of a query are its own',             '/a?x=//../y',              '/a?x=//../y'],
  ['a NUL is in no path',                                 '/a%00.html',               undefined],
  ['nor is the end of a line',                            '/a%0d%0ab',                undefined],
  ['what begins with no slash is none',                   'http://a.example/',        undefined],
]
for (const [sentence, target, expected] of cases)
  test(`canonical path: ${sentence}`, () => assert.equal(canonicalPath(target), expected))

const samples = ['/', '/drafts/a.html', '/account/', '/wp-config.php', '/b ü/x*y;v=1/100%', '/a?b#c/~d']

for (const path of samples) {
  test(`every spelling of ${path} has one canonical form`, () => {
    const form = canonicalPath(`/${path.slice(1).split('/').map(encodeURIComponent).join('/')}`)
    fc.assert(
      fc.property(spellingsOf(path, 'structure'), (spelling) => {
        assert.equal(canonicalPath(spelling), form)
        assert.ok(pathSpellings(spelling).includes(form!))
      }),
    )
  })
}

test('whatever comes, the form of a form is itself, has no dot segments and no double slashes', () => {
  const hostile = fc.array(fc.oneof(fc.constantFrom(...HOSTILE_SEGMENTS), fc.string({ unit: 'binary' })), {
    maxLength: 6,
  })
  const targets = fc.tuple(hostile, fc.constantFrom('/', '//', '%2f', '?')).map(([steps, by]) => `/${steps.join(by)}`)
  fc.assert(
    fc.property(targets, (target) => {
      const form = canonicalPath(target)
      const spellings = pathSpellings(target)
      assert.equal(spellings.length === 0, form === undefined)
      for (const spelling of spellings.slice(1)) {
        const [path = ''] = spelling.split('?', 1)
        assert.match(path, /^\/[!-~]*$/)
        assert.ok(!path.includes('//') && !/\/\.{1,2}(?:\/|$)/.test(path), spelling)
      }
      if (form !== undefined) assert.equal(canonicalPath(form), form)
      const again = spellings.flatMap(pathSpellings)
      assert.deepEqual(new Set(again), new Set(spellings), 'the spellings of a spelling are among them')
    }),
    { numRuns: 2_000 },
  )
})

// oxfmt-ignore
const servers: [sentence: string, target: string, taken: string][] = [
  ['a backslash is a slash on Windows',                      '/x\\..\\account\\',      '/account/'],
  ['also an encoded one',                                    '/x%5C..%5Caccount%5C',   '/account/'],
  ['parameters of segments are dropped by servers of Java',  '/account;v=1/x',         '/account/x'],
  ['also where they hide dots',                              '/docs/..;/account/',     '/account/'],
  ['an encoded slash is data to some',                       '/a%2fb/%63',             '/a%2Fb/c'],
]
for (const [sentence, target, taken] of servers)
  test(`spellings: ${sentence}`, () =>
    assert.ok(pathSpellings(target).includes(taken), pathSpellings(target).join(' ')))

test('a plain path has one spelling, and so has a plain URL', () => {
  assert.deepEqual(pathSpellings('/docs/a.html?x=1'), ['/docs/a.html?x=1'])
  assert.deepEqual(urlSpellings('https://a.example/docs/'), ['https://a.example/docs/'])
  assert.deepEqual(urlSpellings('https://a.example//docs/'), ['https://a.example//docs/', 'https://a.example/docs/'])
  assert.deepEqual(urlSpellings('https://a.example'), ['https://a.example'])
  assert.equal(withCanonicalPath('https://a.example//d%6fcs/?x'), 'https://a.example/docs/?x')
  for (const url of ['https://a.example', 'https://a.example/%00']) assert.equal(withCanonicalPath(url), url)
})

// oxfmt-ignore
const plain: [target: string, isPlain: boolean][] = [
  ['/', true], ['/a.html', true], ['/%7Euser/', true], ['/b%c3%bc%20c', true], ['/a%2Fb', true], ['/...', true],
  ['/.well-known/x', true], ['/a?x=%61//../', true],
  ['/%61', false], ['/a%2ehtml', false], ['//a', false], ['/a//', false], ['/a/../b', false], ['/a/.', false],
  ['/a\\b', false], ['/a%2Db', false], ['/%5F', false], ['/%39', false],
]
for (const [target, isPlain] of plain)
  test(`${target} is ${isPlain ? '' : 'not '}as somebody writes it who wants a page`, () =>
    assert.equal(isPlainPath(target), isPlain))
