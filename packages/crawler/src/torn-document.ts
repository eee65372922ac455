/** Torn document: whether an XML list ends before its end, as when it was read while it was being written. */
import type { SyncSummary } from '@comity/protocol'

const TAIL_BYTES = 256

/** Of a sitemap or ResourceSync document; the reader gives whatever was whole, so its problems do not tell. */
export function isTorn(body: Uint8Array, { format, problems }: Pick<SyncSummary, 'format' | 'problems'>): boolean {
  if (problems['bad-gzip'] !== undefined || problems['too-large'] !== undefined) return true
  const isPacked = body[0] === 0x1f && body[1] === 0x8b
  if (isPacked || (format !== 'urlset' && format !== 'sitemapindex')) return format === 'unknown'
  // Latin-1 without zeros reads the end tag in UTF-8 and in both orders of UTF-16.
  const tail = Buffer.from(body.subarray(-TAIL_BYTES)).toString('latin1').replaceAll('\0', '')
  return !/<\/[\w.-]*:?(?:urlset|sitemapindex)\s*>/i.test(tail)
}
