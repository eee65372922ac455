/**
 * A process for the crash tests to kill: it appends to the inbox of the folder named on its command line without end, many
 * at a time, some with a body in a file, acknowledges what it has read now and then, and says what was kept.
 */
import { FileInbox } from '../inbox/file-inbox.ts'
import type { NewInboxItem } from '../inbox/inbox.ts'

export const AT: number = Date.UTC(2026, 10, 1)
/** The body follows from the count, so anybody can check it. */
export const bodyOf = (count: number): Buffer => Buffer.from(`item ${count} ${'x'.repeat((count * 37) % 3_000)}`)
export const isInFile = (count: number): boolean => count % 11 === 0
export const itemOf = (count: number): NewInboxItem => ({
  at: AT + count,
  origin: `https://site${count % 5}.example`,
  door: 'push',
  scheme: 'pages',
  proof: 'signature',
  type: 'application/warc',
  body: isInFile(count) ? Buffer.alloc(0) : bodyOf(count),
})

async function fill(dir: string, after: number, from: number): Promise<never> {
  const inbox = await FileInbox.open(dir, after, { segmentBytes: 40_000, minFreeBytes: 0 })
  process.stdout.write(`open ${inbox.figures.cutBytes}\n`)
  let count = from
  for (let round = 0; ; round++) {
    const group = Array.from({ length: 1 + ((round * 7) % 20) }, () => ++count)
    await Promise.all(
      group.map(async (n) => {
        const item = itemOf(n)
        if (!isInFile(n)) return say(n, await inbox.append(item))
        const spool = await inbox.spool()
        await spool.write(bodyOf(n))
        return say(n, await inbox.append({ ...item, file: await spool.finish() }))
      }),
    )
    if (round % 5 !== 4) continue
    // As the reader does: what is done with is remembered before it is acknowledged.
    const upTo = Math.max(0, inbox.last - 40)
    process.stdout.write(`done ${upTo}\n`)
    await inbox.acknowledged(upTo)
  }
}

function say(count: number, appended: Awaited<ReturnType<FileInbox['append']>>): void {
  if (appended.kind === 'kept') process.stdout.write(`kept ${count} ${appended.number}\n`)
}

if (import.meta.main) {
  const [dir = '', after = '0', from = '0'] = process.argv.slice(2)
  await fill(dir, Number(after), Number(from))
}
