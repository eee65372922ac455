/**
 * Inbox: what sites sent, between the receiver that accepted it and whoever keeps the collection fresh.
 *
 *   receiver ── append: durable, then answered ──▶ inbox ── read(after) ──▶ watch: a commit that holds what followed from
 *                                                    ▲                      the items, and the number of the last one
 *                                                    └── acknowledged(upTo) ──────────────────────┘
 *
 * An item has a number that is never used again. The reader keeps the last number in the same commit as what followed, so
 * nothing is lost and nothing applied twice, whichever side is killed. `inbox/file-inbox.ts` keeps it on disk, `inbox/memory-inbox.ts` not.
 */
import type { Instant } from '@comity/protocol'

/** The way it came: a request to one of the receiver's endpoints, or a stream of events that the crawler listens to. */
export const INBOX_DOORS = ['indexnow', 'websub', 'push', 'stream', 'gateway'] as const
export type InboxEndpoint = (typeof INBOX_DOORS)[number]

/** Schemes 7 to 12 of 002 Table 6.1. What a gateway says of the sites behind it comes as batches. */
export const INBOX_SCHEMES = ['changes', 'differences', 'pages', 'batches', 'site', 'agent'] as const
export type InboxScheme = (typeof INBOX_SCHEMES)[number]

/** How the sender was proven to speak for the site; `pending` when the proof could not be looked at yet. */
export const INBOX_PROOFS = ['key-file', 'signature', 'subscription', 'pending'] as const
export type InboxProof = (typeof INBOX_PROOFS)[number]

/** What has to be on the host before an item whose proof is pending may be believed (IndexNow). */
export interface KeyClaim {
  readonly key: string
  /** Absolute URL of the key file. */
  readonly keyLocation: string
}

/** A file that stands for a body. It belongs to the inbox and is gone when the item was acknowledged. */
export interface BodyFile {
  readonly path: string
  readonly bytes: number
}

export interface NewInboxItem {
  readonly at: Instant
  /** The site that sent it; of a gateway, `gateway:` and its name. */
  readonly origin: string
  readonly door: InboxEndpoint
  readonly scheme: InboxScheme
  readonly proof: InboxProof
  /** Media type of the body: signals as NDJSON for `changes`, WARC or ZIP otherwise, a batch of a gateway's. */
  readonly type: string
  /** Empty when the body is in `file`. */
  readonly body: Uint8Array
  readonly file?: BodyFile | undefined
  /** There when the proof is pending. */
  readonly claim?: KeyClaim | undefined
}

export interface InboxItem extends NewInboxItem {
  /** From 1; grows; never used twice. */
  readonly number: number
}

/** `full`: nothing was kept, and what there is no room in. */
export type Appended =
  | { readonly kind: 'kept'; readonly number: number }
  | { readonly kind: 'full'; readonly what: 'items' | 'bytes' | 'disk' }

export interface InboxDepth {
  /** Not yet acknowledged. */
  readonly items: number
  /** On disk, with what was acknowledged and stands in a file that is still needed. */
  readonly bytes: number
}

/** What waits, without its body: who it is of and what it weighs. */
export interface WaitingItem {
  readonly number: number
  readonly origin: string
  readonly bytes: number
}

export interface Inbox extends AsyncDisposable {
  /** The number of the last item that was kept; 0 before the first. */
  readonly last: number
  readonly depth: InboxDepth
  /** Durable when it resolves to `kept`. A `file` is moved into the inbox; it is the caller's again when it is `full`. */
  append(item: NewInboxItem): Promise<Appended>
  /** Items with higher numbers than `after`, in order; fewer than `limit` when they weigh much, none when there are none. */
  read(after: number, limit: number): Promise<InboxItem[]>
  /** All up to this number are done with and will not be read again. */
  acknowledged(upTo: number): Promise<void>
  /** Everything that waits. */
  waiting(): Iterable<WaitingItem>
}

/** Larger bodies stand in files of their own. */
export const MAX_INLINE_BYTES: number = 256 << 10
