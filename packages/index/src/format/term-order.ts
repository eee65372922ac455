/**
 * Term order: numbers of terms in the order of their texts (`compareTerms`). The first four bytes of a text and its number
 * are sorted together as one whole number each, which takes a tenth of the time of comparing texts; only texts that
 * begin alike are compared.
 */
import { compareTerms } from './posting.ts'
import type { Vocabulary } from '../text/vocabulary.ts'

const BEGIN_BYTES = 4

export function inOrderOfTerms(numbers: readonly number[], vocabulary: Vocabulary): Uint32Array {
  // Halves of whole numbers of eight bytes, the lower half first: a Uint32Array is little-endian wherever Node runs but
  // on s390x and AIX.
  const keys = new BigUint64Array(numbers.length)
  const halves = new Uint32Array(keys.buffer)
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!
    halves[2 * i] = number
    halves[2 * i + 1] = beginOf(vocabulary.textOf(number))
  }
  keys.sort()
  const sorted = new Uint32Array(numbers.length)
  for (let from = 0; from < sorted.length;) {
    let to = from
    do sorted[to] = halves[2 * to++]!
    while (to < sorted.length && halves[2 * to + 1] === halves[2 * from + 1])
    if (to - from > 1)
      sorted.subarray(from, to).sort((a, b) => compareTerms(vocabulary.textOf(a), vocabulary.textOf(b)))
    from = to
  }
  return sorted
}

/** The first four bytes of a text in UTF-8 as a number, zeros after its end. */
function beginOf(text: string): number {
  let begin = 0
  let bytes = 0
  for (let at = 0; bytes < BEGIN_BYTES && at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x80) return beginOfBytes(text)
    begin = (begin << 8) | code
    bytes++
  }
  return (begin << (8 * (BEGIN_BYTES - bytes))) >>> 0
}

/** Room for the characters of which the first four bytes are, the last of them a pair. */
const scratch = Buffer.alloc(16)

function beginOfBytes(text: string): number {
  scratch.fill(0, scratch.write(text.slice(0, BEGIN_BYTES + 1)))
  return scratch.readUInt32BE()
}
