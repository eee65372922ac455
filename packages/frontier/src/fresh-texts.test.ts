import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FreshTexts } from './fresh-texts.ts'

const textOf = (path: string): { site: number; path: string; parent: number } => ({ site: 0, path, parent: 0 })

test('a text is at hand until its batch is stored, and the store is asked from then on', () => {
  const texts = new FreshTexts(10)
  texts.add(textOf('/10'))
  texts.add(textOf('/11'))
  assert.deepEqual(texts.drain(), { first: 10, texts: [textOf('/10'), textOf('/11')] })
  texts.add(textOf('/12'))
  texts.drain()
  texts.add(textOf('/13'))
  const paths = (): (string | undefined)[] => [9, 10, 11, 12, 13, 14].map((page) => texts.get(page)?.path)
  assert.deepEqual(paths(), [undefined, '/10', '/11', '/12', '/13', undefined])
  texts.stored()
  assert.deepEqual(paths(), [undefined, undefined, undefined, '/12', '/13', undefined])
  texts.stored()
  assert.deepEqual(paths(), [undefined, undefined, undefined, undefined, '/13', undefined])
})
