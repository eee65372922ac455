/** Edit distance of two words as strings, for tests: `distanceWithin` with nothing around the second. */
import { distanceWithin, unitsOf } from '../query/edit-distance.ts'

/** The distance of two words, or `limit + 1` when it is larger than `limit`. */
export function editDistance(left: string, right: string, limit: number = Infinity): number {
  const most = Math.min(limit, Math.max(left.length, right.length))
  const distance = distanceWithin(unitsOf(left), unitsOf(right), 0, right.length, most)
  return distance > most ? limit + 1 : distance
}
