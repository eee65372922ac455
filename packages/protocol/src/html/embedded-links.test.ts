import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '../testing/processor-time.ts'
import { linkedFormat, readEmbeddedLinks } from './embedded-links.ts'
import type { LinkedFormat } from './embedded-links.ts'

const url = 'https://a.example/blog/feed'
const hub = '<link rel="hub" href="https://hub.example/">'
const cases: [sentence: string, format: LinkedFormat, text: string, expected: string][] = [
  [
    'links of the head',
    'html',
    `<html><head>${hub}<link rel=self href=/feed></head>`,
    'hub https://hub.example/, self https://a.example/feed',
  ],
  ['a head that nobody wrote', 'html', `<!doctype html><title>x</title>${hub}<p>text`, 'hub https://hub.example/'],
  ['what stands in the body counts for nothing', 'html', `<html><head></head><body>${hub}</body>`, ''],
  ['a body that nobody wrote', 'html', `<title>x</title><p>comment: ${hub}`, ''],
  [
    'a template is no head',
    'html',
    `<head><template>${hub}</template><link rel=self href=x></head>`,
    'self https://a.example/blog/x',
  ],
  ['texts and comments hold no links', 'html', `<head><title>${hub}</title><script>"${hub}"</script><!--${hub}-->`, ''],
  [
    'several relations, references and a base',
    'html',
    '<base href="/b/"><link rel="HUB alternate" href="h?a&amp;b">',
    'hub alternate https://a.example/b/h?a&b',
  ],
  [
    'a feed of Atom',
    'xml',
    '<feed xmlns="http://www.w3.org/2005/Atom"><link rel="hub" href="https://hub.example/"/><link rel="self" href="feed"/></feed>',
    'hub https://hub.example/, self https://a.example/blog/feed',
  ],
  [
    'links of entries are not those of the feed',
    'xml',
    '<feed><entry><link rel="self" href="/e"/></entry><link rel="self" href="/f"/></feed>',
    'self https://a.example/f',
  ],
  [
    'a channel of RSS',
    'xml',
    '<rss><channel><link>https://a.example/</link><atom:link rel="hub" href="/h"/><item><atom:link rel="self" href="/i"/></item></channel></rss>',
    'hub https://a.example/h',
  ],
  [
    'a list of ResourceSync',
    'xml',
    '<urlset><rs:ln rel="hub" href="https://hub.example/"/><url><rs:ln rel="self" href="/x"/></url></urlset>',
    'hub https://hub.example/',
  ],
  [
    'no XML at all',
    'xml',
    '<feed><title>a & b</title><link rel="hub" href="https://hub.example/?a&b"/><broken',
    'hub https://hub.example/?a&b',
  ],
  [
    'targets that lead nowhere',
    'html',
    '<head><link rel=hub href="javascript:x"><link rel=hub href=""><link rel=hub>',
    '',
  ],
]
for (const [sentence, format, text, expected] of cases) {
  test(`embedded links: ${sentence}`, () => {
    const links = readEmbeddedLinks(text, format, url).map(({ rels, href }) => `${rels.join(' ')} ${href}`)
    assert.equal(links.join(', '), expected)
  })
}

test('formats by media type', () => {
  const types = [
    'text/html; charset=utf-8',
    'application/xhtml+xml',
    'application/atom+xml',
    'text/xml',
    'text/plain',
    undefined,
  ]
  assert.deepEqual(types.map(linkedFormat), ['html', 'html', 'xml', 'xml', undefined, undefined])
})

test('nothing makes it throw, whatever the document is', () => {
  const bits = fc.constantFrom(
    '<link ',
    'rel="hub"',
    ' href="/x"',
    '>',
    '/>',
    '<head>',
    '</head>',
    '<body>',
    '<feed>',
    '&amp;',
    '<!--',
    '"',
    '<template>',
    '</template>',
    '\0',
  )
  const texts = fc.oneof(
    fc.array(bits, { maxLength: 40 }).map((all) => all.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(texts, fc.constantFrom('html' as const, 'xml' as const), (text, format) => {
      for (const { href } of readEmbeddedLinks(text, format, url)) assert.match(href, /^https?:\/\//)
    }),
    { numRuns: 500 },
  )
})

test('a megabyte of links is read in good time and kept in part', () => {
  for (const format of ['html', 'xml'] as const) {
    const text = `${format === 'xml' ? '<feed>' : ''}${'<link rel="hub" href="/x"/>'.repeat(100_000)}`
    const started = processorMs()
    assert.equal(readEmbeddedLinks(text, format, url).length, 256)
    assert.ok(processorMs() - started < 3_000)
  }
})
