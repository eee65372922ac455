/**
 * The owner's robots.txt in a static export. It is the owner's file, so it is kept to the last byte; what crawlers are told
 * of the site's documents stands between two comments at its end, and only that is ever replaced.
 *
 *   User-agent: *                                the owner's
 *   Disallow: /private/
 *
 *   # comity begin: …                            ours
 *   Sitemap: https://a.example/sitemap.xml
 *   # comity end
 */
const BEGIN = '# comity begin: `comity publish` writes from here to the next comment; put your own lines outside'
const END = '# comity end'
/** Whatever stands behind the first words may be reworded by a later version. */
const BLOCK = /(?:^|(?<=\n))# comity begin\b[^\n]*\n(?:[^\n]*\n)*?# comity end[^\n]*(?:\n|$)/g

/** The owner's part. Bytes that are no UTF-8 stay as they are. */
export function ownRobots(file: Uint8Array): Buffer {
  const text = Buffer.from(file).toString('latin1')
  const own = text.replaceAll(BLOCK, '')
  // The blank line before the block came with it.
  return Buffer.from(own === text ? text : own.replace(/\n\n$/, '\n'), 'latin1')
}

/** The file with these lines in its block; the owner's part alone when there are none. */
export function withOwnBlock(own: Uint8Array, lines: string): Buffer {
  if (lines.trim() === '') return Buffer.from(own)
  const text = Buffer.from(own).toString('latin1')
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return Buffer.concat([own, Buffer.from(`${gap}${BEGIN}\n${lines.trim()}\n${END}\n`)])
}

/** What a merged text adds to the owner's. */
export function addedLines(merged: string, own: string): string {
  const kept = own.trimEnd()
  return merged.startsWith(kept) ? merged.slice(kept.length).trim() : merged.trim()
}
