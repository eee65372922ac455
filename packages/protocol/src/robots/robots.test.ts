import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '../testing/processor-time.ts'
import { comparablePaths } from './match.ts'
import { spellingsOf } from '../testing/path-spellings-fixture.ts'
import {
  defaultRobotsLimits,
  isAllowed,
  isAllowedIn,
  isAllowedInEverySpelling,
  openRobots,
  packRobots,
  parseRobots,
} from './robots.ts'
import { missing, sharedData } from '../testing/shared-data.ts'

const site = 'https://a.example'

const cases: [sentence: string, file: string, token: string, path: string, expected: boolean][] = [
  ['an empty file allows all', '', 'comity', '/x', true],
  ['a rule for everybody is for us', 'User-agent: *\nDisallow: /x', 'comity', '/x', false],
  [
    'a group with our name is ours alone',
    'User-agent: *\nDisallow: /\nUser-agent: Comity\nDisallow: /x',
    'comity',
    '/y',
    true,
  ],
  ['letter case of names does not count', 'USER-AGENT: COMITY\nDISALLOW: /', 'Comity', '/x', false],
  ['a version behind the name does not count', 'User-agent: comity/2.0\nDisallow: /', 'comity', '/x', false],
  ['a longer name is another name', 'User-agent: comitybot\nDisallow: /', 'comity', '/x', true],
  ['several names share their rules', 'User-agent: a\nUser-agent: comity\nDisallow: /x', 'a', '/x', false],
  [
    'groups of one name are merged (§2.2.1)',
    'User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /\n\nUser-agent: a\nDisallow: /y',
    'a',
    '/y',
    false,
  ],
  [
    'the first of them still holds',
    'User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /\n\nUser-agent: a\nDisallow: /y',
    'a',
    '/x',
    false,
  ],
  ['a group without rules allows all (§5.1)', 'User-agent: *\nDisallow: /\nUser-agent: quxbot', 'quxbot', '/x', true],
  ['rules before any name are nobody’s', 'Disallow: /\nUser-agent: comity\nDisallow: /y', 'comity', '/x', true],
  ['a sitemap ends no group (§2.2.4)', 'User-agent: a\nSitemap: /s\nUser-agent: b\nDisallow: /', 'a', '/x', false],
  ['nor does an unknown line', 'User-agent: a\nDisallow: /x\nFoo: bar\nDisallow: /y', 'a', '/y', false],
  [
    'the longest match decides (§5.2)',
    'User-agent: *\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif',
    'a',
    '/example/page/disallowed.gif',
    false,
  ],
  ['whatever the order', 'User-agent: *\nDisallow: /a\nAllow: /a/b', 'a', '/a/b/c', true],
  ['allow wins a tie', 'User-agent: *\nDisallow: /a\nAllow: /a', 'a', '/a', true],
  ['an empty Disallow disallows nothing', 'User-agent: *\nDisallow:', 'a', '/x', true],
  ['robots.txt itself is always allowed (§2.2.2)', 'User-agent: *\nDisallow: /', 'a', '/robots.txt', true],
  ['a comment ends a line', 'User-agent: * # all\nDisallow: /x # not /y', 'a', '/x', false],
  ['carriage returns end lines', 'User-agent: *\rDisallow: /x\r', 'a', '/x', false],
  ['a byte order mark is no part of the first name', '\uFEFFUser-agent: *\nDisallow: /x', 'a', '/x', false],
  ['blanks around a colon do not count', ' User-agent\t: *\n\tDisallow  :  /x  ', 'a', '/x', false],
  ['a missing colon is forgiven', 'User-agent *\nDisallow /x', 'a', '/x', false],
  ['a sentence is no rule', 'User-agent: *\nDisallow all the robots', 'a', '/x', true],
  ['misspelt Disallow is meant all the same', 'User-agent: *\nDisalow: /x', 'a', '/x', false],
  ['a rule that starts with a star (§5.1)', 'User-agent: *\nDisallow: *.gif$', 'a', '/b/c.gif', false],
]
for (const [sentence, file, token, path, expected] of cases) {
  test(sentence, () => assert.equal(isAllowed(parseRobots(file), token, site + path).allowed, expected))
}

