import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '../testing/processor-time.ts'
import { linkTargets, parseLinkHeader } from './link-header.ts'

const cases: [sentence: string, value: string, links: [href: string, rels: string[]][]][] = [
  ['a link', '<https://a.example/caps.xml>; rel="resourcesync"', [['https://a.example/caps.xml', ['resourcesync']]]],
  ['a relation without quotes, in any case', '</x>;REL=Next', [['/x', ['next']]]],
  [
    'two links',
    '</x>; rel=hub, </y>; rel="self"',
    [
      ['/x', ['hub']],
      ['/y', ['self']],
    ],
  ],
  ['two relations of one link', '</x>; rel="self  canonical"', [['/x', ['self', 'canonical']]]],
  ['commas and semicolons inside of quotes and URLs', '</x,;y>; title="a, b; c"; rel=up', [['/x,;y', ['up']]]],
  ['a quote that is escaped', '</x>; title="a \\", b"; rel=up', [['/x', ['up']]]],
  ['the first of two relations', '</x>; rel=up; rel=next', [['/x', ['up']]]],
  ['a parameter without a value, and none at all', '</x>; crossorigin;; rel=up;', [['/x', ['up']]]],
  ['a link without a relation', '</x>', [['/x', []]]],
  ['nonsense before a link is passed over', 'nonsense; rel=up, </x>; rel=up', [['/x', ['up']]]],
  [
    'nonsense after a link is passed over',
    '</x> nonsense; rel=up, </y>; rel=up',
    [
      ['/x', []],
      ['/y', ['up']],
    ],
  ],
  ['a quote that is never closed', '</x>; rel=up; title="a', [['/x', ['up']]]],
  ['a URL that is never closed', '</x; rel=up, </y>; rel=up', [['/y', ['up']]]],
  ['nothing', '', []],
]
for (const [sentence, value, links] of cases) {
  test(`link header: ${sentence}`, () => {
    assert.deepEqual(
      parseLinkHeader(value).map(({ href, rels }) => [href, rels]),
      links,
    )
  })
}

test('the values of parameters are kept without quotes and escapes', () => {
  const [link] = parseLinkHeader(String.raw`</x>; rel=up; Title="a \"b\" \\"; pri=1`)
  assert.deepEqual(
    [...(link?.parameters ?? [])],
    [
      ['rel', 'up'],
      ['title', 'a "b" \\'],
      ['pri', '1'],
    ],
  )
})

test('targets come from every Link field, absolute, once, and without what is said of another page', () => {
  const headers = [
    ['Link', '<caps.xml>; rel=resourcesync, <ftp://a.example/>; rel=resourcesync'],
    ['link', '</b/caps.xml>; rel="up RESOURCESYNC"; anchor="#top"'],
    ['link', '<other.xml>; rel=resourcesync; anchor="/another"'],
    ['LINK', '<./caps.xml>; rel=resourcesync; anchor=""'],
    ['x-link', '<no.xml>; rel=resourcesync'],
  ] as const
  assert.deepEqual(linkTargets(headers, 'resourcesync', 'https://a.example/b/page#x'), ['https://a.example/b/caps.xml'])
})

test('a header of any length gives a bounded number of links, in good time', () => {
  for (const part of ['</x>;rel=a,', '<', '<,', ';', '</x>;a="', '</x>;a=\\"', ' ', '</x>' + ';a'.repeat(99) + ',']) {
    const started = processorMs()
    const links = parseLinkHeader(part.repeat(1_000_000 / part.length))
    assert.ok(processorMs() - started < 1_000)
    assert.ok(links.length <= 256 && links.every(({ parameters }) => parameters.size <= 32))
  }
})

test('links written are read as they were', () => {
  const token = fc.stringMatching(/^[a-z]{1,8}$/)
  const relations = fc.array(token, { minLength: 1, maxLength: 3 })
  const link = fc.record({ href: fc.webUrl(), rels: relations, title: fc.string() }, { noNullPrototype: true })
  const property = fc.property(fc.array(link, { maxLength: 5 }), (links) => {
    const value = links.map(
      ({ href, rels, title }) => `<${href}>; title=${quoted(title)}; rel=${quoted(rels.join(' '))}`,
    )
    const read = parseLinkHeader(value.join(', '))
    assert.deepEqual(
      read.map(({ href, rels, parameters }) => ({ href, rels, title: parameters.get('title') })),
      links,
    )
  })
  fc.assert(property)
})

test('no text makes the reader throw', () => {
  const bits = fc.constantFrom('<', '>', ';', ',', '=', '"', '\\', ' ', 'rel', 'x', '/', '\n', 'é')
  fc.assert(
    fc.property(
      fc.array(bits).map((list) => list.join('')),
      (text) => parseLinkHeader(text).length <= 256,
    ),
  )
})

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
