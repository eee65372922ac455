/** An index made from shipments is the index made from the pages: the same bytes, so the same answers. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import type { IndexDocument } from './document.ts'
import { IndexWriter } from './write/index-writer.ts'
import { readShipment, writeShipment } from './ship/posting-shipment.ts'
import { FUNCTION_WORDS } from './text/function-words.ts'
import { randomFrom, testFolder } from './testing/sample-index.ts'
import { samplePage } from './testing/sample-pages.ts'
import { SearchEngine } from './search-engine.ts'
import { shipDocument } from './ship/ship-document.ts'

const digest = `sha-256:${'0'.repeat(64)}`

function indexOf(t: TestContext, pages: readonly IndexDocument[], isShipped: boolean): string {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  if (!isShipped) for (const page of pages) writer.put(page)
  else {
    const read = readShipment(writeShipment(pages.map((page) => shipDocument({ ...page, digest }))))
    assert.ok(read.kind === 'shipment')
    for (const [i, document] of read.documents.entries()) {
      const { key, anchors, duplicateOf } = pages[i]!
      writer.putShipped(document, { key, anchors, duplicateOf })
    }
  }
  writer.commit(1)
  return dir
}

function segmentsOf(dir: string): Buffer[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith('.seg'))
    .toSorted()
    .map((name) => readFileSync(join(dir, name)))
}

/** Pages of many languages, made of their commonest words; some say what they are, some do not, some lie. */
function babel(seed: number, count: number): IndexDocument[] {
  const random = randomFrom(seed)
  const names = Object.keys(FUNCTION_WORDS)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  return Array.from({ length: count }, (_, key) => {
    const name = pick(names)
    const words = FUNCTION_WORDS[name]!.split(' ')
    const some = (most: number): string =>
      Array.from({ length: 1 + Math.floor(random() * most) }, () =>
        pick([...words, 'Running', "don't", '3.14', 'C++', 'a.b']),
      ).join(' ')
    const heading = some(4)
    return samplePage(key, `${some(500)}\n${heading}\n${some(500)}`, {
      title: some(6),
      headings: [heading],
      anchors: [some(3), some(3)],
      language: pick([name, undefined, 'en', 'x-nonsense']),
    })
  })
}

test('segments from shipments are the same bytes as from pages, in forty languages', (t) => {
  const pages = babel(11, 400)
  assert.deepEqual(segmentsOf(indexOf(t, pages, true)), segmentsOf(indexOf(t, pages, false)))
})

test('the same for any texts', (t) => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 })
  const page = fc.record({
    title: text,
    headings: fc.array(text, { maxLength: 2 }),
    body: text,
    language: fc.constantFrom(undefined, 'en', 'tr', 'zh'),
  })
  fc.assert(
    fc.property(fc.array(page, { minLength: 1, maxLength: 4 }), (rows) => {
      const pages = rows.map(({ body, ...more }, key) => samplePage(key, body, more))
      assert.deepEqual(segmentsOf(indexOf(t, pages, true)), segmentsOf(indexOf(t, pages, false)))
    }),
    { numRuns: 60 },
  )
})

test('a page that was put and then shipped is there once, with its newest words', async (t) => {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  writer.put(samplePage(1, 'old words'))
  writer.commit(1)
  writer.putShipped(shipDocument({ ...samplePage(1, 'new words'), digest }), { key: 1 })
  writer.commit(2)
  using engine = new SearchEngine(dir, { contentOf: async () => undefined })
  const found = async (query: string): Promise<number[]> =>
    (await engine.search({ query })).results.map(({ key }) => key)
  assert.deepEqual([await found('old'), await found('new'), await found('words')], [[], [1], [1]])
})

test('an overlong page is cut at the same place', (t) => {
  const long = Array.from({ length: 1_010_000 }, (_, i) => `w${i % 977}`).join(' ')
  const page = samplePage(1, long, { title: 'Long', anchors: ['the long one'] })
  assert.deepEqual(segmentsOf(indexOf(t, [page], true)), segmentsOf(indexOf(t, [page], false)))
})