/** By the letter, and by whoever asks for every spelling: the second is never the more generous one. */
// oxfmt-ignore
const spelled: [rules: string, path: string, written: boolean, everySpelling: boolean][] = [
  ['Disallow: /secret/',                        '/secret/1',               false, false],
  ['Disallow: /secret/',                        '//secret/1',              true,  false],
  ['Disallow: /secret/',                        '/secret%2F1',             true,  false],
  ['Disallow: /secret/',                        '/%2Fsecret/1',            true,  false],
  ['Disallow: /secret/',                        '/%5csecret%5C1',          true,  false],
  ['Disallow: /secret/',                        '/secret;v=1/1',           true,  false],
  ['Disallow: /secret/',                        '/a/..%2fsecret/1',        true,  false],
  ['Disallow: /secret/',                        '//secret/%00',            true,  false],
  ['Disallow: /secret/',                        '/secr%0aet/1',            true,  false],
  ['Disallow: /secret$',                        '/secret%00/1',            true,  false],
  ['Disallow: /secret/',                        '/secret',                 true,  true],
  ['Disallow: /secret/',                        '/a%2Fsecret/1',           true,  true],
  ['Disallow: /secret/',                        '/%2573ecret/1',           true,  true],
  ['Disallow: /secret/',                        '/a?to=//secret/1',        true,  true],
  ['Disallow: /*.pdf$',                         '//a%2Fb.pdf',             false, false],
  ['Disallow: /a/*.pdf$',                       '//a%2Fb.pdf',             true,  false],
  ['Disallow: /a/*.pdf$',                       '//a%2Fb.pdf?x',           true,  true],
  ['Disallow: /*?print',                        '//a?print',               false, false],
  // Many files keep doubled slashes out: these are as they were, and nothing else is.
  ['Disallow: //',                              '//a',                     false, false],
  ['Disallow: //',                              '/a',                      true,  true],
  ['Disallow: /*//',                            '/a//b',                   false, false],
  ['Disallow: /*//',                            '/a/b',                    true,  true],
  ['Disallow: /*%2F',                           '/a%2fb',                  false, false],
  ['Disallow: /*%2F',                           '/a/b',                    true,  true],
  ['Disallow: /*;',                             '/a;b',                    false, false],
  // What is let out is let out in its plain spelling; what is let out as it is written needs the plain one, too.
  ['Disallow: /\nAllow: /a/',                   '/a/1',                    true,  true],
  ['Disallow: /\nAllow: /a/',                   '//a/1',                   false, false],
  ['Disallow: /\nAllow: /a/',                   '/a/%2e%2e%2Fb',           true,  false],
  ['Disallow: /\nAllow: /a%2F',                 '/a%2Fb',                  true,  false],
  ['Disallow: /a/\nAllow: /a/b/',               '/a/b//c',                 true,  true],
  ['Disallow: /a/\nAllow: /a/b/',               '/a//b/c',                 false, false],
  ['Allow: /\nDisallow: /secret/',              '//b',                     true,  true],
  ['Disallow: /robots.txt',                     '/robots.txt',             true,  true],
]
for (const [rules, path, written, everySpelling] of spelled) {
  test(`${rules.replace('\n', ', ')}: ${path} is ${everySpelling ? '' : 'not '}allowed in every spelling`, () => {
    const group = parseRobots(`User-agent: *\n${rules}`).rulesFor('comity')
    for (const url of [site + path, path]) {
      assert.equal(isAllowedIn(group, url).allowed, written, 'as it is written')
      assert.equal(isAllowedInEverySpelling(group, url).allowed, everySpelling)
    }
  })
}

test('what is disallowed is so in every spelling, and nobody is allowed more by asking for all of them', () => {
  const files = ['/secret/', '/secret', '/secret/*.html$', '/*/a', '/secret/a.html$', '//', '/*%2F', '/*;'].map(
    (rule) => `User-agent: *\nAllow: /secret/open\nDisallow: ${rule}`,
  )
  const paths = ['/secret/a.html', '/secret/b/a', '/secret/open', '/other/a.html', '/sec ret/ü']
  const asked = fc
    .constantFrom(...paths)
    .chain((path) => fc.tuple(fc.constant(path), spellingsOf(path, 'structure'), fc.constantFrom(...files)))
  fc.assert(
    fc.property(asked, ([path, spelling, file]) => {
      const group = parseRobots(file).rulesFor('comity')
      const plain = isAllowedIn(group, encodeURI(path)).allowed
      const { allowed } = isAllowedInEverySpelling(group, site + spelling)
      if (!plain) assert.ok(!allowed, 'the page is disallowed')
      if (!isAllowedIn(group, site + spelling).allowed) assert.ok(!allowed, 'the URL as it is written is disallowed')
    }),
    { numRuns: 2_000 },
  )
})

