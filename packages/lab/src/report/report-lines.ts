/**
 * Report lines: plots on two measured axes: lines with their spread as a band, dots with whiskers, columns of a
 * histogram, and the thin lines to compare with.
 */
import * as Plot from '@observablehq/plot'
import type { Markish } from '@observablehq/plot'
import { drawSheet } from './drawing.ts'
import type { Drawing, KeyEntry, Margins, Size } from './drawing.ts'
import type { Box, Spot } from './label.ts'
import type { Figure, Point, Reference } from './model.ts'
import { endRoom, keyOrder, nameEnds, nameInside, shortName, textWidth } from './naming.ts'
import type { Label, NamedLine } from './naming.ts'
import { formatTick, withUnit } from './number.ts'
import { createScale, roomyTicks } from './scale.ts'
import type { Scale } from './scale.ts'
import { countHidden } from './series.ts'
import type { DrawnSeries } from './series.ts'

const quiet = 'var(--quiet)'

interface Layout {
  readonly margins: Margins
  readonly x: Scale
  readonly y: Scale
  readonly labels: readonly Label[]
  readonly key: readonly KeyEntry[]
}

export function drawLines(figure: Figure, series: readonly DrawnSeries[], size: Size): Drawing {
  const { margins, x, y, labels, key } = layOut(figure, series, size)
  const marks = [
    ...axisMarks(figure, x, y, size),
    ...series.flatMap((one) => bandMarks(one, y)),
    ...(figure.references ?? []).map((reference) => referenceMark(reference, x, y)),
    ...series.flatMap((one) => seriesMarks(one, y)),
  ]
  const scales = { x: scaleOptions(x), y: scaleOptions(y) }
  const all = [...labels, ...(figure.references ?? []).flatMap((reference) => uprightLabel(reference, x, margins))]
  return { svg: drawSheet({ figure, size, margins, scales, marks, labels: all }), key, leftOut: countHidden(figure) }
}

/** Names at the ends, or inside, or in a key: the first that fits. */
function layOut(figure: Figure, series: readonly DrawnSeries[], size: Size): Layout {
  const roomy = scalesFor(figure, series, size, 16)
  const named = namedLines(figure, series, roomy)
  if (figure.kind === 'histogram' ? series.length < 2 : named.length < 2) return { ...roomy, labels: [], key: [] }
  if (figure.kind === 'lines') {
    const room = endRoom(named.map(({ name }) => name))
    const narrow = scalesFor(figure, series, size, room)
    const ends = room <= size.width * 0.3 && nameEnds(namedLines(figure, series, narrow), frameOf(narrow))
    if (ends) return { ...narrow, labels: ends, key: [] }
    const inside = nameInside(named, frameOf(roomy))
    if (inside) return { ...roomy, labels: inside, key: [] }
  }
  const entries = [...series.map(keyEntry), ...sloped(figure).map(({ name }) => referenceEntry(name))]
  return { ...roomy, labels: [], key: keyOrder(named).map((i) => entries[i]!) }
}

const keyEntry = ({ name, color, dashed, style, symbol }: DrawnSeries): KeyEntry => ({
  name,
  color,
  dashed,
  symbol,
  mark: style === 'line' ? 'line' : style === 'dots' ? 'dot' : 'block',
})

const referenceEntry = (name: string): KeyEntry => ({
  name,
  color: quiet,
  dashed: true,
  mark: 'line',
  symbol: 'circle',
})

function scalesFor(
  figure: Figure,
  series: readonly DrawnSeries[],
  size: Size,
  right: number,
): Omit<Layout, 'labels' | 'key'> {
  const points = series.flatMap((one) => one.points)
  const extra = referencePoints(figure)
  const ys = [...points.flatMap(({ y, low = NaN, high = NaN }) => [y, low, high]), ...extra.map((point) => point.y)]
  const xs = [...points.flatMap(({ x, x2 = NaN }) => [x, x2]), ...extra.map((point) => point.x)]
  const margins = { top: 34, right, bottom: 46, left: 20 }
  const y = createScale({
    axis: figure.y,
    values: ys,
    range: [size.height - margins.bottom, margins.top],
    nice: true,
    fromZero: figure.kind === 'histogram',
  })
  // The widest number on the axis decides where the plot begins; its ends are as wide as any tick.
  const left = Math.max(...y.domain.map((value) => textWidth(formatTick(value, figure.y.unit))), 14) + 16
  const x = createScale({ axis: figure.x, values: xs, range: [left, size.width - right] })
  return { margins: { ...margins, left }, x, y }
}

const scaleOptions = ({ type, domain, range }: Scale): object => ({ type, domain: [...domain], range: [...range] })

const frameOf = ({ x, y }: { readonly x: Scale; readonly y: Scale }): Box => ({
  x: x.range[0],
  y: y.range[1],
  width: x.range[1] - x.range[0],
  height: y.range[0] - y.range[1],
})

const sloped = (figure: Figure): readonly Reference[] => (figure.references ?? []).filter((one) => !('atX' in one))

function referencePoints({ references = [] }: Figure): Spot[] {
  return references.flatMap((one) =>
    'points' in one ? [...one.points] : [{ x: 'atX' in one ? one.atX : NaN, y: 'atY' in one ? one.atY : NaN }],
  )
}

