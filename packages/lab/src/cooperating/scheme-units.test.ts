// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editedBody, madePages } from '../webs/made-pages.ts'
import { LIST_FORMS, measureUnits } from './scheme-units.ts'
import type { SchemeUnits } from './scheme-units.ts'
import { SITE_BASE } from './server.ts'
import { createRandom } from '@comity/testbed'

const pages = madePages({ pages: 80, meanBytes: 6_000, seed: 1 })
const measured = async (share: number): Promise<SchemeUnits> => {
  const random = createRandom(1)
  const edit = ({ body }: { readonly body: Uint8Array }): Uint8Array => editedBody(body, share, 'place', random)
  return await measureUnits(pages, { base: SITE_BASE, changed: 10, edit })
}
const units = await measured(0.05)

test('a page costs its heads and its bytes, a 304 about its heads', () => {
  assert.ok(units.page.heads > 300 && units.page.heads < 700)
  assert.equal(units.page.share, 1)
  assert.ok(Math.abs(units.notModified.bytes - units.page.heads) < 150)
  assert.ok(units.packed.share > 0.2 && units.packed.share < 0.5)
})

test('a list that has nothing to tell costs little, and news cost more', () => {
  for (const form of LIST_FORMS) {
    const { nothing, change } = units.lists[form]
    assert.ok(nothing.bytes < 3_000 && change.bytes > 10, `${form}: ${nothing.bytes}, ${change.bytes}`)
  }
})

test('differences are a small share of pages that change a little, pulled and pushed alike', () => {
  for (const { share } of [units.difference, units.filterDifferences.content, units.push.differences])
    assert.ok(share < 0.2, `${share}`)
  assert.ok(units.push.differences.share < units.push.pages.share / 2)
})

test('where all of a page changes a difference is no better than the page, packed', async () => {
  const { difference, packed } = await measured(1)
  assert.ok(difference.share > 0.8 * packed.share, `${difference.share} ${packed.share}`)
})

test('a batch asks by lines and answers in a packed stream; the dump is packed, too', () => {
  assert.ok(units.batch.line > 50 && units.batch.line < 250, `${units.batch.line}`)
  for (const share of [units.batch.whole.share, units.filterPages.content.share, units.dump.share])
    assert.ok(share > 0.15 && share < 0.55, `${share}`)
  assert.ok(units.batch.content.share < units.batch.whole.share / 2, 'of what is held, what differs is enough')
})

test('a notice weighs the same whatever the page, and a batch less than its pages one by one', () => {
  assert.equal(units.push.changes.share, 0)
  assert.ok(units.push.changes.heads > 700 && units.push.changes.heads < 2_000)
  assert.ok(units.push.batches.share < units.push.pages.share)
})

const bytesOf = ({ page, packed, lists, difference, batch, dump, push }: SchemeUnits): unknown[] => [
  page.heads,
  packed.share,
  LIST_FORMS.map((form) => [lists[form].nothing.bytes, lists[form].change.bytes]),
  difference.share,
  batch.content.share,
  dump.share,
  Object.values(push).map(({ heads, share }) => [heads, share]),
]

test('bytes are the same each time', async () => {
  assert.deepEqual(bytesOf(await measured(0.05)), bytesOf(units))
})

test('no pages, nothing to measure', () =>
  assert.rejects(measureUnits([], { base: SITE_BASE, changed: 1, edit: ({ body }) => body }), RangeError))
