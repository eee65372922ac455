/**
 * Crossing: where one sampled curve becomes dearer than another. Between two samples both are taken as straight lines; a
 * curve that is dearer from the beginning, or never, has no crossing, and which of the two it is must be told apart.
 */
import { formatQuantity } from './report/number.ts'
import type { Unit } from './report/model.ts'

/** Rising x. */
export type Curve = readonly (readonly [x: number, y: number])[]

export type Crossing =
  /** Up to `x` the first curve is the cheaper one, from there on the second. */
  { readonly kind: 'at'; readonly x: number } | { readonly kind: 'always' } | { readonly kind: 'never' }

/** Where `one` stops being the cheaper of the two. Both are sampled at the same places; the first crossing counts. */
export function crossingOf(one: Curve, other: Curve): Crossing {
  if (one.length === 0 || one.length !== other.length) throw new RangeError('curves are sampled at different places')
  const gaps = one.map(([x, y], at) => [x, y - other[at]![1]] as const)
  if (gaps[0]![1] > 0) return { kind: 'never' }
  for (let at = 1; at < gaps.length; at++) {
    const [[x0, gap0], [x1, gap1]] = [gaps[at - 1]!, gaps[at]!]
    if (gap1 > 0) return { kind: 'at', x: x0 + ((x1 - x0) * -gap0) / (gap1 - gap0) }
  }
  return { kind: 'always' }
}

/** In words for a table: `up to 35 %`. */
export function crossingText(crossing: Crossing, unit?: Unit): string {
  if (crossing.kind === 'at') return `up to ${formatQuantity(crossing.x, unit)}`
  return crossing.kind
}
