import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalUrl } from '@comity/protocol'
import type { WrittenWeb } from './page.ts'
import { servedPaths } from './paths.ts'

const silent = { titleOf: () => '', bodyOf: () => '', anchorOf: () => '' }

function webAt(urls: readonly string[]): WrittenWeb {
  return {
    name: 'urls',
    pages: urls.length,
    starts: new Uint32Array(urls.length + 1),
    targets: new Uint32Array(0),
    sites: 1,
    siteOf: new Uint32Array(urls.length),
    homes: [0],
    words: { ...silent, urlOf: (page) => urls[page]! },
  }
}

const cases: [sentence: string, urls: readonly string[], expected: readonly string[]][] = [
  ['a page keeps its path', ['http://a.example/', 'http://a.example/b/c.html?d'], ['/', '/b/c.html?d']],
  ['two addresses of one page get two paths', ['http://a.example/b', 'http://a.example/b#c'], ['/b', '/page-1']],
  ['a picture by its name is served as the page it is', ['http://a.example/b.png'], ['/page-0']],
  ['what looks like a trap is not', [`http://a.example/${'b/'.repeat(9)}`], ['/page-0']],
  ['robots.txt is no page', ['http://a.example/robots.txt'], ['/page-0']],
  ['what is no URL gets a path', ['mailto:a@a.example', ''], ['/page-0', '/page-1']],
  ['a made-up path that is taken makes room', ['http://a.example/page-1', ''], ['/page-1', '/page-1-']],
]
for (const [sentence, urls, expected] of cases) {
  test(sentence, () => {
    const paths = servedPaths(webAt(urls))
    assert.deepEqual(
      urls.map((_, page) => paths.pathOf(page)),
      expected,
    )
  })
}

test('whatever the addresses, every page has a path of its own that a crawler leaves as it is', () => {
  const address = fc.oneof(
    fc.webUrl({ withQueryParameters: true }),
    fc.string(),
    fc.constant('http://a.example/page-1'),
  )
  fc.assert(
    fc.property(fc.array(address, { minLength: 1, maxLength: 20 }), (urls) => {
      const paths = servedPaths(webAt(urls))
      for (const page of urls.keys()) {
        const path = paths.pathOf(page)
        assert.equal(paths.pageAt(0, path), page)
        assert.equal(canonicalUrl(`http://127.0.0.1:81${path}`), `http://127.0.0.1:81${path}`)
      }
    }),
  )
})
