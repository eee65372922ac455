/**
 * The best prefix code with codes of at most so many bits, by package-merge (Larmore and Hirschberg 1990). A code that
 * is best of all would have, for symbols that hardly occur, codes too long to be read by a table.
 */

interface Package {
  readonly weight: number
  readonly symbols: readonly number[]
}

/** Bits of each symbol's code. Weights are above zero; there are two symbols at the least, 2^maxBits at the most. */
export function codeLengths(weights: readonly number[], maxBits: number): number[] {
  const single = inOrder(weights.map((weight, symbol) => ({ weight, symbols: [symbol] })))
  let packages: readonly Package[] = []
  for (let bits = 0; bits < maxBits; bits++) packages = inOrder([...single, ...pairsOf(packages)])
  const lengths = weights.map(() => 0)
  for (const { symbols } of packages.slice(0, 2 * weights.length - 2))
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] as number) + 1
  return lengths
}

function pairsOf(packages: readonly Package[]): Package[] {
  return Array.from({ length: packages.length >> 1 }, (_, i) => {
    const [a, b] = [packages[2 * i] as Package, packages[2 * i + 1] as Package]
    return { weight: a.weight + b.weight, symbols: [...a.symbols, ...b.symbols] }
  })
}

const inOrder = (packages: readonly Package[]): Package[] => packages.toSorted((a, b) => a.weight - b.weight)
