import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COLUMNS, csvField, csvHeader } from './export-rows.ts'

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
  const cells = fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', 'é', ';') }), {
    minLength: 2,
    maxLength: 5,
  })
  fc.assert(
    fc.property(fc.array(cells, { minLength: 1 }), (rows) => {
      const text = rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
      assert.deepEqual(parseCsv(text), rows)
    }),
  )
})

test('the first line of a table names its columns', () =>
  assert.deepEqual(csvHeader().split(','), Object.keys(COLUMNS)))
