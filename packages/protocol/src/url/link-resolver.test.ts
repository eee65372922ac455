import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalUrl } from './canonical-url.ts'
import { createLinkResolver } from './link-resolver.ts'
import { defaultUrlRules } from './url-rules.ts'

const base = 'https://a.example/docs/guide/page.html?utm_source=x#top'

const cases: [sentence: string, href: string, expected: string | undefined][] = [
  ['a name stands in the folder of the page', 'next.html', 'https://a.example/docs/guide/next.html'],
  ['a rooted path keeps the site', '/about', 'https://a.example/about'],
  ['leading dots climb', '../../x/y', 'https://a.example/x/y'],
  ['no link climbs above the root', '../../../../x', 'https://a.example/x'],
  ['a dot stays where it is', './x', 'https://a.example/docs/guide/x'],
  ['a fragment alone is the page itself', '#part', 'https://a.example/docs/guide/page.html'],
  ['an empty link too', '', 'https://a.example/docs/guide/page.html'],
  ['a fragment is cut off', 'x#part', 'https://a.example/docs/guide/x'],
  ['a query is kept', 'x?page=2&n=3', 'https://a.example/docs/guide/x?page=2&n=3'],
  ['but not its tracking', 'x?page=2&gclid=3', 'https://a.example/docs/guide/x?page=2'],
  ['an absolute link is taken as it is', 'https://b.example/x/y', 'https://b.example/x/y'],
  ['its host is made canonical', 'http://B.Example:80', 'http://b.example/'],
  ['mail is not the Web', 'mailto:a@a.example', undefined],
  ['a host that is none', 'http://1.2.3.4.5/x', undefined],
]
for (const [sentence, href, expected] of cases) {
  test(sentence, () => assert.equal(createLinkResolver(base)(href), expected))
}

const bases = fc.constantFrom(
  base,
  'http://a.example',
  'http://a.example/a//b/',
  'http://me@A.example./x/%7e/y;jsessionid=1/z?q#f',
  'http://a.example/a;jsessionid=1/b',
  'http://a.example/(S(4hqa0555fwsecu455xqckv45))/b',
  'https://a.example/?sid=0123456789abcdef',
  'mailto:x',
  'nonsense',
)
// oxfmt-ignore
const pieces = fc.constantFrom(
  '', '.', '..', '/', '//', './', '../', 'a', 'B', '9', '~', '-', '_', '?', '&', '=', '#', ' ', '\n', '%41', '%2e', '%', ':',
  'http://', 'https://', 'http:', 'HTTP://', 'b.example', '127.1', '0x7f', '1.2.3.4.5', ':80', ':443', ':x', '@', 'utm_x=1',
  '\\', ';jsessionid=1', 'sid=0123456789abcdef', 'ü', '/.well-known', 'index.html', '(S(4hqa0555fwsecu455xqckv45))', 'xn--a', '.b.',
)

test('the fast way and the slow way always agree', () => {
  const hrefs = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(bases, fc.array(hrefs, { maxLength: 4 }), (page, links) => {
      const resolve = createLinkResolver(page)
      // Each twice: the second answer is the remembered one.
      for (const href of [...links, ...links])
        assert.equal(resolve(href), canonicalUrl(href, page), JSON.stringify([page, href]))
    }),
    { numRuns: 10_000 },
  )
})

test('the longest URL holds for the fast way as well', () => {
  const rules = { ...defaultUrlRules, maxLength: 30 }
  const resolve = createLinkResolver('http://a.example/', rules)
  for (const href of ['x'.repeat(13), 'x'.repeat(14), `x#${'y'.repeat(200)}`]) {
    assert.equal(resolve(href), canonicalUrl(href, 'http://a.example/', rules))
  }
})

test('no href, however odd, makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (href) =>
      assert.equal(createLinkResolver(base)(href), canonicalUrl(href, base)),
    ),
    {
      interruptAfterTimeLimit: Number(process.env['COMITY_FUZZ_MS'] ?? 150),
      numRuns: 1_000_000,
      markInterruptAsFailure: false,
    },
  )
})
