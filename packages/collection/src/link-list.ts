/**
 * The links of one page, as stored: targets as page ids, anchors as one compressed text.
 *
 *   varint count · per link: varint zigzag(target − previous target) · the rest: zstd of the anchors, one a line
 *
 * Targets keep the order of the page, which the delta hardly minds: pages link to neighbours.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

export interface StoredLink {
  readonly to: number
  readonly anchor: string
}

/** The anchors of a page as they are stored; made where the page is parsed, off the main thread. */
export function packAnchors(anchors: readonly string[]): Uint8Array {
  const text = anchors.map((anchor) => anchor.replaceAll('\n', ' ')).join('\n')
  return text.trim() === '' ? new Uint8Array(0) : zstdCompressSync(text)
}

export function encodeLinks(targets: readonly number[], anchors: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(5 + targets.length * 5 + anchors.length)
  let at = writeVarint(bytes, 0, targets.length)
  let previous = 0
  for (const target of targets) {
    const delta = target - previous
    at = writeVarint(bytes, at, delta < 0 ? -2 * delta - 1 : 2 * delta)
    previous = target
  }
  bytes.set(anchors, at)
  return bytes.subarray(0, at + anchors.length)
}

export function decodeLinks(bytes: Uint8Array, maxAnchorBytes: number = 64 << 20): StoredLink[] {
  const cursor = { at: 0 }
  const count = readVarint(bytes, cursor)
  const targets: number[] = []
  let previous = 0
  for (let i = 0; i < count; i++) {
    const zigzag = readVarint(bytes, cursor)
    previous += zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2
    targets.push(previous)
  }
  const packed = bytes.subarray(cursor.at)
  const anchors =
    packed.length === 0 ? [] : zstdDecompressSync(packed, { maxOutputLength: maxAnchorBytes }).toString('utf8').split('\n')
  return targets.map((to, i) => ({ to, anchor: anchors[i] ?? '' }))
}

function writeVarint(bytes: Uint8Array, from: number, value: number): number {
  let [at, rest] = [from, value]
  while (rest >= 0x80) {
    bytes[at++] = (rest % 0x80) | 0x80
    rest = Math.floor(rest / 0x80)
  }
  bytes[at++] = rest
  return at
}

function readVarint(bytes: Uint8Array, cursor: { at: number }): number {
  let value = 0
  for (let scale = 1; ; scale *= 0x80) {
    const byte = bytes[cursor.at++]
    if (byte === undefined) throw new RangeError('a link list ends in the middle of a number')
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value
  }
}
