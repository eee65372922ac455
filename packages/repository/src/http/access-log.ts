/**
 * Access log: one line of JSON a request, for whoever wants it. It has the path without its query, since queries are
 * what people look for; and no header, since tokens stand there.
 */
import type { Instant } from '@comity/protocol'

interface AccessLine {
  readonly at: string
  readonly method: string
  /** Of the table of routes; `none` for what is not in it. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly bytes: number
  /** The kind of problem, where there was one. */
  readonly problem?: string | undefined
}

export type AccessLog = (line: string) => void

export function accessLine(at: Instant, facts: Omit<AccessLine, 'at'>): string {
  const line: AccessLine = { at: new Date(at).toISOString(), ...facts, ms: Math.round(facts.ms * 10) / 10 }
  return `${JSON.stringify(line)}\n`
}
