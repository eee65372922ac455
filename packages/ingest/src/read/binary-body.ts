/**
 * Binary body: bytes that are called a page and are no text in any coding of characters: noise, an image, a file that was packed or
 * ciphered. Text has line ends and tabs, and of the other control characters next to none; of random bytes each eleventh is one
 * (WHATWG MIME Sniffing §3, "binary data byte"). Zeros are not counted: browsers pass over them in pages, however many there are.
 */

/** The beginning tells: a page that ends in noise is still a page. */
const LOOKED_AT = 64 << 10
/** A few may stand in any old page. */
const LEAST = 8
const SHARE = 0.02

const isControl = (byte: number): boolean =>
  byte !== 0 && byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13
/** Escapes shift between alphabets in codings of seven bits (ISO/IEC 2022). */
const SHIFTS = new Set([0x0e, 0x0f, 0x1b])

/** `charset`: as it was read. Half of the bytes of UTF-16 are zero where its text is English. */
export function isBinary(body: Uint8Array, charset: string): boolean {
  if (/^utf-?16/i.test(charset)) return false
  const length = Math.min(body.length, LOOKED_AT)
  let count = 0
  for (let i = 0; i < length; i++) if (isControl(body[i]!) && !SHIFTS.has(body[i]!)) count++
  return count >= LEAST && count > length * SHARE
}
