/** Hostile codings: bodies that unpack to too much, to nonsense, or not at all (RFC 9110 §8.4). */
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { brotliBomb, deflateBomb, gzipBomb, gzippedGzipBomb, zstdBomb } from './compression-bomb.ts'
import { page } from './case.ts'
import type { HostileCase, HostileVisit } from './case.ts'
import { fineHtml, htmlType, respond } from '../raw-response.ts'

const html = fineHtml('A fine page', 'with some words to pack '.repeat(40))
const coded = (visit: HostileVisit, coding: string, body: string | Uint8Array): Promise<void> =>
  respond(visit, '200 OK', body, [htmlType, ['Content-Encoding', coding]])
const cut = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, Math.floor(bytes.length / 2))
const spoilt = (bytes: Uint8Array, fromEnd: number): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  const index = copy.length - fromEnd
  copy[index] = (copy[index] ?? 0) ^ 255
  return copy
}

export const codingCases: readonly HostileCase[] = [
  page('gzip-bomb', 'sends a gibibyte of zeros as a megabyte of gzip', 'decoded-too-large', (visit) =>
    coded(visit, 'gzip', gzipBomb()),
  ),
  page('deflate-bomb', 'sends a gibibyte of zeros as deflate', 'decoded-too-large', (visit) =>
    coded(visit, 'deflate', deflateBomb()),
  ),
  page('brotli-bomb', 'sends a gibibyte of zeros as brotli', 'decoded-too-large', async (visit) =>
    coded(visit, 'br', await brotliBomb()),
  ),
  page('zstd-bomb', 'sends a gibibyte of zeros as 32 kilobytes of zstd', 'decoded-too-large', (visit) =>
    coded(visit, 'zstd', zstdBomb()),
  ),
  page('stacked-bomb', 'packs a gzip bomb in gzip', 'decoded-too-large', (visit) =>
    coded(visit, 'gzip, gzip', gzippedGzipBomb()),
  ),
  page('corrupt-gzip-crc', 'sends gzip with a wrong checksum', 'bad-coding', (visit) =>
    coded(visit, 'gzip', spoilt(gzipSync(html), 6)),
  ),
  page('corrupt-gzip-middle', 'sends gzip with a wrong byte in the middle', 'bad-coding', (visit) => {
    const packed = gzipSync(html)
    return coded(visit, 'gzip', spoilt(packed, packed.length - 40))
  }),
  page('cut-gzip', 'sends half of a gzip body as if it were whole', 'bad-coding', (visit) =>
    coded(visit, 'gzip', cut(gzipSync(html))),
  ),
  page('cut-brotli', 'sends half of a brotli body as if it were whole', 'bad-coding', (visit) =>
    coded(visit, 'br', cut(brotliCompressSync(html))),
  ),
  page('cut-zstd', 'sends half of a zstd body as if it were whole', 'bad-coding', (visit) =>
    coded(visit, 'zstd', cut(zstdCompressSync(html))),
  ),
  page('unknown-coding', 'uses a content coding nobody knows', 'bad-coding', (visit) =>
    coded(visit, 'pied-piper', html),
  ),
  page('plain-as-gzip', 'calls plain text gzip', 'bad-coding', (visit) => coded(visit, 'gzip', html)),
  page('plain-as-brotli', 'calls plain text brotli', 'bad-coding', (visit) => coded(visit, 'br', html)),
  page('empty-gzip', 'calls an empty body gzip', 'ok', (visit) => coded(visit, 'gzip', '')),
  page('twenty-codings', 'packs its page twenty times', 'bad-coding', (visit) => {
    const packed = Array.from({ length: 20 }).reduce<Uint8Array>((bytes) => gzipSync(bytes), Buffer.from(html))
    return coded(visit, Array.from({ length: 20 }, () => 'gzip').join(', '), packed)
  }),
  page('two-codings', 'packs its page twice, and says so', 'ok', (visit) =>
    coded(visit, 'gzip, br', brotliCompressSync(gzipSync(html))),
  ),
  page('identity-coding', 'says that its body is coded as identity', 'ok', (visit) => coded(visit, 'identity', html)),
  // RFC 9110 §8.4.1.2: some send the bare format without the zlib wrapper, so clients take both.
  page('raw-deflate', 'sends deflate without its wrapper', 'ok', (visit) =>
    coded(visit, 'deflate', deflateRawSync(html)),
  ),
  page('gzip-with-tail', 'appends garbage to its gzip', 'bad-coding', (visit) =>
    coded(visit, 'gzip', Buffer.concat([gzipSync(html), Buffer.from('garbage')])),
  ),
  page('x-gzip', 'uses the old name of gzip', 'ok', (visit) => coded(visit, 'x-gzip', gzipSync(html))),
]
