import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedLines, spread, withoutMenus } from './site-menus.ts'

const page = (n: number): string => `Home\nShop\nPage ${n}\nText of ${n}\nExamples\nOne of ${n}\nImprint\nContact`

test('what most pages repeat goes, and what only one says stays', () => {
  const shared = sharedLines([1, 2, 3, 4, 5].map(page))
  assert.equal(withoutMenus(page(9), shared), 'Page 9\nText of 9\nExamples\nOne of 9')
})

test('of three pages nobody knows what their site repeats', () => {
  assert.equal(withoutMenus(page(1), sharedLines([1, 2, 3].map(page))), page(1))
})

test('no line is made, moved or lost that is not shared', () => {
  const line = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g')
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(fc.array(text, { minLength: 4, maxLength: 8 }), text, (texts, own) => {
      const shared = sharedLines(texts)
      const left = withoutMenus(own, shared).split('\n')
      const isOwn = (one: string): boolean => one !== '' && !shared.has(one)
      assert.deepEqual(left.filter(isOwn), own.split('\n').filter(isOwn))
    }),
  )
})

test('few of many are compared, from all over the site', () => {
  const some = spread(Array.from({ length: 1_000 }, (_, i) => i))
  assert.deepEqual([some.length, some[0], some.at(-1)], [40, 0, 975])
})
