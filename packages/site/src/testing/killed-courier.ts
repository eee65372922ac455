/**
 * A process for the crash tests to kill: it edits the pages of a site without end and sends them to the address named on its
 * command line; with `finish` it edits nothing and ends when everything is sent. Its clock goes a hundred times as fast as
 * others, so that nobody waits for a back-off.
 */
import { CourierMemory, openCourierRows } from '../deliver/courier-memory.ts'
import { createCourier } from '../deliver/create-courier.ts'
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
  await using rows = await openCourierRows(dir)
  const memory = new CourierMemory(rows)
  const courier = createCourier({
    site: { journal, base: BASE, now, read: async () => undefined },
    subscribers: new MemorySubscribers([{ id: 'crawler', scheme, by: 'push', address, begins: 0 }]),
    memory,
    post: httpPost({ idleMs: 500 }),
    random: Math.random,
    limits: { pages: 5 },
  })
  if (isFinish) {
    while (courier.nextAt() !== Infinity) await courier.tick(now())
    return
  }
  for (let number = journal.last + 1; ; number++) {
    const path = `/page/${(number * 7) % PAGES}`
    await journal.record([number % 9 === 0 ? gone(path) : withBody(path, number)], AT + number)
    await courier.tick(now())
    process.stdout.write(`delivered ${memory.row('crawler')?.delivered} ${journal.last}\n`)
  }
}

if (import.meta.main) {
  const [, , dir = '', address = '', scheme, finish] = process.argv
  await editAndSend(dir, address, scheme as PushScheme, finish === 'finish')
}
