/**
 * Subscriptions: the side of a WebSub hub that decides who is sent what (W3C WebSub §5). Sending is the delivery worker's.
 *
 *   asked ──▶ waiting ──▶ validated (the owner may say no) ──▶ the callback echoes the challenge ──▶ active, for a lease
 *                                 │                                  │ 404, another body, no answer
 *                                 ▼                                  ▼
 *                              denied                      everything is as it was before
 *
 * An active subscription is renewed by the same request, ended by `unsubscribe` or by the end of its lease, and never
 * lasts for ever. Requests for one callback and topic are verified in the order they came, each on its own: whoever does
 * not control the callback can neither end nor replace what another has.
 *
 * A hub calls addresses that strangers name, so all is counted: subscribers, requests that wait, calls at one time, and
 * each of them for one host. What waits is not durable: a subscriber that was not verified asks again (§5.3).
 */
import { hash } from 'node:crypto'
import { spelling, verificationUrl, messageOf, textOf } from '@comity/protocol'
import type { Instant, SubscribeRequest, Verification } from '@comity/protocol'
import type { Journal } from '../journal/journal.ts'
import type { CallbackPolicy } from '../push/callback-policy.ts'
import { hostOfCallback } from '../push/callback-policy.ts'
import type { Post } from '../post.ts'
import type { PushScheme, Subscriber, Subscribers } from './subscriber.ts'
import { NO_BODY } from '../site-request.ts'
import { WaitingLine } from '../push/waiting-line.ts'

export interface SubscriptionLimits {
  readonly subscribers: number
  readonly subscribersPerHost: number
  readonly waiting: number
  readonly waitingPerHost: number
  /** Callbacks that are called at one time; of one host it is one. */
  readonly calls: number
  /** How long a callback may take to answer. */
  readonly callMs: number
  readonly leaseSeconds: number
  readonly minLeaseSeconds: number
  readonly maxLeaseSeconds: number
}

export const subscriptionLimits: SubscriptionLimits = {
  subscribers: 1_000,
  subscribersPerHost: 50,
  waiting: 200,
  waitingPerHost: 20,
  calls: 8,
  callMs: 10_000,
  // What §8.2 calls a good default.
  leaseSeconds: 10 * 86_400,
  minLeaseSeconds: 300,
  maxLeaseSeconds: 30 * 86_400,
}

/** What became of a request once it was looked into. */
export interface SubscriptionOutcome {
  readonly id: string
  readonly mode: SubscribeRequest['mode']
  readonly topic: string
  readonly callback: string
  readonly kind: 'subscribed' | 'renewed' | 'unsubscribed' | 'denied' | 'unverified' | 'failed'
  /** Why, where it did not come to pass. */
  readonly reason?: string | undefined
}

/** What the owner of a hub may say to each subscription. */
interface SubscriptionHooks {
  /** Asked before a callback is verified: a reason to deny the subscription, or undefined (§5.2). */
  readonly validate?: ((request: SubscribeRequest) => Promise<string | undefined>) | undefined
  readonly onOutcome?: ((outcome: SubscriptionOutcome) => void) | undefined
}

export interface SubscriptionParts extends SubscriptionHooks {
  readonly subscribers: Subscribers
  /** Our own address. */
  readonly hub: string
  /** What a topic of ours brings; undefined for what is none. */
  readonly schemeOf: (topic: string) => PushScheme | undefined
  readonly post: Post
  readonly callbacks: CallbackPolicy
  readonly now: () => Instant
  /** So many bytes that nobody can guess. */
  readonly random: (bytes: number) => Uint8Array
  /** Whoever subscribes now is told of the changes after its last. */
  readonly journal: Pick<Journal, 'last'>
  readonly limits?: Partial<SubscriptionLimits> | undefined
}

/** The answer to a request, before anybody is called (§5.1.2). */
type SubscriptionVerdict =
  | { readonly kind: 'accepted'; readonly id: string }
  | { readonly kind: 'refused'; readonly status: 403 | 404 | 429 | 503; readonly reason: string }

