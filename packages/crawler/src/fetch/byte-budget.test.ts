import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteBudget } from './byte-budget.ts'

test('without a cap nobody ever pauses', () => assert.equal(new ByteBudget(Infinity).draw(1e12, 0), 0))

test('the debt is shared: readers that take turns pause for what the others took, too', () => {
  const budget = new ByteBudget(1_000)
  assert.equal(budget.draw(1_000, 10_000), 750, 'a quarter of a second was saved up')
  assert.equal(budget.draw(500, 10_000), 1_250)
  assert.equal(budget.draw(500, 11_250), 500)
})

test('silence saves up a quarter of a second and no more', () => {
  const budget = new ByteBudget(1_000)
  budget.draw(1, 0)
  assert.equal(budget.draw(250, 1_000_000), 0)
  assert.equal(budget.draw(100, 1_000_000), 100)
})

test('whoever pauses as told never passes the rate by more than the quarter second and one chunk', () => {
  const chunks = fc.array(fc.integer({ min: 1, max: 65_536 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1_000, max: 1_000_000 }), (sizes, rate) => {
      const budget = new ByteBudget(rate)
      const start = 1_000_000
      let now = start
      let sum = 0
      for (const size of sizes) {
        now += budget.draw(size, now)
        sum += size
        const allowed = (rate * (now - start + 250)) / 1_000
        assert.ok(sum <= allowed + 1, `${sum} bytes of ${allowed}`)
      }
    }),
  )
})
