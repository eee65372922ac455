/**
 * Replays: a crawl that was made, made again in the simulator with another order, or other politeness. Each is asked once,
 * however often it is compared with.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { politeDefaults } from '@comity/frontier'
import { simulate } from '../simulate/simulation.ts'
import type { SimulationResult } from '../simulate/settings.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

/** What a crawl is told: `--order`, `--delay` (w), `--pages-per-connection` (k) and `--parallel` (r). */
export interface CrawlChoice {
  readonly order: string
  readonly waitMs: number
  readonly pagesPerConnection: number
  readonly robots: number
}

export interface Replay {
  readonly choice: CrawlChoice
  readonly result: SimulationResult
  /** When the importance came, by PageRank and by backlinks. */
  readonly ranks: Arrival
  readonly backlinks: Arrival
}

interface Arrival {
  /** When half of it was there, and most (80 %). */
  readonly halfMs: number
  readonly mostMs: number
  /** Pages that had come by then. */
  readonly halfPages: number
  /** Mean over all importance of the time at which it came: the area above the line of a plot. */
  readonly meanMs: number
}

interface ReplayOptions {
  readonly web: WebGraph
  readonly homes: readonly number[]
  /** Of each page; the sum is 1. */
  readonly ranks: Float64Array
  readonly backlinks: Float64Array
  readonly bandwidth: number
  readonly seed: number
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

const HALF = 0.5
export const MOST = 0.8

export class Replays {
  readonly #options: ReplayOptions
  readonly #expected: number
  readonly #known = new Map<string, Replay>()

  /** `expected`: how many there will be, as far as can be said. */
  constructor(options: ReplayOptions, expected: number) {
    this.#options = options
    this.#expected = expected
  }

  async of(choice: CrawlChoice): Promise<Replay> {
    const key = JSON.stringify(Object.values(choice))
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const done = this.#known.size
    this.#options.onPart?.(nameOf(choice), done, Math.max(this.#expected, done + 1))
    // A simulation keeps the thread to itself: between two of them, others have a word.
    await turn(undefined, this.#options.signal && { signal: this.#options.signal })
    const replay = this.#run(choice)
    this.#known.set(key, replay)
    return replay
  }

  #run(choice: CrawlChoice): Replay {
    const { web, homes, ranks, backlinks, bandwidth, seed } = this.#options
    const { order, waitMs, pagesPerConnection, robots } = choice
    const clocks = [new ArrivalClock(ranks), new ArrivalClock(backlinks)] as const
    const politeness = { ...politeDefaults, delayMs: waitMs, pagesPerConnection }
    const result = simulate(
      web,
      // What a collection knows of a site is its wait before each answer, so each request on a connection has it.
      { order, robots, bandwidth, politeness, seed, homes, ranks, requestLatency: 1 },
      { onPage: (page, now) => clocks.forEach((clock) => clock.add(page, now)) },
    )
    return { choice, result, ranks: clocks[0].told(), backlinks: clocks[1].told() }
  }
}

export const nameOf = ({ order, waitMs, pagesPerConnection, robots }: CrawlChoice): string =>
  `${order}, w ${waitMs / 1_000} s, k ${pagesPerConnection}, r ${robots}`

/** Sums of many parts fall short of a whole by rounding errors. */
const ROUNDING = 1e-9

class ArrivalClock {
  readonly #importance: Float64Array
  #sum = 0
  #pages = 0
  #halfMs = Infinity
  #halfPages = Infinity
  #mostMs = Infinity
  #meanMs = 0

  constructor(importance: Float64Array) {
    this.#importance = importance
  }

  add(page: number, now: number): void {
    const importance = this.#importance[page]!
    this.#pages++
    this.#sum += importance
    this.#meanMs += importance * now
    if (this.#halfMs === Infinity && this.#sum >= HALF - ROUNDING) {
      this.#halfMs = now
      this.#halfPages = this.#pages
    }
    if (this.#mostMs === Infinity && this.#sum >= MOST - ROUNDING) this.#mostMs = now
  }

  told(): Arrival {
    return { halfMs: this.#halfMs, halfPages: this.#halfPages, mostMs: this.#mostMs, meanMs: this.#meanMs }
  }
}
