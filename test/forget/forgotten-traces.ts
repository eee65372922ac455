/** Looks for words in every file of a folder, and in whatever is packed in it, wherever it begins: gzip, zstd and deflate. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { constants, inflateRawSync, zstdDecompressSync } from 'node:zlib'

const MAX_BYTES = 64 << 20

/** How it begins, and how it is unpacked from there. */
const PACKINGS: readonly (readonly [magic: Buffer, unpack: (bytes: Buffer) => Buffer])[] = [
  // Without its head, so that something else may follow it.
  [Buffer.of(0x1f, 0x8b, 8, 0), (bytes) => inflate(bytes.subarray(10))],
  [Buffer.of(0x28, 0xb5, 0x2f, 0xfd), (bytes) => zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES })],
  [Buffer.from('PK\u0003\u0004', 'latin1'), inflateEntry],
]

function inflateEntry(bytes: Buffer): Buffer {
  const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28)
  return inflate(bytes.subarray(start))
}

function inflate(bytes: Buffer): Buffer {
  return inflateRawSync(bytes, { maxOutputLength: MAX_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
}

/** Files in which one of these words stands, with the word. */
export function tracesIn(dir: string, words: readonly string[]): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const found = wordsIn(readFileSync(path), words, 3)
      return found.map((word) => `${word} in ${relative(dir, path)}`)
    })
}

function wordsIn(bytes: Buffer, words: readonly string[], depth: number): string[] {
  const found = new Set(words.filter((word) => bytes.includes(word)))
  for (const inner of depth === 0 ? [] : packedIn(bytes))
    for (const word of wordsIn(inner, words, depth - 1)) found.add(word)
  return [...found]
}

function* packedIn(bytes: Buffer): Generator<Buffer> {
  for (const [magic, unpack] of PACKINGS) {
    for (let at = bytes.indexOf(magic); at !== -1; at = bytes.indexOf(magic, at + 1)) {
      try {
        yield unpack(bytes.subarray(at))
      } catch {
        // It only looks like one.
      }
    }
  }
}
