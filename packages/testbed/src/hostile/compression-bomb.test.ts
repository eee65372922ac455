import assert from 'node:assert/strict'
import { pipeline } from 'node:stream/promises'
import { Readable, Writable } from 'node:stream'
import type { Transform } from 'node:stream'
import { test } from 'node:test'
import { crc32, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress, gunzipSync } from 'node:zlib'
import * as bombs from './compression-bomb.ts'

test('the checksum of a gibibyte of zeros is what it says', () => {
  const zeros = Buffer.alloc(1 << 20)
  let crc = 0
  for (let n = 0; n < bombs.bombBytes / zeros.length; n += 1) crc = crc32(zeros, crc)
  assert.equal(crc, bombs.zerosCrc)
})

/** Decodes until `enough`: the crawler must stop there, and so do we, for a whole gibibyte takes seconds. */
async function decodedBytes(bomb: Uint8Array, decoder: Transform, enough: number): Promise<number> {
  let count = 0
  const counter = new Writable({
    write: (piece: Uint8Array, _, done) => {
      count += piece.length
      done(count >= enough ? new Error('enough') : null)
    },
  })
  await pipeline(Readable.from([bomb]), decoder, counter).catch((error: unknown) => {
    if (!(error instanceof Error && error.message === 'enough')) throw error
  })
  return count
}

const cases: [name: string, bomb: () => Uint8Array | Promise<Uint8Array>, decoder: () => Transform, most: number][] = [
  ['gzip', bombs.gzipBomb, createGunzip, 1_100_000],
  ['deflate', bombs.deflateBomb, createInflate, 1_100_000],
  ['br', bombs.brotliBomb, createBrotliDecompress, 110_000],
  ['zstd', bombs.zstdBomb, createZstdDecompress, 40_000],
]
for (const [name, make, decoder, most] of cases) {
  test(`the ${name} bomb is small and unpacks to far more than it weighs`, async () => {
    const bomb = await make()
    assert.ok(bomb.length < most, String(bomb.length))
    assert.ok((await decodedBytes(bomb, decoder(), 64 << 20)) >= 64 << 20)
  })
}

test('the gzip bomb in gzip weighs a few kilobytes', () => {
  const packed = bombs.gzippedGzipBomb()
  assert.ok(packed.length < 10_000, String(packed.length))
  assert.deepEqual(gunzipSync(packed), bombs.gzipBomb())
})
