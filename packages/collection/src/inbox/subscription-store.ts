/**
 * SubscriptionStore: what the crawler has subscribed to (WebSub, W3C 2018), so that a callback knows whom it hears.
 *
 *   ask ─▶ asked ─ hub verifies ─▶ active ─ leave ─▶ leaving ─ hub verifies ─▶ ended
 *            └─ hub denies ─▶ denied ◀─────┘ └─ lease runs out ─────────────────▲
 *
 * A callback's address holds a token that nobody can guess and is used for one subscription; content is signed with a secret
 * of its own. Both are as good as a password, so the file is for its owner alone. What has ended stays for a month: a hub
 * that goes on sending is told 410 and not 404, so that it stops.
 *
 * The whole store is written for each change; those who change it at the same time share one write. It lies in the inbox's
 * folder and is under the inbox's lock: whoever opens it holds that.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Instant } from '@comity/protocol'
import { sameUrl } from '@comity/protocol'
import { makePrivateFolder, syncPath } from '@comity/disk'
import { inboxUnwritable, subscriptionsDamaged } from '../errors.ts'
import { readSubscriptions, writeSubscriptions } from './subscription.ts'
import type { Subscription, SubscriptionWish } from './subscription.ts'

export interface SubscriptionStoreOptions {
  readonly maxSubscriptions: number
  readonly random: (bytes: number) => Uint8Array
}

/** What a hub says when it verifies; see `parseVerification` of `protocol`. */
export interface Confirmation {
  readonly mode: 'subscribe' | 'unsubscribe'
  readonly topic: string
  readonly leaseSeconds?: number | undefined
}

const defaults: SubscriptionStoreOptions = { maxSubscriptions: 20_000, random: randomBytes }

/** A hub that did not hear our answer asks again; so long after the first time that is no surprise. */
const ASKED_AGAIN_MS = 600_000
/** A hub that has not verified by then never will. */
const UNVERIFIED_MS = 86_400_000
/** Content may still be on its way when a lease ends. */
const LEASE_GRACE_MS = 60_000
const KEEP_ENDED_MS = 30 * 86_400_000
const DEFAULT_LEASE_SECONDS = 10 * 86_400

export class SubscriptionStore {
  readonly #path: string
  readonly #options: SubscriptionStoreOptions
  readonly #byToken: Map<string, Subscription>
  #writing: Promise<void> | undefined
  #next: Promise<void> | undefined

  private constructor(path: string, options: SubscriptionStoreOptions, subscriptions: readonly Subscription[]) {
    this.#path = path
    this.#options = options
    this.#byToken = new Map(subscriptions.map((one) => [one.token, one]))
  }

  static open(dir: string, options: Partial<SubscriptionStoreOptions> = {}): SubscriptionStore {
    const path = join(dir, 'inbox', 'subscriptions.json')
    if (!existsSync(path)) return new SubscriptionStore(path, { ...defaults, ...options }, [])
    const read = readSubscriptions(readFileSync(path, 'utf8'))
    if ('problem' in read) throw subscriptionsDamaged(path, read.problem)
    return new SubscriptionStore(path, { ...defaults, ...options }, read.subscriptions)
  }

  get(token: string): Subscription | undefined {
    return this.#byToken.get(token)
  }
  all(): Iterable<Subscription> {
    return this.#byToken.values()
  }

