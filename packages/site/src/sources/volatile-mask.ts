/**
 * Volatile mask: takes out of a page what differs in every answer, so that the rest tells whether it changed. A page with a
 * fresh token in each form would otherwise be reported as changed by every visit.
 *
 * A mask is a regular expression or what stands between two markers. The expressions are the owner's, and so is the time
 * they take: write them so that no page can make them slow (bounded repetitions, as below).
 */
import { isUtf8 } from 'node:buffer'
import { isTextType } from '@comity/protocol'

export type VolatileMask =
  | { readonly pattern: RegExp }
  /** The markers stay; a first marker without a second masks nothing. */
  | { readonly from: string; readonly to: string }

const CSRF_NAMES =
  '_?csrf[\\w-]{0,40}|csrfmiddlewaretoken|authenticity_token|_token|__RequestVerificationToken|__VIEWSTATE|__EVENTVALIDATION'

/** What common frameworks put into pages: tokens against forged requests, nonces of scripts, times of making. */
export const commonMasks: readonly VolatileMask[] = [
  { pattern: new RegExp(`<input\\b[^>]{0,300}\\bname=["']?(?:${CSRF_NAMES})["' >/][^>]{0,20000}>?`, 'gi') },
  { pattern: /<meta\b[^>]{0,300}\bname=["']?csrf-token\b[^>]{0,1000}>/gi },
  { pattern: /"csrf_?token"\s{0,5}:\s{0,5}"[^"]{1,500}"/gi },
  { pattern: /\bnonce=(?:"[^"]{1,200}"|'[^']{1,200}')/gi },
  { pattern: /\bdata-cfemail="[0-9a-f]{1,500}"/gi },
  { pattern: /<!--[^>]{0,200}\b(?:generated|rendered|served|cached)\b[^>]{0,300}-->/gi },
]

/** Stands for what was masked: that something was there still counts. */
const MASKED = '\0'

/** The body with its volatile parts masked; undefined when there are none, and for what is no text. */
export function maskedBody(body: Uint8Array, type: string, masks: readonly VolatileMask[]): Buffer | undefined {
  if (masks.length === 0 || !isTextType(type)) return undefined
  // In another charset each octet is one character, so masks in ASCII still find what they look for.
  const encoding = isUtf8(body) ? 'utf8' : 'latin1'
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(encoding)
  const masked = masks.reduce(applyMask, text)
  return masked === text ? undefined : Buffer.from(masked, encoding)
}

function applyMask(text: string, mask: VolatileMask): string {
  if ('from' in mask) return maskBetween(text, mask.from, mask.to)
  const { source, flags } = mask.pattern
  return text.replace(flags.includes('g') ? mask.pattern : new RegExp(source, `${flags}g`), MASKED)
}

function maskBetween(text: string, from: string, to: string): string {
  if (from === '' || to === '') return text
  let [masked, at] = ['', 0]
  for (;;) {
    const start = text.indexOf(from, at)
    const end = start < 0 ? -1 : text.indexOf(to, start + from.length)
    if (end < 0) return masked + text.slice(at)
    masked += text.slice(at, start + from.length) + MASKED
    at = end
  }
}
