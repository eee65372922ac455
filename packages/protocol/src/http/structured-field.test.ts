import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseFieldDictionary, parseFieldItem, writeFieldBytes, writeFieldString } from './structured-field.ts'

const items: [field: string, expected: unknown][] = [
  ['"a \\"quoted\\" \\\\ text"', 'a "quoted" \\ text'],
  ['  token/1:x  ', 'token/1:x'],
  ['*', '*'],
  [':aGVsbG8=:', Buffer.from('hello')],
  ['::', Buffer.alloc(0)],
  ['-42', -42],
  ['3.125', 3.125],
  ['@1659578233', 1_659_578_233],
  ['?1', true],
  ['?0', false],
  ['"a";p=1;q', 'a'],
  ['"unfinished', undefined],
  ['"bad \\n escape"', undefined],
  ['"ü"', undefined],
  [':not base64!:', undefined],
  ['1.2345', undefined],
  ['1.', undefined],
  ['1 2', undefined],
  ['?2', undefined],
  ['a, b', undefined],
  ['"a";', undefined],
  ['', undefined],
]
for (const [field, expected] of items) {
  test(`the item ${field} is ${expected === undefined ? 'void' : JSON.stringify(expected)}`, () => {
    assert.deepEqual(parseFieldItem(field)?.value, expected)
  })
}

const dictionaries: [field: string, expected: Record<string, unknown> | undefined][] = [
  ['', {}],
  ['a=1, b="x",c=:AQ==:', { a: 1, b: 'x', c: Buffer.from([1]) }],
  ['a, b;x=1, c=?0', { a: true, b: true, c: false }],
  ['a=1, a=2', { a: 2 }],
  ['a=("x" "y";q=1  z);p', { a: ['x', 'y', 'z'] }],
  ['a=()', { a: [] }],
  ['a=( )', { a: [] }],
  ['a=1,', undefined],
  ['a=1 b=2', undefined],
  ['A=1', undefined],
  ['a=', undefined],
  ['a=(1 2', undefined],
  ['a=(1,2)', undefined],
  ['a=("x""y")', undefined],
]
for (const [field, expected] of dictionaries) {
  test(`the dictionary ${field} is ${expected === undefined ? 'void' : JSON.stringify(expected)}`, () => {
    const members = parseFieldDictionary(field)
    const plain =
      members === undefined
        ? undefined
        : Object.fromEntries(
            [...members].map(([key, { kind, value }]) => [
              key,
              kind === 'list' ? value.map((item) => item.value) : value,
            ]),
          )
    assert.deepEqual(plain, expected)
  })
}

test('strings and bytes come back', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]{0,100}$/), fc.uint8Array({ maxLength: 100 }), (text, bytes) => {
      assert.deepEqual(parseFieldItem(writeFieldString(text)!), { kind: 'string', value: text })
      assert.deepEqual(parseFieldItem(writeFieldBytes(bytes)), { kind: 'bytes', value: Buffer.from(bytes) })
    }),
  )
  assert.equal(writeFieldString('ü'), undefined)
})

test('any text is survived, and a field beyond the cap is void', () => {
  const marks = fc.string({ unit: fc.constantFrom('a', '=', '"', '(', ')', ';', ',', ' ', ':', '1', '?', '\\') })
  fc.assert(
    fc.property(marks, (text) => {
      parseFieldDictionary(text)
      parseFieldItem(text)
    }),
    { numRuns: 1_000 },
  )
  assert.equal(parseFieldItem(`"${'x'.repeat(8_192)}"`), undefined)
})
