import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { commonText } from './common-text.ts'

const rare = (i: number): string => `<p class="rare">A line that two pages have, ${i}, and no more than two.</p>\n`

test('the most common text goes in first, and stands last', () => {
  const common = '<p class="common">A line that every page has, wherever it is.</p>\n'
  const bodies = Array.from({ length: 40 }, (_, i) => Buffer.from(`${rare(i >> 1)}<b>${i}</b>\n${common}`))
  const text = commonText(bodies, { maxBytes: 400 }).toString()
  assert.ok(text.length <= 400)
  assert.ok(text.endsWith(common))
  assert.ok(text.includes('rare'))
})

test('whatever the pages are, no more comes out than allowed, and nothing of a page that is alone', () => {
  const pages = fc.array(fc.string({ unit: fc.constantFrom('<p>', 'a word that is long enough', '\n', '<b>', 'x') }), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(pages, fc.nat(500), (texts, maxBytes) => {
      const common = commonText(
        texts.map((text) => Buffer.from(text)),
        { maxBytes },
      )
      assert.ok(common.length <= maxBytes)
      if (texts.length < 2) assert.equal(common.length, 0)
    }),
  )
})
