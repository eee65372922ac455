/**
 * RunControl: the crawl's side of `CrawlControl`. What can be changed at any moment is changed at once; new start pages
 * wait for the loop's next turn, as only there nothing else is in the middle of a commit.
 */
import type { Instant } from '@comity/protocol'
import type { Frontier } from '@comity/frontier'
import type { Acknowledgements, Totals } from '@comity/ingest'
import type { Bell } from '../run/bell.ts'
import { crawlEnding, seedRefused } from './control-error.ts'
import type { CrawlBudget, RunBudget } from './crawl-budget.ts'
import type { AddedSeed, CrawlControl, CrawlStatus } from './crawl-control.ts'
import { CrawlSampler } from './crawl-sample.ts'
import type { ImportanceSample } from '../run/importance-sample.ts'
import { requireContact } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import type { RunState, RunSwitch } from './run-switch.ts'
import type { StartPages } from '../run/start-pages.ts'
import { startUrl } from '../run/start-url.ts'
import type { WatchSample } from '@comity/follow'

interface RunControlParts {
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly start: StartPages
  readonly budget: RunBudget
  readonly runSwitch: RunSwitch
  readonly acknowledgements: Acknowledgements
  readonly totals: Totals
  readonly importance: ImportanceSample
  readonly bell: Bell
  readonly now: () => Instant
  readonly visits: () => number
  readonly unindexed: () => number
  /** Undefined when nothing is kept fresh. */
  readonly watch?: ((now: Instant) => WatchSample | undefined) | undefined
  readonly stop: () => void
}

interface AskedSeed {
  readonly url: string
  readonly answer: PromiseWithResolvers<AddedSeed>
}

export class RunControl implements CrawlControl {
  readonly #parts: RunControlParts
  readonly #startedAt: Instant
  readonly #sampler: CrawlSampler
  #asked: AskedSeed[] = []

  constructor(parts: RunControlParts) {
    this.#parts = parts
    this.#startedAt = parts.now()
    const { frontier, totals, visits, unindexed, watch, runSwitch } = parts
    const state = (): RunState => runSwitch.state
    const importance = (): number => parts.importance.share()
    const sampled = { frontier, totals, state, visits, importance, unindexed, watch }
    this.#sampler = new CrawlSampler(sampled, this.#startedAt)
  }

  status(): CrawlStatus {
    const { budget, now } = this.#parts
    const sample = this.#sampler.sample(now())
    return { pid: process.pid, startedAt: this.#startedAt, budget: budget.get(), sample }
  }

  /** Twice a second: what rates count from. */
  tick(): void {
    this.#sampler.tick(this.#parts.now())
  }

  async pause(): Promise<void> {
    const quiet = this.#parts.runSwitch.pause()
    this.#parts.bell.ring()
    await quiet
  }

  resume(): void {
    this.#parts.runSwitch.resume()
    this.#parts.bell.ring()
  }

  async addSeed(text: string): Promise<AddedSeed> {
    const { options, start, runSwitch, bell } = this.#parts
    const url = startUrl(text, options.urlRules)
    requireContact({ ...options, seeds: [url] })
    // Whoever names a page means it, whatever the other rules say; but those who want no visit get none.
    if (start.reasonFor(url, { depth: 0, listed: true }) === 'do-not-crawl') throw seedRefused(url)
    if (runSwitch.isStopping) throw crawlEnding()
    const answer = Promise.withResolvers<AddedSeed>()
    this.#asked.push({ url, answer })
    bell.ring()
    return await answer.promise
  }

  setBudget(wanted: Partial<CrawlBudget>): CrawlBudget {
    const { budget, bell } = this.#parts
    budget.change(wanted)
    this.#wakeSites()
    bell.ring()
    return budget.get()
  }

  stop(): void {
    this.#parts.stop()
  }

  /** The loop's turn: take in what was asked for. */
  takeTurn(): void {
    if (this.#asked.length === 0) return
    const { start, frontier, acknowledgements, bell } = this.#parts
    const asked = this.#asked.splice(0)
    const fresh = start.add(
      asked.map(({ url }) => url),
      frontier,
    )
    void acknowledgements
      .durable()
      .then(
        () => asked.forEach(({ url, answer }) => answer.resolve({ url, isNew: fresh.has(url) })),
        (error: unknown) => asked.forEach(({ answer }) => answer.reject(error)),
      )
      .finally(() => bell.ring())
  }

  /** There will be no more turns. */
  end(): void {
    for (const { answer } of this.#asked.splice(0)) answer.reject(crawlEnding())
  }

  /**
   * A site that had spent its budget has left the queue, and may have more now. Its gate is as open as it was: said
   * again, it has the site looked at anew, and can only lengthen its rest.
   */
  #wakeSites(): void {
    const { frontier, now } = this.#parts
    for (const site of frontier.sites) {
      if (site.place !== 'idle' || site.waiting === 0 || site.gateAsked || site.givenUp) continue
      frontier.openGate(site.id, site.gateUntil, site.crawlDelayMs, now())
    }
  }
}
