import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { IndexError } from '../errors.ts'
import { testFolder } from '../testing/sample-index.ts'
import { SegmentFile, SegmentFileWriter } from './segment-file.ts'

const TAIL_BYTES = 40

function write(path: string, frames: readonly Uint8Array[]): void {
  const file = new SegmentFileWriter(path)
  for (const frame of frames) file.frame(frame)
  file.finish(Buffer.from('the directory'))
  file.close()
}

test('frames of any size are read back, whatever the buffer holds', (t) => {
  const path = join(testFolder(t), 'a.seg')
  const frames = [0, 1, 1_000, (1 << 20) - 9, 1 << 20, 3 << 20, 5].map((size) =>
    // Steps that zstd cannot pack away, so that the file is as large as its frames.
    Uint8Array.from({ length: size }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24),
  )
  const writer = new SegmentFileWriter(path)
  const places = frames.map((frame) => writer.frame(frame))
  const bytes = writer.finish(Buffer.from('the directory'))
  writer.close()
  const file = new SegmentFile(path)
  t.after(() => file.close())
  assert.equal(file.bytes, bytes)
  assert.equal(Buffer.from(file.directory()).toString(), 'the directory')
  for (const [i, place] of places.entries()) assert.ok(Buffer.from(file.frame(place)).equals(frames[i] as Uint8Array))
})

test('a file is written once: a name that is taken is refused', (t) => {
  const path = join(testFolder(t), 'a.seg')
  write(path, [])
  assert.throws(() => new SegmentFileWriter(path), { code: 'EEXIST' })
})

for (const format of [0, 2, 77]) {
  test(`format ${format} is refused by its number`, (t) => {
    const path = join(testFolder(t), 'a.seg')
    write(path, [])
    const bytes = readFileSync(path)
    const tail = bytes.subarray(bytes.length - TAIL_BYTES)
    tail.writeUInt32LE(format, 0)
    tail.writeUInt32LE(crc32(tail.subarray(0, 32)), 32)
    writeFileSync(path, bytes)
    const file = new SegmentFile(path)
    t.after(() => file.close())
    assert.throws(
      () => file.directory(),
      (error) =>
        error instanceof IndexError && error.code === 'SEGMENT_UNKNOWN' && error.message.includes(`format ${format};`),
    )
  })
}

test('a tail that points outside the file is refused, even with a right sum', (t) => {
  const path = join(testFolder(t), 'a.seg')
  write(path, [])
  const bytes = readFileSync(path)
  const tail = bytes.subarray(bytes.length - TAIL_BYTES)
  for (const [offset, packed] of [
    [2n ** 60n, 10n],
    [0n, 2n ** 62n],
  ] as const) {
    tail.writeBigUInt64LE(offset, 4)
    tail.writeBigUInt64LE(packed, 12)
    tail.writeUInt32LE(crc32(tail.subarray(0, 32)), 32)
    writeFileSync(path, bytes)
    const file = new SegmentFile(path)
    assert.throws(() => file.directory(), { name: 'IndexError', code: 'SEGMENT_DAMAGED' })
    file.close()
  }
})
