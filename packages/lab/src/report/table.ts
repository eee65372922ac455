/** Report table: a table of the report, in a box of its own that scrolls when the screen is too narrow for it. */
import { markup } from './html.ts'
import type { Markup } from './html.ts'
import type { Cell, Column, Table, Unit } from './model.ts'
import { formatNumber, formatQuantity, withUnit } from './number.ts'

export function dataTable({ title, columns, rows }: Pick<Table, 'title' | 'columns' | 'rows'>): Markup {
  const aligns = columns.map(
    ({ align }, i) => align ?? (rows.some((row) => typeof row[i] === 'number') ? 'right' : 'left'),
  )
  const head = columns.map((column, i) => markup`<th scope="col" class="${aligns[i]}">${headText(column)}</th>`)
  const body = rows.map((row) => {
    const cells = row.map((cell, i) => markup`<td class="${aligns[i]}">${cellText(cell, columns[i]?.unit)}</td>`)
    return markup`<tr>${cells}</tr>
`
  })
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="data">
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`
}

// These units change with the size of the number, so each cell carries its own; all others stand in the head, once.
const inCells: ReadonlySet<Unit | undefined> = new Set(['share', 's', 'bytes'])

const headText = ({ label, unit }: Column): string => (inCells.has(unit) ? label : withUnit(label, unit))

/** A cell as it is read; the unit of its column stands in the head or behind the number. */
export function cellText(cell: Cell, unit: Unit | undefined): string {
  if (typeof cell !== 'number') return cell ?? ''
  return inCells.has(unit) ? formatQuantity(cell, unit) : formatNumber(cell)
}
