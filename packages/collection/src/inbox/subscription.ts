/** Subscription: one topic that the crawler has subscribed to at a hub; and a list of them as it stands in a file. */
import type { Instant } from '@comity/protocol'
import { INBOX_SCHEMES } from './inbox.ts'
import type { InboxScheme } from './inbox.ts'

/** What the crawler wants to be sent. */
export interface SubscriptionWish {
  /** The site whose topic it is: what comes may speak of its pages and of no others. */
  readonly origin: string
  /** As the site itself names it (`rel="self"`). */
  readonly topic: string
  readonly hub: string
  readonly scheme: InboxScheme
}

export const SUBSCRIPTION_STATES = ['asked', 'active', 'leaving', 'denied', 'ended'] as const
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

export interface Subscription extends SubscriptionWish {
  /** The last part of the callback's address. Nobody else may know it. */
  readonly token: string
  /** Content is signed with it (§7.1). Never shown. */
  readonly secret: string
  readonly state: SubscriptionState
  /** There while the hub has still to verify what we asked for: to begin, to go on, or to end. */
  readonly askedAt?: Instant | undefined
  readonly confirmedAt?: Instant | undefined
  readonly leaseUntil?: Instant | undefined
  readonly endedAt?: Instant | undefined
  /** In the hub's words. */
  readonly reason?: string | undefined
}

const FORMAT = 1

export function writeSubscriptions(subscriptions: Iterable<Subscription>): string {
  return `${JSON.stringify({ format: FORMAT, subscriptions: [...subscriptions] }, undefined, 1)}\n`
}

/** Never throws. The problem never quotes the text, for it holds secrets. */
export function readSubscriptions(
  text: string,
): { readonly subscriptions: readonly Subscription[] } | { readonly problem: string } {
  let file: { readonly format?: unknown; readonly subscriptions?: unknown } | null
  try {
    file = JSON.parse(text)
  } catch {
    return { problem: 'is not JSON' }
  }
  if (typeof file !== 'object' || file === null || !Array.isArray(file.subscriptions))
    return { problem: 'holds no list of subscriptions' }
  if (file.format !== FORMAT) return { problem: `has another format than ${FORMAT}: another version of comity made it` }
  const all = file.subscriptions as unknown[]
  if (!all.every(isSubscription)) return { problem: 'holds something that is no subscription' }
  return { subscriptions: all }
}

const TEXTS = ['origin', 'topic', 'hub', 'token', 'secret'] as const
const INSTANTS = ['askedAt', 'confirmedAt', 'leaseUntil', 'endedAt'] as const

const isMember = (all: readonly string[], value: unknown): boolean => all.some((one) => one === value)

function isSubscription(value: unknown): value is Subscription {
  if (typeof value !== 'object' || value === null) return false
  const row = value as Readonly<Record<string, unknown>>
  return (
    TEXTS.every((name) => typeof row[name] === 'string' && row[name] !== '') &&
    INSTANTS.every((name) => row[name] === undefined || Number.isFinite(row[name])) &&
    (row['reason'] === undefined || typeof row['reason'] === 'string') &&
    isMember(INBOX_SCHEMES, row['scheme']) &&
    isMember(SUBSCRIPTION_STATES, row['state'])
  )
}
