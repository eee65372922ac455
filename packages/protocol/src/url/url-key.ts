/**
 * URL key: 64 bits that stand for the part of a canonical URL after its site.
 *
 * Collision policy: two URLs are one iff their sites are equal, compared exactly, and the 64-bit keys of the rest are.
 * A site of n pages has n²/2⁶⁵ false merges to expect: about 3 in a million for 10 million pages. There is no seed,
 * so keys are stable on disk; a hostile site that constructs collisions can only merge pages of its own.
 *
 * Two 32-bit lanes, because BigInt is far too slow here and a double holds 53 bits. A step takes two UTF-16 units. For
 * a given input a step is a bijection of the 64 bits of state, and for a given state different input gives different
 * state, so strings that differ in one step only never collide. Each lane feeds the other (as in the 128-bit form of
 * MurmurHash3): two lanes that never meet share their low bits' parity, and would be worth less than 64 bits.
 */

/** Writes the key of `text` as [hi, lo] to `out[at]` and `out[at + 1]`. */
export function writeUrlKey(text: string, out: Uint32Array, at: number): void {
  const { length } = text
  // `| 0` throughout: it keeps every sum a 32-bit integer for the compiler too: a third faster.
  let hi = 0x9e3779b9 | 0
  let lo = 0x7f4a7c15
  for (let i = 0; i < length; i += 2) {
    // An odd unit at the end has its upper half empty; the length below keeps it apart from a real unit 0.
    const word = text.charCodeAt(i) | (i + 1 < length ? text.charCodeAt(i + 1) << 16 : 0)
    hi ^= Math.imul(rotate(Math.imul(word, 0x239b961b), 15), 0xab0e9789)
    hi = (Math.imul((rotate(hi, 19) + lo) | 0, 5) + 0x561ccd1b) | 0
    lo ^= Math.imul(rotate(Math.imul(word, 0x38b34ae5), 16), 0xa1e38b93)
    lo = (Math.imul((rotate(lo, 17) + hi) | 0, 5) + 0x0bcaa747) | 0
  }
  hi = ((hi ^ length) + lo) | 0
  lo = ((lo ^ length) + hi) | 0
  hi = avalanche(hi)
  lo = avalanche(lo)
  hi = (hi + lo) | 0
  out[at] = hi
  out[at + 1] = lo + hi
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

/** A bijection in which each input bit turns each output bit with probability close to one half. */
function avalanche(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
