/** The words of stored pages, as they were captured last, for an export. */
import { knownPages, readableContent } from '@comity/collection'
import type { CollectionView } from './collection-view.ts'
import type { TextOf, Visited } from './export-rows.ts'
import { sharedLines, spread, withoutMenus } from './site-menus.ts'

/** Undefined for what is no page, and for pages that ask not to be shown from an archive. */
export function pageText(
  { row, url }: Pick<Visited, 'row' | 'url'>,
  { collection }: CollectionView,
): string | undefined {
  if (row.body === undefined || row.noarchive) return undefined
  const read = readableContent(collection, row.body, url)
  return read.kind === 'page' ? read.page.text : undefined
}

/** Sites whose shared lines are remembered; those of another are found again. */
const MAX_REMEMBERED = 1_000

/** The words of a page without the menus that its site repeats; see `site-menus.ts`. */
export function textWithoutMenus(view: CollectionView): TextOf {
  const pagesOf = heldPages(view)
  const known = new Map<number, ReadonlySet<string>>()
  const linesOf = (site: number): ReadonlySet<string> => {
    let lines = known.get(site)
    if (lines === undefined) {
      lines = sharedLines(textsOf(spread(pagesOf.get(site) ?? []), view))
      if (known.size >= MAX_REMEMBERED) known.delete(known.keys().next().value!)
      known.set(site, lines)
    }
    return lines
  }
  return (visited) => {
    const text = pageText(visited, view)
    return text === undefined ? undefined : withoutMenus(text, linesOf(visited.row.site))
  }
}

function* textsOf(pages: readonly number[], view: CollectionView): Generator<string> {
  for (const page of pages) {
    const row = view.collection.page(page)
    const text = row === undefined ? undefined : pageText({ row, url: view.urlOf(page) }, view)
    if (text !== undefined) yield text
  }
}

/** Pages whose body is held, by site; of those with the same bytes the first. */
function heldPages({ collection }: CollectionView): Map<number, number[]> {
  const pages = new Map<number, number[]>()
  for (const { page, url, row } of knownPages(collection)) {
    if (row?.body === undefined || (row.digest !== undefined && collection.body(row.digest)?.url !== url)) continue
    const some = pages.get(row.site)
    if (some === undefined) pages.set(row.site, [page])
    else some.push(page)
  }
  return pages
}
