/** How shares are written in answers to claims. */
import { formatNumber } from '../../report/number.ts'

export const percent = (share: number): string =>
  Number.isNaN(share) ? '–' : `${formatNumber(Math.round(share * 1_000) / 10)} %`

/** `22.1 % (21.9 to 22.3)`, the 95 % interval of the mean. */
export const percentWithin = ({ mean, low, high }: { mean: number; low: number; high: number }): string =>
  high - low < 0.0005 ? percent(mean) : `${percent(mean)} (${percent(low).replace(' %', '')} to ${percent(high)})`
