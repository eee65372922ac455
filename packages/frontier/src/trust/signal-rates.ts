/**
 * Signal rates: what the channels of a site are, as numbers. A channel announces a share of all changes, its recall, and
 * sends false signals at a rate per page and day. Both hold for all pages of the site alike; what a signal is worth follows
 * from them for each page: about one that changes often it is likely right, about one that never does it is likely false.
 * (One worth for all pages was tried first: it gave quiet pages the visits that busy ones should have had.)
 *
 * They are counted with chances for what nobody saw. When a visit finds a change after t days and n signals, hidden changes
 * αt and right signals Σnp were expected before; given that there is a change at all, they are 1/(1 − P(unchanged)) times
 * as many: one step of expectation maximisation per visit.
 */
import type { SignalChannel } from '@comity/protocol'
import { shareAtLeast } from './confidence.ts'

export type SignalCounts = readonly (readonly [channel: SignalChannel, count: number])[]

/** What is to be expected of a page some days and signals after a visit. */
export interface Expectation {
  /** Share of changes that are announced. */
  readonly recall: number
  readonly hiddenChanges: number
  readonly rightSignals: number
  /** The chance that it is unchanged is e^−suspicion. */
  readonly suspicion: number
}

export interface SignalRatesState {
  /** Page-days between visits, and hidden changes in them, by expectation. */
  readonly pageDays: number
  readonly hidden: number
  /** Signals that were right and false, by expectation. */
  readonly channels: readonly (readonly [channel: SignalChannel, right: number, wrong: number])[]
}

/** A channel nobody has tried announces every third change, as if two had been seen. */
const FIRST_RECALL = 1 / 3
const FIRST_COUNT = 2
/** At least this share of changes counts as hidden, so that a perfect channel is checked on too. */
export const LEAST_HIDDEN = 0.02

export class SignalRates {
  #pageDays: number
  #hidden: number
  readonly #channels: Map<SignalChannel, { right: number; wrong: number }>

  constructor(state?: SignalRatesState) {
    this.#pageDays = state?.pageDays ?? 0
    this.#hidden = state?.hidden ?? 0
    this.#channels = new Map(state?.channels.map(([channel, right, wrong]) => [channel, { right, wrong }]))
  }

  get state(): SignalRatesState {
    return {
      pageDays: this.#pageDays,
      hidden: this.#hidden,
      channels: Array.from(this.#channels, ([channel, { right, wrong }]) => [channel, right, wrong] as const),
    }
  }

  /** Share of changes that this channel announces. */
  recallOf(channel: SignalChannel): number {
    const right = this.#channels.get(channel)?.right ?? 0
    return (right + FIRST_COUNT * FIRST_RECALL) / (this.#changes() + FIRST_COUNT)
  }

  /** Share of changes that any channel announces, at a guess, and hardly less than. */
  recall(): { readonly guess: number; readonly atLeast: number } {
    let [guess, right] = [0, 0]
    for (const [channel, counts] of this.#channels) {
      guess += this.recallOf(channel)
      right += counts.right
    }
    return { guess: Math.min(1, guess), atLeast: shareAtLeast(right, right + this.#hidden) }
  }

  /**
   * κ = ln(1 + right signals ÷ false signals): what a signal adds to the suspicion that a page of this rate has changed.
   * False signals come to all pages alike, right ones in proportion to the page's changes.
   */
  weightOf(channel: SignalChannel, rate: number): number {
    const { right, wrong } = this.#channels.get(channel) ?? { right: 0, wrong: 0 }
    const meanRate = (this.#changes() + 1) / (this.#pageDays + 1 / rate)
    return Math.log1p((((right + 1) / (wrong + 1)) * rate) / meanRate)
  }

  expectation(rate: number, days: number, events: SignalCounts): Expectation {
    const recall = Math.min(1 - LEAST_HIDDEN, this.recall().guess)
    const hiddenChanges = (1 - recall) * rate * days
    let [rightSignals, suspicion] = [0, hiddenChanges]
    for (const [channel, count] of events) {
      const weight = this.weightOf(channel, rate)
      rightSignals -= count * Math.expm1(-weight)
      suspicion += count * weight
    }
    return { recall, hiddenChanges, rightSignals, suspicion }
  }

  /** A page of this rate was visited, so many days and these signals after the visit before. */
  visited(rate: number, days: number, events: SignalCounts, changed: boolean): void {
    const { hiddenChanges, suspicion } = this.expectation(rate, days, events)
    const times = changed ? 1 / -Math.expm1(-Math.max(suspicion, 1e-9)) : 0
    const rightShares = events.map(([channel]) => -Math.expm1(-this.weightOf(channel, rate)))
    this.#pageDays += days
    this.#hidden += hiddenChanges * times
    for (const [i, [channel, count]] of events.entries()) {
      const counts = this.#channels.get(channel) ?? { right: 0, wrong: 0 }
      const right = Math.min(count, count * rightShares[i]! * times)
      counts.right += right
      counts.wrong += count - right
      this.#channels.set(channel, counts)
    }
  }

  /** What was counted so far counts `memory` times as much from now on. */
  fade(memory: number): void {
    this.#pageDays *= memory
    this.#hidden *= memory
    for (const counts of this.#channels.values()) {
      counts.right *= memory
      counts.wrong *= memory
    }
  }

  #changes(): number {
    let changes = this.#hidden
    for (const { right } of this.#channels.values()) changes += right
    return changes
  }
}
