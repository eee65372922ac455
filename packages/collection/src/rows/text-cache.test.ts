import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeTexts } from './page-texts.ts'
import { TextCache } from './text-cache.ts'

const block = (first: number, count: number): { first: number; bytes: Buffer } => ({
  first: first + 1,
  bytes: encodeTexts(Array.from({ length: count }, (_, i) => ({ site: 0, path: `/${first + i}`, parent: 0 }))),
})

test('a text is found in the block that was kept, and nowhere else', () => {
  const cache = new TextCache()
  assert.equal(cache.find(3), undefined)
  cache.keep(3, block(2, 5))
  assert.deepEqual(
    [1, 2, 6, 7].map((page) => cache.find(page)?.path),
    [undefined, '/2', '/6', undefined],
  )
})

test('of two short blocks in one run the one asked for last is there', () => {
  const cache = new TextCache()
  cache.keep(2, block(2, 2))
  cache.keep(5, block(4, 2))
  assert.deepEqual(
    [2, 5].map((page) => cache.find(page)?.path),
    [undefined, '/5'],
  )
})

test('the oldest blocks give way', () => {
  const cache = new TextCache()
  for (let run = 0; run < 200; run++) cache.keep(run * 256, block(run * 256, 256))
  assert.equal(cache.find(0), undefined)
  assert.equal(cache.find(199 * 256 + 5)?.path, `/${199 * 256 + 5}`)
})
