import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { subWeb } from './graph-part.ts'
import { linksOf } from './web-graph.ts'
import type { WebGraph } from './web-graph.ts'

/** 0 → 1, 3; 1 → 0, 2, 3; 2 → 0; 3 → 2. Page 2 alone is on site 1. */
const web: WebGraph = {
  name: 'test',
  pages: 4,
  starts: Uint32Array.of(0, 2, 5, 6, 7),
  targets: Uint32Array.of(1, 3, 0, 2, 3, 0, 2),
  sites: 3,
  siteOf: Uint32Array.of(0, 2, 1, 2),
  homes: [2, 3],
  bytes: Uint32Array.of(10, 11, 12, 13),
  latencyMs: Float32Array.of(1, 2, 3),
  bandwidth: Float32Array.of(100, 200, 300),
  words: {
    urlOf: (page) => `url ${page}`,
    titleOf: (page) => `title ${page}`,
    bodyOf: (page) => `body ${page}`,
    anchorOf: (link) => `anchor ${link}`,
  },
}

test('a part has the pages kept, the links among them, and all that is known of both', () => {
  const part = subWeb(web, Uint8Array.of(1, 1, 0, 1))
  const { words, ...rest } = part
  assert.deepEqual(rest, {
    name: 'test',
    pages: 3,
    starts: Uint32Array.of(0, 2, 4, 4),
    targets: Uint32Array.of(1, 2, 0, 2),
    sites: 2,
    siteOf: Uint32Array.of(0, 1, 1),
    homes: [2],
    bytes: Uint32Array.of(10, 11, 13),
    latencyMs: Float32Array.of(1, 3),
    bandwidth: Float32Array.of(100, 300),
  })
  assert.deepEqual([words!.urlOf(2), words!.titleOf(1), words!.bodyOf(0)], ['url 3', 'title 1', 'body 0'])
  assert.deepEqual(
    [0, 1, 2, 3].map((link) => words!.anchorOf(link)),
    ['anchor 0', 'anchor 1', 'anchor 2', 'anchor 4'],
  )
})

test('the whole is a part of itself, and nothing is one too', () => {
  const { words: _, ...whole } = subWeb(web, new Uint8Array(4).fill(1))
  const { words: __, ...expected } = web
  assert.deepEqual(whole, expected)
  assert.equal(subWeb(web, new Uint8Array(4)).pages, 0)
  assert.equal(subWeb(web, new Uint8Array(0)).sites, 0)
})

/** Each link as `from → to: anchor`, of pages that are kept. */
function named(of: WebGraph, isKept: (url: string) => boolean): string[] {
  const links: string[] = []
  for (let page = 0; page < of.pages; page++) {
    const from = of.words!.urlOf(page)
    for (const [i, target] of linksOf(of, page).entries()) {
      const to = of.words!.urlOf(target)
      if (isKept(from) && isKept(to)) links.push(`${from} → ${to}: ${of.words!.anchorOf(of.starts[page]! + i)}`)
    }
  }
  return links
}

test('a link is kept just when both its ends are, with its own anchor', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1), { minLength: 4, maxLength: 4 }), (keep) => {
      const part = subWeb(web, Uint8Array.from(keep))
      const expected = named(web, (url) => keep[Number(url.slice(4))] === 1)
      assert.deepEqual(
        named(part, () => true),
        expected,
      )
    }),
  )
})
