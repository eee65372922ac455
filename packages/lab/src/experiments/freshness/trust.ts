/** How far signals come to be believed, day by day, by kind of site: a run of the default policy, watched. */
import { CHANNEL_KINDS } from './channels.ts'
import type { ChannelKind } from './channels.ts'
import type { WebOutcome } from './contest.ts'
import { runOptions } from './contest.ts'
import { CHANNEL, runFreshness } from './run.ts'
import type { FreshnessSettings } from './settings.ts'
import { DAY_MS } from '../../webs/history-window.ts'
import { intervalOf } from '../servers/curve.ts'
import type { Interval } from '../servers/curve.ts'

export interface TrustLine {
  readonly kind: ChannelKind
  /** Share of signals that are right. */
  readonly precision: number
  /** Chance given to a signal to be right, at the end of each day. */
  readonly days: readonly Interval[]
}

/** Nothing is believed of a channel before its first signal. */
export function trustLines({ webs, budget, changes }: WebOutcome, settings: FreshnessSettings): TrustLine[] {
  const kinds = [...new Set(webs.flatMap((web) => web.kinds))].filter((kind) => CHANNEL_KINDS[kind].recall > 0)
  const days = Math.min(...webs.map((web) => web.days)) - 1
  const believed = webs.map((web, i) => {
    const byKind = new Map(kinds.map((kind) => [kind, new Float64Array(days)]))
    const sites = new Map(kinds.map((kind) => [kind, web.kinds.filter((one) => one === kind).length]))
    runFreshness(web, {
      ...runOptions(settings, settings.champion, budget, settings.seeds[i]!),
      onDay: (day, queue) => {
        for (const [site, kind] of web.kinds.entries()) {
          const weight = queue.trustOf(site)?.weightOf(CHANNEL, changes.mean, day * DAY_MS) ?? 0
          const line = byKind.get(kind)
          if (line !== undefined && day <= days) line[day - 1]! += -Math.expm1(-weight) / sites.get(kind)!
        }
      },
    })
    return byKind
  })
  return kinds.map((kind) => ({
    kind,
    precision: CHANNEL_KINDS[kind].precision,
    days: Array.from({ length: days }, (_, day) => intervalOf(believed.map((byKind) => byKind.get(kind)![day]!))),
  }))
}
