import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvCell } from '@comity/protocol'
import { FIELDS, csvHeader } from './export-rows.ts'

/** A reader of RFC 4180, written apart from the writer: one letter after the other. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let [row, cell, isQuoted]: [string[], string, boolean] = [[], '', false]
  for (let i = 0; i < text.length; i++) {
    if (text.startsWith('""', i) && isQuoted) cell += text[i++]
    else if (text[i] === '"') isQuoted = !isQuoted
    else if (isQuoted || (text[i] !== ',' && !text.startsWith('\r\n', i))) cell += text[i]
    else {
      row.push(cell)
      cell = ''
      if (text[i] === ',') continue
      rows.push(row)
      row = []
      i++
    }
  }
  return rows
}

test('whatever a page calls itself, the table reads back as it was written', () => {
  const cells = fc.array(
    fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', 'é', ';', '=', '-', '@', '+', "'", '1') }),
    {
      minLength: 2,
      maxLength: 5,
    },
  )
  fc.assert(
    fc.property(fc.array(cells, { minLength: 1 }), (rows) => {
      const text = rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
      const read = parseCsv(text)
      for (const cell of read.flat())
        if (Number.isNaN(Number(cell))) assert.doesNotMatch(cell, /^\s*[=+@-]/, 'no formula')
      const unescaped = read.map((row) => row.map((cell) => (cell.startsWith("'") ? cell.slice(1) : cell)))
      assert.deepEqual(unescaped, rows)
    }),
  )
})

test('the first line of a table names its columns', () => assert.deepEqual(csvHeader().split(','), Object.keys(FIELDS)))
