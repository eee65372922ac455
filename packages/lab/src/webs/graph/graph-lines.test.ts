import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { graphLimits, ReadLog } from './limits.ts'
import { LineScanner } from './graph-lines.ts'

type Line = readonly [text: string, line: number]

function scan(chunks: readonly Uint8Array[], maxLineBytes: number = graphLimits.maxLineBytes): Line[] {
  const lines: Line[] = []
  const log = new ReadLog('test', { ...graphLimits, maxLineBytes })
  const scanner = new LineScanner((text, line) => lines.push([text, line]), log)
  for (const chunk of chunks) scanner.write(chunk)
  scanner.end()
  return lines
}

test('lines come with their numbers and without their ends', () => {
  const lines = scan([Buffer.from('a\r\n\nzü\nlast')])
  assert.deepEqual(lines, [
    ['a', 1],
    ['', 2],
    ['zü', 3],
    ['last', 4],
  ])
})

test('how the bytes are cut into chunks makes no difference', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ü', '€', '\n', '\r'), maxLength: 30 })
  fc.assert(
    fc.property(text, (whole) => {
      const bytes = Buffer.from(whole)
      const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
      assert.deepEqual(scan(single), scan([bytes]))
    }),
  )
})

test('a line that does not end is given up', () => {
  const chunks = [Buffer.from('short\n'), Buffer.alloc(30, 'x'), Buffer.alloc(30, 'x')]
  assert.throws(() => scan(chunks, 50), { code: 'WEB_UNREADABLE', message: /test, line 2/ })
})
