import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contentRange, parseContentRange, parseRange, type RangeVerdict } from './byte-ranges.ts'

/** Parts as `first-last`, so that a table can be read. */
function shown(verdict: RangeVerdict): string {
  if (verdict.kind !== 'parts') return verdict.kind
  return verdict.ranges.map(({ start, end }) => `${start}-${end - 1}`).join(' ')
}

const cases: [field: string | undefined, size: number, expected: string][] = [
  [undefined, 100, 'whole'],
  ['bytes=0-9', 100, '0-9'],
  ['Bytes=0-9', 100, '0-9'],
  ['bytes=90-', 100, '90-99'],
  ['bytes=-10', 100, '90-99'],
  ['bytes=-1000', 100, '0-99'],
  ['bytes=95-200', 100, '95-99'],
  ['bytes=100-', 100, 'unsatisfiable'],
  ['bytes=-0', 100, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-5', 0, 'unsatisfiable'],
  ['bytes=200-300, 0-1', 100, '0-1'],
  ['bytes=50-59, 0-9', 100, '50-59 0-9'],
  ['bytes=50-59, 0-9, 55-70', 100, '0-9 50-70'],
  ['bytes=0-9,10-19', 100, '0-19'],
  ['bytes=9-0', 100, 'whole'],
  ['bytes=', 100, 'whole'],
  ['bytes=a-b', 100, 'whole'],
  ['bytes=1-2, x', 100, 'whole'],
  ['pages=1-2', 100, 'whole'],
  ['bytes=-', 100, 'whole'],
  [`bytes=${Array.from({ length: 17 }, (_, place) => `${place * 3}-${place * 3}`).join(',')}`, 100, 'whole'],
  [`bytes=${'9'.repeat(20)}-`, 100, 'whole'],
]
for (const [field, size, expected] of cases) {
  test(`${field?.slice(0, 40)} of ${size} bytes: ${expected}`, () =>
    assert.equal(shown(parseRange(field, size)), expected))
}

test('parts never overlap, never leave the whole, and any field is survived', () => {
  const spec = fc.tuple(fc.option(fc.nat(50)), fc.option(fc.nat(50))).map(([from, to]) => `${from ?? ''}-${to ?? ''}`)
  const fields = fc.oneof(
    fc.array(spec, { maxLength: 8 }).map((specs) => `bytes=${specs.join(', ')}`),
    fc.string(),
  )
  fc.assert(
    fc.property(fields, fc.nat(40), (field, size) => {
      const verdict = parseRange(field, size)
      if (verdict.kind !== 'parts') return
      const sorted = verdict.ranges.toSorted((a, b) => a.start - b.start)
      for (const [place, { start, end }] of sorted.entries()) {
        assert.ok(start < end && end <= size && start >= (sorted[place - 1]?.end ?? 0))
      }
    }),
  )
})

test('Content-Range comes back', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), (start, length, more) => {
      const [end, size] = [start + length + 1, start + length + 1 + more]
      assert.deepEqual(parseContentRange(contentRange({ start, end }, size)), { start, end, size })
    }),
  )
  assert.equal(contentRange(undefined, 7), 'bytes */7')
  assert.deepEqual(parseContentRange('bytes 0-4/*'), { start: 0, end: 5, size: undefined })
  for (const none of ['bytes */7', 'bytes 5-4/10', 'bytes 0-10/10', 'lines 0-4/5', '']) {
    assert.equal(parseContentRange(none), undefined)
  }
})
