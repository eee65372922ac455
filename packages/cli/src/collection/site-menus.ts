/**
 * Site menus: the lines that pages of a site share, found by comparing some of them, so that an export's text is what each page
 * says and not what all of them repeat: menus, banners, footers.
 *
 * A line is shared when most of the pages that are compared have it. It is left out where its neighbour is shared too, or at the
 * page's very beginning or end; a shared line between others (a heading such as "Examples") is a page's own.
 */

/** Pages of a site that are compared, spread over all of it. */
const MAX_COMPARED = 40
/** Of fewer pages nobody can tell what they share by chance. */
const MIN_COMPARED = 4
const SHARE = 0.6

/** Which lines most of these texts share. */
export function sharedLines(texts: Iterable<string>): ReadonlySet<string> {
  const counts = new Map<string, number>()
  let compared = 0
  for (const text of texts) {
    compared++
    for (const line of new Set(linesOf(text))) counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  if (compared < MIN_COMPARED) return new Set()
  return new Set([...counts].flatMap(([line, count]) => (count >= compared * SHARE ? [line] : [])))
}

/** The text without what its site repeats. */
export function withoutMenus(text: string, shared: ReadonlySet<string>): string {
  const lines = linesOf(text)
  const isShared = lines.map((line) => shared.has(line))
  const isMenu = (i: number): boolean =>
    isShared[i] === true && (i === 0 || i === lines.length - 1 || isShared[i - 1] === true || isShared[i + 1] === true)
  return lines.filter((_, i) => !isMenu(i)).join('\n')
}

/** At most so many of them, evenly spread. */
export function spread<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length <= MAX_COMPARED) return items
  return Array.from({ length: MAX_COMPARED }, (_, i) => items[Math.floor((i * items.length) / MAX_COMPARED)]!)
}

const linesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