test('all spellings of a URL share one budget', () => {
  const rules = Array.from({ length: 8_000 }, (_, i) => `Disallow: /*a*b*c${i}x`).join('\n')
  const group = parseRobots(`User-agent: *\n${rules}`).rulesFor('comity')
  const paths = ['/', '//', '/%2F', '/;v/', '/%5C/x%2F;v/'].map((start) => `${site}${start}${'abc'.repeat(500)}`)
  const from = processorMs()
  for (const path of paths) assert.equal(isAllowedInEverySpelling(group, path).allowed, false)
  assert.ok(processorMs() - from < 1_000)
})

test('a decision names the rule and its line', () => {
  const robots = parseRobots('User-agent: *\n\nDisallow: /ü*\n')
  assert.deepEqual(isAllowed(robots, 'a', `${site}/%c3%bcx`), { allowed: false, rule: '/ü*', line: 3 })
  assert.deepEqual(isAllowed(robots, 'a', `${site}/x`), { allowed: true })
})

test('sitemaps, delays and other lines are kept', () => {
  const robots = parseRobots(
    'Sitemap: https://a.example/s.xml\nUser-agent: *\nCrawl-delay: 2.5\nContent-Usage: train-ai=n\nDisallow:\n' +
      'Sitemap: /Ü.xml\nUser-agent: b\nCrawl-delay: soon\nUser-agent: *\nCrawl-delay: 7',
  )
  assert.deepEqual(robots.sitemaps, ['https://a.example/s.xml', '/Ü.xml'])
  assert.equal(robots.rulesFor('a').crawlDelaySeconds, 7)
  assert.deepEqual(robots.rulesFor('a').others[0], { line: 4, name: 'content-usage', value: 'train-ai=n' })
  assert.deepEqual(
    robots.others.map((other) => other.name),
    ['content-usage', 'crawl-delay'],
  )
})

/** Whose wish a `Crawl-delay` is: that of the names right above it, whatever group their rules make (§2.2.4). */
// oxfmt-ignore
const delays: [sentence: string, file: string, token: string, expected: number | undefined][] = [
  ['a delay is of the name above it', 'User-agent: *\nCrawl-delay: 5\nDisallow: /x', 'comity', 5],
  ['and of all of them', 'User-agent: a\nUser-agent: *\nCrawl-delay: 5\nDisallow: /x', 'a', 5],
  ['behind the rules as well', 'User-agent: a\nUser-agent: *\nDisallow: /x\nCrawl-delay: 5', 'a', 5],
  ['a name below it is another', 'User-agent: spbot\nCrawl-delay: 2000\n\nUser-agent: *\nDisallow: /x', 'comity', undefined],
  ['the name above it keeps it', 'User-agent: spbot\nCrawl-delay: 2000\n\nUser-agent: *\nDisallow: /x', 'spbot', 2_000],
  ['without a blank line, too', 'User-agent: spbot\nCrawl-delay: 2000\nUser-agent: *\nDisallow: /x', 'comity', undefined],
  ['each of several has its own', 'User-agent: a\nCrawl-delay: 9\nUser-agent: *\nCrawl-delay: 3\nUser-agent: b\nDisallow: /', 'comity', 3],
  ['the last of them is not everybody’s', 'User-agent: *\nCrawl-delay: 3\nUser-agent: b\nCrawl-delay: 9\nDisallow: /', 'comity', 3],
  ['a delay behind shared rules is of the last names', 'User-agent: a\nCrawl-delay: 9\nUser-agent: *\nDisallow: /x\nCrawl-delay: 30', 'a', 9],
  ['a delay nobody can read ends the names, too', 'User-agent: *\nCrawl-delay: soon\nUser-agent: b\nCrawl-delay: 9', 'comity', undefined],
  ['so does another record of a group', 'User-agent: *\nRequest-rate: 1/5\nUser-agent: b\nCrawl-delay: 9', 'comity', undefined],
  ['or visiting hours', 'User-agent: b\nVisit-time: 0600-0845\nUser-agent: *\nCrawl-delay: 9', 'b', undefined],
  ['a blank line or a comment does not', 'User-agent: *\n\n# b\nUser-agent: b\nCrawl-delay: 9', 'comity', 9],
  ['nor does what is said of the whole site', 'User-agent: *\nSitemap: /s\nMetadata: /m\nHost: a.example\nClean-param: s /f\nUser-agent: b\nCrawl-delay: 9', 'comity', 9],
  ['groups of one name join, and the longest counts', 'User-agent: *\nCrawl-delay: 3\nDisallow: /x\nUser-agent: *\nCrawl-delay: 9', 'comity', 9],
  ['a name that stands twice above it', 'User-agent: *\nCrawl-delay: 9\nUser-agent: *\nDisallow: /x', 'comity', 9],
  ['before any name it is nobody’s', 'Crawl-delay: 9\nUser-agent: *\nDisallow: /x', 'comity', undefined],
]
for (const [sentence, file, token, expected] of delays) {
  test(`Crawl-delay: ${sentence}`, () => {
    assert.equal(parseRobots(file).rulesFor(token).crawlDelaySeconds, expected)
    assert.equal(openRobots(structuredClone(packRobots(file, token))).rulesFor(token).crawlDelaySeconds, expected)
  })
}

