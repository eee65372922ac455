/**
 * SiteOrder: what a site says of the importance of its pages, as far as it counts. A site that praises itself must gain nothing
 * by it (002 §6.4.2: whoever is interrupted must stay in control), so its pages share out among them what they are worth to
 * us anyway: the first of them gets the largest part, and the site as a whole what it had. Pure.
 */

/** `pages`: the best first. */
export function sharedPriorities(
  pages: readonly number[],
  worthOf: (page: number) => number,
): readonly (readonly [page: number, worth: number])[] {
  const own = [...new Set(pages)]
  const worths = own.map((page) => worthOf(page)).toSorted((a, b) => b - a)
  return own.map((page, i) => [page, worths[i]!] as const)
}
