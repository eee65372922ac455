/**
 * Push address: a crawler that the owner wrote down, with no subscription. Each request to it is signed with the site's key,
 * since nothing else proves where it comes from (`pushSigner`).
 */
import { hash } from 'node:crypto'
import { documentPaths } from '../document-paths.ts'
import { optionInvalid } from '../errors.ts'
import type { PushScheme, Subscriber, Subscribers } from '../hub/subscriber.ts'

export interface PushAddress {
  readonly url: string
  readonly scheme: PushScheme
  /** The site's home page. */
  readonly base: string
  /** Number of the change after which it is told; 0 for all. */
  readonly begins: number
}

export function pushSubscriber({ url, scheme, base, begins }: PushAddress): Subscriber {
  const address = URL.parse(url)
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:')
    throw optionInvalid(`"${url}" is no push address: give the crawler's absolute http or https URL.`)
  const id = `push-${hash('sha256', `${scheme}\n${address.href}`).slice(0, 24)}`
  // Whoever is sent to knows by it what it is.
  return { id, scheme, by: 'push', address: address.href, topic: topicUrl(base, scheme), begins }
}

/** What a site calls a scheme, for those who subscribe to it and those who are sent it. */
export function topicUrl(base: string, scheme: PushScheme): string {
  const { pathname } = new URL('.', base)
  return new URL(documentPaths(pathname).topics[scheme], base).href
}

/** Where a site's own hub is. */
export function hubUrl(base: string): string {
  const { pathname } = new URL('.', base)
  return new URL(documentPaths(pathname).hub, base).href
}

/**
 * Those of the configuration in place of those that were configured before; subscriptions stay. Whoever stays goes on from
 * where it is.
 */
export async function configureSubscribers(subscribers: Subscribers, wanted: readonly Subscriber[]): Promise<void> {
  const ids = new Set(wanted.map(({ id }) => id))
  const dropped = [...subscribers.all()].filter(({ id, by }) => by !== 'websub' && !ids.has(id))
  for (const { id } of dropped) await subscribers.delete(id)
  for (const subscriber of wanted) if (subscribers.get(subscriber.id) === undefined) await subscribers.put(subscriber)
}
