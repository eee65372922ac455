/** ReceiverPort: what can be asked of a receiver, wherever it runs, and what it needs; see `service.ts`. */
import type { AddressInfo } from 'node:net'
import type {
  Appended,
  InboxDepth,
  InboxFigures,
  InboxItem,
  InboxOptions,
  NewInboxItem,
  Subscription,
  SubscriptionWish,
} from '@comity/collection'
import type { Instant } from '@comity/protocol'
import type { PushTotals, SitePushes } from './admit/push-figures.ts'
import type { ReceiverLimits } from './limits.ts'
import type { ListenOptions } from './http/listen-at.ts'
import type { FetchFrom } from './proof/speaker-proof.ts'

/** What was sent, until it is dealt with. */
interface ReceiverInbox {
  /** Items behind a number, with their bodies, in order. */
  read(after: number, limit: number): Promise<InboxItem[]>
  acknowledged(upTo: number): Promise<void>
  /** What the crawler heard itself, from a stream of events. */
  append(item: NewInboxItem): Promise<Appended>
}

/** Who is asked to call, and whom it is worth hearing. */
interface ReceiverSubscriptions {
  /** Write down a subscription before its hub is asked; undefined when there is no room for more. */
  subscribe(wish: SubscriptionWish): Promise<Subscription | undefined>
  leave(token: string): Promise<Subscription | undefined>
  subscriptions(): Promise<Subscription[]>
  /** What each site is worth hearing, from 0 to 1; all of them at once. */
  setPriorities(rows: readonly (readonly [origin: string, worth: number])[]): Promise<void>
}

export interface ReceiverPort extends ReceiverInbox, ReceiverSubscriptions, AsyncDisposable {
  /** Returns where it listens. */
  listen(options?: ListenOptions): Promise<AddressInfo>
  figures(): Promise<ReceiverFigures>
  /** What came by one site and what came of it; undefined when it never proved itself. */
  site(origin: string): Promise<SitePushes | undefined>
}

export interface ReceiverFigures {
  readonly totals: PushTotals
  /** Those that were heard last come first. */
  readonly sites: readonly SitePushes[]
  readonly inbox: InboxDepth & InboxFigures & { readonly last: number }
  readonly pending: number
  readonly uploads: { readonly count: number; readonly bytes: number }
  /** How full the room for what waits is, from 0 to 1. */
  readonly fill: number
  /** The most that bodies ever took of memory and of the disk at one moment. */
  readonly peakMemoryBytes: number
  readonly peakSpoolBytes: number
}

/** Plain data, so that it can go to a thread. */
export interface ReceiverSettings {
  /** Of the collection. */
  readonly dir: string
  /** The last number that the reader has made durable what followed from. */
  readonly after: number
  /** Where sites reach the receiver, without a slash at its end; where it listens unless given. */
  readonly publicUrl?: string | undefined
  readonly limits?: Partial<ReceiverLimits> | undefined
  readonly inbox?: Partial<Omit<InboxOptions, 'random'>> | undefined
  readonly proxies?: readonly string[] | undefined
  /** What a site is worth that the crawl has not named: 0 hears only those that it has. */
  readonly strangersPriority?: number | undefined
  /** Keys that came without TLS count: for networks of one's own. */
  readonly mayBeHttp?: boolean | undefined
  /** Path of the file that says which gateways are heard (`proof/gateway-trust.ts`). */
  readonly gateways?: string | undefined
  /** Path of the file that says which programs they are to run (`programs/program-list.ts`). */
  readonly programs?: string | undefined
  /** Our own keys, as `writeKeyRing` of `protocol` writes them. */
  readonly keyRing?: string | undefined
}

export interface ReceiverWorld extends ReceiverListener {
  readonly now: () => Instant
  readonly fetchFrom: FetchFrom
  readonly random?: ((bytes: number) => Uint8Array) | undefined
}

/** Who hears of what happens at a receiver. */
interface ReceiverListener {
  readonly onError?: ((error: unknown) => void) | undefined
  /** What the operator should know, and is no error of ours. */
  readonly tell?: ((sentence: string) => void) | undefined
  /** Something was kept; called with the last number. */
  readonly onKept?: ((last: number) => void) | undefined
}
