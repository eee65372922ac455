/**
 * Edit distance: how many slips of a typist lie between two words. A slip is a letter too many, one missing, a wrong
 * one, or two neighbours swapped, and no letter is touched twice ("optimal string alignment", the restricted form of
 * Damerau, doi:10.1145/363958.363994).
 *
 * Whoever asks only wants to know of small distances, so only a band of the table around its diagonal is filled, and
 * the work is given up as soon as a whole row is too far. Letters are UTF-16 units: a slip in a letter beyond the
 * basic plane may count twice.
 */

export function unitsOf(word: string): Uint16Array {
  const units = new Uint16Array(word.length)
  for (let at = 0; at < word.length; at++) units[at] = word.charCodeAt(at)
  return units
}

/**
 * The distance to a word that stands at `start` to `end` in a pool of many, or `limit + 1` when it is larger than `limit`, a
 * whole number.
 */
export function distanceWithin(
  left: Uint16Array,
  pool: Uint16Array,
  start: number,
  end: number,
  limit: number,
): number {
  let rows = left.length
  let columns = end - start
  if (Math.abs(rows - columns) > limit) return limit + 1
  // What both begin or end with costs nothing; most of two similar words is that.
  let skip = 0
  while (skip < rows && skip < columns && left[skip] === pool[start + skip]) skip++
  while (rows > skip && columns > skip && left[rows - 1] === pool[start + columns - 1]) {
    rows--
    columns--
  }
  if (rows === skip || columns === skip) return Math.max(rows, columns) - skip
  return bandedDistance(left.subarray(skip, rows), pool.subarray(start + skip, start + columns), limit)
}

/** Rows of the table, kept between calls: they are most of the cost of a short word. */
let above2 = new Uint16Array(64)
let above = new Uint16Array(64)
let row = new Uint16Array(64)

function bandedDistance(left: Uint16Array, right: Uint16Array, limit: number): number {
  const rows = left.length
  const columns = right.length
  const far = limit + 1
  if (columns + 2 > row.length) [above2, above, row] = [widened(columns), widened(columns), widened(columns)]
  for (let j = 0; j <= columns; j++) above[j] = Math.min(j, far)
  for (let i = 1; i <= rows; i++) {
    const first = Math.max(1, i - limit)
    const last = Math.min(columns, i + limit)
    const letter = left[i - 1]!
    let nearest = (row[first - 1] = first === 1 ? Math.min(i, far) : far)
    for (let j = first; j <= last; j++) {
      const other = right[j - 1]!
      let cost = above[j - 1]! + (letter === other ? 0 : 1)
      // Left of the band and right of the row above it stand cells that are too far by definition.
      const grown = Math.min(row[j - 1]!, j < i + limit ? above[j]! : far) + 1
      if (grown < cost) cost = grown
      if (i > 1 && j > 1 && letter === right[j - 2] && left[i - 2] === other) cost = Math.min(cost, above2[j - 2]! + 1)
      row[j] = cost < far ? cost : far
      if (cost < nearest) nearest = cost
    }
    if (nearest > limit) return far
    ;[above2, above, row] = [above, row, above2]
  }
  return above[columns]!
}

function widened(columns: number): Uint16Array<ArrayBuffer> {
  return new Uint16Array(2 * columns + 2)
}
