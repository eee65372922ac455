/**
 * Parts of a robots.rdf: which pages are listed, and in which file (002 §6.5.1, §6.5.3).
 *
 * A large file is a waste when one page has changed, so it is split by levels, the depth of folders, and each part is
 * asked for only if modified. The first has the top levels; `rdfs:seeAlso` leads from it to the others:
 *
 *   robots.rdf         levels 0 and 1, while they have no more than 250 pages
 *   robots.2.rdf       level 2
 *   robots.3.0.rdf     level 3, which has more than 1,000 pages: those whose URL's hash ends in 0
 *   robots.3.1.rdf     … in 1. By hash and not by number, so that a new page does not move all behind it.
 */
import type { PageEntry } from './page-entry.ts'

export interface RobotsRdfPartOptions {
  /** The site's home page; parts stand beside it, and only pages below it are listed. */
  readonly base: string
  /** A page is listed when its URL has one of these in it. */
  readonly include: readonly (string | RegExp)[]
  /** A page is not listed when its URL has one of these in it: private folders. */
  readonly reject: readonly (string | RegExp)[]
  /** Pages listed, those nearest to the home page first. */
  readonly maximum: number
  /** Pages in the first part: the top levels, as far as they fit as a whole. */
  readonly firstPages: number
  /** Pages in any other part, or a few more: pieces of a level are only nearly equal. */
  readonly partPages: number
}

export interface RobotsRdfPart {
  /** `robots.rdf`, `robots.2.rdf`. */
  readonly name: string
  readonly pages: readonly PageEntry[]
}

/** Where crawlers look for it (002 §6.5). */
export const ROBOTS_RDF = 'robots.rdf'

/** The first is always there, if need be without a page. `base` must end in a slash. */
export function robotsRdfParts(pages: Iterable<PageEntry>, options: RobotsRdfPartOptions): readonly RobotsRdfPart[] {
  const levels = levelsOf(listedPages(pages, options), options.base)
  const top: PageEntry[] = []
  let next = 0
  for (const [, level] of levels) {
    if (top.length + level.length > options.firstPages) break
    for (const page of level) top.push(page)
    next += 1
  }
  const parts: RobotsRdfPart[] = [{ name: ROBOTS_RDF, pages: top }]
  for (const [level, members] of levels.slice(next)) parts.push(...piecesOf(level, members, options.partPages))
  return parts
}

/** Those that may be listed, by level and then by URL, up to the maximum. */
function listedPages(pages: Iterable<PageEntry>, options: RobotsRdfPartOptions): readonly PageEntry[] {
  const { base, include, reject, maximum } = options
  const listed = [...pages].filter(
    ({ url }) =>
      url.startsWith(base) &&
      include.some((pattern) => has(url, pattern)) &&
      !reject.some((pattern) => has(url, pattern)),
  )
  const depths = new Map(listed.map((page) => [page, levelOf(page, base)]))
  listed.sort((a, b) => depths.get(a)! - depths.get(b)! || (a.url < b.url ? -1 : 1))
  return listed.slice(0, maximum)
}

function has(url: string, pattern: string | RegExp): boolean {
  // `search` and not `test`: a pattern with the flag g would remember where it was.
  return typeof pattern === 'string' ? url.includes(pattern) : url.search(pattern) >= 0
}

/** How many folders below the home page. */
function levelOf({ url }: PageEntry, base: string): number {
  const path = url.slice(base.length).split(/[?#]/, 1)[0] ?? ''
  return path.split('/').length - 1
}

function levelsOf(
  pages: readonly PageEntry[],
  base: string,
): readonly (readonly [level: number, pages: PageEntry[]])[] {
  const levels = new Map<number, PageEntry[]>()
  for (const page of pages) {
    const level = levelOf(page, base)
    const known = levels.get(level)
    if (known === undefined) levels.set(level, [page])
    else known.push(page)
  }
  return [...levels]
}

/** A level on its own, in pieces if it is large. */
function piecesOf(level: number, pages: readonly PageEntry[], size: number): readonly RobotsRdfPart[] {
  if (pages.length <= size) return [{ name: `robots.${level}.rdf`, pages }]
  // A power of two near the number needed: it stays while a level grows, and then only every piece is cut in two.
  const count = 2 ** Math.ceil(Math.log2((pages.length * 1.25) / size))
  const pieces = Array.from({ length: count }, (): PageEntry[] => [])
  for (const page of pages) pieces[hashOf(page.url) % count]!.push(page)
  return pieces.flatMap((piece, i) => (piece.length > 0 ? { name: `robots.${level}.${i}.rdf`, pages: piece } : []))
}

/** FNV-1a with a last stir, as its low bits alone are poor. */
function hashOf(url: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < url.length; i++) hash = Math.imul(hash ^ url.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
