/**
 * Report bars: one group of horizontal bars for each category, the value at the end of each bar. Horizontal, because
 * names of orders and webs are words, and words side by side under upright bars do not fit on a phone.
 */
import * as Plot from '@observablehq/plot'
import type { Markish } from '@observablehq/plot'
import { drawSheet } from './drawing.ts'
import type { Drawing, Size } from './drawing.ts'
import type { Figure, Point, Reference } from './model.ts'
import { shortName, textWidth } from './naming.ts'
import type { Label } from './naming.ts'
import { formatQuantity, formatTick, withUnit } from './number.ts'
import { createScale, roomyTicks } from './scale.ts'
import type { Scale } from './scale.ts'
import { countHidden } from './series.ts'
import type { DrawnSeries } from './series.ts'

const barHeight = 18
const groupGap = 14
/** For a number on an axis that Plot divides. */
const TICK_ROOM = 55

interface Bar {
  readonly series: DrawnSeries
  readonly point: Point
  readonly top: number
}

export function drawBars(figure: Figure, series: readonly DrawnSeries[], { width }: Size): Drawing {
  const categories = categoriesOf(figure, series)
  const group = series.length * barHeight + groupGap
  const names = categories.map((name) => shortName(name))
  const left = Math.min(width * 0.42, Math.max(24, ...names.map(textWidth)) + 12)
  const limits = (figure.references ?? []).filter((reference) => 'atY' in reference)
  const margins = { top: limits.length === 0 ? 10 : 26, right: 64, bottom: 44, left }
  const size = { width, height: margins.top + categories.length * group + margins.bottom }
  const scale = valueScale(figure, series, [left, width - margins.right])
  const bars = series.flatMap((one, i) =>
    one.points.map((point) => ({ series: one, point, top: point.x * group + groupGap / 2 + i * barHeight })),
  )
  const rows = {
    domain: [0, categories.length * group],
    range: [margins.top, size.height - margins.bottom],
    axis: null,
  }
  const scales = { x: { type: scale.type, domain: [...scale.domain], range: [...scale.range] }, y: rows }
  const marks = [...axisMarks(figure, scale), ...bars.flatMap((bar) => barMarks(bar, scale)), ...limits.map(limitMark)]
  const labels = [
    ...names.map((text, i) => categoryLabel(text, left, margins.top + (i + 0.5) * group)),
    ...bars.map((bar) => valueLabel(bar, figure, scale, margins.top)),
    ...limits.map((limit) => limitLabel(limit, scale)),
  ]
  const key = series.map(({ name, color, symbol }) => ({ name, color, symbol, dashed: false, mark: 'block' as const }))
  const svg = drawSheet({ figure, size, margins, scales, marks, labels })
  return { svg, key: series.length > 1 ? key : [], leftOut: countHidden(figure) }
}

function categoriesOf({ x }: Figure, series: readonly DrawnSeries[]): readonly string[] {
  const last = Math.max(-1, ...series.flatMap(({ points }) => points.map((point) => point.x)))
  return Array.from({ length: Math.floor(last) + 1 }, (_, i) => x.categories?.[i] ?? formatQuantity(i, x.unit))
}

function valueScale(
  { y, references = [] }: Figure,
  series: readonly DrawnSeries[],
  range: readonly [number, number],
): Scale {
  const values = series.flatMap(({ points }) =>
    points.flatMap((point) => [point.y, point.low ?? NaN, point.high ?? NaN]),
  )
  for (const reference of references) if ('atY' in reference) values.push(reference.atY)
  return createScale({ axis: y, values, range, nice: true, fromZero: true })
}

function axisMarks({ y }: Figure, scale: Scale): Markish[] {
  const ticks =
    roomyTicks(scale, y) ?? Math.max(2, Math.min(5, Math.floor((scale.range[1] - scale.range[0]) / TICK_ROOM)))
  const label = withUnit(y.label, y.unit)
  const tickFormat = (value: number): string => formatTick(value, y.unit)
  return [
    Plot.gridX({ ticks, stroke: 'var(--grid)', strokeOpacity: 1 }),
    Plot.axisX({ ticks, tickFormat, label, labelAnchor: 'center', labelArrow: 'none', labelOffset: 38, tickSize: 0 }),
  ]
}

function barMarks({ series, point, top }: Bar, scale: Scale): Markish[] {
  if (!Number.isFinite(point.y)) return []
  const base = baseOf(scale)
  const [y1, y2] = [top + 2, top + barHeight - 2]
  const bar = Plot.rect([point], { x1: () => base, x2: 'y', y1: () => y1, y2: () => y2, fill: series.color })
  if (point.low === undefined || point.high === undefined) return [bar]
  const middle = (y1 + y2) / 2
  const spread = { x1: 'low', x2: 'high', y: () => middle, stroke: 'var(--text)', strokeWidth: 1.5 }
  return [bar, Plot.ruleY([{ low: point.low, high: point.high }], spread)]
}

const baseOf = ({ type, domain: [low, high] }: Scale): number =>
  type === 'log' ? low : Math.min(Math.max(0, low), high)

function categoryLabel(text: string, right: number, y: number): Label {
  return { text, color: 'var(--text)', at: { x: right - 8, y }, anchor: 'end', leader: undefined }
}

function valueLabel({ series, point, top }: Bar, { y }: Figure, scale: Scale, offset: number): Label {
  const end = Math.max(scale.at(Math.max(point.y, point.high ?? point.y)), scale.at(baseOf(scale)))
  const at = { x: (Number.isFinite(end) ? end : scale.range[0]) + 6, y: offset + top + barHeight / 2 }
  return { text: formatQuantity(point.y, y.unit), color: series.color, at, leader: undefined }
}

/** One value to compare all bars with; it crosses them, so its name stands above. */
type Limit = Extract<Reference, { readonly atY: number }>

const limitMark = ({ atY }: Limit): Markish =>
  Plot.ruleX([atY], { stroke: 'var(--quiet)', strokeWidth: 1.25, strokeDasharray: '2,4' })

function limitLabel({ name, atY }: Limit, scale: Scale): Label {
  const text = shortName(name)
  const x = Math.min(scale.at(atY), scale.range[1] + 60 - textWidth(text))
  return { text, color: 'var(--quiet)', at: { x, y: 14 }, leader: undefined }
}
