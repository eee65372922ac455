/** How often, in words. */
import { formatQuantity } from '../../report/number.ts'

const NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'every day'],
  [1 / 24, 'every hour'],
  [1 / 1_440, 'every minute'],
])

export const everyText = (days: number): string => NAMES.get(days) ?? `every ${formatQuantity(days, 'days')}`
