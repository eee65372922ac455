/** A subscriber with all that one can have, for tests. */
import type { Subscriber } from '../hub/subscriber.ts'

export const sampleSubscriber: Subscriber = {
  id: 'websub-1',
  scheme: 'changes',
  by: 'websub',
  address: 'https://crawler.example/websub/1',
  topic: 'https://a.example/metadata/changelist.xml',
  hub: 'https://a.example/push/hub',
  secret: 'sésame',
  begins: 7,
  expiresAt: 1_800_000_000_000,
}
