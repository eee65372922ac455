/** Broken UTF-8: what a text costs that is UTF-8 but for some bytes, counted as in `byte-readings.ts`. */

/** By the bytes that a character has. */
const CHARACTER = [0, 5, 10, 14, 20]
const NO_CHARACTER = 28
const START = 10
const SPACE = 0x20

/** Infinite without a single character of more than a byte. */
export function costOfUtf8(words: Uint8Array): number {
  let [sum, long] = [START, 0]
  for (let at = 0; at < words.length;) {
    const size = sizeAt(words, at)
    sum += size === 0 ? NO_CHARACTER : words[at] === SPACE ? 0 : CHARACTER[size]!
    if (size > 1) long++
    at += Math.max(1, size)
  }
  return long === 0 ? Infinity : sum
}

/** How many bytes the character here has (Unicode, table 3-7, less its narrower second bytes); 0 for none. */
function sizeAt(words: Uint8Array, at: number): number {
  const lead = words[at]!
  if (lead < 0x80) return 1
  const size = lead >= 0xf5 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0
  for (let next = 1; next < size; next++) if ((words[at + next]! & 0xc0) !== 0x80) return 0
  return size
}
