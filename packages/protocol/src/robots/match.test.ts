import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { comparablePaths } from './match.ts'
import { isAllowed, parseRobots } from './robots.ts'

function matches(rule: string, url: string): boolean {
  return !isAllowed(parseRobots(`User-agent: *\nDisallow: ${rule}`), 'a', url).allowed
}

const cases: [sentence: string, rule: string, path: string, expected: boolean][] = [
  ['a path matches what it starts', '/fish', '/fishheads/yummy.html', true],
  ['and nothing else', '/fish', '/catfish', false],
  ['letter case counts', '/fish', '/Fish', false],
  ['a star takes anything', '/*.php', '/a/b.php?c', true],
  ['also nothing', '/a*b', '/ab', true],
  ['several stars', '/a*b**c', '/a-b-c-d', true],
  ['a dollar ends the path', '/*.php$', '/a.php', true],
  ['and no longer path matches', '/*.php$', '/a.php5', false],
  ['the end may come after an earlier likeness', '/*.php$', '/a.php/b.php', true],
  ['the end must not overlap what came before it', '/aba*ba$', '/aba', false],
  ['a star before the dollar takes the rest', '/a*$', '/abc', true],
  ['a dollar elsewhere is a dollar', '/a$b', '/a$bc', true],
  ['an encoded star is a star of the URL (§2.2.3)', '/file-with-a-%2A.html', '/file-with-a-*.html', true],
  ['an encoded dollar too', '/foo-%24', '/foo-$', true],
  ['a star of the URL is no wildcard', '/a%2Ab', '/axb', false],
  ['unreserved octets are decoded (§2.2.2)', '/foo/bar/%62%61%7A', '/foo/bar/baz', true],
  ['on both sides', '/foo/bar/baz', '/foo/bar/%62%61%7A', true],
  ['other letters are encoded (§2.2.2)', '/foo/bar/ツ', '/foo/bar/%E3%83%84', true],
  ['on both sides, in any letter case', '/foo/bar/%e3%83%84', '/foo/bar/ツ', true],
  ['reserved octets of a value (§2.2.2)', '/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar', true],
  ['on both sides', '/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https://foo.bar', true],
  ['verbatim behind a wildcard', '/*u=http%3A%2F%2F', '/x?u=http%3A%2F%2Fa', true],
  ['a wildcard reaches into the query', '/*/foo', '/x?u=/foo', true],
  ['an encoded slash of a path is no slash', '/a%2Fb', '/a/b', false],
  ['nor the other way', '/a/b', '/a%2fb', false],
  ['but equals itself in any letter case', '/a%2Fb', '/a%2fb', true],
  ['a stray percent sign equals itself', '/talk%3Med', '/talk%3Mediation', true],
  ['a blank equals its encoding', '/a b', '/a%20b', true],
  ['an octet of no encoding equals itself', '/%E9', '/%e9', true],
]
for (const [sentence, rule, path, expected] of cases) {
  test(`${sentence}: ${rule} and ${path}`, () => assert.equal(matches(rule, `https://a.example${path}`), expected))
}

const urls: [url: string, paths: string[]][] = [
  ['https://a.example', ['/']],
  ['https://a.example?x', ['/?x']],
  ['https://a.example/x#y', ['/x']],
  ['https://a.example#y/z', ['/']],
  ['/x?u=http://b/', ['/x?u=http://b/']],
  ['', ['/']],
]
for (const [url, paths] of urls) {
  test(`rules are compared with ${paths[0]} for "${url}"`, () => assert.deepEqual(comparablePaths(url), paths))
}

test('matching agrees with a regular expression of the same meaning', () => {
  const rules = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 }).map((text) => `/${text}`)
  const paths = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 }).map((text) => `/${text}`)
  fc.assert(
    fc.property(rules, fc.boolean(), paths, (rule, isAnchored, path) => {
      const same = new RegExp(`^${rule.replaceAll('*', '.*')}${isAnchored ? '$' : ''}`)
      assert.equal(matches(rule + (isAnchored ? '$' : ''), path), same.test(path))
    }),
    { numRuns: 3_000 },
  )
})

test('a rule without wildcards matches the URL that it was written after, whatever is in it', () => {
  fc.assert(
    fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
      const target = `/${path.slice(1)}?${query}`
      if (!/[*$]/.test(target)) assert.ok(matches(target, `https://a.example${target}`), target)
    }),
  )
})
