/** For a test: puts subscribers into a store for ever and says which are durable, until somebody kills it. */
import { SubscriberFile } from '../hub/subscriber-file.ts'
import type { Subscriber } from '../hub/subscriber.ts'
import { sampleSubscriber } from './subscribers.sample.ts'

/** What stands under a name after so many steps: every seventh is taken away again. */
export function subscriberOf(step: number): Subscriber | undefined {
  return step % 7 === 0 ? undefined : { ...sampleSubscriber, id: idOf(step), begins: step }
}

export const idOf = (step: number): string => `id-${step % 50}`

async function subscribeForEver(dir: string): Promise<void> {
  const subscribers = await SubscriberFile.open(dir)
  const known = [...subscribers.all()].map(({ begins }) => begins)
  // The newest once more: it may have been killed before it took it away again.
  for (let step = Math.max(1, ...known); ; step++) {
    await subscribers.put({ ...sampleSubscriber, id: idOf(step), begins: step })
    if (subscriberOf(step) === undefined) await subscribers.delete(idOf(step))
    process.stdout.write(`${step}\n`)
  }
}

if (import.meta.main) await subscribeForEver(process.argv[2]!)
