/**
 * Figures: amounts as people read them. Plain JavaScript, as the server writes them into pages and the browser into
 * moving plots, and both must say the same thing the same way.
 */

/** `1,234` */
export const formatCount = (count) => Math.round(count).toLocaleString('en-US')

/** `1 page`, `12 pages` */
export const counted = (count, one, many = `${one}s`) => `${formatCount(count)} ${Math.round(count) === 1 ? one : many}`

/** `12.3 MB`: three digits that count, never more. */
export function formatBytes(bytes) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let [amount, unit] = [bytes, 0]
  // 999.6 KB would be shown as 1000 KB.
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1_000
    unit++
  }
  return unit === 0 ? counted(bytes, 'byte') : `${digits(amount)} ${units[unit]}`
}

/** `85 ms`, `12.3 s`, `4 min`, `2 h 5 min`, `3 days 4 h` */
export function formatDuration(ms) {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${digits(ms / 1_000)} s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  if (minutes < 1_440) return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  const hours = Math.round(ms / 3_600_000)
  const days = Math.floor(hours / 24)
  return pair(days, days === 1 ? 'day' : 'days', hours % 24, 'h')
}

/** `1,200`, `8.5`, `0.07`: a rate without its unit. */
export const formatRate = (perSecond) => digits(perSecond)

/** `37 %`, `4.2 %`, `0.03 %`; what is there is never `0 %`. */
export function formatShare(share) {
  const percent = share * 100
  if (percent > 0 && percent < 0.005) return '< 0.01 %'
  const maximumFractionDigits = percent >= 10 ? 0 : percent >= 1 ? 1 : 2
  return `${percent.toLocaleString('en-US', { maximumFractionDigits })} %`
}

function digits(amount) {
  if (amount === 0 || amount >= 99.95) return formatCount(amount)
  return amount.toLocaleString('en-US', { maximumFractionDigits: amount < 0.995 ? 2 : 1 })
}

const pair = (high, highUnit, low, lowUnit) =>
  low === 0 ? `${high} ${highUnit}` : `${high} ${highUnit} ${low} ${lowUnit}`
