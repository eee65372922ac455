/**
 * Push options: what an owner says once so that the site calls those who want to hear of changes (002 §6.3, schemes 7 to 12).
 *
 *   createSite({ …, push: { subscribers: await SubscriberFile.open('/var/lib/mysite/push') } })
 */
import { isIndexNowKey } from '@comity/protocol'
import type { AllowPrivate, SubscribeRequest } from '@comity/protocol'
import { optionInvalid } from './errors.ts'
import type { Post } from './post.ts'
import { PUSH_SCHEMES } from './hub/subscriber.ts'
import type { PushScheme, Subscribers } from './hub/subscriber.ts'
import { subscriptionLimits } from './hub/subscriptions.ts'
import type { SubscriptionLimits, SubscriptionOutcome } from './hub/subscriptions.ts'

export interface PushOptions {
  /** Where subscribers are kept. Without it there is no hub here. */
  readonly subscribers?: Subscribers | undefined
  /** Which topics there are; all but `agent` unless given. */
  readonly schemes?: readonly PushScheme[] | undefined
  /** Outside hubs that the owner also tells of changes (`push/outside-hub.ts`): crawlers may subscribe there too. */
  readonly hubs?: readonly string[] | undefined
  /** Served at `/{key}.txt`, which proves to search engines that an IndexNow notice is the site's own. */
  readonly indexNowKey?: string | undefined
  /** Callbacks at private addresses: none unless given. */
  readonly allowPrivate?: AllowPrivate | undefined
  /** How callbacks are called; `httpPost` unless given. */
  readonly post?: Post | undefined
  readonly limits?: Partial<SubscriptionLimits> | undefined
  /** A reason to deny a subscription, or undefined. */
  readonly validate?: ((request: SubscribeRequest) => Promise<string | undefined>) | undefined
  readonly onOutcome?: ((outcome: SubscriptionOutcome) => void) | undefined
  /** Told that somebody says a topic has changed: a moment to look, and to send. */
  readonly onPublish?: (() => void) | undefined
  /** So many bytes that nobody can guess; of the system unless given. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined
}

const NAMES: ReadonlySet<string> = new Set<keyof PushOptions>([
  'subscribers',
  'schemes',
  'hubs',
  'indexNowKey',
  'allowPrivate',
  'post',
  'limits',
  'validate',
  'onOutcome',
  'onPublish',
  'random',
])

const OFFERED: readonly PushScheme[] = PUSH_SCHEMES.filter((scheme) => scheme !== 'agent')

/** Throws for what cannot be meant. */
export function checkPushOptions(push: PushOptions): void {
  const unknown = Object.keys(push).find((name) => !NAMES.has(name))
  if (unknown !== undefined) throw optionInvalid(`"push" has no option named ${unknown}.`)
  const scheme = push.schemes?.find((name) => !PUSH_SCHEMES.includes(name))
  if (scheme !== undefined) throw optionInvalid(`Nothing named ${scheme} is pushed: use ${PUSH_SCHEMES.join(', ')}.`)
  const hub = push.hubs?.find((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
  if (hub !== undefined) throw optionInvalid(`"${hub}" is no hub: give its absolute http or https URL.`)
  if (push.indexNowKey !== undefined && !isIndexNowKey(push.indexNowKey))
    throw optionInvalid('The IndexNow key has 8 to 128 of the characters a-z, A-Z, 0-9 and -.')
  for (const [name, value] of Object.entries(push.limits ?? {})) {
    if (!Object.hasOwn(subscriptionLimits, name)) throw optionInvalid(`Subscriptions have no limit named ${name}.`)
    if (!(value >= 1)) throw optionInvalid(`The limit ${name} of subscriptions cannot be ${value}.`)
  }
}

/** The topics that there are. */
export function pushSchemes({ schemes = OFFERED }: PushOptions): readonly PushScheme[] {
  return PUSH_SCHEMES.filter((scheme) => schemes.includes(scheme))
}

/** Paths that stand at the host's root because of these options. */
export function keyFilePath({ indexNowKey }: PushOptions): string | undefined {
  return indexNowKey === undefined ? undefined : `/${indexNowKey}.txt`
}
