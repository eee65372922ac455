/**
 * Demo audit: which promises were broken, by the sites' own log. A demo may run over night, and the log of it remembers the last
 * events alone: so it is looked at again and again, well before anything in it is forgotten.
 */
import type { LivingWeb, Violation } from '@comity/testbed'
import type { DemoStalls } from './stalls.ts'

/** About ten minutes of the demo. */
export const LOG_EVENTS = 20_000
const LOOK_EVERY_MS = 300_000
/** More of them say no more. */
const MOST_TOLD = 100
/** A server hears of a closed connection a moment after we closed it. */
const TOLERANCE_MS = 50

interface AuditOptions {
  readonly web: Pick<LivingWeb, 'sites' | 'log'>
  readonly stalls: DemoStalls
  /** Least rest between two connections. */
  readonly delayMs: number
}

export class DemoAudit implements Disposable {
  readonly #options: AuditOptions
  readonly #timer: NodeJS.Timeout
  readonly #told = new Set<string>()

  constructor(options: AuditOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.broken(), LOOK_EVERY_MS)
  }

  /** All that were broken until now. */
  async broken(): Promise<string[]> {
    const { floorsOf, violations } = await import('@comity/testbed')
    const { web, stalls, delayMs } = this.#options
    const log = web.log.read()
    const found = (toleranceMs: number): Violation[] =>
      violations(log, floorsOf(web.sites, { connectionGapMs: delayMs, toleranceMs }))
    const isBroken = ({ rule, key, at }: Violation): boolean =>
      found(TOLERANCE_MS + stalls.before(at)).some((one) => one.rule === rule && one.key === key && one.at === at)
    for (const one of found(TOLERANCE_MS))
      if (this.#told.size < MOST_TOLD && isBroken(one)) this.#told.add(one.sentence)
    return [...this.#told]
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
