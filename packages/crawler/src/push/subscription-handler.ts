/**
 * SubscriptionHandler: sees to it that the sites worth hearing call us (W3C WebSub, the subscriber's part).
 *
 *   offers: hub, topics ──▶ choice by worth, within a number ──▶ written down ──▶ hub is asked ──▶ hub verifies, at the receiver
 *                                                                  ▲ renewed when four fifths of the lease are over
 *
 * The store of subscriptions lies with the receiver, which answers the hubs; this handler reads it, and asks. A hub is asked like
 * any other site, when its turn comes and at addresses that may be asked; one that refuses, or is at no such address, is left
 * alone for a day, one that is down for a minute, then longer.
 * Whoever is not subscribed to is polled, and whoever was forgotten is not heard any more.
 */
import { FORM_TYPE, siteOf, writeSubscribeForm } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { InboxScheme, Subscription } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import type { CooperationStore, Questions, SitePriority, Candidate } from '@comity/follow'
import type { Exchange } from '@comity/ingest'
import type { Bell } from '../run/bell.ts'
import type { IntakeSubscriptions } from './intake-port.ts'
import { chooseSubscriptions } from '@comity/follow'

interface SubscriptionHandlerParts {
  readonly intake: IntakeSubscriptions
  readonly frontier: Frontier
  readonly store: CooperationStore
  readonly questions: Questions
  readonly worth: SitePriority
  /** Sites that nothing is to be had of any more. */
  readonly forgotten: ReadonlySet<string>
  /** How many sites may call. */
  readonly most: number
  /** What is wanted of a site, the first that it offers. */
  readonly schemes: readonly InboxScheme[]
  /** How long a day lasts. */
  readonly dayMs: number
  readonly now: () => Instant
  /** Rung when somebody is to be asked. */
  readonly bell: Bell
}

/** Between two looks at who is worth it; and when somebody new could push. */
const LOOK_MS = 2_000
const LOOK_SOON_MS = 200
const RENEW_AT = 0.8
const LEASE_DAYS = 10
/** Bytes of a hub's answer, which nobody reads but for its status. */
const MOST_ANSWER_BYTES = 16_384
/** A hub that was asked has so long to verify before it is asked again. */
const PATIENCE_MS = 60_000

export class SubscriptionHandler {
  readonly #parts: SubscriptionHandlerParts
  /** Sites whose hub would not have us, or did not answer, and until when. */
  readonly #resting = new Map<number, Instant>()
  /** Topics that we were denied, by URL: then the next best is asked for. */
  readonly #denied = new Map<string, Instant>()
  /** In a row. */
  readonly #failures = new Map<number, number>()
  #lastLook = -Infinity
  #callersFound = 0
  #isBusy = false

  constructor(parts: SubscriptionHandlerParts) {
    this.#parts = parts
  }

  nextAt(): Instant {
    const isNew = this.#parts.store.callersFound !== this.#callersFound
    return this.#isBusy ? Infinity : this.#lastLook + (isNew ? LOOK_SOON_MS : LOOK_MS)
  }

