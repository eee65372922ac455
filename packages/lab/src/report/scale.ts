/**
 * Report scale: from numbers to pixels. The domain is what the experiment says or else round numbers around the points;
 * everything a plot draws, its labels included, goes through the same scale.
 */
import * as Plot from '@observablehq/plot'
import type { Axis } from './model.ts'
import { textWidth } from './naming.ts'
import { formatTick } from './number.ts'

export interface Scale {
  readonly type: 'linear' | 'log'
  readonly domain: readonly [number, number]
  readonly range: readonly [number, number]
  /** The ticks of a logarithmic axis; Plot finds those of a linear one. */
  readonly ticks: readonly number[] | undefined
  at(value: number): number
  /** Whether a value can be drawn at all. */
  shows(value: number): boolean
}

interface ScaleInput {
  readonly axis: Axis
  readonly values: readonly number[]
  readonly range: readonly [number, number]
  /** Whether to end the axis on round numbers. */
  readonly nice?: boolean
  /** Columns are compared by their length, so their axis starts at zero; lines only when that costs little room. */
  readonly fromZero?: boolean
}

export function createScale({ axis, values, range, nice = false, fromZero = false }: ScaleInput): Scale {
  const type = axis.scale ?? 'linear'
  const rough = axis.domain ?? roughDomain(axis, values, fromZero)
  const rounded = nice && axis.domain === undefined && axis.unit !== 'share'
  const exact = Plot.scale({ x: { type, domain: [...rough], range: [...range], nice: rounded } })
  const [low = 0, high = 1] = Array.from(exact.domain ?? rough, Number)
  return {
    type,
    domain: [low, high],
    range,
    ticks: type === 'log' ? logTicks(low, high) : undefined,
    at: (value) => Number(exact.apply(value)),
    shows: (value) => value >= low && value <= high && (type === 'linear' || value > 0),
  }
}

function roughDomain(axis: Axis, values: readonly number[], fromZero: boolean): readonly [number, number] {
  const isLog = axis.scale === 'log'
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    if (!Number.isFinite(value) || (isLog && value <= 0)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return isLog ? [1, 10] : [0, 1]
  if (isLog) return low === high ? [low / 2, high * 2] : [low, high]
  // Most of a whole is read best against the whole.
  if (axis.unit === 'share' && low >= 0 && high <= 1 && high > 0.5) return [0, 1]
  if (fromZero || (low > 0 && low < high / 2)) [low, high] = [Math.min(low, 0), Math.max(high, 0)]
  if (low === high) return [low - Math.abs(low) / 2 - 0.5, high + Math.abs(high) / 2 + 0.5]
  return axis.unit === 'share' ? [low, high + (high - low) / 20] : [low, high]
}

/** Powers of ten, every second or third of them on a long axis; 2 and 5 between them on a short one. */
function logTicks(low: number, high: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  const decades = Math.log10(high) - Math.log10(low)
  const stride = Math.max(1, Math.ceil(decades / 7))
  const ticks: number[] = []
  for (let power = first; power <= last; power += 1) {
    if (power % stride !== 0) continue
    // Number() of a literal gives 0.001 where 10 ** -3 may be off by one bit.
    for (const digit of decades < 2.5 ? [1, 2, 5] : [1]) ticks.push(Number(`${digit}e${power}`))
  }
  return ticks.filter((tick) => tick >= low * 0.999_999 && tick <= high * 1.000_001)
}

/** Between two numbers of an axis that lies. */
const TICK_GAP = 8

/** The ticks of a logarithmic axis that lies, as far as their numbers have room side by side; powers of ten come first. */
export function roomyTicks(scale: Scale, { unit }: Axis): number[] | undefined {
  const kept: number[] = []
  const halfOf = (tick: number): number => (textWidth(formatTick(tick, unit)) + TICK_GAP) / 2
  const hasRoom = (tick: number): boolean =>
    kept.every((other) => Math.abs(scale.at(tick) - scale.at(other)) >= halfOf(tick) + halfOf(other))
  const ticks = scale.ticks?.toSorted((a, b) => Number(isPower(b)) - Number(isPower(a)))
  for (const tick of ticks ?? []) if (hasRoom(tick)) kept.push(tick)
  return ticks === undefined ? undefined : kept.toSorted((a, b) => a - b)
}

const isPower = (tick: number): boolean => Number.isInteger(Math.log10(tick))
