/**
 * Character references: `&amp;`, `&#8211;`, `&#x2013;`.
 *
 * The named ones are those of HTML 4.01 §24 and the commoner additions of HTML: the full list of 2,231 is mostly
 * mathematics that pages write as themselves. An unknown name stays as it is written, as in a browser.
 */

/** Where a reference ends and what it stands for; the caller owns it, so that reading one makes no object. */
export interface Reference {
  codePoint: number
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
    const codePoint = named.get(name)
    if (codePoint !== undefined) return found(into, codePoint, next + 1)
  }
  return readUnterminated(codes, at + 1, end, name, inAttribute, into)
}

/** `text` with its references replaced; for strings that come from elsewhere than the scanner. */
export function decodeReferences(text: string, inAttribute = false): string {
  let mark = text.indexOf('&')
  if (mark < 0) return text
  const codes = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at)
  const reference: Reference = { codePoint: 0, end: 0 }
  let done = 0
  let out = ''
  for (; mark >= 0; mark = text.indexOf('&', mark + 1)) {
    if (mark < done || !readReference(codes, mark, text.length, inAttribute, reference)) continue
    out += text.slice(done, mark) + String.fromCodePoint(reference.codePoint)
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

/** Names of runs of code points: `391` starts a run at U+0391. No name starts with a digit. */
const runs =
  '391 Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho 3a3 Sigma Tau Upsilon ' +
  'Phi Chi Psi Omega 3b1 alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho ' +
  'sigmaf sigma tau upsilon phi chi psi omega 3d1 thetasym upsih 3d6 piv 3b5 epsi 3d1 thetav 3f5 epsiv ' +
  '9 Tab NewLine 21 excl 23 num dollar percnt 27 apos lpar rpar ast plus comma 2e period sol 3a colon semi 3d equals ' +
  '3f quest commat 5b lsqb bsol rsqb Hat lowbar grave 5b lbrack 5d rbrack 7b lcub verbar rcub 7b lbrace vert rbrace ' +
  '0a0 NonBreakingSpace 0b1 pm 0b7 centerdot 0bd half 0f7 div 192 fnof 2c6 circ 2dc tilde ' +
  '100 Amacr amacr Abreve abreve Aogon aogon Cacute cacute 10c Ccaron ccaron Dcaron dcaron Dstrok dstrok 118 Eogon ' +
  'eogon Ecaron ecaron 11e Gbreve gbreve 130 Idot inodot 131 imath 141 Lstrok lstrok Nacute nacute 147 Ncaron ncaron ' +
  '150 Odblac odblac OElig oelig 158 Rcaron rcaron Sacute sacute 15e Scedil scedil Scaron scaron 164 Tcaron tcaron ' +
  '16e Uring uring Udblac udblac 178 Yuml Zacute zacute Zdot zdot Zcaron zcaron ' +
  '2002 ensp emsp 2007 numsp puncsp thinsp hairsp ZeroWidthSpace zwnj zwj lrm rlm dash 2013 ndash mdash horbar Vert ' +
  '2018 lsquo rsquo sbquo 201c ldquo rdquo bdquo 201a lsquor 201e ldquor 2020 dagger Dagger bull 2022 bullet ' +
  '2025 nldr hellip 2026 mldr 2030 permil 2032 prime Prime 2039 lsaquo rsaquo 203e oline 2044 frasl 20ac euro ' +
  '210f hbar 2111 image 2113 ell 2116 numero copysr weierp 211c real 2122 trade 2135 alefsym ' +
  '2153 frac13 frac23 frac15 frac25 frac35 frac45 frac16 frac56 frac18 frac38 frac58 frac78 ' +
  '2190 larr uarr rarr darr harr 2190 LeftArrow UpArrow RightArrow DownArrow 21a6 map 21b5 crarr ' +
  '21d0 lArr uArr rArr dArr hArr 2200 forall 2202 part exist 2205 empty 2207 nabla isin notin 220b ni 220f prod ' +
  '2205 emptyset 2208 in 2211 sum minus 2211 Sum 2216 setminus lowast 221a radic 221d prop infin 2220 ang 2227 and or ' +
  'cap cup int 2234 there4 223c sim 2245 cong 2248 asymp 2248 approx 2260 ne equiv 2260 NotEqual 2264 le ge 2264 leq ' +
  'geq 2282 sub sup nsub 2286 sube supe 2295 oplus 2297 otimes 22a5 perp 22c5 sdot 2308 lceil rceil lfloor rfloor ' +
  '2500 boxh 2502 boxv 2588 block 25a1 squ 25a1 square 25b4 utrif utri 25b8 rtrif rtri 25be dtrif dtri 25c2 ltrif ' +
  'ltri 25ca loz cir 2605 starf star 260e phone 2660 spades 2663 clubs 2665 hearts diams 266a sung 266d flat natural ' +
  'sharp 2713 check 2717 cross 27e8 lang rang'

const unterminated = new Map<string, number>(
  'quot QUOT amp AMP lt LT gt GT copy COPY reg REG'.split(' ').map((name) => {
    const sign = { quot: 0x22, amp: 0x26, lt: 0x3c, gt: 0x3e, copy: 0xa9, reg: 0xae }[name.toLowerCase()]!
    return [name, sign]
  }),
)
for (const [place, name] of latin1.split(' ').entries()) unterminated.set(name, 0xa0 + place)

const named = new Map(unterminated)
let codePoint = 0
for (const word of runs.split(' ')) {
  if (/^\d/.test(word)) codePoint = Number.parseInt(word, 16)
  else named.set(word, codePoint++)
}

const longest = (names: Iterable<string>): number => Math.max(...Array.from(names, (name) => name.length))
const LONGEST_NAME = longest(named.keys())
const LONGEST_UNTERMINATED = longest(unterminated.keys())
