/** What stands inside attribute values: URLs, lists of image candidates, and the refresh of a `meta`. */
import { readReference, type Reference } from './entities.ts'
import type { UnitBuffer } from './html-text.ts'

const reference: Reference = { codePoint: 0, second: 0, end: 0 }

/**
 * Writes the URL in `codes` as a URL parser takes it: references decoded, blanks at both ends and all tabs and
 * newlines removed (URL standard, "basic URL parser" steps 1 to 3). False, and nothing written, past `limit`.
 */
export function writeUrl(codes: Uint16Array, start: number, end: number, limit: number, into: UnitBuffer): boolean {
  // A reference takes at least three units and gives at most two, so a value this long cannot shrink to the limit
  // unless it is padded on purpose.
  if (end - start > limit * 8) return false
  into.reserve(end - start)
  const { units } = into
  const first = into.length
  let length = first
  let width = 0
  for (let at = start; at < end; at++) {
    let code = codes[at]!
    let second = 0
    while (code > 0x26 && at < end) {
      units[length++] = code
      width |= code
      code = codes[++at]!
    }
    if (at >= end) break
    if (code === 0x26 && readReference(codes, at, end, true, reference)) {
      at = reference.end - 1
      code = reference.codePoint
      second = reference.second
    }
    if (code <= 0x20 && (length === first || code === 0x09 || code === 0x0a || code === 0x0d)) continue
    if (code > 0xffff) {
      units[length++] = 0xd7c0 + (code >> 10)
      code = 0xdc00 | (code & 0x3ff)
    }
    units[length++] = code === 0 ? 0xfffd : code
    if (second !== 0) units[length++] = second
    width |= code | second
  }
  while (length > first && units[length - 1]! <= 0x20) length--
  if (length - first > limit) return false
  into.length = length
  into.widen(width)
  return true
}

/** The URLs of a `srcset` (HTML, "parsing a srcset attribute"); what describes them is skipped. */
export function srcsetUrls(srcset: string): string[] {
  const urls: string[] = []
  let at = 0
  while (at < srcset.length) {
    while (at < srcset.length && (srcset[at] === ',' || srcset[at]! <= ' ')) at++
    const start = at
    while (at < srcset.length && srcset[at]! > ' ') at++
    let end = at
    while (end > start && srcset[end - 1] === ',') end--
    if (end > start) urls.push(srcset.slice(start, end))
    if (end === at) at = descriptorsEnd(srcset, at)
  }
  return urls
}

/** Behind the comma that ends a candidate; commas in parentheses belong to a descriptor. */
function descriptorsEnd(srcset: string, start: number): number {
  let inParentheses = false
  for (let at = start; at < srcset.length; at++) {
    if (srcset[at] === '(') inParentheses = true
    else if (srcset[at] === ')') inParentheses = false
    else if (srcset[at] === ',' && !inParentheses) return at + 1
  }
  return srcset.length
}

export interface Refresh {
  readonly seconds: number
  /** '' is the page itself. */
  readonly href: string
}

/** `5; url=next.html` (HTML, "shared declarative refresh steps"); undefined when it would do nothing. */
export function parseRefresh(content: string): Refresh | undefined {
  const [time, whole] = /^\s*(\d*)[\d.]*/.exec(content)!
  if (time.trim() === '') return undefined
  const seconds = Math.min(Number(whole), Number.MAX_SAFE_INTEGER)
  let rest = content.slice(time.length)
  if (rest !== '' && !/^[;,\s]/.test(rest)) return undefined
  rest = rest.trimStart().replace(/^[;,]/, '').trimStart()
  const named = /^url\s*=\s*/i.exec(rest)
  if (named !== null) rest = rest.slice(named[0].length)
  const quote = rest[0]
  if (quote === '"' || quote === "'") {
    const close = rest.indexOf(quote, 1)
    rest = close < 0 ? rest.slice(1) : rest.slice(1, close)
  }
  return { seconds, href: rest.trim() }
}