test('rules are shared as if no other record stood between the names (§2.2.4), and each record is of the names above it', () => {
  const names = fc.constantFrom('User-agent: a', 'User-agent: b', 'User-agent: *')
  const records = fc.constantFrom('Crawl-delay: 1', 'Crawl-delay: 2', 'Crawl-delay: 3', 'Request-rate: 1/4', 'Foo: bar')
  const siteWide = fc.constantFrom('Sitemap: /s', 'Metadata: /m', 'Host: a.example', 'Clean-param: s', '', '# a')
  const rules = fc.constantFrom('Disallow: /a', 'Disallow: /b', 'Allow: /a/b', 'Disallow:')
  const files = fc.array(fc.oneof<fc.Arbitrary<string>[]>(names, records, siteWide, rules), { maxLength: 14 })
  fc.assert(
    fc.property(files, fc.constantFrom('a', 'b', 'comity'), (lines, token) => {
      const group = parseRobots(lines.join('\n')).rulesFor(token)
      const bare = lines.map((line) => (/^(?:User-agent|Disallow|Allow)/.test(line) ? line : ''))
      assert.deepEqual(group.rules.list, parseRobots(bare.join('\n')).rulesFor(token).rules.list)
      const asked = lines.includes(`User-agent: ${token}`) ? `User-agent: ${token}` : 'User-agent: *'
      const own = lines.flatMap((line, at) => {
        const isOwn = line.startsWith('Crawl-delay') && namesAbove(lines, at).includes(asked)
        return isOwn ? [Number(line.slice(-1))] : []
      })
      assert.equal(group.crawlDelaySeconds, own.length === 0 ? undefined : Math.max(...own))
    }),
    { numRuns: 2_000 },
  )
})

