// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { agreementOf, asFarOutside, bandOf, rankCurve } from './agreement.ts'

const ranks = Float64Array.of(0.5, 0.25, 0.125, 0.125)
const curveOf = (...visits: number[]): Float64Array => rankCurve(Uint32Array.from(visits), ranks)

test('a curve begins at nothing and adds what each page is worth', () => {
  assert.deepEqual([...curveOf(2, 0, 1, 3)], [0, 0.125, 0.625, 0.875, 1])
})

test('the band is as far as so many pages earlier or later can move the lowest and the highest', () => {
  const { mean, low, high } = bandOf([curveOf(0, 1, 2, 3), curveOf(1, 0, 2, 3)], 1)
  assert.deepEqual([...mean], [0, 0.375, 0.75, 0.875, 1])
  assert.deepEqual([...low], [0, 0, 0.25, 0.75, 0.875])
  assert.deepEqual([...high], [0.5, 0.75, 0.875, 1, 1])
})

test('two pages that change places are a distance, and one page in flight explains it', () => {
  const live = curveOf(1, 0, 2, 3)
  const simulated = [curveOf(0, 1, 2, 3)]
  const { distance, at, meanDistance, outside } = agreementOf(live, bandOf(simulated, 1))
  assert.deepEqual([distance, at, meanDistance, outside], [0.25, 1, 0.05, 0])
  assert.equal(agreementOf(live, bandOf(simulated, 0)).outside, 0.25)
})

test('a page that comes much too late lies outside of the band', () => {
  const { outside, distance } = agreementOf(curveOf(1, 2, 3, 0), bandOf([curveOf(0, 1, 2, 3)], 1))
  assert.deepEqual([distance, outside], [0.375, 0.25])
})

test('pages that add up to another last bit are not outside', () => {
  const tenths = Float64Array.of(0.1, 0.2, 0.3, 0.4)
  const [live, simulated] = [
    [0, 1, 2, 3],
    [2, 1, 0, 3],
  ].map((visits) => rankCurve(Uint32Array.from(visits), tenths))
  assert.notEqual(live![3], simulated![3])
  assert.equal(agreementOf(live!.subarray(3), bandOf([simulated!.subarray(3)], 0)).outside, 0)
})

test('a crawl that was cut short is compared as far as it goes', () => {
  const { distance, meanDistance } = agreementOf(curveOf(0), bandOf([curveOf(0, 1, 2, 3)], 2))
  assert.deepEqual([distance, meanDistance], [0, 0])
})

test('how far outside is far is what the simulated crawls say, each held against the others', () => {
  const [soon, late] = [curveOf(0, 1, 2, 3), curveOf(2, 3, 1, 0)]
  // The late one leaves the band of the others by 0.5 after three pages; each of the others stays inside of theirs.
  const simulated = [soon, soon, soon, late]
  assert.deepEqual(
    [0, 0.25, 0.5, 0.625].map((outside) => asFarOutside(outside, simulated, 0)),
    [1, 0.25, 0.25, 0],
  )
})

test('one simulated crawl alone cannot say what is far', () => {
  assert.equal(asFarOutside(0.5, [curveOf(0, 1, 2, 3)], 0), 1)
})

const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 })
const equal = new Float64Array(8).fill(1 / 8)

test('any simulated crawl agrees with itself, and more robots never explain less', () => {
  fc.assert(
    fc.property(order, order, fc.nat(8), (first, second, robots) => {
      const [a, b] = [first, second].map((visits) => rankCurve(Uint32Array.from(visits), ranks8))
      assert.equal(agreementOf(a!, bandOf([a!], robots)).distance, 0)
      assert.equal(agreementOf(a!, bandOf([a!, b!], 0)).outside, 0)
      const [few, many] = [robots, robots + 1].map((count) => agreementOf(b!, bandOf([a!], count)))
      assert.ok(many!.outside <= few!.outside && many!.explained >= few!.explained)
    }),
  )
})

test('where all pages are worth the same, every order agrees with every other', () => {
  fc.assert(
    fc.property(order, order, (first, second) => {
      const [a, b] = [first, second].map((visits) => rankCurve(Uint32Array.from(visits), equal))
      assert.equal(agreementOf(a!, bandOf([b!], 0)).distance, 0)
    }),
  )
})

const ranks8 = Float64Array.of(0.3, 0.2, 0.15, 0.1, 0.1, 0.05, 0.05, 0.05)