interface Waiting {
  readonly id: string
  readonly request: SubscribeRequest
  readonly scheme: PushScheme
  readonly begins: number
}

export class Subscriptions implements Disposable {
  readonly #parts: SubscriptionParts
  readonly #limits: SubscriptionLimits
  readonly #line: WaitingLine<Waiting>
  readonly #stop = new AbortController()

  constructor(parts: SubscriptionParts) {
    this.#parts = parts
    const limits = (this.#limits = { ...subscriptionLimits, ...parts.limits })
    this.#line = new WaitingLine<Waiting>({
      most: limits.waiting,
      mostPerHost: limits.waitingPerHost,
      atOnce: limits.calls,
      handle: async (waiting) => await this.#settle(waiting),
    })
  }

  /** Looks at what can be seen of a request at once; everything else happens later. */
  request(request: SubscribeRequest): SubscriptionVerdict {
    const { callback, topic, mode } = request
    const scheme = this.#parts.schemeOf(topic)
    if (scheme === undefined)
      return refused(404, `${topic} is no topic of this hub: take the one that its Link with rel="self" names.`)
    const fault = this.#parts.callbacks.fault(callback)
    if (fault !== undefined) return refused(403, fault)
    const id = subscriptionId(topic, callback)
    if (mode === 'subscribe') {
      const full = this.#isFull(id, callback)
      if (full !== undefined) return refused(503, full)
    }
    const host = hostOfCallback(callback)
    const place = this.#line.add(host, { id, request, scheme, begins: this.#parts.journal.last })
    if (place === 'host-full')
      return refused(429, `Too many requests for ${host} wait to be verified: ask again later.`)
    if (place === 'full') return refused(503, 'Too many requests wait to be verified: ask again later.')
    return { kind: 'accepted', id }
  }

  /** Ends a subscription from our side, and tells the subscriber (§5.2: at any point). */
  async deny(id: string, reason: string): Promise<void> {
    const subscriber = this.#parts.subscribers.get(id)
    if (subscriber?.topic === undefined) return
    await this.#parts.subscribers.delete(id)
    await this.#tellDenied(subscriber.address, subscriber.topic, reason)
  }

  /** Drops whoever's lease has ended. */
  async expire(): Promise<void> {
    const now = this.#parts.now()
    const over = [...this.#active()].filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= now)
    for (const { id } of over) await this.#parts.subscribers.delete(id)
  }

  /** Requests that are still to be verified. */
  get waiting(): number {
    return this.#line.size
  }

  /** Resolves when none is. */
  async settled(): Promise<void> {
    await this.#line.settled()
  }

  [Symbol.dispose](): void {
    this.#stop.abort()
    this.#line.clear()
  }

  async #settle(waiting: Waiting): Promise<void> {
    if (this.#stop.signal.aborted) return
    const { id, request } = waiting
    const { mode, topic, callback } = request
    const tell = (kind: SubscriptionOutcome['kind'], reason?: string): void =>
      this.#parts.onOutcome?.({ id, mode, topic, callback, kind, reason })
    try {
      const [kind, reason] = await this.#verified(waiting)
      tell(kind, reason)
    } catch (error) {
      // Not the subscriber's fault: the store could not be written, or the owner's own function failed.
      tell('failed', textOf(error))
    }
  }

  async #verified(waiting: Waiting): Promise<readonly [SubscriptionOutcome['kind'], string?]> {
    const { id, request } = waiting
    const { mode, topic, callback } = request
    // Of an unsubscription nobody is asked but the subscriber (§5).
    const objection = mode === 'subscribe' ? await this.#parts.validate?.(request) : undefined
    if (objection !== undefined) return await this.#denied(request, objection)
    const leaseSeconds = mode === 'subscribe' ? this.#lease(request.leaseSeconds) : undefined
    const challenge = Buffer.from(this.#parts.random(24)).toString('base64url')
    // The lease counts from the moment the verification is sent (§5.3).
    const at = this.#parts.now()
    const problem = await this.#challenge(callback, { mode, topic, challenge, leaseSeconds })
    if (problem !== undefined) return ['unverified', problem]
    const { subscribers } = this.#parts
    await this.expire()
    if (leaseSeconds === undefined) {
      await subscribers.delete(id)
      return ['unsubscribed']
    }
    const known = subscribers.get(id)
    // Others may have taken the last place while this one was being verified.
    const full = this.#isFull(id, callback)
    if (full !== undefined) return await this.#denied(request, full)
    await subscribers.put(this.#subscriber(waiting, at + leaseSeconds * 1_000, known))
    return [known === undefined ? 'subscribed' : 'renewed']
  }

  #subscriber({ id, request, scheme, begins }: Waiting, expiresAt: Instant, known?: Subscriber): Subscriber {
    const { callback, topic, secret } = request
    const facts = { id, scheme, by: 'websub', address: callback, topic, hub: this.#parts.hub, expiresAt } as const
    // Whoever renews goes on from where it is; the secret is the new one, or none (§5.1).
    return { ...facts, begins: known?.begins ?? begins, ...(secret === undefined ? {} : { secret }) }
  }

  /** Undefined when the callback wants it; otherwise why not. */
  async #challenge(callback: string, verification: Verification & { challenge: string }): Promise<string | undefined> {
    try {
      const { status, body } = await this.#get(verificationUrl(callback, verification))
      if (status < 200 || status > 299) return `the callback answered ${status}`
      return Buffer.from(body).toString('utf8') === verification.challenge ? undefined : 'the body is not the challenge'
    } catch (error) {
      return `the callback did not answer: ${messageOf(error)}`
    }
  }

  async #denied(request: SubscribeRequest, reason: string): Promise<readonly ['denied', string]> {
    await this.#tellDenied(request.callback, request.topic, reason)
    return ['denied', reason]
  }

  /** Once: whether the subscriber hears it changes nothing. */
  async #tellDenied(callback: string, topic: string, reason: string): Promise<void> {
    await this.#get(verificationUrl(callback, { mode: 'denied', topic, reason })).catch(() => undefined)
  }

  async #get(url: string): Promise<{ readonly status: number; readonly body: Uint8Array }> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(this.#limits.callMs)])
    return await this.#parts.post({ url, method: 'GET', headers: [['Accept', '*/*']], body: NO_BODY }, signal)
  }

  #lease(wished: number | undefined): number {
    const { leaseSeconds, minLeaseSeconds, maxLeaseSeconds } = this.#limits
    return Math.min(maxLeaseSeconds, Math.max(minLeaseSeconds, wished ?? leaseSeconds))
  }

  /** Why there is no room for one more; undefined when there is, or when it is there already. */
  #isFull(id: string, callback: string): string | undefined {
    const now = this.#parts.now()
    const host = hostOfCallback(callback)
    const { subscribers, subscribersPerHost } = this.#limits
    let [all, ofHost] = [0, 0]
    for (const one of this.#active()) {
      if (one.id === id) return undefined
      if (one.expiresAt !== undefined && one.expiresAt <= now) continue
      all++
      if (hostOfCallback(one.address) === host) ofHost++
    }
    if (ofHost >= subscribersPerHost)
      return `${host} has ${ofHost} subscriptions here, which is all that one host may have.`
    return all >= subscribers ? `This hub has ${all} subscribers, which is all that it takes.` : undefined
  }

  *#active(): Iterable<Subscriber> {
    for (const subscriber of this.#parts.subscribers.all()) if (subscriber.by === 'websub') yield subscriber
  }
}

/** Topic and callback together are what a subscription is (§1); no secret is in it. */
export function subscriptionId(topic: string, callback: string): string {
  return `websub-${hash('sha256', `${spelling(topic)}\n${spelling(callback)}`).slice(0, 24)}`
}

const refused = (status: 403 | 404 | 429 | 503, reason: string): SubscriptionVerdict => ({
  kind: 'refused',
  status,
  reason,
})
