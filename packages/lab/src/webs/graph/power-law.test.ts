import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitPowerLaw, fitTail } from './power-law.ts'
import { createRandom } from '@comity/testbed'

/** Whole numbers from `from` on that follow a power law: a continuous one from half below, rounded (their appendix D). */
function sample(exponent: number, from: number, count: number, seed: number): Uint32Array {
  const random = createRandom(seed)
  const draw = (): number => Math.floor((from - 0.5) * (1 - random.next()) ** (-1 / (exponent - 1)) + 0.5)
  return Uint32Array.from({ length: count }, () => Math.min(draw(), 0xffffffff))
}

for (const exponent of [1.8, 2.1, 3]) {
  test(`an exponent of ${exponent} is found again`, () => {
    const law = fitPowerLaw(sample(exponent, 6, 20_000, 1))
    assert.ok(law !== undefined && Math.abs(law.exponent - exponent) < 0.1, `found ${law?.exponent}`)
    assert.ok(law.distance < 0.03)
  })
}

test('what lies below the law is told from it', () => {
  const flat = Uint32Array.from({ length: 5_000 }, (_, i) => i % 40)
  const law = fitPowerLaw(Uint32Array.of(...flat, ...sample(2.5, 40, 5_000, 2)))
  assert.ok(law !== undefined && law.from >= 30 && law.from <= 80, `begins at ${law?.from}`)
})

test('the exponent is 1 + n / Σ ln(x / (from − 1/2))', () => {
  const law = fitTail(Uint32Array.of(10, 20, 40))
  const logs = Math.log(10 / 9.5) + Math.log(20 / 9.5) + Math.log(40 / 9.5)
  assert.equal(law?.exponent, 1 + 3 / logs)
  assert.deepEqual([law.from, law.count], [10, 3])
})

test('too few values, or all alike, follow no law', () => {
  assert.equal(fitPowerLaw(sample(2, 6, 49, 3)), undefined)
  assert.equal(fitPowerLaw(new Uint32Array(1_000).fill(7)), undefined)
  assert.equal(fitPowerLaw(new Uint32Array(0)), undefined)
  assert.equal(fitTail(new Uint32Array(3)), undefined)
})
