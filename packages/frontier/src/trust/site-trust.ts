/**
 * Site trust: how far the channels of one site are believed, learnt from what visits found (002 §6.1).
 *
 *   false alarms      a signal, and the page is as it was    lower the channel's weight; many, and it is quarantined
 *   mass announcement a fifth of the site within a day       nothing is believed before twenty samples were seen
 *   hidden changes    a change, and no signal                found by audits; silence is then no longer believed; each
 *                                                            channel has its own share of changes told (`trust/channel-recall.ts`)
 *   content lies      what was pushed is not what is served  one, and pushed content is only a hint
 *
 * What a signal is worth comes from the channel's recall and false signals (`trust/signal-rates.ts`), corrected by a fit over all
 * visits (`trust/trust-fit.ts`): the rates say how pages differ, and the fit how far that is wrong for this site.
 *
 * A quarantined channel is heard and not believed; two in a hundred of its signals are followed all the same, so that it
 * can recover. Quarantine ends: after a day, then two, four, at most thirty. What a channel did fades with a half-life of
 * thirty days. The rules and their numbers are ours; 002 asks for ignoring a site "for a period of time".
 *
 * State is plain data, in and out. Time and chance are arguments.
 */
import type { Instant, SignalChannel } from '@comity/protocol'
import { ChannelRecall } from './channel-recall.ts'
import type { RecallState } from './channel-recall.ts'
import { shareAtLeast } from './confidence.ts'
import { LEAST_HIDDEN, SignalRates } from './signal-rates.ts'
import type { Expectation, SignalCounts, SignalRatesState } from './signal-rates.ts'
import { MOST_WEIGHT, TrustFit } from './trust-fit.ts'
import type { TrustFitState, TrustPrior } from './trust-fit.ts'
import { channelSentence, timeUntil } from './trust-words.ts'

const HALF_LIFE_DAYS = 30
const FIRST_QUARANTINE_DAYS = 1
const LONGEST_QUARANTINE_DAYS = 30
/** A strike is forgiven after so long without another. */
const FORGIVEN_DAYS = 60
const PROBE_SHARE = 0.02
const LABELS_NEEDED = 20
const LEAST_PRECISION = 0.2
const MASS_SHARE = 0.2
const MASS_SAMPLES = 20
const MASS_CHANGED = 0.1
const CERTAIN_PRECISION = 0.8
/** Audits must find this many hidden changes, and twice what was expected, before silence is disbelieved. */
const HIDDEN_NEEDED = 5

/** The rates are thought to be right. */
const FIT_PRIOR: TrustPrior = { mean: 1, shape: 20 }

export type QuarantineReason = 'false alarms' | 'mass announcement'

export interface Quarantine {
  readonly until: Instant
  readonly reason: QuarantineReason
}

export interface ChannelState {
  readonly channel: SignalChannel
  /** Visits to announced pages, and those that found a change; faded. */
  heard: number
  confirmed: number
  strikes: number
  struckAt: Instant
  quarantine?: Quarantine | undefined
  /** What is announced in the present day, and what samples of it showed when it became suspiciously much. */
  dayFrom: Instant
  dayPages: number
  mass?: { asked: number; sampled: number; changed: number; cleared: boolean } | undefined
  contentLies: number
  contentDoubtedUntil: Instant
}

export interface SiteTrustState {
  readonly version: 1
  readonly at: Instant
  readonly rates: SignalRatesState
  readonly audits: { readonly found: number; readonly expected: number }
  readonly silence: { readonly strikes: number; readonly struckAt: Instant; readonly doubtedUntil: Instant }
  readonly fit: TrustFitState
  readonly channels: readonly ChannelState[]
  /** Absent in what was written before channels were told apart by it. */
  readonly recall?: readonly RecallState[] | undefined
}

/** What a visit says about the channels. */
export interface TrustEvidence {
  readonly at: Instant
  /** Since the visit before. */
  readonly days: number
  /** Changes of the page per day. */
  readonly rate: number
  readonly changed: boolean
  /** Events by channel: each counted for the channel that was most believed. */
  readonly events: SignalCounts
  /** All channels that announced it. */
  readonly announcedBy: readonly SignalChannel[]
  readonly isAudit: boolean
}

