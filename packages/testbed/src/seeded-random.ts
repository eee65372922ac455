/**
 * Seeded random: the same seed gives the same numbers on every machine, so a web that broke the crawler once can be
 * built again. The generator is sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, a counter that rules out
 * short cycles. Not for secrets.
 */
interface RandomNumbers {
  /** In [0, 1), 32 bits of it. */
  next(): number
  /** A whole number in [0, n); 0 when n is 1 or less. */
  int(n: number): number
  /** A whole number in [low, high], both ends included. */
  between(low: number, high: number): number
  chance(probability: number): boolean
}

export interface Random extends RandomNumbers {
  /** One of the list. Throws for an empty list: that is our bug, never a site's. */
  pick<T>(list: readonly T[]): T
  /** A new list, shuffled. */
  shuffle<T>(list: readonly T[]): T[]
}

export function createRandom(seed: number): Random {
  const bits = sfc32(seed)
  const next = (): number => bits() / 0x1_0000_0000
  const int = (n: number): number => (n <= 1 ? 0 : Math.floor(next() * n))
  return {
    next,
    int,
    between: (low, high) => low + int(high - low + 1),
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new RangeError('cannot pick from an empty list')
      return list[int(list.length)]!
    },
    shuffle: (list) => shuffled(list, int),
  }
}

/** One seed out of several facts (FNV-1a), so that every page has its own numbers whatever order pages are asked in. */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const char of parts.join('\u0000')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

function sfc32(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, (seed / 0x1_0000_0000) | 0, 0x9e3779b9 | 0, 1]
  const step = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  // Neighbouring seeds start alike; twelve rounds are what the author of sfc32 lets pass before the first number.
  for (let round = 0; round < 12; round += 1) step()
  return step
}

/** Fisher and Yates. */
function shuffled<T>(list: readonly T[], int: (n: number) => number): T[] {
  const copy = [...list]
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = int(last + 1)
    ;[copy[last], copy[other]] = [copy[other]!, copy[last]!]
  }
  return copy
}
