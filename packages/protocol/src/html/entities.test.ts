import { createHash } from 'node:crypto'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeReferences } from './entities.ts'
import { namedCharacters } from './named-entities.ts'

const hexOf = (character: string): string => character.codePointAt(0)!.toString(16)
const byUnits = (a: string, b: string): number => (a < b ? -1 : 1)
const allNames = [...namedCharacters().keys()]
const oldNames = allNames.filter(isWholeWithout)

/** Whether it may go without its semicolon. */
function isWholeWithout(name: string): boolean {
  return decodeReferences(`&${name} `) === `${decodeReferences(`&${name};`)} `
}

const cases: [sentence: string, text: string, expected: string][] = [
  ['names end with a semicolon', '&amp;&lt;&gt;&quot;&apos;&nbsp;', '&<>"\'\u00a0'],
  ['names have cases', '&Auml;&auml;&AMP;&Amp;', 'Ää&&Amp;'],
  ['Latin-1, Greek and signs are known', '&yuml;&Omega;&omega;&euro;&mdash;&hearts;&rang;&zcaron;', 'ÿΩω€—♥⟩ž'],
  ['the oldest names need no semicolon', '&copy 2026, &ltb', '© 2026, <b'],
  ['the longest old name at the head counts', '&notit; &notin;', '¬it; ∉'],
  ['all names are known', '&acy;&tcedil;&notinva;&Aopf;&CounterClockwiseContourIntegral;', 'аţ∉\u{1d538}∳'],
  ['a name may stand for two characters', '&NotEqualTilde;&bne;&fjlig;', '\u2242\u0338=\u20e5fj'],
  ['the whole name or an old one, nothing between', '&notinvax; &notinva &constructor;', '¬invax; ¬inva &constructor;'],
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

test('the names and what they stand for are the 2,231 of the standard', () => {
  // The digest is of the standard's own list, entities.json: lines of name and code points, sorted.
  const names = [...allNames.map((name) => `${name};`), ...oldNames]
  const lines = names.map((name) => `${name} ${Array.from(decodeReferences(`&${name}`), hexOf).join(' ')}`)
  assert.equal(lines.length, 2_231)
  const digest = createHash('sha256').update(lines.toSorted(byUnits).join('\n')).digest('hex')
  assert.equal(digest, 'bf0bc2f7f6a7ba09a5fd3d05ffd34332e5fe7201d6d93049761f6f6061e7620c')
})

test('in an attribute, an old name before = or a letter is a parameter', () => {
  assert.equal(decodeReferences('?a=1&copy=2&lt3&reg;&amp;x&not', true), '?a=1&copy=2&lt3®&x¬')
})

test('text without an ampersand is returned as it is, and any text is survived', () => {
  fc.assert(fc.property(fc.string(), (text) => text.includes('&') || decodeReferences(text) === text))
  const pieces = fc.constantFrom('&', '#', 'x', '0', '6', 'amp', 'not', ';', ' ', 'é')
  fc.assert(fc.property(fc.array(pieces), (parts) => decodeReferences(parts.join('')).length <= parts.join('').length))
})
