/**
 * The links of one page, as stored: targets as page ids, anchors as one text.
 *
 *   varint count · per link: varint zigzag(target − previous target) · u8 0 plain or 1 zstd · the anchors, one a line
 *
 * Targets keep the order of the page, which the delta hardly minds: pages link to neighbours. Nothing follows the
 * targets when no link has words.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { collectionDamaged } from '../errors.ts'

const ZSTD = 1
/** Below this, setting up a compressor costs more than it saves. */
const MIN_COMPRESSED_CHARS = 4_096
/** The anchors of a page are cut where it is read; no list we write comes near this. */
const MAX_ANCHOR_BYTES = 64 << 20
/** Page ids are 32 bits, and so a varint is never longer than a zigzag of 33. */
const MAX_VARINT_BYTES = 5
const MAX_PAGE = 0xffffffff

export interface StoredLink {
  readonly to: number
  readonly anchor: string
}

/** The anchors of a page as they are stored; made where the page is parsed, off the main thread. One line each. */
export function packAnchors(anchors: readonly string[]): Uint8Array {
  const text = anchors.join('\n')
  // Nothing but line ends: no link of the page has words.
  if (text.length < anchors.length) return new Uint8Array(0)
  if (text.length < MIN_COMPRESSED_CHARS) return Buffer.from(`\0${text}`)
  return Buffer.concat([Buffer.of(ZSTD), zstdCompressSync(text)])
}

export function encodeLinks(targets: readonly number[], anchors: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(MAX_VARINT_BYTES * (1 + targets.length) + anchors.length)
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

/** Read a list back. Damaged bytes throw a named error; they never cost more than their own length. */
export function decodeLinks(bytes: Uint8Array, maxAnchorBytes: number = MAX_ANCHOR_BYTES): StoredLink[] {
  const { targets, end } = readTargets(bytes)
  const anchors = unpackAnchors(bytes.subarray(end), maxAnchorBytes)
  return targets.map((to, i) => ({ to, anchor: anchors[i] ?? '' }))
}

/** Where the links lead; the anchors stay packed. */
export const decodeTargets = (bytes: Uint8Array): readonly number[] => readTargets(bytes).targets

/** The list without its links to the pages `isGone` names; the very same bytes when it has none. */
export function withoutTargets(bytes: Uint8Array, isGone: (page: number) => boolean): Uint8Array {
  if (!readTargets(bytes).targets.some(isGone)) return bytes
  const kept = decodeLinks(bytes).filter(({ to }) => !isGone(to))
  const targets = kept.map(({ to }) => to)
  return encodeLinks(targets, packAnchors(kept.map(({ anchor }) => anchor)))
}

/** Whether a list holds a link to this page; the anchors stay packed. */
export function linksTo(bytes: Uint8Array, page: number): boolean {
  return decodeTargets(bytes).includes(page)
}

function readTargets(bytes: Uint8Array): { targets: number[]; end: number } {
  const cursor = { at: 0 }
  const count = readVarint(bytes, cursor)
  if (count > bytes.length - cursor.at) throw damaged(`speaks of ${count} links in ${bytes.length} bytes`)
  const targets: number[] = []
  let previous = 0
  for (let i = 0; i < count; i++) {
    const zigzag = readVarint(bytes, cursor)
    previous += zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2
    if (previous < 0 || previous > MAX_PAGE) throw damaged(`names page ${previous}`)
    targets.push(previous)
  }
  return { targets, end: cursor.at }
}

/** The anchors of a page, one a link; none when no link of it has words. */
export function unpackAnchors(packed: Uint8Array, maxOutputLength: number = MAX_ANCHOR_BYTES): string[] {
  const [kind] = packed
  if (kind === undefined) return []
  if (kind > ZSTD) throw damaged(`has anchors of kind ${kind}`)
  try {
    const text = packed.subarray(1)
    const bytes = kind === ZSTD ? zstdDecompressSync(text, { maxOutputLength }) : Buffer.from(text)
    return bytes.toString('utf8').split('\n')
  } catch (cause) {
    throw damaged('has anchors that cannot be unpacked', cause)
  }
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
  for (let i = 0, scale = 1; i < MAX_VARINT_BYTES; i++, scale *= 0x80) {
    const byte = bytes[cursor.at++]
    if (byte === undefined) throw damaged('ends in the middle of a number')
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value
  }
  throw damaged('holds a number that does not end')
}

const damaged = (what: string, cause?: unknown): Error => collectionDamaged(`A page's list of links ${what}.`, cause)