export class SiteTrust {
  readonly #dayMs: number
  readonly #rates: SignalRates
  readonly #fit: TrustFit
  readonly #channels: ChannelState[]
  readonly #recall: ChannelRecall
  #at: Instant
  #audits: { found: number; expected: number }
  #silence: { strikes: number; struckAt: Instant; doubtedUntil: Instant }

  /** `dayMs` is how long a day lasts: less in a demonstration. */
  constructor(now: Instant, dayMs: number, state?: SiteTrustState) {
    this.#dayMs = dayMs
    this.#at = state?.at ?? now
    this.#rates = new SignalRates(state?.rates)
    this.#audits = { ...(state?.audits ?? { found: 0, expected: 0 }) }
    this.#silence = { ...(state?.silence ?? { strikes: 0, struckAt: 0, doubtedUntil: 0 }) }
    this.#channels = (state?.channels ?? []).map((channel) => structuredClone(channel))
    this.#recall = new ChannelRecall(state?.recall)
    this.#fit = new TrustFit([FIT_PRIOR, ...this.#channels.map(() => FIT_PRIOR)], state?.fit)
  }

  state(): SiteTrustState {
    return {
      version: 1,
      at: this.#at,
      rates: this.#rates.state,
      audits: { ...this.#audits },
      silence: { ...this.#silence },
      fit: this.#fit.state,
      channels: this.#channels.map((channel) => structuredClone(channel)),
      recall: this.#recall.state,
    }
  }

  /** The channels that were ever heard from. */
  get channels(): readonly SignalChannel[] {
    return this.#channels.map(({ channel }) => channel)
  }

  /** How much one signal adds to the suspicion that a page of this rate has changed; 0 for a channel not believed now. */
  weightOf(channel: SignalChannel, rate: number, now: Instant): number {
    const state = this.#channels[this.#indexOf(channel)]
    return state !== undefined && !this.#isBelieved(state, now) ? 0 : this.#weight(channel, rate)
  }

  /** Probability that a signal about a page of this rate is right, believed or not. */
  precisionOf(channel: SignalChannel, rate: number): number {
    return 1 - Math.exp(-this.#weight(channel, rate))
  }

  /**
   * Changes per day that a page of this rate has without anybody telling, as far as silence is believed: only that part
   * of the announcements is counted on which is sure. (Counting on all or nothing, by whether half is sure, was less fresh.)
   */
  hiddenRateOf(rate: number, now: Instant): number {
    if (!this.isSilenceBelieved(now)) return rate
    const { guess, atLeast } = this.recall()
    let believed = 0
    for (const state of this.#channels)
      if (this.#isBelieved(state, now)) believed += this.#rates.recallOf(state.channel)
    const announced = guess === 0 ? 0 : (believed * atLeast) / guess
    return rate * Math.max(LEAST_HIDDEN, Math.min(1, (1 - announced) * this.#fit.weight(0)))
  }

  /** Signals a day, right and false, that are to be expected for a page of this rate from channels that are believed. */
  signalRateOf(rate: number, now: Instant): number {
    let [recall, worth] = [0, 0]
    for (const state of this.#channels) {
      if (!this.#isBelieved(state, now)) continue
      const own = this.#rates.recallOf(state.channel)
      recall += own
      worth += own * this.#weight(state.channel, rate)
    }
    if (recall === 0) return 0
    return (rate - this.hiddenRateOf(rate, now)) / -Math.expm1(-worth / recall)
  }

  /** What was to be expected, by all channels, believed or not, and without the fit's correction, which learns from it. */
  expectation(rate: number, days: number, events: SignalCounts): Expectation {
    return this.#rates.expectation(rate, days, events)
  }

  /** Whether a digest from this channel is as good as having seen the page. */
  isCertain(channel: SignalChannel, now: Instant): boolean {
    const state = this.#channels[this.#indexOf(channel)]
    if (state === undefined || !this.#isBelieved(state, now) || state.heard < LABELS_NEEDED) return false
    return shareAtLeast(state.confirmed, state.heard) >= CERTAIN_PRECISION
  }

  /** Whether content that comes over this channel may be stored as if it had been fetched. */
  believesContent(channel: SignalChannel, now: Instant): boolean {
    const state = this.#channels[this.#indexOf(channel)]
    return state === undefined || (state.contentDoubtedUntil <= now && this.#isBelieved(state, now))
  }

  /** Whether pages that nobody announces may wait longer for it. */
  isSilenceBelieved(now: Instant): boolean {
    return this.#silence.doubtedUntil <= now
  }

  /** Share of changes that are announced, at a guess, and hardly less than. */
  recall(): { readonly guess: number; readonly atLeast: number } {
    return this.#rates.recall()
  }

  /** Share of the changes found that this channel had told of itself, at a guess. */
  recallOf(channel: SignalChannel): number {
    return this.#recall.recallOf(channel)
  }

  /** A channel that is asked now and then was asked, and told all it knew. */
  listened(channel: SignalChannel, now: Instant): void {
    this.#recall.listened(channel, now)
  }

  /** An event was counted. True when the page is to be visited as a sample, whatever the channel is worth. */
  signalled(channel: SignalChannel, sitePages: number, now: Instant, chance: number): boolean {
    this.#fade(now)
    const state = this.#known(channel, now)
    this.#countDay(state, sitePages, now)
    const { mass } = state
    if (this.#isQuarantined(state, now)) return chance < PROBE_SHARE
    if (mass === undefined || mass.cleared || mass.asked >= 2 * MASS_SAMPLES) return false
    if (chance >= Math.min(1, (4 * MASS_SAMPLES) / sitePages)) return false
    mass.asked++
    return true
  }

  visited(evidence: TrustEvidence): void {
    const { at, changed, days, announcedBy, isAudit } = evidence
    this.#fade(at)
    if (changed) this.#recall.found({ at, since: at - days * this.#dayMs, announcedBy })
    for (const channel of announcedBy) this.#known(channel, at)
    this.#fitTo(evidence)
    this.#rates.visited(evidence.rate, days, evidence.events, changed)
    for (const channel of announcedBy) this.#label(this.#known(channel, at), changed, at)
    if (isAudit && announcedBy.length === 0) this.#audit(evidence)
  }

  /** Content that came over a channel was compared with what the site serves. */
  contentChecked(channel: SignalChannel, isSame: boolean, now: Instant): void {
    if (isSame) return
    const state = this.#known(channel, now)
    state.contentLies++
    state.contentDoubtedUntil = now + this.#sentenceDays(state.contentLies) * this.#dayMs
  }

  /** What is believed of this site, and why, in sentences. */
  why(now: Instant): string[] {
    const shared = { now, dayMs: this.#dayMs, samples: MASS_SAMPLES }
    const lines = this.#channels.map((state) =>
      channelSentence(state, { ...shared, ...this.#recall.countsOf(state.channel) }),
    )
    if (lines.length === 0) return ['No channel has been heard from: pages are visited by their own histories.']
    const { guess, atLeast } = this.recall()
    lines.push(
      this.isSilenceBelieved(now)
        ? `About ${percent(guess)} of the changes are announced (at least ${percent(atLeast)}); silence counts for that much.`
        : `Audits found changes that nobody announced: silence counts for nothing during the next ${timeUntil(this.#silence.doubtedUntil, now, this.#dayMs)}.`,
    )
    return lines
  }

  #fitTo({ rate, days, changed, events }: TrustEvidence): void {
    const x = [this.expectation(rate, days, events).hiddenChanges, ...this.#channels.map(() => 0)]
    for (const [channel, count] of events) {
      const j = this.#indexOf(channel)
      if (j !== -1) x[j + 1]! += count * this.#rates.weightOf(channel, rate)
    }
    this.#fit.observe({ x, changed })
  }

  /** κ of one signal, corrected by the fit. */
  #weight(channel: SignalChannel, rate: number): number {
    const j = this.#indexOf(channel)
    const factor = j === -1 ? 1 : this.#fit.weight(j + 1)
    return Math.min(MOST_WEIGHT, factor * this.#rates.weightOf(channel, rate))
  }

  /** A page that a channel had announced was visited. */
  #label(state: ChannelState, changed: boolean, now: Instant): void {
    state.heard++
    if (changed) state.confirmed++
    const isQuarantined = this.#isQuarantined(state, now)
    if (state.mass !== undefined && !state.mass.cleared) {
      state.mass.sampled++
      if (changed) state.mass.changed++
      if (state.mass.sampled >= MASS_SAMPLES) {
        const isLie = state.mass.changed < MASS_CHANGED * state.mass.sampled
        state.mass.cleared = true
        if (isLie && !isQuarantined) return this.#quarantine(state, 'mass announcement', now)
      }
    }
    const isLie = state.heard >= LABELS_NEEDED && shareAtLeast(state.confirmed, state.heard) < LEAST_PRECISION
    if (isLie && !isQuarantined) this.#quarantine(state, 'false alarms', now)
  }

  #audit({ at, changed, rate, days }: TrustEvidence): void {
    if (changed) this.#audits.found++
    this.#audits.expected -= Math.expm1(-this.hiddenRateOf(rate, at) * days)
    const { found, expected } = this.#audits
    const isLie = found >= HIDDEN_NEEDED && found - 1.645 * Math.sqrt(found) > 2 * expected
    if (!isLie || !this.isSilenceBelieved(at)) return
    this.#silence.strikes = this.#strikesNow(this.#silence.strikes, this.#silence.struckAt, at) + 1
    this.#silence.struckAt = at
    this.#silence.doubtedUntil = at + this.#sentenceDays(this.#silence.strikes) * this.#dayMs
    this.#audits = { found: 0, expected: 0 }
  }

  /** What came before counts no more: after its quarantine a channel is judged by the samples taken in it. */
  #quarantine(state: ChannelState, reason: QuarantineReason, now: Instant): void {
    state.strikes = this.#strikesNow(state.strikes, state.struckAt, now) + 1
    state.struckAt = now
    state.quarantine = { until: now + this.#sentenceDays(state.strikes) * this.#dayMs, reason }
    state.heard = 0
    state.confirmed = 0
  }

  #sentenceDays(strikes: number): number {
    return Math.min(LONGEST_QUARANTINE_DAYS, FIRST_QUARANTINE_DAYS * 2 ** Math.min(strikes - 1, 10))
  }

  #strikesNow(strikes: number, struckAt: Instant, now: Instant): number {
    return Math.max(0, strikes - Math.floor((now - struckAt) / (FORGIVEN_DAYS * this.#dayMs)))
  }

  /** A fifth of the site within a day, and enough pages to take samples of, is checked before it is believed. */
  #countDay(state: ChannelState, sitePages: number, now: Instant): void {
    if (now - state.dayFrom >= this.#dayMs) {
      state.dayFrom = now
      state.dayPages = 0
      state.mass = undefined
    }
    state.dayPages++
    const isMass = state.dayPages > MASS_SHARE * sitePages && state.dayPages > MASS_SAMPLES
    if (isMass && !this.#isQuarantined(state, now)) state.mass ??= { asked: 0, sampled: 0, changed: 0, cleared: false }
  }

  #isBelieved(state: ChannelState, now: Instant): boolean {
    if (this.#isQuarantined(state, now)) return false
    // A check that never got its samples ends with the day it began in.
    const isChecked = state.mass !== undefined && !state.mass.cleared && now - state.dayFrom < this.#dayMs
    return !isChecked
  }

  #isQuarantined({ quarantine }: ChannelState, now: Instant): boolean {
    return quarantine !== undefined && quarantine.until > now
  }

  #known(channel: SignalChannel, now: Instant): ChannelState {
    const known = this.#channels[this.#indexOf(channel)]
    if (known !== undefined) return known
    const fresh: ChannelState = {
      channel,
      heard: 0,
      confirmed: 0,
      strikes: 0,
      struckAt: 0,
      dayFrom: now,
      dayPages: 0,
      contentLies: 0,
      contentDoubtedUntil: 0,
    }
    this.#channels.push(fresh)
    this.#fit.grow(FIT_PRIOR)
    return fresh
  }

  #indexOf(channel: SignalChannel): number {
    return this.#channels.findIndex((state) => state.channel === channel)
  }

  #fade(now: Instant): void {
    // Once an hour is often enough, and signals come by the thousand.
    if (!(now - this.#at >= this.#dayMs / 24)) return
    const memory = 2 ** ((this.#at - now) / (HALF_LIFE_DAYS * this.#dayMs))
    this.#at = now
    this.#rates.fade(memory)
    this.#recall.fade(memory)
    this.#audits.found *= memory
    this.#audits.expected *= memory
    this.#fit.fade(memory)
    for (const state of this.#channels) {
      state.heard *= memory
      state.confirmed *= memory
    }
  }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
