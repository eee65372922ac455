/**
 * Simhash: 64 bits such that alike texts have alike bits (Charikar, STOC 2002; for pages: Manku, Jain and Das Sarma,
 * WWW 2007, who call two pages near-duplicates up to a distance of 3).
 *
 * Each three words in a row are hashed to 64 bits; bit n of the result is set when more than half of those hashes have
 * it set. A changed word touches three of them, so a page of some hundred words barely moves.
 *
 * Stable: the value may be stored. The same text gives the same bits in every version; a change needs a new name.
 */
export type Simhash = readonly [hi: number, lo: number]

/** The two halves are unsigned. A text without words is [0, 0]. */
export function simhash(text: string): Simhash {
  const shingles = new Shingles()
  let word = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const letter = code < 128 ? asciiLetters[code]! : letterOf(code)
    if (letter > ALONE) {
      // FNV-1a, a unit at a time.
      word = Math.imul((word === 0 ? 0x811c9dc5 : word) ^ letter, 0x01000193)
      continue
    }
    if (word !== 0) shingles.push(word)
    if (letter === ALONE) shingles.push(code)
    word = 0
  }
  if (word !== 0) shingles.push(word)
  return shingles.hash()
}

/** In how many of the 64 bits two hashes differ: 0 to 3 for copies, about 32 for strangers. */
export function hammingDistance(a: Simhash, b: Simhash): number {
  return bitsIn(a[0] ^ b[0]) + bitsIn(a[1] ^ b[1])
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** A letter that is a word by itself: scripts that put no spaces between words. */
const ALONE = 1

/** By code: 0 between words, else the lower-case letter or digit. */
const asciiLetters = new Uint8Array(128)
for (const letter of '0123456789abcdefghijklmnopqrstuvwxyz') {
  asciiLetters[letter.charCodeAt(0)] = asciiLetters[letter.toUpperCase().charCodeAt(0)] = letter.charCodeAt(0)
}

function letterOf(code: number): number {
  // Latin-1 signs, general punctuation and symbols, CJK punctuation.
  if (code < 0xc0 || (code >= 0x2000 && code < 0x2c00) || (code >= 0x3000 && code < 0x3040)) return 0
  return code >= 0x3040 && code < 0xac00 ? ALONE : code
}

/** Words in threes; the first two of a text stand behind nothing. */
class Shingles {
  #before = 0
  #last = 0
  readonly #high = new BitCounts()
  readonly #low = new BitCounts()

  push(word: number): void {
    const high = mix(Math.imul(this.#before, 0x85ebca6b) + Math.imul(this.#last, 0x9e3779b1) + word)
    this.#high.add(high)
    this.#low.add(mix(high ^ Math.imul(word, 0xc2b2ae35) ^ this.#before))
    this.#before = this.#last
    this.#last = word
  }

  hash(): Simhash {
    return [this.#high.majority(), this.#low.majority()]
  }
}

/** Spreads 32 bits over 32 bits, none lost (the finalizer of MurmurHash3, by Appleby). */
function mix(word: number): number {
  let bits = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

/**
 * How often each of 32 bits was set. Counting them one by one would be nearly all of the work, so the counters lie
 * side by side, one bit of each in a plane, and eight words at a time go through full adders (Harley and Seal; Warren,
 * Hacker's Delight §5-1).
 */
export class BitCounts {
  readonly #waiting: Int32Array = new Int32Array(8)
  /** Planes of 1, 2, 4, 8… */
  readonly #planes: Int32Array = new Int32Array(32)
  #count = 0

  add(word: number): void {
    this.#waiting[this.#count++ & 7] = word
    if ((this.#count & 7) === 0) this.#addEight()
  }

  /** The bits set in more than half of all words. */
  majority(): number {
    this.#waiting.fill(0, this.#count & 7)
    this.#addEight()
    const top = 32 - Math.clz32(this.#count)
    let result = 0
    for (let bit = 0; bit < 32; bit++) {
      let times = 0
      for (let plane = top; plane >= 0; plane--) times = times * 2 + ((this.#planes[plane]! >>> bit) & 1)
      if (times * 2 > this.#count) result |= 1 << bit
    }
    return result >>> 0
  }

  #addEight(): void {
    const planes = this.#planes
    const w = this.#waiting
    const fourA = this.#addFour(w[0]!, w[1]!, w[2]!, w[3]!)
    const fourB = this.#addFour(w[4]!, w[5]!, w[6]!, w[7]!)
    const fours = planes[2]!
    planes[2] = fours ^ fourA ^ fourB
    let carry = carryOf(fours, fourA, fourB)
    for (let plane = 3; carry !== 0; plane++) {
      const sum = planes[plane]!
      planes[plane] = sum ^ carry
      carry &= sum
    }
  }

  /** Adds four words to the planes of 1 and 2, and returns what is to be carried to that of 4. */
  #addFour(a: number, b: number, c: number, d: number): number {
    const planes = this.#planes
    const ones = planes[0]!
    const onesAndTwo = ones ^ a ^ b
    const twoA = carryOf(ones, a, b)
    const twoB = carryOf(onesAndTwo, c, d)
    const twos = planes[1]!
    planes[0] = onesAndTwo ^ c ^ d
    planes[1] = twos ^ twoA ^ twoB
    return carryOf(twos, twoA, twoB)
  }
}

/** What 32 full adders carry. */
function carryOf(a: number, b: number, c: number): number {
  return (a & b) | (c & (a ^ b))
}
