import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalizePercentEncoding } from './percent-encoding.ts'

const cases: [sentence: string, text: string, expected: string][] = [
  ['hex digits are upper case', '/%c3%a9', '/%C3%A9'],
  ['unreserved octets stand for themselves', '/%7euser/%41%2d%5F', '/~user/A-_'],
  ['delimiters keep their escapes', '/a%2fb%3fc%23d', '/a%2Fb%3Fc%23d'],
  ['an escaped percent sign stays escaped', '/%2541', '/%2541'],
  ['a stray percent sign is left alone', '/100%/x', '/100%/x'],
  ['a stray percent sign gains no digits', '/%%32e', '/%%32e'],
  ['nor does one with a digit of its own', '/%2%65', '/%2%65'],
  ['an escape further on is decoded again', '/%z%41', '/%zA'],
]
for (const [sentence, text, expected] of cases) {
  test(sentence, () => assert.equal(normalizePercentEncoding(text), expected))
}

test('every octet has one spelling, in whatever letter case it came', () => {
  for (let octet = 0; octet < 256; octet++) {
    const escape = `%${octet.toString(16).padStart(2, '0')}`
    const char = String.fromCharCode(octet)
    const expected = /[A-Za-z0-9._~-]/.test(char) ? char : escape.toUpperCase()
    assert.equal(normalizePercentEncoding(escape), expected)
    assert.equal(normalizePercentEncoding(escape.toUpperCase()), expected)
  }
})

test('doing it twice changes nothing, and nothing grows', () => {
  const texts = fc.string({
    unit: fc.constantFrom('%', '2', '5', 'e', 'E', 'z', '/', '&', '%41', '%2e', '%25'),
    maxLength: 30,
  })
  fc.assert(
    fc.property(texts, (text) => {
      const once = normalizePercentEncoding(text)
      assert.equal(normalizePercentEncoding(once), once)
      assert.ok(once.length <= text.length)
    }),
    { numRuns: 2_000 },
  )
})
