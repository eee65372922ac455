/** The kind of the character at a place of a text, pairs of units and characters not met before included. */
import { kinds, learnKind } from './character-kinds.ts'
import { pointAt } from './text-units.ts'

export function kindAt(units: Uint16Array, at: number): number {
  const code = units[at]!
  if (code < 0x80) return kinds[code]!
  const point = pointAt(units, at)
  return kinds[point]! || learnKind(point)
}

/** How many units the character at a place has. */
export function widthAt(units: Uint16Array, at: number): number {
  return units[at]! >= 0xd800 && pointAt(units, at) > 0xffff ? 2 : 1
}
