/**
 * The length of a page in one byte: exact up to thirty words, then in steps of a twentieth. Ranking needs no more, and
 * a byte can stand in memory for every page. Everybody who scores uses the length that the byte stands for, so that
 * pruned and exhaustive scoring agree to the last bit.
 */

const GROWTH = 1.05

/** The length each byte stands for, rising. The last is beyond any page we index. */
export const LENGTHS: Float64Array = lengths()

/** The byte for a length, rounded down: the page that seems shortest has the highest bound. */
export function lengthByte(words: number): number {
  let [low, high] = [0, 255]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((LENGTHS[middle] as number) <= words) low = middle
    else high = middle - 1
  }
  return low
}

function lengths(): Float64Array {
  const table = new Float64Array(256)
  for (let i = 1; i < 256; i++) {
    const before = table[i - 1] as number
    table[i] = Math.max(before + 1, Math.round(before * GROWTH))
  }
  return table
}