  /**
   * Write down that a hub is about to be asked, before it is: its verification may come at once. For a topic that is
   * subscribed to at that hub already, this is a renewal with the same callback. Undefined when the store is full.
   */
  async ask(wish: SubscriptionWish, now: Instant): Promise<Subscription | undefined> {
    const before = this.#find(wish)
    if (before === undefined && this.#byToken.size >= this.#options.maxSubscriptions) return undefined
    const { random } = this.#options
    const fresh = {
      token: Buffer.from(random(32)).toString('base64url'),
      secret: Buffer.from(random(32)).toString('hex'),
    }
    const subscription: Subscription = before ?? { ...wish, ...fresh, state: 'asked' }
    const asked = {
      ...subscription,
      askedAt: now,
      ...(subscription.state === 'leaving' ? { state: 'active' as const } : {}),
    }
    await this.#put(asked)
    return asked
  }

  /** The hub is about to be asked to end it. */
  async leave(token: string, now: Instant): Promise<Subscription | undefined> {
    const known = this.get(token)
    if (known === undefined || isOver(known)) return undefined
    const leaving: Subscription = { ...known, state: 'leaving', askedAt: now }
    await this.#put(leaving)
    return leaving
  }

  /** Whether we wanted what the hub wants to be sure of (§5.3.1). Durable when it resolves to true. */
  async confirm(token: string, { mode, topic, leaseSeconds }: Confirmation, now: Instant): Promise<boolean> {
    const known = this.get(token)
    if (known === undefined || !sameUrl(known.topic, topic) || !isWanted(known, mode, now)) return false
    const { askedAt: _, ...rest } = known
    if (mode === 'unsubscribe') await this.#put({ ...rest, state: 'ended', endedAt: now, confirmedAt: now })
    else {
      const leaseUntil = now + (leaseSeconds ?? DEFAULT_LEASE_SECONDS) * 1_000
      await this.#put({ ...rest, state: 'active', leaseUntil, confirmedAt: now })
    }
    return true
  }

  /** The hub will not have us, or no longer (§5.2). False when it speaks of something else. */
  async deny(token: string, topic: string, reason: string | undefined, now: Instant): Promise<boolean> {
    const known = this.get(token)
    if (known === undefined || !sameUrl(known.topic, topic) || isOver(known)) return false
    await this.#put({ ...known, state: 'denied', endedAt: now, ...(reason === undefined ? {} : { reason }) })
    return true
  }

  /** May content come by it now? What comes for one whose lease has run out is for nobody. */
  isOpen({ state, leaseUntil }: Subscription, now: Instant): boolean {
    return state === 'active' && now < (leaseUntil ?? 0) + LEASE_GRACE_MS
  }

  /** End those of a site or a topic that is forgotten. What is left of each is what makes a hub stop, and the site's origin. */
  async forget(isLeaving: (subscription: Subscription) => boolean, now: Instant): Promise<void> {
    const leaving = [...this.#byToken.values()].filter(isLeaving)
    for (const { origin, hub, scheme, token, secret } of leaving) {
      const ended = { origin, topic: `${origin}/`, hub, scheme, token, secret, state: 'ended', endedAt: now } as const
      this.#byToken.set(token, ended)
    }
    if (leaving.length > 0) await this.#save()
  }

  /** End what has run out, forget what ended long ago. Returns what has ended. */
  async sweep(now: Instant): Promise<readonly Subscription[]> {
    const ended: Subscription[] = []
    let hasForgotten = false
    for (const one of this.#byToken.values()) {
      if (isOver(one)) {
        if (now - (one.endedAt ?? 0) < KEEP_ENDED_MS) continue
        this.#byToken.delete(one.token)
        hasForgotten = true
      } else if (isSpent(one, now)) ended.push({ ...one, state: 'ended', endedAt: now })
    }
    for (const one of ended) this.#byToken.set(one.token, one)
    if (ended.length > 0 || hasForgotten) await this.#save()
    return ended
  }

  #find({ origin, topic, hub, scheme }: SubscriptionWish): Subscription | undefined {
    // What is cheap to tell apart comes first: there may be thousands.
    const isSame = (one: Subscription): boolean =>
      one.origin === origin && one.scheme === scheme && sameUrl(one.topic, topic) && sameUrl(one.hub, hub)
    return this.#byToken.values().find((one) => isSame(one) && !isOver(one))
  }

  async #put(subscription: Subscription): Promise<void> {
    this.#byToken.set(subscription.token, subscription)
    await this.#save()
  }

  /** Resolves when what is in the store now is on disk. What changes while a write is under way goes with the next. */
  #save(): Promise<void> {
    if (this.#next !== undefined) return this.#next
    if (this.#writing !== undefined)
      return (this.#next = this.#writing.catch(() => undefined).then(() => this.#startWrite()))
    return this.#startWrite()
  }

  #startWrite(): Promise<void> {
    this.#next = undefined
    const writing = this.#write().finally(() => {
      if (this.#writing === writing) this.#writing = undefined
    })
    return (this.#writing = writing)
  }

  async #write(): Promise<void> {
    try {
      makePrivateFolder(dirname(this.#path), dirname(dirname(this.#path)))
      const handle = await open(`${this.#path}.new`, 'w', 0o600)
      try {
        await handle.writeFile(writeSubscriptions(this.#byToken.values()))
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(`${this.#path}.new`, this.#path)
      syncPath(dirname(this.#path))
    } catch (error) {
      throw inboxUnwritable(this.#path, error)
    }
  }
}

const isOver = ({ state }: Subscription): boolean => state === 'denied' || state === 'ended'

function isWanted({ state, askedAt, confirmedAt }: Subscription, mode: Confirmation['mode'], now: Instant): boolean {
  const isAgain = confirmedAt !== undefined && now - confirmedAt < ASKED_AGAIN_MS
  if (mode === 'unsubscribe') return state === 'leaving' || (state === 'ended' && isAgain)
  return (state === 'asked' || state === 'active') && (askedAt !== undefined || isAgain)
}

function isSpent({ state, askedAt, leaseUntil }: Subscription, now: Instant): boolean {
  if (state === 'asked') return now - (askedAt ?? 0) > UNVERIFIED_MS
  return now > (leaseUntil ?? 0) + LEASE_GRACE_MS
}