  /** Look who is worth it, once in a while. */
  tick(now: Instant): void {
    if (now < this.nextAt()) return
    this.#isBusy = true
    this.#lastLook = now
    this.#callersFound = this.#parts.store.callersFound
    // What goes wrong with the receiver is told by the receiver; the rest of the run goes on.
    void this.#look(now)
      .catch(() => undefined)
      .finally(() => (this.#isBusy = false))
  }

  async #look(now: Instant): Promise<void> {
    const { intake, most } = this.#parts
    await intake.setPriorities(this.#worths(now))
    const all = await intake.subscriptions()
    this.#noteDenied(all, now)
    const subscriptions = all.filter(isHeld)
    const bySite = new Map(subscriptions.map((one) => [this.#siteOf(one.origin), one]))
    const held = new Set(bySite.keys())
    const { begin, leave } = chooseSubscriptions(this.#candidates(held, now), held, most)
    for (const site of leave) await this.#leave(bySite.get(site)!)
    for (const site of begin) await this.#begin(site, now)
    for (const one of subscriptions) if (this.#isDue(one, now)) await this.#renew(one)
  }

  /** From 0 to 1: a place among those that changed, as importance has no upper end. */
  #worths(now: Instant): (readonly [origin: string, worth: number])[] {
    const ranking = this.#parts.worth.ranking(now)
    const best = ranking[0]?.worth ?? 1
    const named = ranking.map(({ site, worth }) => [this.#originOf(site), Math.sqrt(worth / best)] as const)
    return [...named, ...Array.from(this.#parts.forgotten, (origin) => [origin, 0] as const)]
  }

  /** A hub that is down when a lease is to be renewed is no reason to leave it. */
  #candidates(held: ReadonlySet<number>, now: Instant): Candidate[] {
    const { frontier, worth, forgotten } = this.#parts
    return frontier.sites.flatMap(({ id, origin }) => {
      const isOut = forgotten.has(origin) || (!held.has(id) && this.#isResting(id, now))
      return isOut || this.#wish(id, now) === undefined ? [] : [{ site: id, worth: worth.of(id, now) }]
    })
  }

  #isResting(site: number, now: Instant): boolean {
    return (this.#resting.get(site) ?? 0) > now
  }

  /** A hub says no at our callback, after it has taken the request. */
  #noteDenied(all: readonly Subscription[], now: Instant): void {
    for (const { state, topic, endedAt = 0 } of all) {
      const until = endedAt + this.#parts.dayMs
      if (state === 'denied' && until > now) this.#denied.set(topic, until)
    }
  }

  #wish(
    site: number,
    now: Instant,
  ): { readonly hub: string; readonly topic: string; readonly scheme: InboxScheme } | undefined {
    const push = this.#parts.store.of(site).offers?.push
    if (push === undefined || placeOf(push.hub) === undefined) return undefined
    const scheme = this.#parts.schemes.find((name) => {
      const topic = push.topics[name]
      return topic !== undefined && (this.#denied.get(topic) ?? 0) <= now
    })
    return scheme === undefined ? undefined : { hub: push.hub, topic: push.topics[scheme]!, scheme }
  }

  async #begin(site: number, now: Instant): Promise<void> {
    const wish = this.#wish(site, now)
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
    // Of a site that was forgotten nothing is asked: its hub is told to stop when it sends the next time.
    if (leaving === undefined || this.#parts.forgotten.has(origin)) return
    this.#ask(this.#siteOf(origin), leaving, 'unsubscribe')
  }

  #ask(site: number, { hub, topic, token, secret }: Subscription, mode: 'subscribe' | 'unsubscribe'): void {
    const { questions, frontier, intake, dayMs, now, bell } = this.#parts
    const place = placeOf(hub)
    const at = place === undefined ? -1 : frontier.siteIfRoom(place.origin)
    if (place === undefined || at === -1) return void this.#resting.set(site, now() + dayMs)
    const leaseSeconds = Math.max(60, Math.round((LEASE_DAYS * dayMs) / 1_000))
    questions.ask({
      site: at,
      path: place.path,
      method: 'POST',
      headers: { 'content-type': FORM_TYPE },
      body: writeSubscribeForm({ mode, callback: intake.callbackOf(token), topic, leaseSeconds, secret }),
      maxBodyBytes: MOST_ANSWER_BYTES,
      answered: (exchange) => {
        if (mode === 'subscribe') this.#answered(site, statusOf(exchange))
      },
    })
    bell.ring()
  }

  /** `status` is 0 when there was no answer. */
  #answered(site: number, status: number): void {
    const { now, dayMs } = this.#parts
    if (status >= 200 && status < 300) {
      this.#failures.delete(site)
      return
    }
    const failures = (this.#failures.get(site) ?? 0) + 1
    this.#failures.set(site, failures)
    const isDown = status === 0 || status === 429 || status >= 500
    const restMs = isDown ? Math.min(dayMs, PATIENCE_MS * 2 ** (failures - 1)) : dayMs
    this.#resting.set(site, now() + restMs)
  }

  /** Not verified yet though it was asked a while ago, or its lease draws to its end. */
  #isDue({ origin, state, askedAt, confirmedAt, leaseUntil }: Subscription, now: Instant): boolean {
    if (this.#parts.forgotten.has(origin) || this.#isResting(this.#siteOf(origin), now)) return false
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

/** Where a hub is asked; undefined for one that nobody may be asked at: with a password, which would be somebody's. */
function placeOf(hub: string): { readonly origin: string; readonly path: string } | undefined {
  const url = URL.parse(hub)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  return { origin: siteOf(url.href), path: `${url.pathname}${url.search}` }
}

/** 0 when there was no answer; a hub at an address that is not asked has refused us, as far as it matters. */
function statusOf(exchange: Exchange): number {
  if (exchange.kind === 'answered') return exchange.head.status
  return exchange.outcome === 'address-refused' ? 403 : 0
}

const isHeld = ({ state }: Subscription): boolean => state === 'asked' || state === 'active'
