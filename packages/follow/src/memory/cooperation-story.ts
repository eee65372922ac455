/**
 * CooperationStory: what a site offers crawlers, which of it is used, and how far the site is believed, for people and
 * programs that look at a collection. Read from the row that a watch keeps of the site; nothing is asked of anybody.
 */
import type { Instant, SignalChannel } from '@comity/protocol'
import { SiteTrust } from '@comity/frontier'
import { pushStory } from './push-story.ts'
import type { PushStory } from './push-story.ts'
import type { CooperationRow } from './cooperation-store.ts'
import { chooseListing } from '../choose/listing-choice.ts'
import type { ChannelRecord, ChannelRecords } from '../choose/listing-choice.ts'
import { CHANGE_OFFERS } from '../site-offers.ts'
import type { OfferKind, ChangeOfferKind } from '../site-offers.ts'

export interface CooperationStory {
  readonly offers: readonly OfferStory[]
  /** What is asked when we want to know what has changed; undefined: nothing, pages are visited by their own histories. */
  readonly uses?: ChangeOfferKind | undefined
  /** When we were last told everything. */
  readonly toldAt?: Instant | undefined
  readonly channels: readonly ChannelStory[]
  /** Share of the changes that are announced, at a guess; undefined before anything was heard. */
  readonly recall?: number | undefined
  /** Audits found changes that nobody announced: silence counts for nothing until then. */
  readonly silenceDoubtedUntil?: Instant | undefined
  /** What is believed of the site, and why, in sentences. */
  readonly why: readonly string[]
  /** Of a site that pushes, or offers to. */
  readonly calls?: PushStory | undefined
}

export interface OfferStory {
  readonly kind: OfferKind
  /** A stranger's words. */
  readonly url: string
  /** 0: never looked at. */
  readonly checkedAt: Instant
  readonly failures: number
  readonly problem?: string | undefined
  readonly restsUntil?: Instant | undefined
}

export interface ChannelStory {
  readonly channel: SignalChannel
  /** Visits to announced pages, and those that found a change; older ones count less. */
  readonly heard: number
  readonly confirmed: number
  /** Share of the changes found that it had told of itself, at a guess. */
  readonly recall: number
  readonly quarantine?: { readonly until: Instant; readonly reason: string } | undefined
}

/** Offers shown of one site; one has nine kinds at most. */
const MAX_OFFERS = 20
/** Changes a day of a page that channels are compared by. */
const TYPICAL_RATE = 0.1
/** Visits to pages that a channel announced, before it is judged by them. */
const ENOUGH_HEARD = 10

/** `dayMs` is how long a day lasted for the watch that kept the row. */
export function cooperationStory(row: CooperationRow, dayMs: number, now: Instant): CooperationStory {
  const trust = row.trust?.version === 1 ? new SiteTrust(row.trust.at, dayMs, row.trust) : undefined
  const offers = (row.offers?.offers ?? []).slice(0, MAX_OFFERS)
  const heard = trust !== undefined && trust.channels.length > 0
  const doubtedUntil = row.trust?.silence.doubtedUntil ?? 0
  return {
    offers: offers.map(({ kind, url, checkedAt, failures, problem, restsUntil }) => ({
      kind,
      url,
      checkedAt,
      failures,
      problem,
      restsUntil: restsUntil > now ? restsUntil : undefined,
    })),
    uses: chooseListing(offers, recordsOf(trust), now)?.kind as ChangeOfferKind | undefined,
    toldAt: row.offers?.toldAt,
    channels: (trust === undefined ? [] : row.trust!.channels).map(
      ({ channel, heard: visits, confirmed, quarantine }) => ({
        channel,
        heard: visits,
        confirmed,
        recall: trust!.recallOf(channel),
        quarantine: quarantine !== undefined && quarantine.until > now ? quarantine : undefined,
      }),
    ),
    recall: heard ? trust.recall().guess : undefined,
    silenceDoubtedUntil: doubtedUntil > now ? doubtedUntil : undefined,
    why: [...(heard ? trust.why(now) : []), ...differencesWhy(row)],
    calls: pushStory(row, dayMs, now),
  }
}

/** What a site sends instead of whole pages is looked at like all that it says: what was of no use is told. */
function differencesWhy({ differences }: CooperationRow): string[] {
  if (differences === undefined) return []
  const { count, problem } = differences
  const of = count === 1 ? 'One difference that it sent was' : `${count} differences that it sent were`
  return [`${of} of no use, and the page was asked for whole. The last: ${problem}.`]
}

/** It helps crawlers: it offers something besides its pages, has told of changes, calls, or sends differences. */
export const isCooperating = ({ offers, channels, calls, why }: CooperationStory): boolean =>
  offers.length > 0 || channels.length > 0 || calls !== undefined || why.length > 0

/** What was learnt of a site's channels, once there is enough of it, as far as they are documents that can be asked for. */
export function recordsOf(trust: SiteTrust | undefined): ChannelRecords | undefined {
  const heard = trust?.state().channels.filter((channel) => channel.heard >= ENOUGH_HEARD) ?? []
  if (trust === undefined || heard.length === 0) return undefined
  const known = CHANGE_OFFERS.filter((kind) => heard.some(({ channel }) => channel === kind))
  const recordOf = (kind: ChangeOfferKind): ChannelRecord => ({
    recall: trust.recallOf(kind),
    precision: trust.precisionOf(kind, TYPICAL_RATE),
  })
  return Object.fromEntries(known.map((kind) => [kind, recordOf(kind)]))
}
