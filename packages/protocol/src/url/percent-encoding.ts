/**
 * Percent-encoding: one spelling for each octet (RFC 3986 §6.2.2).
 *
 * Hex digits are upper case and unreserved octets stand for themselves; every other octet stays as it was written,
 * because encoding a delimiter, or decoding it, changes what the URL means (RFC 3986 §2.2).
 *
 * A `%` that starts no escape is left alone: servers differ on it, so we ask for exactly what the page linked to.
 * Such a stray `%` must not gain digits, or `%%32e` would turn into `%2e` and mean something else the second time.
 * So an escape that follows a stray `%`, or a stray `%` and one hex digit, is never decoded. That makes the function
 * idempotent.
 */
const ESCAPES = /%([0-9A-Fa-f]{2})|%[0-9A-Fa-f]?/g

/** A lower-case digit or an unreserved octet. Most escapes on the Web have neither, and this test is cheap. */
const OTHER_SPELLING = /%(?:[0-9A-Fa-f][a-f]|[a-f][0-9A-F]|2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/

/** `text` in its one spelling; never longer than `text`. */
export function normalizePercentEncoding(text: string): string {
  if (!text.includes('%') || !OTHER_SPELLING.test(text)) return text
  let strayEnd = -1
  return text.replace(ESCAPES, (escape: string, hex: string | undefined, at: number) => {
    if (hex === undefined) {
      strayEnd = at + escape.length
      return escape
    }
    const octet = Number.parseInt(hex, 16)
    return isUnreserved(octet) && at !== strayEnd ? String.fromCharCode(octet) : escape.toUpperCase()
  })
}

/** Letters, digits, `-`, `.`, `_` and `~` (RFC 3986 §2.3). */
export function isUnreserved(octet: number): boolean {
  return UNRESERVED[octet] === 1
}

const UNRESERVED = new Uint8Array(256)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')
  UNRESERVED[char.charCodeAt(0)] = 1
