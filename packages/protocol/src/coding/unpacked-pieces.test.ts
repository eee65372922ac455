import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { decodeBody } from './content-coding.ts'
import { unpackedPieces } from './unpacked-pieces.ts'
import type { UnpackLimits } from './unpacked-pieces.ts'

const MB = 1 << 20
const text = Buffer.from(Array.from({ length: 60_000 }, (_, n) => (n * 7_919).toString(36)).join(' '))

interface Unpacked {
  readonly kind: string
  readonly body: Buffer
  readonly longest: number
}

async function unpacked(
  body: Uint8Array,
  coding: string | undefined,
  limits: UnpackLimits = { maxBytes: MB },
): Promise<Unpacked> {
  const pieces: Uint8Array[] = []
  const given = unpackedPieces(body, coding, limits)
  let step = await given.next()
  for (; step.done !== true; step = await given.next()) pieces.push(step.value)
  return {
    kind: step.value.kind,
    body: Buffer.concat(pieces),
    longest: Math.max(0, ...pieces.map(({ length }) => length)),
  }
}

/** Not at the usual quality, which takes a hundred times as long and shows nothing else. */
const brotli = (body: Uint8Array): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })

// oxfmt-ignore
const codings: [coding: string, pack: (body: Uint8Array) => Uint8Array][] = [
  ['gzip', gzipSync], ['x-gzip', gzipSync], ['deflate', deflateSync], ['deflate', deflateRawSync],
  ['br', brotli], ['zstd', zstdCompressSync],
  ['br, gzip', (body) => gzipSync(brotli(body))],
]
for (const [coding, pack] of codings) {
  test(`${coding} is undone piece by piece, to what decodeBody makes of it`, async () => {
    const { kind, body, longest } = await unpacked(pack(text), coding)
    assert.deepEqual([kind, body.equals(text), longest <= 65_536], ['ok', true, true])
  })

  test(`${coding} that is cut gives what there was`, async () => {
    const packed = pack(text).subarray(0, -20)
    const whole = decodeBody(packed, coding, { maxBytes: MB })
    const { kind, body } = await unpacked(packed, coding)
    assert.deepEqual([kind, whole.kind], ['truncated', 'truncated'])
    assert.ok(body.length > text.length / 2 && body.equals(text.subarray(0, body.length)))
  })
}

test('what unpacks to more than the limit is given up to it, and in any layer', async () => {
  const bomb = gzipSync(Buffer.alloc(40 * MB))
  for (const [packed, coding] of [[bomb, 'gzip'] as const, [gzipSync(bomb), 'gzip, gzip'] as const]) {
    const { kind, body, longest } = await unpacked(packed, coding)
    assert.deepEqual([kind, body.length, longest <= 65_536], ['too-large', MB, true])
  }
  assert.deepEqual((await unpacked(gzipSync(gzipSync('')), 'gzip', { maxBytes: 10 })).kind, 'too-large')
})

test('a wrong sum loses nothing that came before it, a fault in the middle little', async () => {
  const packed = gzipSync(text)
  const wrong = Buffer.from(packed)
  wrong[wrong.length - 6]! ^= 1
  const summed = await unpacked(wrong, 'gzip')
  assert.deepEqual([summed.kind, summed.body.equals(text)], ['corrupt', true])
  const broken = Buffer.from(packed).fill(0xff, packed.length >> 1, (packed.length >> 1) + 64)
  const { kind, body } = await unpacked(broken, 'gzip')
  assert.deepEqual([kind, body.length > text.length / 3], ['corrupt', true])
})

test('a gzip file is undone as well where lists come in them, and only where it is one', async () => {
  const limits = { maxBytes: MB, alsoGzip: true }
  for (const [body, coding] of [
    [gzipSync(text), undefined],
    [gzipSync(gzipSync(text)), 'gzip'],
    [text, undefined],
  ] as const) {
    const came = await unpacked(body, coding, limits)
    assert.deepEqual([came.kind, came.body.equals(text)], ['ok', true])
  }
})

test('no content, an unknown coding, and what is no coding at all', async () => {
  assert.deepEqual(
    [(await unpacked(new Uint8Array(0), 'gzip')).kind, (await unpacked(text, 'compress')).kind],
    ['ok', 'unknown-coding'],
  )
  assert.deepEqual(
    [(await unpacked(text, 'gzip')).kind, (await unpacked(text, undefined)).body.equals(text)],
    ['corrupt', true],
  )
})
