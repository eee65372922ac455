/**
 * Confidence: between which shares the true one lies when so many of so many were seen (Wilson's interval, one side at
 * 95 %). Counts may be fractions, as what is long ago counts less.
 */
const Z = 1.645

/** The true share is hardly below this. 0 when nothing was seen. */
export function shareAtLeast(hits: number, of: number): number {
  return of <= 0 ? 0 : Math.max(0, (centre(hits, of) - margin(hits, of)) / (1 + (Z * Z) / of))
}

/** The true share is hardly above this. 1 when nothing was seen. */
export function shareAtMost(hits: number, of: number): number {
  return of <= 0 ? 1 : Math.min(1, (centre(hits, of) + margin(hits, of)) / (1 + (Z * Z) / of))
}

const centre = (hits: number, of: number): number => hits / of + (Z * Z) / (2 * of)

function margin(hits: number, of: number): number {
  const share = Math.min(1, Math.max(0, hits / of))
  return Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of))
}
