/**
 * Outside hub: a WebSub hub that is not the site's own. It is sent changes as any subscriber is, in one of two ways:
 *
 *   ping            `hub.mode=publish`, `hub.url` the topic; the hub fetches the topic and sends it on. What public hubs take.
 *   notification    the change notification itself, with `Link` to topic and hub; the hub sends on what it was given
 *                   (ResourceSync Change Notification §4.1). What hubs made for ResourceSync take.
 */
import { hash } from 'node:crypto'
import { optionInvalid } from '../errors.ts'
import type { Subscriber } from '../hub/subscriber.ts'

export interface OutsideHub {
  readonly url: string
  /** The site's change list. */
  readonly topic: string
  readonly way: 'ping' | 'notification'
  /** The journal's last number: what was before is in the topic. */
  readonly begins: number
}

export function outsideHub({ url, topic, way, begins }: OutsideHub): Subscriber {
  const address = URL.parse(url)
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:')
    throw optionInvalid(`"${url}" is no hub: give its absolute http or https URL.`)
  const { href } = address
  const id = `hub-${hash('sha256', `${way}\n${href}\n${topic}`).slice(0, 24)}`
  const isPing = way === 'ping' ? { isPing: true } : {}
  return { id, scheme: 'changes', by: 'push', address: href, topic, hub: href, begins, ...isPing }
}
