import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { WeightedLink } from './clusters.ts'
import { placeLabels } from './labels.ts'
import { HEIGHT, WIDTH, layOut } from './layout.ts'
import { sampleGraph } from '../testing/graph-fixture.ts'

const graph = sampleGraph(300, 3_000)
const pages = graph.sites.map((site) => site.pages)

test('300 sites and 3,000 links are laid out in under 300 ms, none over another', () => {
  assert.equal(graph.links.length, 3_000)
  layOut(pages, graph.links)
  // The best of three, in time of the processor: the machine may be doing something else.
  const times = [1, 2, 3].map(() => {
    const begun = process.cpuUsage()
    layOut(pages, graph.links)
    return process.cpuUsage(begun).user / 1_000
  })
  assert.ok(Math.min(...times) < 300, `${Math.min(...times)} ms`)
  const { x, y, radius } = layOut(pages, graph.links)
  let meeting = 0
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      if (Math.hypot(x[i]! - x[j]!, y[i]! - y[j]!) < radius[i]! + radius[j]! - 0.5) meeting++
    }
  }
  assert.equal(meeting, 0)
})

test('the same graph is the same picture', () => {
  assert.deepEqual(layOut(pages, graph.links), layOut(pages, graph.links))
})

const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length
const isInner = ([a, b]: readonly [number, number]): boolean => Math.floor(a / 10) === Math.floor(b / 10)

test('sites that link to each other stand nearer than others', () => {
  const groups = [0, 1, 2].flatMap((group) =>
    Array.from({ length: 100 }, (_, i): WeightedLink => [group * 10 + (i % 10), group * 10 + Math.floor(i / 10), 5]),
  )
  const { x, y, cluster } = layOut(
    Array.from({ length: 30 }, () => 10),
    [...groups, [0, 10, 1], [10, 20, 1]],
  )
  const away = (a: number, b: number): number => Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!)
  const all = Array.from({ length: 900 }, (_, i) => [Math.floor(i / 30), i % 30] as const).filter(([a, b]) => a < b)
  const inner = mean(all.filter(isInner).map(([a, b]) => away(a, b)))
  const outer = mean(all.filter((pair) => !isInner(pair)).map(([a, b]) => away(a, b)))
  assert.ok(inner * 2 < outer, `${inner} and ${outer}`)
  assert.equal(new Set(cluster).size, 3)
})

test('any graph stays in the picture, with numbers that are numbers', () => {
  const graphs = fc
    .integer({ min: 0, max: 12 })
    .chain((size) =>
      fc.tuple(
        fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: size, maxLength: size }),
        size === 0
          ? fc.constant([])
          : fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.nat(1e9)), { maxLength: 40 }),
      ),
    )
  fc.assert(
    fc.property(graphs, ([sizes, links]) => {
      const layout = layOut(sizes, links)
      for (const [i, x] of layout.x.entries()) {
        assert.ok(x >= 0 && x <= WIDTH && layout.y[i]! >= 0 && layout.y[i]! <= HEIGHT, `${x} ${layout.y[i]}`)
        assert.ok(layout.radius[i]! > 0)
      }
    }),
  )
})

test('the largest sites are named, and no name covers another', () => {
  const layout = layOut(pages, graph.links)
  const names = graph.sites.map(({ origin }) => origin.slice(8))
  const labels = placeLabels(layout, names, 70)
  const shown = labels.flatMap((label, i) => (label.isShown ? [{ ...label, name: names[i]! }] : []))
  assert.ok(shown.length >= 40 && shown.length <= 70, `${shown.length} names`)
  assert.ok(labels.slice(0, 12).filter(({ isShown }) => isShown).length >= 11)
  for (const [i, a] of shown.entries()) {
    for (const b of shown.slice(0, i)) {
      if (Math.abs(a.y - b.y) >= 12 || a.anchor !== 'start' || b.anchor !== 'start') continue
      const [left, right] = a.x < b.x ? [a, b] : [b, a]
      assert.ok(left.x + left.name.length * 6 < right.x, `${a.name} and ${b.name}`)
    }
  }
})
