import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Figure } from './model.ts'
import { textWidth } from './naming.ts'
import { drawFigure } from './plot.ts'

const size = { width: 720, height: 420 }
const line = (name: string, ys: readonly number[]): Figure['series'][number] => ({
  name,
  points: ys.map((y, x) => ({ x, y })),
})
const figure = (series: Figure['series'], more: Partial<Figure> = {}): Figure => {
  return {
    id: 'f',
    kind: 'lines',
    title: 'Title',
    caption: 'What to see',
    x: { label: 'x' },
    y: { label: 'y' },
    series,
    ...more,
  }
}

test('lines that end apart carry their names at their ends, without a key', () => {
  const { svg, key } = drawFigure(figure([line('upper', [0, 5, 9]), line('lower', [0, 1, 2])]), [0, 1], size)
  assert.deepEqual(key, [])
  assert.match(svg, />upper<\/text>/)
})

test('lines too close to be named get a key, from the highest to the lowest', () => {
  const close = Array.from({ length: 8 }, (_, i) => line(`line ${i}`, [0, 1 + i / 100, 1]))
  const { svg, key } = drawFigure(figure(close), [0, 1, 2, 3, 4, 5, 6, 7], size)
  assert.deepEqual(
    key.map(({ name }) => name),
    close.map(({ name }) => name).toReversed(),
  )
  assert.equal(key[0]?.dashed, true, 'the second round of colours is dashed')
  assert.doesNotMatch(svg, />line 0<\/text>/)
})

test('one line needs no name', () => {
  assert.doesNotMatch(drawFigure(figure([line('only', [1, 2])]), [0], size).svg, />only</)
})

test('zeros on a logarithmic axis are left out and counted', () => {
  const log = figure([line('a', [0, 10, 1_000]), line('b', [-1, 0, 1])], { y: { label: 'y', scale: 'log' } })
  assert.equal(drawFigure(log, [0, 1], size).leftOut, 3)
})

test('a plot says what it is to those who cannot see it', () => {
  const { svg } = drawFigure(figure([line('a', [1, 2])]), [0], size)
  assert.match(svg, /^<svg [^>]*role="img" aria-label="Title"><title>Title<\/title><desc>What to see<\/desc>/)
})

test('bars carry their values, whiskers and the names of their groups', () => {
  const points = [
    { x: 0, y: 0.5, low: 0.4, high: 0.6 },
    { x: 1, y: 0.125 },
  ]
  const bars = figure([{ name: 'a', points }], {
    kind: 'bars',
    x: { label: '', categories: ['PageRank', 'random'] },
    y: { label: 'y', unit: 'share' },
  })
  const { svg, key } = drawFigure(bars, [0], size)
  for (const text of ['50\u00a0%', '12.5\u00a0%', 'PageRank', 'random'])
    assert.ok(svg.includes(`>${text}</text>`), text)
  assert.deepEqual(key, [])
})

/** The numbers under a plot: where their middles are, and how wide they may be. */
function numbersUnder(svg: string): { readonly at: number; readonly width: number; readonly text: string }[] {
  const labels = /<g font-variant="tabular-nums".*?<\/g>/s.exec(svg)?.[0] ?? ''
  const each = [...labels.matchAll(/<text[^>]*translate\(([\d.]+),[^>]*>([^<]*)<\/text>/g)]
  return each.map(([, at, text = '']) => ({ at: Number(at), width: textWidth(text), text }))
}

for (const width of [320, 360, 720]) {
  test(`the numbers of a logarithmic axis do not run into each other, ${width} pixels wide`, () => {
    for (const [low, high] of [
      [1, 90],
      [1_000, 8e9],
      [0.0001, 5e5],
    ] as const) {
      const bars = figure(
        [
          {
            name: 'a',
            points: [
              { x: 0, y: low },
              { x: 1, y: high },
            ],
          },
        ],
        {
          kind: 'bars',
          x: { label: '', categories: ['a category of some length', 'b'] },
          y: { label: 'y', unit: 'bytes', scale: 'log' },
        },
      )
      const numbers = numbersUnder(drawFigure(bars, [0], { width, height: 420 }).svg)
      assert.ok(numbers.length >= 2, `${numbers.length} numbers from ${low} to ${high}`)
      for (const [i, one] of numbers.entries()) {
        const next = numbers[i + 1]
        if (next !== undefined)
          assert.ok(next.at - one.at >= (one.width + next.width) / 2, `${one.text} and ${next.text}`)
      }
    }
  })
}

test('a crawl of a hundred thousand steps is drawn small', () => {
  const long = line(
    'a',
    Array.from({ length: 100_000 }, (_, i) => Math.sqrt(i)),
  )
  assert.ok(drawFigure(figure([long]), [0], size).svg.length < 12_000)
})
