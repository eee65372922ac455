/**
 * Report numbers: figures as people write them. 1,234 pages; 3.5 %; 12.3 s. Three digits that count are enough to
 * compare two orders; whole numbers are shown whole. Files for programs carry the exact numbers instead.
 */
import type { Unit } from './model.ts'

const noBreak = '\u00a0'
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return '–'
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '∞'
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-3 || size >= 1e15)) return scientific(value)
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
  const [whole = '', fraction = ''] = size.toFixed(digits).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const kept = fraction.replace(/0+$/, '')
  const text = kept === '' ? grouped : `${grouped}.${kept}`
  return value < 0 && text !== '0' ? `−${text}` : text
}

/** 2.5 × 10⁻⁴ */
function scientific(value: number): string {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential(1).split('e')
  const raised = exponent.replace('+', '').replaceAll(/./g, (char) => superscripts[Number(char)] ?? '⁻')
  const factor = mantissa === '1.0' ? '' : `${mantissa.replace('.0', '')}${noBreak}×${noBreak}`
  return `${value < 0 ? '−' : ''}${factor}10${raised}`
}

/** A number with its unit, in the size people would say it. */
export function formatQuantity(value: number, unit?: Unit): string {
  if (unit === undefined || !Number.isFinite(value)) return formatNumber(value)
  if (unit === 'share') return `${percent(value)}${noBreak}%`
  const steps = unit === 's' ? secondSteps : unit === 'bytes' ? byteSteps : undefined
  const { size, name } = steps?.find(({ least }) => Math.abs(value) >= least) ?? { size: 1, name: unit }
  return `${formatNumber(value / size)}${noBreak}${name}`
}

interface Step {
  readonly least: number
  readonly size: number
  readonly name: string
}

// From two of a unit on: 90 s reads better than 1.5 min.
const secondSteps: readonly Step[] = [
  { least: 172_800, size: 86_400, name: 'days' },
  { least: 7_200, size: 3_600, name: 'hours' },
  { least: 120, size: 60, name: 'min' },
  { least: 1, size: 1, name: 's' },
  { least: Number.MIN_VALUE, size: 1e-3, name: 'ms' },
]

const byteSteps: readonly Step[] = [
  { least: 1e9, size: 1e9, name: 'GB' },
  { least: 1e6, size: 1e6, name: 'MB' },
  { least: 1e3, size: 1e3, name: 'kB' },
]

/** One decimal of a per cent; a share that is not nothing is never written as 0. */
function percent(share: number): string {
  const value = share * 100
  return Math.abs(value) >= 0.1 ? formatNumber(Math.round(value * 10) / 10) : formatNumber(value)
}

/** A number at a tick: short, since the unit stands beside the label of the axis. */
export function formatTick(value: number, unit?: Unit): string {
  if (unit === 'share') return percent(value)
  if (unit === 'bytes') return formatQuantity(value, unit)
  const size = Math.abs(value)
  if (size >= 1e9 && size < 1e15) return `${formatNumber(value / 1e9)}${noBreak}G`
  if (size >= 1e6 && size < 1e9) return `${formatNumber(value / 1e6)}${noBreak}M`
  return formatNumber(value)
}

/** `Share of the crawl (%)` */
export function withUnit(label: string, unit?: Unit): string {
  if (unit === undefined || unit === 'bytes') return label
  return `${label} (${unit === 'share' ? '%' : unit})`
}
