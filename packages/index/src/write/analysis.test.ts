import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Analyzer, type DocumentSense } from './analysis.ts'
import { MAX_POSITION, ZONE_GAP, ZONES, type IndexDocument } from '../document.ts'

const page: IndexDocument = {
  key: 1,
  url: 'https://www.example.org/guide/frontiers.html',
  title: 'Frontiers',
  headings: ['The Workbench'],
  text: 'The workbench holds the sites. Workbenches rest.',
  anchors: ['more on frontiers', ' more on frontiers', 'frontier'],
  language: 'en',
  type: 'text/html',
  at: 0,
}

interface Placed {
  readonly term: string
  readonly position: number
  readonly zone: number
}

function analyzed(change: Partial<IndexDocument>, analyzer = new Analyzer()): { sense: DocumentSense; line: Placed[] } {
  const line: Placed[] = []
  const sense = analyzer.analyze(
    { ...page, ...change },
    {
      addRun: (words, count, position) => {
        for (const [i, word] of words.subarray(0, count).entries())
          line.push({ term: analyzer.vocabulary.textOf(word & 0xff_ffff), position: position + i, zone: word >>> 24 })
      },
    },
  )
  return { sense, line }
}

function at(part: number, ...words: [term: string, zone: number][]): Placed[] {
  return words.map(([term, zone], word) => ({ term, position: part + word, zone }))
}

test('a page becomes one line: title, text, link words, URL words, with gaps between', () => {
  const { sense, line } = analyzed({})
  const { title, heading, anchor, url } = ZONES
  const text = 1 + ZONE_GAP
  const first = text + 7 + ZONE_GAP
  const second = first + 3 + ZONE_GAP
  assert.deepEqual(line, [
    ...at(0, ['frontier', title]),
    ...at(
      text,
      ['the', heading],
      ['workbench', heading],
      ['hold', 0],
      ['the', 0],
      ['site', 0],
      ['workbench', 0],
      ['rest', 0],
    ),
    ...at(first, ['more', anchor], ['on', anchor], ['frontier', anchor]),
    ...at(second, ['frontier', anchor]),
    ...at(second + 1 + ZONE_GAP, ['exampl', url], ['guid', url], ['frontier', url]),
  ])
  assert.deepEqual(sense, { language: 'en', length: 15, cut: 0 })
})

test('a page of unknown language is stemmed as English', () => {
  const { sense, line } = analyzed({ language: undefined, text: 'workbenches' })
  assert.equal(sense.language, 'und')
  assert.ok(line.some(({ term }) => term === 'workbench'))
})

test('of many link texts the sixteen most used are read, thirty-two words each', () => {
  const anchors = [...Array.from({ length: 100 }, (_, number) => `rare${number}`), 'often', 'often', 'x '.repeat(40)]
  const { sense, line } = analyzed({ anchors: [...anchors, 'x '.repeat(40)] })
  const words = line.filter(({ zone }) => zone === ZONES.anchor).map(({ term }) => term)
  assert.deepEqual(words.slice(0, 1), ['often'])
  assert.equal(words.filter((term) => term === 'x').length, 32)
  assert.equal(words.filter((term) => term.startsWith('rare')).length, 14)
  assert.equal(sense.cut, 8)
})

test('a page too long is cut, counted, and still has its link and URL words', () => {
  const { sense, line } = analyzed({ text: 'word '.repeat(MAX_POSITION + 10) })
  assert.equal(sense.length, line.length)
  assert.equal(sense.cut + line.filter(({ term, zone }) => term === 'word' && zone === 0).length, MAX_POSITION + 10)
  assert.ok(line.at(-1)!.position <= MAX_POSITION)
  assert.equal(line.at(-1)!.zone, ZONES.url)
})

test('any page gives terms in order of positions, none empty, and the same terms again', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.lorem({ maxCount: 50 }))
  const change = fc.record({
    url: fc.oneof(text, fc.webUrl()),
    title: text,
    headings: fc.array(text),
    text,
    anchors: fc.array(text),
    language: fc.option(fc.oneof(fc.string(), fc.constantFrom('en', 'de', 'tr')), { nil: undefined }),
  })
  const analyzer = new Analyzer()
  const property = fc.property(change, (changed) => {
    const { sense, line } = analyzed(changed, analyzer)
    let last = -1
    for (const { term, position } of line) {
      assert.ok(position > last && term !== '')
      last = position
    }
    assert.equal(sense.length, line.length)
    assert.deepEqual(analyzed(changed), { sense, line })
  })
  fc.assert(property)
})
