/**
 * Robots matching: how a rule's path and a URL's are spelled so that they can be compared (RFC 9309 §2.2.2 and §2.2.3)
 *
 * Both sides are first written in one way, so that comparing octets is comparing meanings:
 *
 *   unreserved octets                     decoded: `%62%61%7A` is `baz`
 *   reserved ones (`:` `@` `,` `=` …)     decoded: the RFC makes a reserved octet equal to its encoding by encoding
 *                                         both sides; decoding both gives the same answers and is seldom any work
 *   `%2F` and `%3F`                       kept: in a path they are not the delimiters `/` and `?`
 *   the same two behind a literal `?`     decoded: the RFC's own example has `?baz=https%3A%2F%2Ffoo.bar` equal to
 *                                         `?baz=https://foo.bar`
 *   `*` and `$` of a URL, `%2A` and `%24` encoded: in a rule these two mean something else (§2.2.3)
 *   all else (blanks, `"`, octets > 127)  encoded, with upper-case digits
 *
 * A rule such as `/*%2Fx` does not tell whether its `%2F` is meant for the path or the query, so a URL whose query has
 * one is compared in both spellings.
 */

/** The spellings of a URL's path and query that rules are compared with: one, seldom two. Takes a path as well. */
export function comparablePaths(url: string): readonly string[] {
  const path = pathAndQuery(url)
  if (!NEEDS_SPELLING.test(path)) return [path]
  const octets = Buffer.from(path, 'utf8')
  const kept = respelt(octets, false)
  if (!path.includes('?')) return [kept]
  const decoded = respelt(octets, true)
  return kept === decoded ? [kept] : [kept, decoded]
}

const NEEDS_SPELLING = /[^\w\-.~:/?#[\]@!&'()+,;=]/

function respelt(octets: Uint8Array, decodesQuery: boolean): string {
  const text = new ComparableText(octets.length)
  text.write(octets, 0, octets.length, decodesQuery, false)
  return text.toString()
}

/** From the path to the fragment. A URL without a path asks for `/` (RFC 9110 §4.2.3). */
function pathAndQuery(url: string): string {
  const scheme = url.startsWith('/') ? -1 : url.indexOf('://')
  const hash = url.indexOf('#')
  const whole = hash < 0 ? url : url.slice(0, hash)
  const start = scheme < 0 ? 0 : whole.slice(scheme + 3).search(/[/?]/)
  const rest = start < 0 ? '' : whole.slice(scheme < 0 ? 0 : scheme + 3 + start)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** One character for each octet of UTF-8. */
export function toOctets(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Text as it is compared: whatever is written becomes part of it. */
export class ComparableText {
  octets: Buffer
  length = 0

  /** For about so many octets. */
  constructor(octets: number) {
    this.octets = Buffer.allocUnsafeSlow(octets)
  }

  /** `decodesQuery`: behind a `?` an encoded `/` or `?` is one. `isRule`: a `*` stands for any text, and is kept. */
  write(source: Uint8Array, from: number, to: number, decodesQuery: boolean, isRule: boolean): void {
    this.#reserve(3 * (to - from))
    const { octets } = this
    let { length } = this
    let isQuery = false
    for (let at = from; at < to; at++) {
      const literal = source[at]!
      const coded = literal === PERCENT && at + 2 < to ? hexAt(source, at + 1) : NONE
      const isCoded = coded !== NONE
      const octet = isCoded ? coded : literal
      const sense = STANDS_FOR[octet]!
      if (isCoded) at += 2
      else if (literal === QUESTION_MARK) isQuery = decodesQuery
      const isKept = isCoded
        ? sense === ITSELF || (isQuery && sense === DELIMITER)
        : sense !== NOTHING || (isRule && literal === STAR)
      if (isKept) octets[length++] = octet
      else {
        octets[length++] = PERCENT
        octets[length++] = DIGITS[octet >> 4]!
        octets[length++] = DIGITS[octet & 15]!
      }
    }
    this.length = length
  }

  toString(): string {
    return this.octets.toString('latin1', 0, this.length)
  }

  #reserve(more: number): void {
    if (this.length + more <= this.octets.length) return
    const larger = Buffer.allocUnsafeSlow(2 * this.octets.length + more)
    larger.set(this.octets.subarray(0, this.length))
    this.octets = larger
  }
}

const STAR = 0x2a
const PERCENT = 0x25
const QUESTION_MARK = 0x3f
const NONE = -1
const DIGITS = Buffer.from('0123456789ABCDEF')

/** What an octet stands for where it is not encoded; encoded, `ITSELF` stands for the same. */
const [NOTHING, LITERAL, DELIMITER, ITSELF] = [0, 1, 2, 3]
const STANDS_FOR = Uint8Array.from({ length: 256 }, (_, octet) => {
  const char = String.fromCharCode(octet)
  if (/[\w\-.~:@!&'()+,;=[\]]/.test(char)) return ITSELF
  if (char === '/' || char === '?') return DELIMITER
  return char === '#' || char === '%' ? LITERAL : NOTHING
})

/** Two digits as an octet. */
function hexAt(octets: Uint8Array, at: number): number {
  const [high, low] = [HEX[octets[at]!]!, HEX[octets[at + 1]!]!]
  return high < 0 || low < 0 ? NONE : high * 16 + low
}

const HEX = Int8Array.from({ length: 256 }, (_, octet) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(octet).toLowerCase()),
)
