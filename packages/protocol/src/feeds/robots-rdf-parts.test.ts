import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { robotsRdfParts, type RobotsRdfPartOptions } from './robots-rdf-parts.ts'

const base = 'https://a.example/docs/'
const defaults = { base, include: ['.htm'], reject: [], maximum: 1e6, firstPages: 250, partPages: 1_000 }

const selections: [sentence: string, options: Partial<RobotsRdfPartOptions>, expected: string][] = [
  ['by default whatever has ".htm" in it', {}, 'b.htm a.html c/d.html?x'],
  ['all, if so wished', { include: [''] }, ' a.html b.htm x.pdf c/d.html?x'],
  ['by expression', { include: [/\.(?:pdf|htm)$/g] }, 'b.htm x.pdf'],
  ['without what is rejected', { reject: ['/c/', /b\.htm$/] }, 'a.html'],
  ['the nearest, if not all', { maximum: 2 }, 'a.html b.htm'],
]
for (const [sentence, options, expected] of selections) {
  test(`pages are listed: ${sentence}`, () => {
    const urls = ['c/d.html?x', 'x.pdf', 'b.htm', '', 'a.html'].map((path) => ({ url: `${base}${path}` }))
    const others = [{ url: 'https://a.example/e.html' }, { url: 'https://b.example/docs/e.html' }]
    const parts = robotsRdfParts([...urls, ...others], { ...defaults, ...options })
    const listed = parts.flatMap(({ pages }) => pages.map(({ url }) => url.slice(base.length)))
    assert.deepEqual(listed.toSorted(), expected.split(' ').toSorted())
  })
}

/** So many pages on each level. */
function site(...counts: number[]): { url: string }[] {
  return counts.flatMap((count, level) =>
    Array.from({ length: count }, (_, i) => ({ url: `${base}${'d/'.repeat(level)}${i}.html` })),
  )
}

function shape(pages: { url: string }[]): string {
  return robotsRdfParts(pages, defaults)
    .map(({ name, pages: some }) => `${name}:${some.length}`)
    .join(' ')
}

const splits: [sentence: string, counts: number[], expected: string][] = [
  ['a small site is one file', [1, 9, 200], 'robots.rdf:210'],
  ['the top levels are together while they fit', [1, 9, 241], 'robots.rdf:10 robots.2.rdf:241'],
  ['each other level is on its own', [1, 300, 5], 'robots.rdf:1 robots.1.rdf:300 robots.2.rdf:5'],
  ['a site all on one level has it in a second file', [300], 'robots.rdf:0 robots.0.rdf:300'],
  ['no page is still a file', [], 'robots.rdf:0'],
]
for (const [sentence, counts, expected] of splits) test(sentence, () => assert.equal(shape(site(...counts)), expected))

test('a large level is in pieces, and a new page changes one of them', () => {
  const before = robotsRdfParts(site(1, 9_000), defaults)
  const after = robotsRdfParts([...site(1, 9_000), { url: `${base}d/new.html` }], defaults)
  assert.equal(before.length, 17)
  assert.ok(before.every(({ pages }) => pages.length <= 1_000))
  const changed = after.filter(({ pages }, i) => pages.length !== before[i]?.pages.length)
  assert.equal(changed.length, 1)
  assert.match(changed[0]!.name, /^robots\.1\.\d+\.rdf$/)
})

test('every page is in one part', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(20), { maxLength: 5 }),
      fc.nat(20),
      fc.integer({ min: 1, max: 9 }),
      (counts, firstPages, partPages) => {
        const pages = site(...counts)
        const parts = robotsRdfParts(pages, { ...defaults, firstPages, partPages })
        assert.equal(new Set(parts.map(({ name }) => name)).size, parts.length)
        assert.ok(parts[0]!.pages.length <= firstPages)
        const urls = parts.flatMap((part) => part.pages.map(({ url }) => url))
        assert.deepEqual(urls.toSorted(), pages.map(({ url }) => url).toSorted())
      },
    ),
  )
})
