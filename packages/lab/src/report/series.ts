/** Report series: the points of a figure as they will be drawn: sorted, thinned, coloured, without what no axis can show. */
import type { Axis, Figure, FigureKind, Point, Series } from './model.ts'
import { inkOf, isRepeat } from './palette.ts'
import { plottedPoints } from './sample.ts'

export interface DrawnSeries {
  readonly name: string
  readonly color: string
  readonly dashed: boolean
  readonly style: 'line' | 'dots' | 'bars'
  readonly symbol: DotSymbol
  readonly points: readonly Point[]
}

const styles: Readonly<Record<FigureKind, DrawnSeries['style']>> = {
  lines: 'line',
  dots: 'dots',
  histogram: 'bars',
  bars: 'bars',
}

// The shapes of dots, for those who cannot tell the colours.
export type DotSymbol = 'circle' | 'square' | 'triangle' | 'diamond'
const symbols: readonly DotSymbol[] = ['circle', 'square', 'triangle', 'diamond']

export const styleOf = ({ kind }: Figure, { style }: Series): DrawnSeries['style'] => style ?? styles[kind]

export function drawnSeries(figure: Figure, slots: readonly number[]): DrawnSeries[] {
  return figure.series.map((series, i) => {
    const slot = slots[i] ?? i
    const style = styleOf(figure, series)
    return {
      name: series.name,
      color: inkOf(slot),
      dashed: series.dashed ?? isRepeat(slot),
      style,
      symbol: symbols[i % symbols.length]!,
      points: plottedPoints(drawable(figure, series), style),
    }
  })
}

function drawable({ kind, x, y }: Figure, { points }: Series): Point[] {
  const kept = points.filter((point) => Number.isFinite(point.x) && !isHidden(point, x, y) && !isOutside(point, x, y))
  return kind === 'bars' ? kept : kept.toSorted((a, b) => a.x - b.x)
}

export const countHidden = ({ x, y, series }: Figure): number =>
  series.reduce((sum, { points }) => sum + points.filter((point) => isHidden(point, x, y)).length, 0)

const isHidden = (point: Point, x: Axis, y: Axis): boolean => hasNoPlace(point.x, x) || hasNoPlace(point.y, y)

// Beyond these, the arithmetic of scales overflows; no experiment of ours counts so far.
const largest = 1e100
const smallest = 1e-100

/** Zero and below have no logarithm. */
const hasNoPlace = (value: number, { scale }: Axis): boolean =>
  Math.abs(value) > largest || (scale === 'log' && value < smallest)

const isOutside = (point: Point, x: Axis, y: Axis): boolean => leaves(point.x, x) || leaves(point.y, y)

const leaves = (value: number, { domain }: Axis): boolean =>
  domain !== undefined && (value < domain[0] || value > domain[1])
