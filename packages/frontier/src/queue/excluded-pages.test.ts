import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { excludedPages } from './excluded-pages.ts'
import { EXCLUSION_REASONS, reasonCode } from './exclusion-reasons.ts'
import { EXCLUDED, WAITING } from './page-table.ts'

test('of each reason all pages are counted, and the first that was met is named', () => {
  const known = fc.array(fc.option(fc.constantFrom(...EXCLUSION_REASONS)), { maxLength: 60 })
  fc.assert(
    fc.property(known, (reasons) => {
      const pages = {
        count: reasons.length,
        stateOf: (page: number) => (reasons[page] == null ? WAITING : EXCLUDED),
        exclusionOf: (page: number) => reasonCode(reasons[page]!),
      }
      const { counts, examples } = excludedPages(pages, (page) => `https://a.example/${page}`)
      const met = EXCLUSION_REASONS.filter((reason) => reasons.includes(reason))
      assert.deepEqual([Object.keys(counts), Object.keys(examples)], [met, met])
      for (const reason of met) {
        assert.equal(counts[reason], reasons.filter((one) => one === reason).length)
        assert.equal(examples[reason], `https://a.example/${reasons.indexOf(reason)}`)
      }
    }),
  )
})
