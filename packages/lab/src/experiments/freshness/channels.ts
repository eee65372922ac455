/**
 * Freshness channels: what a site says of its changes, from all of them to lies, laid over changes that are known.
 *
 *   honest   nine of ten changes announced, one signal in twenty false
 *   stale    half of them, four signals in ten false: a sitemap somebody forgets
 *   lying    six of ten, nineteen signals of twenty false: a site that wants visits
 *   silent   nothing
 *   dated    nothing by itself, but each answer says when the page was last modified
 *
 * False signals come to all pages of a site alike, also to those that never change.
 */
import type { ChangeProcess } from '../../webs/change-process.ts'
import type { Random } from '@comity/testbed'

interface ChannelHabits {
  /** Share of changes that are announced. */
  readonly recall: number
  /** Share of signals that are right. */
  readonly precision: number
  /** Whether answers have a Last-Modified. */
  readonly dated: boolean
}

export type ChannelKind = 'honest' | 'stale' | 'lying' | 'silent' | 'dated'

export const CHANNEL_KINDS: Readonly<Record<ChannelKind, ChannelHabits>> = {
  honest: { recall: 0.9, precision: 0.95, dated: false },
  stale: { recall: 0.5, precision: 0.6, dated: false },
  lying: { recall: 0.6, precision: 0.05, dated: false },
  silent: { recall: 0, precision: 1, dated: false },
  dated: { recall: 0, precision: 1, dated: true },
}

export interface WebEvent {
  /** In days. */
  readonly at: number
  readonly page: number
  /** A signal about the page; else the page has changed. */
  readonly isSignal: boolean
}

/** A signal comes a minute after its change. */
const LAG_DAYS = 1 / 1_440

/** Changes and signals in the order they happen. `kinds` is by site. */
export function announcedChanges(
  process: ChangeProcess,
  siteOf: ArrayLike<number>,
  kinds: readonly ChannelKind[],
  random: Random,
): WebEvent[] {
  const { pages, days, starts, instants } = process
  const falseRates = falseRatesOf(process, siteOf, kinds)
  const events: WebEvent[] = []
  for (let page = 0; page < pages; page++) {
    const site = siteOf[page]!
    const { recall } = CHANNEL_KINDS[kinds[site]!]
    for (let i = starts[page]!; i < starts[page + 1]!; i++) {
      const at = instants[i]!
      events.push({ at, page, isSignal: false })
      if (random.next() < recall) events.push({ at: at + LAG_DAYS, page, isSignal: true })
    }
    const wait = (): number => -Math.log(1 - random.next()) / falseRates[site]!
    if (falseRates[site]! > 0) for (let at = wait(); at < days; at += wait()) events.push({ at, page, isSignal: true })
  }
  return events.toSorted((a, b) => a.at - b.at)
}

/** False signals per page and day that make each site as precise as its kind is. */
function falseRatesOf(
  { pages, days, starts }: ChangeProcess,
  siteOf: ArrayLike<number>,
  kinds: readonly ChannelKind[],
): number[] {
  const [changes, sizes] = [kinds.map(() => 0), kinds.map(() => 0)]
  for (let page = 0; page < pages; page++) {
    changes[siteOf[page]!]! += starts[page + 1]! - starts[page]!
    sizes[siteOf[page]!]!++
  }
  return kinds.map((kind, site) => {
    const { recall, precision } = CHANNEL_KINDS[kind]
    return ((changes[site]! / Math.max(1, sizes[site]!) / days) * recall * (1 - precision)) / precision
  })
}
