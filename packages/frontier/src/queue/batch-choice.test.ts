import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseBatch } from './batch-choice.ts'

const given = fc.record({
  pages: fc.array(fc.record({ rank: fc.integer({ min: 0, max: 5 }), site: fc.nat(4) }), { maxLength: 40 }),
  size: fc.integer({ min: 1, max: 45 }),
})

const chosen = (pages: readonly { rank: number; site: number }[], size: number, spread: boolean): number[] => {
  const candidates = {
    pages: Uint32Array.from(pages, (_, i) => i),
    ranks: Float64Array.from(pages, ({ rank }) => rank),
    sites: Uint32Array.from(pages, ({ site }) => site),
  }
  return [...chooseBatch(candidates, size, spread)].toSorted((a, b) => a - b)
}

test('by rank alone no page is left out that is better than one taken', () => {
  fc.assert(
    fc.property(given, ({ pages, size }) => {
      const order = pages.map((_, i) => i).toSorted((a, b) => pages[a]!.rank - pages[b]!.rank || a - b)
      assert.deepEqual(
        chosen(pages, size, false),
        order.slice(0, size).toSorted((a, b) => a - b),
      )
    }),
  )
})

test('spread over sites, no site has two pages more than one that still has some, and each gives its best', () => {
  fc.assert(
    fc.property(given, ({ pages, size }) => {
      const batch = chosen(pages, size, true)
      assert.equal(batch.length, Math.min(size, pages.length))
      const taken = (site: number): number[] => batch.filter((page) => pages[page]!.site === site)
      const sites = [...new Set(pages.map(({ site }) => site))]
      for (const site of sites) {
        const own = pages.map((_, i) => i).filter((page) => pages[page]!.site === site)
        const best = own.toSorted((a, b) => pages[a]!.rank - pages[b]!.rank || a - b).slice(0, taken(site).length)
        assert.deepEqual(
          taken(site),
          best.toSorted((a, b) => a - b),
        )
        if (taken(site).length === own.length) continue
        for (const other of sites) assert.ok(taken(other).length <= taken(site).length + 1)
      }
    }),
  )
})
