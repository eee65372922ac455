/** Day's use: what all runs of an agent have used since midnight (UTC), and whether that leaves room for another. */
import type { Instant } from '@comity/protocol'
import type { DayCaps } from './bundle/caps.ts'
import type { AgentUse } from './host/host.ts'

export interface DayUse {
  /** Days since 1970. */
  readonly day: number
  readonly runs: number
  readonly cpuMs: number
  readonly readBytes: number
  readonly outputBytes: number
}

const DAY_MS = 86_400_000
const NAMES = ['runs', 'cpuMs', 'readBytes', 'outputBytes'] as const

export function useOfDay(before: DayUse | undefined, at: Instant): DayUse {
  const day = Math.floor(at / DAY_MS)
  return before?.day === day ? before : { day, runs: 0, cpuMs: 0, readBytes: 0, outputBytes: 0 }
}

export function withRun(before: DayUse, { cpuMs, readBytes, outputBytes }: AgentUse): DayUse {
  return {
    day: before.day,
    runs: before.runs + 1,
    cpuMs: before.cpuMs + cpuMs,
    readBytes: before.readBytes + readBytes,
    outputBytes: before.outputBytes + outputBytes,
  }
}

/** What is used up; undefined when a run may begin. */
export function spentOf(use: DayUse, caps: DayCaps): string | undefined {
  const name = NAMES.find((one) => use[one] >= caps[one])
  return name === undefined ? undefined : `${name}: ${use[name]} of ${caps[name]}`
}

/** What is left of the day, for a run's own caps. */
export function leftOf(use: DayUse, caps: DayCaps): Omit<DayUse, 'day' | 'runs'> {
  return {
    cpuMs: Math.max(0, caps.cpuMs - use.cpuMs),
    readBytes: Math.max(0, caps.readBytes - use.readBytes),
    outputBytes: Math.max(0, caps.outputBytes - use.outputBytes),
  }
}
