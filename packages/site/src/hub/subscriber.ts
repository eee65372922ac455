/**
 * Subscriber: somebody who is sent what changes, and where such are kept.
 *
 * A subscriber wants one scheme at one address. It came by a WebSub subscription (its `topic`, a lease that ends, perhaps
 * a secret), or its owner wrote its address down: an IndexNow endpoint, or a crawler's push address.
 *
 *   subscriptions (`hub/subscriptions.ts`) → Subscribers → delivery worker (`deliver/delivery-worker.ts`) → ContentMaker → the subscriber's address
 */
import type { HeaderList, Instant } from '@comity/protocol'
import type { HeldPage } from '../push/held-page.ts'
import type { Change } from '../journal/journal.ts'

/** What can be sent: schemes 7 to 12 of 002 Table 6.1. */
export const PUSH_SCHEMES = ['changes', 'differences', 'pages', 'batches', 'site', 'agent'] as const
export type PushScheme = (typeof PUSH_SCHEMES)[number]

export interface Subscriber {
  /** Stable, and no secret is in it: it may be logged. */
  readonly id: string
  readonly scheme: PushScheme
  /** A callback that was verified, an IndexNow endpoint, or a push address from the configuration. */
  readonly by: 'websub' | 'indexnow' | 'push'
  /** Absolute URL that is posted to. */
  readonly address: string
  /** Of a WebSub subscription. */
  readonly topic?: string | undefined
  readonly hub?: string | undefined
  /** Key of the HMAC that content is signed with (WebSub §7.1). Never logged. */
  readonly secret?: string | undefined
  /** Number of the change after which it wants to be told; 0 for all. */
  readonly begins: number
  /** End of its lease; none when it was configured. */
  readonly expiresAt?: Instant | undefined
  /** An outside hub that fetches the topic by itself: it is told that the topic changed, and nothing else. */
  readonly isPing?: boolean | undefined
}

/** Where subscribers are kept: subscriptions change it, the delivery worker reads it. */
export interface Subscribers {
  all(): Iterable<Subscriber>
  get(id: string): Subscriber | undefined
  /** Durable when resolved. */
  put(subscriber: Subscriber): Promise<void>
  delete(id: string): Promise<void>
}

/** What is posted to a subscriber. */
export interface PushContent {
  readonly type: string
  readonly body: Uint8Array
  /** Besides Content-Type and Content-Length. */
  readonly headers: HeaderList
  /** What the subscriber has once it took it, where that is to be remembered. */
  readonly holds?: readonly HeldPage[] | undefined
  /** Of what waits by itself, and not as changes in the journal. */
  readonly waiting?: WaitingContent | undefined
}

/** What waits for a subscriber and does not follow from the journal: what an agent had to say, and pages it asked for. */
export interface WaitingContent {
  /** What it is called among dead letters. */
  readonly name: Change
  /** Pages that it holds. */
  readonly pages: readonly Change[]
  /** It arrived, or was refused for good. After a crash it may come again. */
  readonly done: () => Promise<void>
}

/** Makes what is sent out of what changed. */
export interface ContentMaker {
  /** So many changes at a time at most; any number when not given. */
  readonly maxChanges?: number | undefined
  /** Of what waits by itself: whether something does. Then it is asked for what that is, and given no changes. Cheap, as it is asked often. */
  isWaiting?(subscriber: Subscriber): boolean
  /** Undefined when nothing of it may be told, or nothing is left to tell. */
  make(changes: readonly Change[], subscriber: Subscriber): Promise<PushContent | undefined>
}
