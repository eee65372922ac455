/** Mutations: samples that are nearly right, which is where parsers break. Drawn from a seed, so that a find repeats. */
import type { Random } from '@comity/testbed'

const MAX_BYTES = 65_536

/** One to eight changes to the sample: bytes flipped, cut, doubled, moved, or replaced by words that mean something. */
export function mutated(sample: Uint8Array, wordOf: () => Uint8Array, random: Random): Buffer {
  let bytes: Buffer = Buffer.from(sample)
  for (let change = random.between(1, 8); change > 0; change--) bytes = changed(bytes, wordOf, random)
  return bytes.subarray(0, MAX_BYTES)
}

function changed(bytes: Buffer, wordOf: () => Uint8Array, random: Random): Buffer {
  const at = random.int(bytes.length + 1)
  const end = Math.min(bytes.length, at + 1 + random.int(random.pick([4, 64, 4_096])))
  const [before, middle, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
  switch (random.int(10)) {
    case 0:
      return Buffer.concat([before, flipped(middle, random), after])
    case 1:
      return Buffer.concat([before, after])
    case 2:
      return Buffer.concat([before, ...Array.from({ length: 1 + random.int(20) }, () => middle), after])
    case 3:
      return Buffer.concat([after, middle, before])
    case 4:
      return Buffer.from(before)
    case 5:
      return Buffer.concat([
        before,
        Buffer.from(Array.from({ length: 1 + random.int(16) }, () => random.int(256))),
        after,
      ])
    case 6:
    case 7:
      return withWord(bytes, at, wordOf())
    default:
      return Buffer.concat([before, ...Array.from({ length: 1 + random.int(3) }, wordOf), after])
  }
}

/** In the place of the name or number that stands there: a key, a label, a length of the format's own. */
function withWord(bytes: Buffer, at: number, word: Uint8Array): Buffer {
  let [from, to] = [at, at]
  while (from > 0 && isOfWord(bytes[from - 1]!)) from--
  while (to < bytes.length && isOfWord(bytes[to]!)) to++
  return Buffer.concat([bytes.subarray(0, from), word, bytes.subarray(to)])
}

/** Letters, digits, `-` and `_`. */
const isOfWord = (byte: number): boolean =>
  (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || byte === 45 || byte === 95

function flipped(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes)
  const index = random.int(copy.length)
  if (copy.length > 0) copy[index] = (copy[index] ?? 0) ^ (1 << random.int(8))
  return copy
}
