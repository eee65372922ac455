/**
 * Whole address: what a page or a style sheet of a copy points to, as it was written. Which addresses are one page is for the
 * collection to say, by its own URL rules, when it is asked for what it holds.
 */
const MOST_ADDRESS = 8_192

/** Without its fragment; undefined for what no crawl can have fetched. */
export function wholeAddress(address: string, base: string): string | undefined {
  if (address.length > MOST_ADDRESS) return undefined
  const url = URL.parse(address, base)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  url.hash = ''
  return url.href
}
