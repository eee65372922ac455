/**
 * Robots matching: does a rule's path match a URL's? (RFC 9309 §2.2.2 and §2.2.3)
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
import { globPieces, matchesGlob } from './glob.ts'
import type { WorkBudget } from './work-budget.ts'

/** A rule's path, compiled. */
export interface PathPattern {
  /** Octets of the path as compared. The most specific match is the one with the most of them (§2.2.2). */
  readonly length: number
  /** What lies between the wildcards; one part only when there are none. */
  readonly parts: readonly string[]
  /** Ends with `$`: the whole path must be used up. */
  readonly isAnchored: boolean
}

/** `path` holds one octet a character (latin 1), as it stands in the file. */
export function compilePattern(path: string): PathPattern {
  const isAnchored = path.endsWith('$')
  const body = isAnchored ? path.slice(0, -1) : path
  const mark = body.indexOf('?')
  const text = AS_IT_IS.test(body)
    ? body
    : mark < 0
      ? comparableParts(body, false)
      : comparableParts(body.slice(0, mark), false) + comparableParts(body.slice(mark), true)
  return { length: text.length + (isAnchored ? 1 : 0), parts: globPieces(text), isAnchored }
}

/** Nearly all rules. */
const AS_IT_IS = /^[\w\-.~:/#[\]@!&'()+,;=*]*$/

function comparableParts(text: string, isQuery: boolean): string {
  const parts = text.split('*').map((part) => comparable(part, isQuery))
  return parts.join('*')
}

export function matchesPattern({ parts, isAnchored }: PathPattern, path: string): boolean {
  return matchesGlob(parts, path, isAnchored)
}

/** The same; false, too, when the budget does not allow to find out. */
export function matchesWithin(work: WorkBudget, { parts, isAnchored }: PathPattern, path: string): boolean {
  // Most rules are about other folders.
  if (!path.startsWith(parts[0]!)) return work.spend('comparison') && false
  // As if each piece were looked for to the end of what is left; all of them together pass the path once.
  if (!work.spend('piece', Math.min(parts.length, path.length)) || !work.spend('character', path.length)) return false
  return matchesGlob(parts, path, isAnchored)
}

/** The spellings of a URL's path and query that rules are compared with: one, seldom two. Takes a path as well. */
export function comparablePaths(url: string): readonly string[] {
  const path = pathAndQuery(url)
  if (!NEEDS_SPELLING.test(path)) return [path]
  const mark = path.indexOf('?')
  const kept = comparable(toOctets(path), false)
  if (mark < 0) return [kept]
  const decoded = comparable(toOctets(path.slice(0, mark)), false) + comparable(toOctets(path.slice(mark)), true)
  return kept === decoded ? [kept] : [kept, decoded]
}

const NEEDS_SPELLING = /[^\w\-.~:/?#[\]@!&'()+,;=]/

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

const OCTETS = /%[0-9A-Fa-f]{2}|[^\w\-.~:/?#[\]@!&'()+,;=%]/g
const DECODED = /[\w\-.~:@!&'()+,;=[\]]/

function comparable(octets: string, isQuery: boolean): string {
  return octets.replace(OCTETS, (found) => {
    const octet = found.length === 3 ? Number.parseInt(found.slice(1), 16) : found.charCodeAt(0)
    const char = String.fromCharCode(octet)
    if (DECODED.test(char) || (isQuery && (char === '/' || char === '?'))) return char
    return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`
  })
}
