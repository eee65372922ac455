/** Pager: earlier and later parts of a long list. */
import { formatCount } from '../client/figures.js'
import { html } from './html.ts'
import type { Html } from './html.ts'

interface Stretch {
  readonly offset: number
  readonly limit: number
  readonly total: number
  readonly shown: number
  /** There may be more than `total`. */
  readonly isLowerBound?: boolean
}

export function pager(stretch: Stretch, pathOf: (offset: number) => string): Html | false {
  const { offset, limit, shown } = stretch
  const end = offset + shown
  const hasLater = shown > 0 && (end < stretch.total || (stretch.isLowerBound === true && shown >= limit))
  if (offset === 0 && !hasLater) return false
  const earlier =
    offset > 0 &&
    html`<a rel="prev" href="${pathOf(Math.max(0, offset - limit))}"><span aria-hidden="true">← </span>Previous</a>`
  const later = hasLater && html`<a rel="next" href="${pathOf(end)}">Next<span aria-hidden="true"> →</span></a>`
  return html`<nav class="pager" aria-label="Parts of the list">
    <div>${earlier}</div>
    <p class="quiet number">${shown === 0 ? '' : `${formatCount(offset + 1)}–${formatCount(end)}`}</p>
    <div>${later}</div>
  </nav>`
}
