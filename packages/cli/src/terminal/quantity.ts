/**
 * Quantities as people write and read them: 15s, 500MB, 2MB/s, 25k. Parsing is strict, so that a typing error is an
 * error and not another number; printing is short.
 */
import { tableOf } from '@comity/protocol'
import { BadValue } from '../usage-error.ts'

// oxfmt-ignore
const MS: ReadonlyMap<string, number> = tableOf({ ms: 1, s: 1_000, '': 1_000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 })

/** Milliseconds of `500ms`, `15s`, `2m`, `1h`, `1d`, `1w`; a bare number is seconds, as in the papers. */
export function parseDuration(text: string): number {
  const [amount, unit] = split(text)
  const ms = MS.get(unit)
  if (amount === undefined || ms === undefined) throw new BadValue('is not a duration: write 500ms, 15s, 2m, 1h or 1d')
  return amount * ms
}

const BYTES: ReadonlyMap<string, number> = tableOf({
  '': 1,
  b: 1,
  ...Object.fromEntries(['k', 'm', 'g', 't'].map((letter, i) => [letter, 1_000 ** (i + 1)])),
  ...Object.fromEntries(['kb', 'mb', 'gb', 'tb'].map((unit, i) => [unit, 1_000 ** (i + 1)])),
  ...Object.fromEntries(['kib', 'mib', 'gib', 'tib'].map((unit, i) => [unit, 1_024 ** (i + 1)])),
})

/** Bytes of `500MB` (millions, as disks are sold) or `500MiB` (as memory is). */
export function parseBytes(text: string): number {
  const [amount, unit] = split(text)
  const bytes = BYTES.get(unit)
  if (amount === undefined || bytes === undefined || amount * bytes < 1) {
    throw new BadValue('is not a size: write 200KB, 500MB, 2GB or 64MiB')
  }
  return Math.round(amount * bytes)
}

/** Bytes a second of `2MB/s`; the `/s` may go without saying. */
export function parseRate(text: string): number {
  try {
    return parseBytes(text.replace(/\s*\/\s*s$/i, ''))
  } catch {
    throw new BadValue('is not a rate: write 500KB/s, 2MB/s or 1GB/s')
  }
}

/** Requests a second of `5/s`, `100/min`, `2k/h`, `20k/d`; a bare number is a second's. */
export function parseRequests(text: string): number {
  const [count, unit] = text.split('/').map((part) => part.trim())
  const ms = MS.get(unit ?? 's')
  const [amount, factor] = split(count ?? '')
  const times = TIMES.get(factor)
  if (amount === undefined || times === undefined || ms === undefined || amount === 0 || text.split('/').length > 2) {
    throw new BadValue('is not a budget: write 5/s, 100/min or 20k/d')
  }
  return (amount * times * 1_000) / ms
}

const TIMES: ReadonlyMap<string, number> = tableOf({ '': 1, k: 1_000, m: 1_000_000 })

/** A parser of whole numbers from `least` on: `200`, `25_000`, `25k`, `1M`. */
export function countFrom(least: number): (text: string) => number {
  return (text) => {
    const [amount, unit] = split(text.replaceAll(/(?<=\d)[_,](?=\d)/g, ''))
    const count = (amount ?? Number.NaN) * (TIMES.get(unit) ?? Number.NaN)
    if (!Number.isSafeInteger(count) || count < least) {
      throw new BadValue(`is not a whole number from ${least} on: write 200, 25_000 or 25k`)
    }
    return count
  }
}

function split(text: string): [amount: number | undefined, unit: string] {
  const parts = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim())
  return parts === null ? [undefined, ''] : [Number(parts[1]), parts[2]!.toLowerCase()]
}

/** `1,234` */
export const formatCount = (count: number): string => Math.round(count).toLocaleString('en-US')

/** `1 page`, `12 pages` */
export const counted = (count: number, one: string, many: string = `${one}s`): string =>
  `${formatCount(count)} ${Math.round(count) === 1 ? one : many}`

/** `12.3 MB`: three digits that count, never more. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let [amount, unit] = [bytes, 0]
  // 999.6 KB would be shown as 1000 KB.
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1_000
    unit++
  }
  return unit === 0 ? counted(bytes, 'byte') : `${digits(amount)} ${units[unit]}`
}

/** `85 ms`, `12.3 s`, `4 min 10 s`, `2 h 5 min`, `3 days 4 h` */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${digits(ms / 1_000)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1_440) return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  const hours = Math.round(ms / 3_600_000)
  const days = Math.floor(hours / 24)
  return pair(days, days === 1 ? 'day' : 'days', hours % 24, 'h')
}

/** `1,200/s`, `8.5/s`, `0.07/s` */
export const formatPerSecond = (perSecond: number): string => `${digits(perSecond)}/s`

function digits(amount: number): string {
  if (amount === 0 || amount >= 99.95) return formatCount(amount)
  return amount.toLocaleString('en-US', { maximumFractionDigits: amount < 0.995 ? 2 : 1 })
}

const pair = (high: number, highUnit: string, low: number, lowUnit: string): string =>
  low === 0 ? `${high} ${highUnit}` : `${high} ${highUnit} ${low} ${lowUnit}`
