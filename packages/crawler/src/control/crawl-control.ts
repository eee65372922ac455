/**
 * CrawlControl: what can be asked of a crawl while it runs. `crawl` hands one to whoever started it (`onControl`), and
 * the same is spoken over a socket: `control/server.ts`, `control/client.ts`.
 *
 * Politeness is not up for change: a pause lets clocks go on, a resume asks nobody sooner than the site allows.
 */
import type { Instant } from '@comity/protocol'
import type { CrawlBudget } from './crawl-budget.ts'
import type { CrawlSample } from './crawl-sample.ts'

export interface CrawlStatus {
  readonly pid: number
  readonly startedAt: Instant
  readonly budget: CrawlBudget
  /** With `state`: running, pausing, paused or stopping. */
  readonly sample: CrawlSample
}

export interface AddedSeed {
  /** As it is stored: canonical. */
  readonly url: string
  /** False: it was a start page before. */
  readonly isNew: boolean
}

/** Whether it goes on. */
interface CrawlSwitch {
  /**
   * No further request. Resolves when the requests under way have been answered and all that came of them is durable,
   * or when it is over before that. The state is `pausing` until then, `paused` afterwards.
   */
  pause(): Promise<void>
  resume(): void
  /** Stop politely, as an aborted signal does. */
  stop(): void
}

export interface CrawlControl extends CrawlSwitch {
  status(): CrawlStatus
  /** One more start page, with the scope that follows from it. Resolves when it is durable; a kill does not lose it. */
  addSeed(url: string): Promise<AddedSeed>
  /** For this run. A crawl that has spent its new budget ends as it would have. Returns what counts now. */
  setBudget(budget: Partial<CrawlBudget>): CrawlBudget
}
