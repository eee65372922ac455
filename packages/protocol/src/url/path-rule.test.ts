import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pathRule } from './path-rule.ts'
import { spellingsOf } from '../testing/path-spellings-fixture.ts'

/** What a glob means, in the plainest way. */
const glob =
  (pattern: string) =>
  (path: string): boolean =>
    new RegExp(
      `^${pattern
        .split('*')
        .map((part) => RegExp.escape(part))
        .join('[^]*')}$`,
    ).test(path)

// oxfmt-ignore
const cases: [sentence: string, pattern: string, target: string, refuses: boolean, allows: boolean][] = [
  ['a path as it is written',                       '/drafts/*',     '/drafts/a',        true,  true],
  ['another path',                                  '/drafts/*',     '/docs/a',          false, false],
  ['an encoded letter',                             '/drafts/*',     '/draft%73/',       true,  true],
  ['a doubled slash',                               '/account/*',    '//account/',       true,  true],
  ['an encoded slash',                              '/account/*',    '/account%2fx',     true,  true],
  ['a way round',                                   '/account/*',    '/docs/..%2faccount/x', true, true],
  ['a backslash',                                   '/account/*',    '/account\\x',      true,  false],
  ['parameters of a segment',                       '/account/*',    '/account;x=1/y',   true,  false],
  ['letters of the other case',                     '/Drafts/*',     '/dRAFTS/a',        true,  false],
  ['letters of the world, composed or not',         '/über/*',       '/U%CC%88ber/x',    true,  false],
  ['letters of the world',                          '/über/*',       '/%c3%bcber/x',     true,  true],
  ['an encoded letter in the pattern',              '/%7Euser/*',    '/~user/a',         true,  true],
  ['a blank in the pattern',                        '/b c/*',        '/b%20c/a',         true,  true],
  ['an encoded slash in the pattern is meant',      '/a%2Fb/*',      '/%61%2fb/c',       true,  true],
  ['and is not every slash to a rule that refuses', '*%2F*',         '/a/b',             false, true],
  ['an asterisk is no wildcard when encoded',       '/a%2Ab',        '/a*b',             true,  true],
  ['and stands for nothing else then',              '/a%2Ab',        '/axb',             false, false],
  ['what was encoded twice is another path',        '/drafts/*',     '/draft%2573/a',    false, false],
  ['a query',                                       '/list?page=*',  '/list?p%61ge=2',   true,  true],
  ['an encoded question mark begins no query',      '/list?page=*',  '/list%3Fpage=2',   false, false],
  ['a control character is refused by any rule',    '/drafts/*',     '/docs/%00',        true,  false],
]
for (const [sentence, pattern, target, refuses, allows] of cases)
  test(`${pattern} on ${target}: ${sentence}`, () => {
    const rule = pathRule(pattern, glob)
    assert.deepEqual([rule.refuses(target), rule.allows(target)], [refuses, allows])
  })

for (const path of ['/drafts/a.html', '/account/', '/docs/drafts', '/b ü/c.pdf']) {
  for (const pattern of ['/drafts/*', '/account/*', '*.pdf', '/b*', '/docs/drafts', '*/account/*']) {
    test(`${pattern} says the same of every spelling of ${path}`, () => {
      const rule = pathRule(pattern, glob)
      const plain = `/${path.slice(1).split('/').map(encodeURIComponent).join('/')}`
      const said = [rule.refuses(plain), rule.allows(plain)]
      fc.assert(
        fc.property(spellingsOf(path, 'structure'), (spelling) =>
          assert.deepEqual([rule.refuses(spelling), rule.allows(spelling)], said),
        ),
        { numRuns: 50 },
      )
    })
  }
}