/** Series, then the references that have a name at their side; upright ones carry theirs on top. */
function namedLines(
  figure: Figure,
  series: readonly DrawnSeries[],
  scales: { readonly x: Scale; readonly y: Scale },
): NamedLine[] {
  const spots = (points: readonly Spot[]): Spot[] =>
    points
      .filter((point) => Number.isFinite(point.y))
      .map((point) => ({ x: scales.x.at(point.x), y: scales.y.at(point.y) }))
  return [
    ...series.map(({ name, color, points }) => ({ name, color, spots: spots(points) })),
    ...sloped(figure).map((one) => ({ name: one.name, color: quiet, spots: spots(pathOf(one, scales.x, scales.y)) })),
  ]
}

/** A reference as the points of a line across the plot. */
function pathOf(reference: Reference, x: Scale, y: Scale): Spot[] {
  if ('atX' in reference) return y.domain.map((value) => ({ x: reference.atX, y: value }))
  if ('atY' in reference) return x.domain.map((value) => ({ x: value, y: reference.atY }))
  return reference.points.filter((point) => x.shows(point.x) && y.shows(point.y))
}

function referenceMark(reference: Reference, x: Scale, y: Scale): Markish {
  const path = pathOf(reference, x, y).filter((point) => x.shows(point.x) && y.shows(point.y))
  return Plot.line(path, { x: 'x', y: 'y', stroke: quiet, strokeWidth: 1.25, strokeDasharray: '2,4' })
}

function uprightLabel(reference: Reference, x: Scale, margins: Margins): Label[] {
  if (!('atX' in reference) || !x.shows(reference.atX)) return []
  const text = shortName(reference.name)
  const at = x.at(reference.atX)
  const fits = at + 6 + textWidth(text) <= x.range[1]
  return [
    { text, color: quiet, at: { x: fits ? at + 6 : at - 6 - textWidth(text), y: margins.top + 8 }, leader: undefined },
  ]
}

function axisMarks({ x, y }: Figure, xScale: Scale, yScale: Scale, size: Size): Markish[] {
  const yTicks = yScale.ticks === undefined ? 5 : [...yScale.ticks]
  const xTicks = roomyTicks(xScale, x) ?? Math.max(3, Math.round(size.width / 95))
  const common = { labelArrow: 'none' as const, tickSize: 0 }
  return [
    Plot.gridY({ ticks: yTicks, stroke: 'var(--grid)', strokeOpacity: 1 }),
    Plot.axisY({
      ...common,
      ticks: yTicks,
      tickFormat: (value: number) => formatTick(value, y.unit),
      label: withUnit(y.label, y.unit),
      labelOffset: 0,
      tickPadding: 8,
    }),
    Plot.axisX({
      ...common,
      ticks: xTicks,
      tickFormat: (value: number) => formatTick(value, x.unit),
      label: withUnit(x.label, x.unit),
      labelAnchor: 'center',
      labelOffset: 38,
      tickPadding: 8,
    }),
    Plot.ruleY([yScale.domain[0]], { stroke: 'var(--axis)' }),
  ]
}

/** The spread, cut to the axis: a low of zero has no place on a logarithmic one. */
function bandMarks({ style, color, points }: DrawnSeries, { domain: [least, most] }: Scale): Markish[] {
  if (!points.some((point) => point.low !== undefined && point.high !== undefined)) return []
  const spread = points.map(({ x, low = NaN, high = NaN }) => ({
    x,
    low: Math.max(low, least),
    high: Math.min(high, most),
  }))
  if (style !== 'line')
    return [Plot.ruleX(spread, { x: 'x', y1: 'low', y2: 'high', stroke: color, strokeOpacity: 0.7 })]
  return [Plot.areaY(spread, { x: 'x', y1: 'low', y2: 'high', fill: color, fillOpacity: 0.16 })]
}

function seriesMarks(series: DrawnSeries, y: Scale): Markish[] {
  const { style, color, dashed, points, symbol } = series
  const position = { x: 'x', y: 'y' }
  const dash = dashed ? { strokeDasharray: '6,4' } : {}
  if (style === 'line') return [Plot.line(points, { ...position, stroke: color, strokeWidth: 2, ...dash })]
  if (style === 'bars') return [columns(series, y)]
  const r = points.length > 150 ? 2 : 3.5
  return [Plot.dot(points, { ...position, symbol, r, fill: color, fillOpacity: 0.75, stroke: color, strokeWidth: 0.5 })]
}

function columns({ points, color }: DrawnSeries, y: Scale): Markish {
  const base = y.type === 'log' ? y.domain[0] : Math.min(Math.max(0, y.domain[0]), y.domain[1])
  const end = (point: Point, i: number): number => point.x2 ?? points[i + 1]?.x ?? point.x
  const options = {
    x1: 'x',
    x2: end,
    y1: () => base,
    y2: 'y',
    fill: color,
    fillOpacity: 0.55,
    stroke: color,
    insetLeft: 0.5,
    insetRight: 0.5,
  }
  return Plot.rect(points, options)
}
