import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { encodeVcdiff } from '@comity/protocol'
import { editedBody, madeBody, madePages } from './made-pages.ts'
import { createRandom } from '@comity/testbed'

const pages = madePages({ pages: 300, meanBytes: 8_000, seed: 1 })

test('pages have the sizes asked for, on average, and pack as texts do', () => {
  const bytes = pages.reduce((sum, { body }) => sum + body.length, 0) / pages.length
  assert.ok(Math.abs(bytes / 8_000 - 1) < 0.25, `${bytes}`)
  const packed = pages.reduce((sum, { body }) => sum + gzipSync(body).length, 0) / pages.length
  assert.ok(packed / bytes > 0.2 && packed / bytes < 0.5, `${packed / bytes}`)
  assert.equal(new Set(pages.map(({ path }) => path)).size, 300)
})

test('the same seed gives the same pages', () => {
  assert.deepEqual(
    madePages({ pages: 5, meanBytes: 2_000, seed: 3 }),
    madePages({ pages: 5, meanBytes: 2_000, seed: 3 }),
  )
  assert.notDeepEqual(
    madePages({ pages: 5, meanBytes: 2_000, seed: 3 }),
    madePages({ pages: 5, meanBytes: 2_000, seed: 4 }),
  )
})

const sizes: number[] = [0, 100, 1_000, 30_000]
for (const bytes of sizes)
  test(`a page of ${bytes} bytes is as long as that, or its frame`, () => {
    const { length } = madeBody(bytes, createRandom(1))
    assert.ok(length >= bytes && length < Math.max(bytes, 400) + 100, `${length}`)
  })

const shares = [0, 0.02, 0.1, 0.5, 1]
for (const manner of ['place', 'scattered'] as const) {
  test(`edits (${manner}) change a page by more the larger their share`, () => {
    const body = madeBody(20_000, createRandom(2))
    const deltas = shares.map((share) => encodeVcdiff(body, editedBody(body, share, manner, createRandom(3))).length)
    for (const [at, bytes] of deltas.entries()) assert.ok(at === 0 || bytes > deltas[at - 1]!, deltas.join(' '))
    assert.ok(deltas[0]! > 0)
  })
}

test('edits in one place make shorter differences than scattered ones', () => {
  const body = madeBody(20_000, createRandom(2))
  const bytes = (manner: 'place' | 'scattered'): number =>
    encodeVcdiff(body, editedBody(body, 0.1, manner, createRandom(3))).length
  assert.ok(bytes('place') < bytes('scattered'))
})
