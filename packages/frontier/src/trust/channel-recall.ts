/**
 * Channel recall: of the changes that visits found, how many each channel of a site had told of before. A channel is judged
 * by its own word: what another one told does not count for it, nor does what it had no chance to tell. One that is asked now
 * and then (`listened`) had that chance only as far as it was asked after the change, of which nobody knows more than that it
 * was between two visits; one that was never asked speaks up by itself, and always had it.
 *
 *   visit ──────── asked ──────────── visit, changed        missed: the part of the time before it was asked
 */
import type { Instant, SignalChannel } from '@comity/protocol'

export interface RecallState {
  readonly channel: SignalChannel
  /** Changes that were found, by whether the channel had told; faded. */
  readonly told: number
  readonly missed: number
  /** When it last told all it knew; absent for one that is not asked. */
  readonly listenedAt?: Instant | undefined
}

/** A visit that found a change. */
interface FoundChange {
  readonly at: Instant
  /** When the page was visited before. */
  readonly since: Instant
  readonly announcedBy: readonly SignalChannel[]
}

/** A channel nobody has tried announces every third change, as if two had been seen: as in `trust/signal-rates.ts`. */
const FIRST_RECALL = 1 / 3
const FIRST_COUNT = 2

export class ChannelRecall {
  readonly #channels: Map<SignalChannel, { told: number; missed: number; listenedAt?: Instant | undefined }>

  constructor(state: readonly RecallState[] = []) {
    this.#channels = new Map(state.map(({ channel, ...counts }) => [channel, { ...counts }]))
  }

  get state(): readonly RecallState[] {
    return Array.from(this.#channels, ([channel, counts]) => ({ channel, ...counts }))
  }

  /** The channel was asked, and told all it knew. */
  listened(channel: SignalChannel, at: Instant): void {
    const counts = this.#of(channel)
    counts.listenedAt = Math.max(at, counts.listenedAt ?? at)
  }

  found({ at, since, announcedBy }: FoundChange): void {
    for (const channel of announcedBy) this.#of(channel).told++
    for (const [channel, counts] of this.#channels) {
      if (announcedBy.includes(channel)) continue
      const heardFor = Math.min(at, counts.listenedAt ?? at) - since
      counts.missed += at > since ? Math.max(0, heardFor / (at - since)) : 0
    }
  }

  /** Share of the changes that it tells of, at a guess. */
  recallOf(channel: SignalChannel): number {
    const { told, missed } = this.countsOf(channel)
    return (told + FIRST_COUNT * FIRST_RECALL) / (told + missed + FIRST_COUNT)
  }

  countsOf(channel: SignalChannel): { readonly told: number; readonly missed: number } {
    return this.#channels.get(channel) ?? { told: 0, missed: 0 }
  }

  /** What was counted so far counts `memory` times as much from now on. */
  fade(memory: number): void {
    for (const counts of this.#channels.values()) {
      counts.told *= memory
      counts.missed *= memory
    }
  }

  #of(channel: SignalChannel): { told: number; missed: number; listenedAt?: Instant | undefined } {
    const known = this.#channels.get(channel) ?? { told: 0, missed: 0 }
    this.#channels.set(channel, known)
    return known
  }
}
