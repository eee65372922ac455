/**
 * SubscriptionDesk: sees to it that the sites worth hearing call us (W3C WebSub, the subscriber's part).
 *
 *   offers: hub, topics ──▶ choice by worth, within a number ──▶ written down ──▶ hub is asked ──▶ hub verifies, at the receiver
 *                                                                  ▲ renewed when four fifths of the lease are over
 *
 * The book of subscriptions lies with the receiver, which answers the hubs; this desk reads it, and asks. A hub is asked like
 * any other site, when its turn comes; one that refuses is left alone for a day. Whoever is not subscribed to is polled.
 */
import { FORM_TYPE, siteOf, writeSubscribeForm } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { InboxScheme, Subscription } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import type { CooperationBook } from './cooperation-book.ts'
import type { IntakePort } from './intake-port.ts'
import type { Questions } from './questions.ts'
import type { SiteWorth } from './site-worth.ts'
import { chooseSubscriptions } from './subscription-choice.ts'
import type { Candidate } from './subscription-choice.ts'

export interface SubscriptionDeskParts {
  readonly intake: IntakePort
  readonly frontier: Frontier
  readonly book: CooperationBook
  readonly questions: Questions
  readonly worth: SiteWorth
  /** How many sites may call. */
  readonly most: number
  /** What is wanted of a site, the first that it offers. */
  readonly schemes: readonly InboxScheme[]
  /** How long a day lasts. */
  readonly dayMs: number
  readonly now: () => Instant
}

/** Between two looks at who is worth it. */
const LOOK_MS = 2_000
const RENEW_AT = 0.8
const LEASE_DAYS = 10
/** Bytes of a hub's answer, which nobody reads but for its status. */
const MOST_ANSWER_BYTES = 16_384
/** A hub that was asked has so long to verify before it is asked again. */
const PATIENCE_MS = 60_000

export class SubscriptionDesk {
  readonly #parts: SubscriptionDeskParts
  /** Sites whose hub would not have us, and until when. */
  readonly #resting = new Map<number, Instant>()
  #nextLook = 0
  #isBusy = false

  constructor(parts: SubscriptionDeskParts) {
    this.#parts = parts
  }

  nextAt(): Instant {
    return this.#isBusy ? Infinity : this.#nextLook
  }

  /** Look who is worth it, once in a while. */
  tick(now: Instant): void {
    if (this.#isBusy || now < this.#nextLook) return
    this.#isBusy = true
    this.#nextLook = now + LOOK_MS
    // What goes wrong with the receiver is told by the receiver; the rest of the run goes on.
    void this.#look(now)
      .catch(() => undefined)
      .finally(() => (this.#isBusy = false))
  }

  async #look(now: Instant): Promise<void> {
    const { intake, most } = this.#parts
    await intake.setWorths(this.#worths(now))
    const subscriptions = (await intake.subscriptions()).filter(isHeld)
    const bySite = new Map(subscriptions.map((one) => [this.#siteOf(one.origin), one]))
    const { begin, leave } = chooseSubscriptions(this.#candidates(now), new Set(bySite.keys()), most)
    for (const site of leave) await this.#leave(bySite.get(site)!)
    for (const site of begin) await this.#begin(site, now)
    for (const one of subscriptions) if (this.#isDue(one, now)) await this.#renew(one)
  }

  /** From 0 to 1: a place among those that changed, as importance has no upper end. */
  #worths(now: Instant): (readonly [origin: string, worth: number])[] {
    const ranking = this.#parts.worth.ranking(now)
    const best = ranking[0]?.worth ?? 1
    return ranking.map(({ site, worth }) => [this.#originOf(site), Math.sqrt(worth / best)] as const)
  }

  #candidates(now: Instant): Candidate[] {
    const { frontier, worth } = this.#parts
    return frontier.sites.flatMap(({ id }) => {
      const isResting = (this.#resting.get(id) ?? 0) > now
      return isResting || this.#wish(id) === undefined ? [] : [{ site: id, worth: worth.of(id, now) }]
    })
  }

  #wish(site: number): { readonly hub: string; readonly topic: string; readonly scheme: InboxScheme } | undefined {
    const push = this.#parts.book.of(site).offers?.push
    if (push === undefined) return undefined
    const scheme = this.#parts.schemes.find((name) => push.topics[name] !== undefined)
    return scheme === undefined ? undefined : { hub: push.hub, topic: push.topics[scheme]!, scheme }
  }

  async #begin(site: number, now: Instant): Promise<void> {
    const wish = this.#wish(site)
    if (wish === undefined) return
    const subscription = await this.#parts.intake.subscribe({ ...wish, origin: this.#originOf(site) })
    if (subscription === undefined) this.#resting.set(site, now + this.#parts.dayMs)
    else this.#ask(site, subscription, 'subscribe')
  }

  async #renew({ origin, topic, hub, scheme }: Subscription): Promise<void> {
    const subscription = await this.#parts.intake.subscribe({ origin, topic, hub, scheme })
    if (subscription !== undefined) this.#ask(this.#siteOf(origin), subscription, 'subscribe')
  }

  async #leave({ token, origin }: Subscription): Promise<void> {
    const leaving = await this.#parts.intake.leave(token)
    if (leaving !== undefined) this.#ask(this.#siteOf(origin), leaving, 'unsubscribe')
  }

  #ask(site: number, { hub, topic, token, secret }: Subscription, mode: 'subscribe' | 'unsubscribe'): void {
    const { questions, frontier, intake, dayMs, now } = this.#parts
    const origin = siteOf(hub)
    const at = frontier.siteIfRoom(origin)
    const rest = (): void => void this.#resting.set(site, now() + dayMs)
    if (at === -1) return rest()
    const leaseSeconds = Math.max(60, Math.round((LEASE_DAYS * dayMs) / 1_000))
    questions.ask({
      site: at,
      path: hub.slice(origin.length),
      method: 'POST',
      headers: { 'content-type': FORM_TYPE },
      body: writeSubscribeForm({ mode, callback: intake.callbackOf(token), topic, leaseSeconds, secret }),
      maxBodyBytes: MOST_ANSWER_BYTES,
      answered: (exchange) => {
        const isTaken = exchange.kind === 'answered' && exchange.head.status < 300
        if (!isTaken && mode === 'subscribe') rest()
      },
    })
  }

  /** Not verified yet though it was asked a while ago, or its lease draws to its end. */
  #isDue({ state, askedAt, confirmedAt, leaseUntil }: Subscription, now: Instant): boolean {
    if (askedAt !== undefined && now - askedAt < PATIENCE_MS) return false
    if (state === 'asked') return true
    const begun = confirmedAt ?? now
    return now > begun + RENEW_AT * ((leaseUntil ?? now) - begun)
  }

  #siteOf(origin: string): number {
    return this.#parts.frontier.siteIfRoom(origin)
  }

  #originOf(site: number): string {
    return this.#parts.frontier.sites[site]!.origin
  }
}

const isHeld = ({ state }: Subscription): boolean => state === 'asked' || state === 'active'
