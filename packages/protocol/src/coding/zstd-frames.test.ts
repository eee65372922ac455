import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { decodeBody } from './content-coding.ts'
import { unpackedPieces } from './unpacked-pieces.ts'
import { unpackZstd, ZstdUnpacker } from './zstd-frames.ts'

const LIMIT = { maxOutputLength: 1 << 20 }
/** A frame that holds nothing for who unpacks (RFC 8878 §3.1.2). */
const skipped = (text: string): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32LE(0x184d2a50)
  head.writeUInt32LE(text.length, 4)
  return Buffer.concat([head, Buffer.from(text)])
}
const packed = (...texts: readonly string[]): Buffer => Buffer.concat(texts.map((text) => zstdCompressSync(text)))

async function streamed(input: Uint8Array, step: number): Promise<string> {
  const slices = Array.from({ length: Math.ceil(input.length / step) }, (_, n) =>
    input.subarray(n * step, (n + 1) * step),
  )
  const unpacker = new ZstdUnpacker()
  const source = Readable.from(slices)
  source.on('error', (error) => unpacker.destroy(error))
  return (await buffer(source.pipe(unpacker))).toString()
}

test('all frames are undone, at once and piece by piece, however they are cut', async () => {
  const part = fc.oneof(
    fc.string({ maxLength: 300 }).map((text) => ({ text, bytes: zstdCompressSync(text) })),
    fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((text) => ({ text: '', bytes: skipped(text) })),
  )
  const run = fc.asyncProperty(
    fc.array(part, { minLength: 1, maxLength: 6 }),
    fc.integer({ min: 1, max: 400 }),
    async (parts, step) => {
      const input = Buffer.concat(parts.map(({ bytes }) => bytes))
      const text = parts.map((one) => one.text).join('')
      assert.equal(unpackZstd(input, LIMIT).toString(), text)
      assert.equal(await streamed(input, step), text)
    },
  )
  await fc.assert(run, { numRuns: 60 })
})

test('a page of several frames is a whole page, and so is a list', async () => {
  const body = packed('one ', 'two ', 'three')
  const limits = { maxBytes: 1_000 }
  assert.deepEqual(decodeBody(body, 'zstd', limits), { kind: 'ok', body: Buffer.from('one two three') })
  const pieces: Uint8Array[] = []
  for await (const piece of unpackedPieces(body, 'zstd', limits)) pieces.push(piece)
  assert.equal(Buffer.concat(pieces).toString(), 'one two three')
})

test('the limit is of all frames together', () => {
  const body = packed('x'.repeat(600), 'y'.repeat(600))
  assert.equal(decodeBody(body, 'zstd', { maxBytes: 1_000 }).kind, 'too-large')
  assert.equal(decodeBody(body, 'zstd', { maxBytes: 1_200 }).kind, 'ok')
})

const damaged: [sentence: string, body: Buffer, kind: string, text: string][] = [
  [
    'a second frame that does not end is cut, and the first is there',
    packed('one ', 'two').subarray(0, -4),
    'truncated',
    'one ',
  ],
  [
    'what is no frame behind one is told, and the frame is there',
    Buffer.concat([packed('one '), Buffer.from('rubbish rubbish')]),
    'corrupt',
    'one ',
  ],
  [
    'frames of nothing without end are told',
    Buffer.concat(Array.from({ length: 5_000 }, () => packed(''))),
    'corrupt',
    '',
  ],
]
for (const [sentence, body, kind, text] of damaged) {
  test(sentence, async () => {
    const read = decodeBody(body, 'zstd', { maxBytes: 1_000 })
    assert.equal(read.kind, kind)
    assert.ok('body' in read)
    assert.equal(Buffer.from(read.body).toString().slice(0, text.length), text)
    if (kind === 'corrupt' && text !== '') await assert.rejects(streamed(body, 7))
  })
}

test('piece by piece no more is unpacked than is taken', async () => {
  const bomb = zstdCompressSync(Buffer.alloc(64 << 20))
  const unpacker = new ZstdUnpacker()
  unpacker.end(bomb)
  const first = (await unpacker[Symbol.asyncIterator]().next()).value as Buffer
  assert.ok(first.length > 0)
  assert.ok(unpacker.readableLength < 1 << 20, `${unpacker.readableLength} bytes wait`)
  unpacker.destroy()
})
