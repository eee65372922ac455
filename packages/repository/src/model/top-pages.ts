/** Top pages: the most important pages of a site among those whose content is held, in one walk over the columns. */
import type { PageColumns } from './page-columns.ts'

export function topPages(
  { count, sites, held }: PageColumns,
  site: number,
  importanceOf: (page: number) => number,
  limit: number,
): number[] {
  const best: { readonly page: number; readonly importance: number }[] = []
  for (let page = 0; page < count; page++) {
    if (sites[page] !== site || held[page] === 0) continue
    const importance = importanceOf(page)
    if (best.length === limit && importance <= best.at(-1)!.importance) continue
    // Equals stay in the order they were found in.
    const place = best.findIndex((other) => other.importance < importance)
    best.splice(place === -1 ? best.length : place, 0, { page, importance })
    best.length = Math.min(best.length, limit)
  }
  return best.map(({ page }) => page)
}
