/**
 * A process for the crash tests to kill: it forgets in the inbox of the folder named on its command line, and dies before the given
 * step. Which items leave, and which become others, follows from their count.
 */
import { FileInbox } from '../inbox/file-inbox.ts'
import type { InboxItem, NewInboxItem } from '../inbox/inbox.ts'
import { AT, bodyOf, isInFile, itemOf } from './killed-inbox.ts'
import type { RedactedRemainder } from '../inbox/sent-content.ts'

export const COUNT = 40
/** Read, and made durable what followed. */
export const DONE = 7
/** Several segments. */
export const OPTIONS = { segmentBytes: 12_000, minFreeBytes: 0 } as const
export const HUSH = 'of a page that leaves'

export const countOf = ({ at }: Pick<InboxItem, 'at'>): number => at - AT
/** The last one leaves. */
export const leaves = (count: number): boolean => count % 5 === 0
export const changes = (count: number): boolean => count % 7 === 3

/** What an item says: those that leave and those that change hold what has to go. */
export function sentOf(count: number): { readonly item: NewInboxItem; readonly body: Buffer } {
  const hush = leaves(count) || changes(count) ? HUSH : ''
  return { item: itemOf(count), body: Buffer.concat([bodyOf(count), Buffer.from(hush)]) }
}
/** Some are too large for a segment. */
export const restOf = (count: number): Buffer => Buffer.from(`rest ${count} `.repeat(count % 2 === 0 ? 60_000 : 1))

export async function leftOf(item: Pick<InboxItem, 'at'>): Promise<RedactedRemainder> {
  const count = countOf(item)
  if (leaves(count)) return 'nothing'
  return changes(count) ? { scheme: 'changes', type: 'text/plain', body: restOf(count) } : 'all'
}

export async function fillInbox(dir: string): Promise<void> {
  await using inbox = await FileInbox.open(dir, 0, OPTIONS)
  for (let count = 1; count <= COUNT; count++) {
    const { item, body } = sentOf(count)
    if (!isInFile(count)) await inbox.append({ ...item, body })
    else {
      const spool = await inbox.spool()
      await spool.write(body)
      await inbox.append({ ...item, file: await spool.finish() })
    }
  }
}

async function forgetAndDie(dir: string, step: number): Promise<void> {
  await using inbox = await FileInbox.open(dir, DONE, OPTIONS)
  let steps = 0
  const onStep = (): void => {
    if (steps++ === step) process.kill(process.pid, 'SIGKILL')
  }
  await inbox.forget({ leftOf, onStep })
}

if (import.meta.main) await forgetAndDie(process.argv[2] ?? '', Number(process.argv[3]))
