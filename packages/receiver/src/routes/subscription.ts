/** Whether content may come by a subscription now. */
import type { Subscription } from '@comity/collection'
import { PushRefusal } from '../admit/push-refusal.ts'
import type { ReceiverParts } from '../receiver-parts.ts'

export function checkOpen(subscription: Subscription, { store, now }: ReceiverParts): void {
  if (store.isOpen(subscription, now())) return
  if (subscription.state === 'asked')
    throw new PushRefusal('unknown-callback', 'The subscription is not verified yet: ask the callback first.')
  throw new PushRefusal('ended', 'The subscription has ended: send nothing more to this callback.')
}
