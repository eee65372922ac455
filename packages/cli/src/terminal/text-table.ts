/** Text table: rows whose columns line up. Numbers stand to the right, words to the left; the last column may be long. */
type Align = 'left' | 'right'

export function textTable(rows: readonly (readonly string[])[], align: readonly Align[], indent = '  '): string[] {
  const widths = align.map((_, column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0
      if (align[column] === 'right') return cell.padStart(width)
      return column === row.length - 1 ? cell : cell.padEnd(width)
    })
    return `${indent}${cells.join('  ')}`.trimEnd()
  })
}
