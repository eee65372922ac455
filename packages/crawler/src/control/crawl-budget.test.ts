import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlBudget } from './crawl-budget.ts'
import { RunBudget } from './crawl-budget.ts'
import { budgetFor, crawlOptions } from '../options.ts'

const options = crawlOptions({ maxPages: 100, sites: [{ host: 'a.example', maxPages: 7 }] })

test('what is not named stays', () => {
  const budget = new RunBudget(options)
  const before = budget.get()
  budget.change({ maxPages: Infinity, sitePages: 3 })
  assert.deepEqual(budget.get(), { ...before, maxPages: Infinity, sitePages: 3 })
  assert.equal(budget.siteBudget.maxKnown, options.siteBudget.maxKnown)
})

test('a site with limits of its own keeps them', () => {
  const budget = new RunBudget(options)
  budget.change({ sitePages: 3, siteBytes: 1_000 })
  assert.deepEqual(budgetFor(budget, 'http://b.example').maxPages, 3)
  assert.deepEqual(budgetFor(budget, 'http://a.example').maxPages, 7)
  assert.deepEqual(budgetFor(budget, 'http://a.example').maxBytes, 1_000)
})

// oxfmt-ignore
const bad: [sentence: string, wanted: object, message: RegExp][] = [
  ['a name that is none',       { maxPages: 5, pages: 1 },   /no budget "pages"/],
  ['nothing at all',            { maxPages: 0 },             /maxPages must be more than 0, not 0/],
  ['no number',                 { siteBytes: '5' },          /siteBytes must be more than 0, not 5/],
  ['a number that is none',     { maxBytes: Number.NaN },    /maxBytes must be more than 0, not NaN/],
  ['one good and one bad part', { maxPages: 5, maxBytes: -1 }, /maxBytes must be more than 0, not -1/],
]
for (const [sentence, wanted, message] of bad) {
  test(`${sentence} is refused, and changes nothing`, () => {
    const budget = new RunBudget(options)
    const before: CrawlBudget = budget.get()
    assert.throws(() => budget.change(wanted), { code: 'OPTION_INVALID', message })
    assert.deepEqual(budget.get(), before)
  })
}
