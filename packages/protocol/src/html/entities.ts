/**
 * Character references: `&amp;`, `&#8211;`, `&#x2013;`.
 *
 * The 106 oldest names may go without their semicolon and are at hand; the others are unpacked when a page first writes
 * one (`named-entities.ts`). An unknown name stays as it is written, as in a browser.
 */
import { LONGEST_NAME, namedCharacters } from './named-entities.ts'

/** Where a reference ends and what it stands for; the caller owns it, so that reading one makes no object. */
export interface Reference {
  codePoint: number
  /** 93 names stand for two code points; 0 for all others. */
  second: number
  end: number
}

/**
 * Reads the reference at `codes[at]`, an ampersand, into `into`; false when there is none and `&` means itself.
 * In an attribute, `&copy=1` is a query parameter and not a sign (HTML, "named character reference state").
 */
export function readReference(
  codes: Uint16Array,
  at: number,
  end: number,
  inAttribute: boolean,
  into: Reference,
): boolean {
  const first = at + 1 < end ? codes[at + 1]! : 0
  if (first === 0x23) return readNumeric(codes, at + 2, end, into)
  if (!isAlphanumeric(first)) return false
  if (readCommon(codes, at, end, into)) return true
  const limit = Math.min(end, at + 1 + LONGEST_NAME)
  let name = ''
  let next = at + 1
  while (next < limit && isAlphanumeric(codes[next]!)) name += String.fromCharCode(codes[next++]!)
  if (next < end && codes[next] === SEMICOLON) {
    const oldest = unterminated.get(name)
    if (oldest !== undefined) return found(into, oldest, next + 1)
    const characters = namedCharacters().get(name)
    if (characters !== undefined) return foundNamed(into, characters, next + 1)
  }
  return readUnterminated(codes, at + 1, end, name, inAttribute, into)
}

/** `text` with its references replaced; for strings that come from elsewhere than the scanner. */
export function decodeReferences(text: string, inAttribute = false): string {
  let mark = text.indexOf('&')
  if (mark < 0) return text
  const codes = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at)
  const reference: Reference = { codePoint: 0, second: 0, end: 0 }
  let done = 0
  let out = ''
  for (; mark >= 0; mark = text.indexOf('&', mark + 1)) {
    if (mark < done || !readReference(codes, mark, text.length, inAttribute, reference)) continue
    out += text.slice(done, mark) + String.fromCodePoint(reference.codePoint)
    if (reference.second !== 0) out += String.fromCodePoint(reference.second)
    done = reference.end
  }
  return out + text.slice(done)
}

/** `&lt;`, `&gt;`, `&amp;` and `&nbsp;`: nearly all there are, found without making a string of the name. */
function readCommon(codes: Uint16Array, at: number, end: number, into: Reference): boolean {
  const first = codes[at + 1]
  const second = codes[at + 2]
  if (second === 0x74 && codes[at + 3] === SEMICOLON && at + 3 < end) {
    if (first === 0x6c) return found(into, 0x3c, at + 4)
    if (first === 0x67) return found(into, 0x3e, at + 4)
  } else if (first === 0x61 && second === 0x6d) {
    if (codes[at + 3] === 0x70 && codes[at + 4] === SEMICOLON && at + 4 < end) return found(into, 0x26, at + 5)
  } else if (first === 0x6e && second === 0x62 && codes[at + 3] === 0x73 && codes[at + 4] === 0x70) {
    if (codes[at + 5] === SEMICOLON && at + 5 < end) return found(into, 0xa0, at + 6)
  }
  return false
}

/** Decimal or hexadecimal digits from `at` on, to the end of their run however long it is. */
function readNumeric(codes: Uint16Array, at: number, end: number, into: Reference): boolean {
  const hexadecimal = at < end && (codes[at]! | 0x20) === 0x78
  let next = hexadecimal ? at + 1 : at
  const start = next
  let value = 0
  for (let digit = 0; next < end && (digit = digitOf(codes[next]!, hexadecimal)) >= 0; next++) {
    // Zeros may lead without end; past the last code point the exact value no longer matters.
    if (value <= LAST_CODE_POINT) value = value * (hexadecimal ? 16 : 10) + digit
  }
  if (next === start) return false
  return found(into, meant(value), next < end && codes[next] === SEMICOLON ? next + 1 : next)
}

/** A digit's value, -1 for what is none. */
function digitOf(code: number, hexadecimal: boolean): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 0x20
  return hexadecimal && letter >= 97 && letter <= 102 ? letter - 87 : -1
}

/** The code point a number means: pages that count in windows-1252 are older than the rule and are kept working. */
function meant(value: number): number {
  if (value >= 0x80 && value <= 0x9f) return windows1252[value - 0x80]!
  if (value === 0 || value > LAST_CODE_POINT || (value >= 0xd800 && value <= 0xdfff)) return 0xfffd
  return value
}

/** The longest of the oldest names at the head of `name`: they may go without their semicolon. */
function readUnterminated(
  codes: Uint16Array,
  at: number,
  end: number,
  name: string,
  inAttribute: boolean,
  into: Reference,
): boolean {
  for (let length = Math.min(name.length, LONGEST_UNTERMINATED); length >= 2; length--) {
    const codePoint = unterminated.get(name.slice(0, length))
    if (codePoint === undefined) continue
    const next = at + length
    const after = next < end ? codes[next]! : 0
    if (inAttribute && (after === 0x3d || isAlphanumeric(after))) return false
    return found(into, codePoint, after === SEMICOLON ? next + 1 : next)
  }
  return false
}

function found(into: Reference, codePoint: number, end: number): true {
  into.codePoint = codePoint
  into.second = 0
  into.end = end
  return true
}

function foundNamed(into: Reference, characters: string, end: number): true {
  const first = characters.codePointAt(0)!
  into.codePoint = first
  into.second = characters.codePointAt(first > 0xffff ? 2 : 1) ?? 0
  into.end = end
  return true
}

export function isAlphanumeric(code: number): boolean {
  const letter = code | 0x20
  return (code >= 48 && code <= 57) || (letter >= 97 && letter <= 122)
}

const SEMICOLON = 0x3b
const LAST_CODE_POINT = 0x10ffff

// oxfmt-ignore
const windows1252: readonly number[] = [
  0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
  0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
]

/** The names of U+00A0 to U+00FF, in order. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml'

const unterminated = new Map<string, number>(
  'quot QUOT amp AMP lt LT gt GT copy COPY reg REG'.split(' ').map((name) => {
    const sign = { quot: 0x22, amp: 0x26, lt: 0x3c, gt: 0x3e, copy: 0xa9, reg: 0xae }[name.toLowerCase()]!
    return [name, sign]
  }),
)
for (const [place, name] of latin1.split(' ').entries()) unterminated.set(name, 0xa0 + place)

const LONGEST_UNTERMINATED = Math.max(...Array.from(unterminated.keys(), (name) => name.length))
