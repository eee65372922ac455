/**
 * Glob: does a text match a pattern in which `*` stands for any run of characters, and nothing else is special? The one
 * matcher of all that is judged by such patterns: rules of robots.txt, the scope of a crawl, paths of a site.
 *
 * It takes one pass: each piece is looked for behind the one before it, at its first place. A `*` takes anything, so the
 * first place is never worse than a later one, and nothing is tried twice. The same pattern as a regular expression
 * (`.*` for each `*`) tries all places against each other, which a long URL made for it turns into minutes.
 */

/** `pieces`: what stands between the wildcards. `isWhole`: the last piece ends the text; otherwise anything may follow. */
export function matchesGlob(pieces: readonly string[], text: string, isWhole = true): boolean {
  const first = pieces[0] ?? ''
  if (!text.startsWith(first)) return false
  const last = pieces.length - 1
  if (last <= 0) return !isWhole || text.length === first.length
  let at = first.length
  for (let i = 1; i < last; i++) {
    const piece = pieces[i]!
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  const end = pieces[last]!
  return isWhole ? text.length - end.length >= at && text.endsWith(end) : text.includes(end, at)
}

/**
 * For rules that keep something out: a pattern that ends with the name of a folder means all that is below it. A root alone, or
 * any folder at all (a star before the slash), is the page there, as everything would be meant otherwise.
 */
export const withAllBelow = (pattern: string): string =>
  /[^/*]\/$/.test(pattern) && !ROOT.test(pattern) ? `${pattern}*` : pattern

const ROOT = /^[^/]*:\/\/[^/]*\/$/

/** A pattern as its pieces; wildcards in a row are one. */
export const globPieces = (pattern: string): readonly string[] =>
  pattern.includes('**') ? pattern.split(/\*+/) : pattern.split('*')
