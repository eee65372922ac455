/** Report CSV: the numbers of a figure or a table for other programs, exact, in the format of RFC 4180; texts that begin like formulas are kept texts. */
import { csvCell } from '@comity/protocol'
import type { Cell, Figure, Table } from './model.ts'
import { plottedPoints } from './sample.ts'
import { styleOf } from './series.ts'

/** What is plotted. The full series are in report.json. Shares stay between 0 and 1 here. */
export function figureCsv(figure: Figure): string {
  const { kind, x, y, series } = figure
  const isHistogram = kind === 'histogram'
  const xName = csvName(x)
  const head = ['series', ...(isHistogram ? [`${xName} from`, `${xName} to`] : [xName]), csvName(y), 'low', 'high']
  const rows = series.flatMap((one) =>
    plottedPoints(one.points, styleOf(figure, one)).map((point): Cell[] => {
      const [from, to, low, high] = [
        x.categories?.[point.x] ?? point.x,
        point.x2 ?? null,
        point.low ?? null,
        point.high ?? null,
      ]
      return isHistogram ? [one.name, from, to, point.y, low, high] : [one.name, from, point.y, low, high]
    }),
  )
  return csv([head, ...rows])
}

export function tableCsv({ columns, rows }: Table): string {
  return csv([columns.map(csvName), ...rows])
}

const csvName = ({ label, unit }: { readonly label: string; readonly unit?: string }): string =>
  unit === undefined ? label : `${label} (${unit})`

const csv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
