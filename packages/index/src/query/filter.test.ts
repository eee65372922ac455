import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInLanguage, isOfSite, isOfType, readFilter, type FilterName } from './filter.ts'

const now = Date.UTC(2026, 2, 31, 12)

const read: [text: string, values: unknown[]][] = [
  ['site:example.org', [{ host: 'example.org' }]],
  ['site:EXAMPLE.org.', [{ host: 'example.org' }]],
  ['site:.org', [{ host: 'org' }]],
  ['site:*.example.org', [{ host: 'example.org' }]],
  ['site:https://example.org/', [{ host: 'example.org' }]],
  ['site:example.org/docs/?a#b', [{ host: 'example.org', pathPrefix: '/docs/' }]],
  ['site:example.org/a/../ä', [{ host: 'example.org', pathPrefix: '/%C3%A4' }]],
  ['site:example.org//b', [{ host: 'example.org', pathPrefix: '//b' }]],
  ['site:localhost:8080', [{ host: 'localhost', port: 8080 }]],
  ['site:example.org:80/x', [{ host: 'example.org', port: 80, pathPrefix: '/x' }]],
  ['site:http://user:word@example.org:81', [{ host: 'example.org', port: 81 }]],
  ['site:127.0.0.1', [{ host: '127.0.0.1' }]],
  ['site:[::1]:80', [{ host: '[::1]', port: 80 }]],
  ['site:bücher.example', [{ host: 'xn--bcher-kva.example' }]],
  ['site:a.example,b.example', [{ host: 'a.example' }, { host: 'b.example' }]],
  ['type:PDF', ['pdf']],
  ['type:htm', ['html']],
  ['type:image/png', ['image/png']],
  ['type:image/*', ['image/*']],
  ['type:html|pdf,text', ['html', 'pdf', 'text']],
  ['lang:DE', ['de']],
  ['lang:pt_br', ['pt-BR']],
  ['lang:de,fr', ['de', 'fr']],
  ['since:2026-01-31', [Date.UTC(2026, 0, 31)]],
  ['since:2026-01', [Date.UTC(2026, 0, 1)]],
  ['since:2026', [Date.UTC(2026, 0, 1)]],
  ['since:2026-01-31T10:20:30.400Z', [Date.UTC(2026, 0, 31, 10, 20, 30, 400)]],
  ['since:24h', [now - 86_400_000]],
  ['since:7d', [now - 7 * 86_400_000]],
  ['since:2w', [now - 14 * 86_400_000]],
  ['since:1m', [Date.UTC(2026, 1, 28, 12)]],
  ['since:1y', [Date.UTC(2025, 2, 31, 12)]],
  ['since:99999y', [0]],
  ['since:0001-01-01', [0]],
]
for (const [text, values] of read) {
  test(`${text} is understood`, () => assert.deepEqual(readText(text), { name: text.split(':')[0], values }))
}

// oxfmt-ignore
const refused = [
  'site:', 'site:/docs', 'site:a b', 'site:example.org:99999', 'site:example.org:x', 'site:a%00b', 'site:[::1', 'site:...', 'site:ftp://a',
  'site:a,b/docs', 'site:a|b/', 'site:a,*/',
  'type:', 'type:foo', 'type:toString', 'type:image/', 'type:html,foo', 'lang:', 'lang:german', 'lang:d', 'lang:de-',
  'since:', 'since:2026-02-30', 'since:2026-13', 'since:2026-01-31T25:00Z', 'since:yesterday', 'since:-7d', 'since:123456d',
]
for (const text of refused) {
  test(`${text} is refused with an example`, () => {
    const sentence = readText(text)
    assert.ok(typeof sentence === 'string' && sentence.includes('as in'))
  })
}

const sites: [site: string, url: string, expected: boolean][] = [
  ['example.org', 'https://example.org/a', true],
  ['example.org', 'https://www.example.org/a', true],
  ['example.org', 'https://notexample.org/a', false],
  ['example.org:8080', 'http://example.org:8080/', true],
  ['example.org:8080', 'http://example.org/', false],
  ['example.org:443', 'https://example.org/', true],
  ['example.org/doc', 'https://example.org/doc', true],
  ['example.org/doc', 'https://example.org/doc/x?y', true],
  ['example.org/doc', 'https://example.org/docs', false],
  ['example.org/doc/', 'https://example.org/doc/x', true],
  ['example.org/doc/', 'https://example.org/doc', false],
]
for (const [site, url, expected] of sites) {
  test(`${url} is ${expected ? '' : 'not '}of site:${site}`, () => {
    const filter = readText(`site:${site}`)
    assert.ok(typeof filter === 'object' && filter.name === 'site')
    assert.equal(isOfSite(new URL(url), filter.values[0]!), expected)
  })
}

test('types are compared by name, by type and by family', () => {
  assert.ok(isOfType('application/xhtml+xml', 'html'))
  assert.ok(isOfType('image/png', 'image'))
  assert.ok(isOfType('image/png', 'image/*'))
  assert.ok(isOfType('image/png', 'image/png'))
  assert.ok(!isOfType('image/png', 'image/gif'))
  assert.ok(!isOfType('text/html', 'text'))
})

test('a language takes its regions, and a region what is only known by its language', () => {
  assert.ok(isInLanguage('de-at', 'de'))
  assert.ok(isInLanguage('de-AT', 'de-AT'))
  assert.ok(isInLanguage('de', 'de-AT'))
  assert.ok(!isInLanguage('de-CH', 'de-AT'))
  assert.ok(!isInLanguage('den', 'de'))
})

function readText(text: string): ReturnType<typeof readFilter> {
  const colon = text.indexOf(':')
  return readFilter(text.slice(0, colon) as FilterName, text.slice(colon + 1), now)
}
