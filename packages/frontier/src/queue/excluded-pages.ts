/**
 * Excluded pages: how many there are, and one of them for each reason, the first that was met. A count alone
 * does not tell whoever asked for the crawl whether a rule took pages from them that they wanted.
 */
import { EXCLUSION_REASONS, reasonCode, reasonNamed } from './exclusion-reasons.ts'
import type { ExclusionReason } from './exclusion-reasons.ts'
import { EXCLUDED } from './page-table.ts'
import type { PageTable } from './page-table.ts'

interface ExcludedPages {
  readonly counts: Readonly<Record<string, number>>
  readonly examples: Readonly<Record<string, string>>
}

/** One pass over all pages; reasons stand in the order of their table. */
export function excludedPages(
  pages: Pick<PageTable, 'count' | 'stateOf' | 'exclusionOf'>,
  urlOf: (page: number) => string,
): ExcludedPages {
  const counts = new Float64Array(EXCLUSION_REASONS.length)
  const firsts = new Float64Array(EXCLUSION_REASONS.length)
  for (let page = 0; page < pages.count; page++) {
    if (pages.stateOf(page) !== EXCLUDED) continue
    // A number of a newer version is told as today's name for it.
    const at = reasonCode(reasonNamed(pages.exclusionOf(page)))
    if (counts[at]!++ === 0) firsts[at] = page
  }
  const met = EXCLUSION_REASONS.filter((reason) => counts[reasonCode(reason)]! > 0)
  const each = <Value>(value: (at: number) => Value): Readonly<Record<string, Value>> =>
    Object.fromEntries(met.map((reason): [ExclusionReason, Value] => [reason, value(reasonCode(reason))]))
  return { counts: each((at) => counts[at]!), examples: each((at) => urlOf(firsts[at]!)) }
}