/** By going back from a record: to the nearest name, and on as long as nothing of a group stands between. */
function namesAbove(lines: readonly string[], at: number): readonly string[] {
  const above = lines.slice(0, at).filter((line) => !/^(?:Sitemap|Metadata|Host|Clean-param|#|$)/.test(line))
  const last = above.findLastIndex((line) => line.startsWith('User-agent'))
  const first = above.findLastIndex((line, place) => place < last && !line.startsWith('User-agent'))
  return above.slice(first + 1, last + 1)
}

test('a delay of years counts as a day', () => {
  assert.equal(parseRobots('User-agent: *\nCrawl-delay: 99999999').rulesFor('a').crawlDelaySeconds, 86_400)
})

test('what stands beyond 500 KiB is counted and not read (§2.5)', () => {
  const head = `User-agent: *\nDisallow: /x\n#${'.'.repeat(500 * 1024 - 30)}`
  const robots = parseRobots(`${head}\nDisallow: /temporary\n`)
  assert.equal(isAllowed(robots, 'a', `${site}/x`).allowed, false)
  assert.equal(isAllowed(robots, 'a', `${site}/temporary`).allowed, true)
  assert.equal(robots.ignoredBytes, head.length + 22 - 500 * 1024)
})

test('a rule cut in two by the limit is not read: its first half may say much more', () => {
  const file = 'User-agent: *\nDisallow: /temporary\n'
  const cut = { ...defaultRobotsLimits, maxBytes: file.indexOf('temporary') }
  assert.equal(isAllowed(parseRobots(file, cut), 'a', `${site}/x`).allowed, true)
  const whole = { ...defaultRobotsLimits, maxBytes: file.length - 1 }
  assert.equal(isAllowed(parseRobots(file, whole), 'a', `${site}/temporary`).allowed, false)
})

test('sitemaps and other lines beyond their limits are counted', () => {
  const limits = { ...defaultRobotsLimits, maxSitemaps: 1, maxMetadata: 1, maxOthers: 1 }
  const robots = parseRobots('Sitemap: /1\nSitemap: /2\nMetadata: /1\nMetadata: /2\nFoo: 1\nBar: 2', limits)
  const { sitemaps, metadata, others, ignoredLines } = robots
  assert.deepEqual([sitemaps.length, metadata.length, others.length, ignoredLines], [1, 1, 1, 3])
})

test('metadata lines belong to no group, end none, and are told once each (000 §3.3)', () => {
  const robots = parseRobots(
    'METADATA: /m/ü\nUser-agent: a\nMetadata: /n # newest\nUser-agent: b\nDisallow: /\nmetadata: /n\nMetadata:',
  )
  assert.deepEqual(robots.metadata, ['/m/ü', '/n'])
  assert.deepEqual([robots.others.length, robots.rulesFor('a').rules.list.length], [0, 1])
})

test('a file made to be slow is answered soon, and with no', () => {
  const rules = Array.from({ length: 20_000 }, (_, place) => `Allow: *aaab${place}\n`)
  const slow = parseRobots(`User-agent: *\n${rules.join('')}`)
  assert.deepEqual(isAllowed(slow, 'a', `${site}/${'a'.repeat(1_900)}`), { allowed: false })
  const crowded = parseRobots('User-agent: a\n'.repeat(18_000) + 'Disallow: /x\n'.repeat(18_000))
  assert.equal(isAllowed(crowded, 'a', `${site}/x`).allowed, false)
})

const numbered = (rule: (place: number) => string): string =>
  Array.from({ length: 20_000 }, (_, place) => rule(place)).join('')

test('rules without wildcards cost nothing, however many there are; nor do those of other folders, or those that come again', () => {
  const many = parseRobots(
    `User-agent: *\n${numbered((i) => `Disallow: /folder${i}/\n`)}${numbered((i) => `Disallow: /of${i}/*/x\n`)}`,
    { ...defaultRobotsLimits, maxBytes: 1 << 20 },
  )
  assert.equal(isAllowed(many, 'a', `${site}/${'a'.repeat(1_900)}`).allowed, true)
  assert.equal(isAllowed(many, 'a', `${site}/folder77/x`).rule, '/folder77/')
  assert.equal(isAllowed(many, 'a', `${site}/of78/y/x`).rule, '/of78/*/x')
  const again = parseRobots(`User-agent: *\n${'Disallow: /*a*a*a*b\n'.repeat(20_000)}`)
  assert.deepEqual(
    [again.rulesFor('a').rules.list.length, isAllowed(again, 'a', `${site}/${'a'.repeat(99)}`).allowed],
    [1, true],
  )
})

/** The same meaning, by other means. */
const asRegExp = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll(/[.?+()[\]]/g, '\\$&').replaceAll('*', '.*')}`)

test('looked up or tried, the rule that decides is the first that matches of those sorted by what they say', () => {
  const path = fc
    .string({ unit: fc.constantFrom('a', 'b', '/', '?', '%2F', '*', '$'), maxLength: 6 })
    .map((text) => `/${text}`)
  const rules = fc.array(fc.tuple(fc.boolean(), path), { maxLength: 8 })
  const property = fc.property(rules, path, (lines, asked) => {
    const file = lines.map(([allow, text]) => `${allow ? 'Allow' : 'Disallow'}: ${text}`).join('\n')
    const group = parseRobots(`User-agent: *\n${file}`).rulesFor('a')
    const url = `${site}${asked.replaceAll(/[*$]/g, 'a')}`
    const first = group.rules.list.find(({ pattern }) =>
      comparablePaths(url).some((one) => asRegExp(pattern).test(one)),
    )
    const { allowed, line } = isAllowedIn(group, url)
    assert.deepEqual([allowed, line], [first?.allow ?? true, first?.line])
    // Packed for another thread, they say the same there.
    const opened = openRobots(structuredClone(packRobots(`User-agent: *\n${file}`, 'a')))
    assert.deepEqual(isAllowed(opened, 'a', url), isAllowedIn(group, url))
  })
  fc.assert(property, { numRuns: 1_000 })
})

interface ConformanceCase {
  readonly file: string
  readonly robotstxt_base64: string
  readonly expect: readonly { readonly url: string; readonly ua: string; readonly allowed: boolean }[]
}

/** Where Google's expectations and RFC 9309 differ we follow the RFC; each row is `file ua url`, and must differ. */
const exceptions: readonly [row: string, section: string, reason: string][] = [
  [
    'index-page foobot http://foo.com/allowed-slash/',
    '§2.2.2',
    'a rule for /index.html does not reach its end in the path of the folder',
  ],
  [
    'non-ascii-paths FooBot http://foo.bar/foo/bar/ツ',
    '§2.2.2',
    'octets beyond ASCII are encoded in the URL before they are compared',
  ],
  ['non-ascii-paths FooBot http://foo.bar/foo/bar/ツ', '§2.2.2', 'the same, for a rule that is encoded already'],
  [
    'non-ascii-paths FooBot http://foo.bar/foo/bar/baz',
    '§2.2.2',
    'encoded unreserved octets are decoded before they are compared',
  ],
  ['327748 asdfbot http://m.example.com/robots.txt', '§2.2.2', '/robots.txt is implicitly allowed'],
  ['369883 BarBot http://example.com/robots.txt', '§2.2.2', '/robots.txt is implicitly allowed'],
  ['369883 AB http://example.com/robots.txt', '§2.2.2', '/robots.txt is implicitly allowed'],
  ['860237 XYZ http://example.com/robots.txt', '§2.2.2', '/robots.txt is implicitly allowed'],
]

test('Google’s 400 expectations hold but for the listed ones', (t) => {
  const path = sharedData('conformance/google-robotstxt-spec-test/ctc.json')
  if (path === undefined) return missing(t, 'conformance/google-robotstxt-spec-test')
  const suite: readonly ConformanceCase[] = JSON.parse(readFileSync(path, 'utf8'))
  const different: string[] = []
  let count = 0
  for (const { file, robotstxt_base64, expect } of suite) {
    const robots = parseRobots(Buffer.from(robotstxt_base64, 'base64'))
    for (const { ua, url, allowed } of expect) {
      count++
      const name = file.replace(/^.*\/|\.textproto$/g, '')
      if (isAllowed(robots, ua, url).allowed !== allowed) different.push(`${name} ${ua} ${url}`)
    }
  }
  assert.equal(count, 400)
  assert.deepEqual(
    different,
    exceptions.map(([row]) => row),
  )
  return undefined
})

/** Some files number their crawlers `bot1`, `bot2` …; a product token has no digits (§2.2.1), so all are `bot`. */
const commons: [file: string, token: string, path: string, expected: boolean][] = [
  ['rfc9309-example-simple-robots.txt', 'foobot', '/example/page.html', true],
  ['rfc9309-example-simple-robots.txt', 'foobot', '/example/page', false],
  ['rfc9309-example-simple-robots.txt', 'bazbot', '/example/page.html', false],
  ['rfc9309-example-simple-robots.txt', 'quxbot', '/example/page.html', true],
  ['rfc9309-example-simple-robots.txt', 'other', '/x.gif', false],
  ['rfc9309-example-rule-group-merging.txt', 'examplebot', '/baz', false],
  ['rfc9309-example-rule-group-merging.txt', 'examplebot', '/foo', false],
  ['rfc9309-example-longest-match-robots.txt', 'foobot', '/example/page/disallowed.gif', false],
  ['directive-typos-robots.txt', 'bot', '/desallow/', false],
  ['directive-typos-robots.txt', 'bot', '/dissalow/', false],
  ['format-errors-robots.txt', 'bot', '/whitespace-before-colon', true],
  ['format-errors-robots.txt', 'bot', '/no-colon/', false],
  ['merge-rules.txt', 'wget', '/foo/bar', true],
  ['merge-rules.txt', 'wget', '/tmp/bar', false],
  ['precedence-of-rules.txt', 'testy', '/foo/bar', true],
  ['precedence-of-rules.txt', 'testy', '/foo/baz', false],
  ['malformed-path.txt', 'a', '/wiki/Wikipedia_talk:Mediation_Committee/', false],
  ['malformed-path.txt', 'a', '/wiki/Wikipedia_talk%3AMediation_Committee/', false],
  ['malformed-path.txt', 'a', '/wiki/Wikipedia_talk%3Mediation_Committee/', false],
  ['many-user-agents.txt', 'CherryPickerElite', '/x', false],
  ['many-user-agents.txt', 'comity', '/x', true],
  ['robots-with-utf8-bom.txt', 'a', '/login.aspx', false],
  ['robots-with-utf16le-bom.txt', 'a', '/a/output/print', false],
  ['robots-with-utf16be-bom.txt', 'a', '/a/output/print', false],
  ['twitter.com-robots.txt', 'a', '/home?x', false],
  ['wildcards.txt', 'a', '/gp/cart', false],
]
for (const [file, token, path, expected] of commons) {
  test(`${file} of crawler-commons: ${token} ${expected ? 'may' : 'must not'} visit ${path}`, (t) => {
    const folder = sharedData('conformance/crawler-commons/robots')
    if (folder === undefined) return missing(t, 'conformance/crawler-commons')
    assert.equal(isAllowed(parseRobots(readFileSync(join(folder, file))), token, site + path).allowed, expected)
    return undefined
  })
}

const realDelays: [file: string, token: string, expected: number | undefined][] = [
  ['crawl-delay-group-merging.txt', 'mybot', 10],
  ['crawl-delay-group-merging.txt', 'yourbot', undefined],
  ['crawl-delay-group-merging.txt', 'comity', 30],
  ['twitter.com-robots.txt', 'slurp', 1],
  ['twitter.com-robots.txt', 'msnbot', 10],
  ['twitter.com-robots.txt', 'comity', undefined],
  ['astore.amazon.com-robots.txt', 'comity', 5],
]
for (const [file, token, expected] of realDelays) {
  test(`${file} of crawler-commons: ${token} rests ${expected ?? 'no given'} seconds`, (t) => {
    const folder = sharedData('conformance/crawler-commons/robots')
    if (folder === undefined) return missing(t, 'conformance/crawler-commons')
    const { crawlDelaySeconds } = parseRobots(readFileSync(join(folder, file))).rulesFor(token)
    assert.equal(crawlDelaySeconds, expected)
    return undefined
  })
}

test('no octets make it throw, and whatever they say robots.txt may be read', () => {
  const pieces = fc.constantFrom(
    'User-agent:',
    'Disallow:',
    'Allow:',
    '*',
    '$',
    '/',
    '%2',
    '%',
    '\r',
    '\n',
    '\r\n',
    '#',
    ' a ',
    '\xEF\xBB',
    '\0',
    '__proto__',
  )
  const files = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(files, fc.string(), fc.string({ unit: 'binary' }), (file, token, url) => {
      const robots = parseRobots(file)
      isAllowed(robots, token, url)
      assert.ok(isAllowed(robots, token, `${site}/robots.txt`).allowed)
    }),
    {
      interruptAfterTimeLimit: Number(process.env['COMITY_FUZZ_MS'] ?? 150),
      numRuns: 1_000_000,
      markInterruptAsFailure: false,
    },
  )
})
