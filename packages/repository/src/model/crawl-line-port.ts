/**
 * CrawlLinePort: the crawl that writes a collection at this moment, through its control socket. A line is kept between
 * calls; when it is lost the next call looks for another, since a crawl may end and the next begin at any time.
 */
import { ControlError, connectCrawl } from '@comity/crawler/control'
import type { CrawlLine, CrawlSample, CrawlStatus } from '@comity/crawler/control'
import type { CrawlState, LiveSample } from './models.ts'
import type { CrawlBudget, CrawlPort } from '../ports.ts'

export class CrawlLinePort implements CrawlPort, Disposable {
  readonly #dir: string
  #line: Promise<CrawlLine | undefined> | undefined

  constructor(dir: string) {
    this.#dir = dir
  }

  async state(): Promise<CrawlState> {
    return (await this.#ask(async (line) => stateOf(await line.status()))) ?? { kind: 'none' }
  }
  async pause(): Promise<void> {
    await this.#tell((line) => line.pause())
  }
  async resume(): Promise<void> {
    await this.#tell((line) => line.resume())
  }
  async stop(): Promise<void> {
    await this.#tell((line) => line.stop())
  }
  async addSeed(url: string): Promise<void> {
    await this.#tell((line) => line.addSeed(url))
  }
  async setBudget(budget: CrawlBudget): Promise<void> {
    const given = Object.entries(budget).filter(([, amount]) => amount !== undefined)
    await this.#tell((line) => line.setBudget(Object.fromEntries(given)))
  }

  async *samples(signal: AbortSignal): AsyncGenerator<LiveSample> {
    // A line of its own, which `signal` closes.
    using line = await connectCrawl(this.#dir, signal)
    if (line === undefined) return
    for await (const sample of line.samples()) yield liveSample(sample)
  }

  [Symbol.dispose](): void {
    void this.#line?.then((line) => line?.[Symbol.dispose]())
    this.#line = undefined
  }

  async #tell(act: (line: CrawlLine) => Promise<unknown>): Promise<void> {
    const done = await this.#ask(async (line) => {
      await act(line)
      return true
    })
    if (done !== true) throw new Error('No crawl is running.')
  }

  /** Undefined when there is no crawl. One that was lost since the last call gets a second try, on a new line. */
  async #ask<Value>(act: (line: CrawlLine) => Promise<Value>): Promise<Value | undefined> {
    for (let isLast = false; ; isLast = true) {
      const known = this.#line
      const line = await (this.#line ??= connectCrawl(this.#dir))
      if (line === undefined) {
        this.#line = undefined
        return undefined
      }
      try {
        return await act(line)
      } catch (error) {
        if (!(error instanceof ControlError) || error.code !== 'CONTROL_LOST') throw error
        this.#line = undefined
        line[Symbol.dispose]()
        if (isLast || known === undefined) throw error
      }
    }
  }
}

function stateOf({ pid, startedAt, sample }: CrawlStatus): CrawlState {
  const kind = sample.state === 'paused' || sample.state === 'pausing' ? 'paused' : 'running'
  return { kind, pid, startedAt, sample: liveSample(sample) }
}

/** A sample without the state, which `CrawlState` tells. */
function liveSample(sample: CrawlSample): LiveSample {
  const { at, pages, pagesPerSecond, bytes, bytesPerSecond, sitesReady, sitesWaiting, pagesWaiting } = sample
  const { visits, errors, importance, unindexed, watch } = sample
  const rates = { at, pages, pagesPerSecond, bytes, bytesPerSecond }
  const counts = { sitesReady, sitesWaiting, pagesWaiting, visits, errors, importance, unindexed }
  return { ...rates, ...counts, ...(watch === undefined ? {} : { watch }) }
}
