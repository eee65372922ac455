import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeReferences } from './entities.ts'

const cases: [sentence: string, text: string, expected: string][] = [
  ['names end with a semicolon', '&amp;&lt;&gt;&quot;&apos;&nbsp;', '&<>"\'\u00a0'],
  ['names have cases', '&Auml;&auml;&AMP;&Amp;', 'Ää&&Amp;'],
  ['Latin-1, Greek and signs are known', '&yuml;&Omega;&omega;&euro;&mdash;&hearts;&rang;&zcaron;', 'ÿΩω€—♥⟩ž'],
  ['the oldest names need no semicolon', '&copy 2026, &ltb', '© 2026, <b'],
  ['the longest old name at the head counts', '&notit; &notin;', '¬it; ∉'],
  ['newer names need it', '&euro 5 &hellip', '&euro 5 &hellip'],
  ['unknown names stay', '&nosuchname; &; & &a', '&nosuchname; &; & &a'],
  ['numbers are decimal or hexadecimal', '&#65;&#x42;&#X43;&#68', 'ABCD'],
  ['zeros may lead', '&#00000000000000000000065;', 'A'],
  ['numbers that are no characters are U+FFFD', '&#0;&#xd800;&#x110000;&#99999999999999999999;', '\ufffd'.repeat(4)],
  ['C1 numbers mean windows-1252', '&#128;&#x93;&#x9f;&#129;', '€“Ÿ\u0081'],
  ['pairs are made for high planes', '&#x1F600;', '\u{1f600}'],
  ['no digits, no number', '&#; &#x; &#xg;', '&#; &#x; &#xg;'],
  ['what is decoded is not decoded again', '&amp;lt;', '&lt;'],
]
for (const [sentence, text, expected] of cases) {
  test(sentence, () => assert.equal(decodeReferences(text), expected))
}

test('in an attribute, an old name before = or a letter is a parameter', () => {
  assert.equal(decodeReferences('?a=1&copy=2&lt3&reg;&amp;x&not', true), '?a=1&copy=2&lt3®&x¬')
})

test('text without an ampersand is returned as it is, and any text is survived', () => {
  fc.assert(fc.property(fc.string(), (text) => text.includes('&') || decodeReferences(text) === text))
  const pieces = fc.constantFrom('&', '#', 'x', '0', '6', 'amp', 'not', ';', ' ', 'é')
  fc.assert(fc.property(fc.array(pieces), (parts) => decodeReferences(parts.join('')).length <= parts.join('').length))
})
