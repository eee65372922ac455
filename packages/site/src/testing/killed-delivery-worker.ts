/**
 * A process for the crash tests to kill: it edits the pages of a site without end and sends them to the address named on its
 * command line; with `finish` it edits nothing and ends when everything is sent. Its clock goes a hundred times as fast as
 * others, so that nobody waits for a back-off.
 */
import { DeliveryWorkerMemory, openDeliveryWorkerRows } from '../deliver/delivery-worker-memory.ts'
import { createDeliveryWorker } from '../deliver/create-delivery-worker.ts'
import { FileJournal } from '../journal/file-journal.ts'
import { AT, gone, withBody } from './journal-sample.ts'
import { MemorySubscribers } from '../hub/memory-subscribers.ts'
import { httpPost } from '../post.ts'
import { BASE } from './site-sample.ts'
import type { PushScheme } from '../hub/subscriber.ts'

export const PAGES = 12

const now = (): number => AT + (Date.now() - AT) * 100

async function editAndSend(dir: string, address: string, scheme: PushScheme, isFinish: boolean): Promise<void> {
  await using journal = await FileJournal.open(dir, { limits: { changes: 60 } })
  await using rows = await openDeliveryWorkerRows(dir)
  const memory = new DeliveryWorkerMemory(rows)
  const deliveryWorker = createDeliveryWorker({
    site: { journal, base: BASE, now, read: async () => undefined },
    subscribers: new MemorySubscribers([{ id: 'crawler', scheme, by: 'push', address, begins: 0 }]),
    memory,
    post: httpPost({ idleMs: 500 }),
    random: Math.random,
    limits: { pages: 5 },
  })
  if (isFinish) {
    while (deliveryWorker.nextAt() !== Infinity) await deliveryWorker.tick(now())
    return
  }
  for (let number = journal.last + 1; ; number++) {
    const path = `/page/${(number * 7) % PAGES}`
    await journal.record([number % 9 === 0 ? gone(path) : withBody(path, number)], AT + number)
    await deliveryWorker.tick(now())
    process.stdout.write(`delivered ${memory.row('crawler')?.delivered} ${journal.last}\n`)
  }
}

if (import.meta.main) {
  const [, , dir = '', address = '', scheme, finish] = process.argv
  await editAndSend(dir, address, scheme as PushScheme, finish === 'finish')
}
