/**
 * Confidence: below which share the true one hardly lies when so many of so many were seen (Wilson's interval, one side at
 * 95 %). Counts may be fractions, as what is long ago counts less. 0 when nothing was seen.
 */
const Z = 1.645

export function shareAtLeast(hits: number, of: number): number {
  if (of <= 0) return 0
  const share = Math.min(1, Math.max(0, hits / of))
  const margin = Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of))
  return Math.max(0, (hits / of + (Z * Z) / (2 * of) - margin) / (1 + (Z * Z) / of))
}
