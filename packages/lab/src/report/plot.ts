/** Report plot: a figure as SVG, drawn with Observable Plot by what the figure's kind asks for. */
import { drawBars } from './bars.ts'
import type { Drawing, Size } from './drawing.ts'
import { drawLines } from './report-lines.ts'
import type { Figure } from './model.ts'
import { drawnSeries } from './series.ts'

/** `slots` are the colours of the series, see report-palette.ts. */
export function drawFigure(figure: Figure, slots: readonly number[], size: Size): Drawing {
  const series = drawnSeries(figure, slots)
  return figure.kind === 'bars' ? drawBars(figure, series, size) : drawLines(figure, series, size)
}
