/**
 * Table cell: one cell of a CSV (RFC 4180) or of a table with tabs, safe for whoever opens it in a spreadsheet.
 *
 * What strangers wrote stands in these tables: titles, anchors, media types. A spreadsheet takes a text that begins with
 * `=`, `+`, `-` or `@` for a formula, and a formula can send away the rest of the table. So a text that begins like one gets
 * an apostrophe before it, which spreadsheets take for "this is text"; and so does a text that begins with an apostrophe,
 * so that taking one away from the front gives every text back. Numbers are no texts: -5 stays -5.
 */

export type TableCell = string | number | null | undefined

/** Blanks, controls and invisible characters before it do not count; full-width signs are signs, too. */
const FORMULA = /^(?:'|[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u
/** A text that is only a number is worth what it says. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?: ?%)?$/i

/** Quoted when it holds a comma, a quote, a tab or a line end; quotes doubled (§2). */
export function csvCell(cell: TableCell): string {
  const text = cellText(cell)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Tabs and line ends would be read as the next cell: they are blanks here. */
export function tsvCell(cell: TableCell): string {
  return cellText(typeof cell === 'string' ? cell.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() : cell)
}

function cellText(cell: TableCell): string {
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  const text = cell ?? ''
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}
