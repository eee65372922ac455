/** Held version facts: what the row of a page says of the version that is held, as far as revisits go. Pure. */
import type { Instant } from '@comity/protocol'
import type { PageRow } from '@comity/collection'

/** We have its content, or know where it went; what was never of use is not asked for again. */
export const isHeld = ({ body, outcome }: PageRow): boolean => body !== undefined || outcome === 'redirect'

/** Its last answer was that there is nothing for us, whatever the reason. */
export const answersError = ({ status }: PageRow): boolean => status >= 400

/** Whether a visit found something else than the one before. */
export function isOther(before: PageRow | undefined, row: PageRow): boolean {
  if (before === undefined || row.status === 304) return false
  if (answersError(before) || answersError(row)) return answersError(before) !== answersError(row)
  return row.changes > before.changes || row.redirectTo !== before.redirectTo
}

export function instantOf(httpDate: string | undefined): Instant | undefined {
  const at = httpDate === undefined ? NaN : Date.parse(httpDate)
  return Number.isNaN(at) ? undefined : at
}
