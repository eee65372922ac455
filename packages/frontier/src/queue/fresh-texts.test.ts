import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FreshTexts } from './fresh-texts.ts'

test('a text is at hand until its batch is stored, and the store is asked from then on', () => {
  const texts = new FreshTexts(10)
  texts.add(1, '/10', 2)
  texts.add(1, '/11', 2)
  const { first, texts: drained } = texts.drain()
  assert.deepEqual(
    [first, ...drained.map(({ site, path, parent }) => [site, path, parent])],
    [10, [1, '/10', 2], [1, '/11', 2]],
  )
  texts.add(1, '/12', 2)
  texts.drain()
  texts.add(1, '/13', 2)
  const paths = (): (string | undefined)[] => [9, 10, 11, 12, 13, 14].map((page) => texts.get(page)?.path)
  assert.deepEqual(paths(), [undefined, '/10', '/11', '/12', '/13', undefined])
  texts.stored()
  assert.deepEqual(paths(), [undefined, undefined, undefined, '/12', '/13', undefined])
  texts.stored()
  assert.deepEqual(paths(), [undefined, undefined, undefined, undefined, '/13', undefined])
})
