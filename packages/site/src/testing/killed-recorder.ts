/**
 * A process for the crash tests to kill: it records in the journal named on its command line without end, several at a
 * time, compacts now and then, and says after each record how far it is. Page n changes with the round.
 */
import { FileJournal } from '../journal/file-journal.ts'
import { AT, withBody } from './journal-sample.ts'

export const PAGES = 40
/** Change number n is of this page in this version. */
export const pathOfChange = (number: number): string => `/page/${number % PAGES}`
export const versionOfChange = (number: number): number => Math.ceil(number / PAGES)

async function recordForEver(dir: string): Promise<never> {
  const journal = await FileJournal.open(dir, { limits: { changes: 300 } })
  let next = journal.last + 1
  process.stdout.write(`open ${journal.last}\n`)
  for (let round = 0; ; round++) {
    const some = Array.from({ length: 1 + (round % 5) }, () => {
      const number = next++
      return journal.record([withBody(pathOfChange(number), versionOfChange(number))], AT + number)
    })
    const last = (await Promise.all(some)).at(-1)?.at(-1)
    process.stdout.write(`recorded ${last?.number}\n`)
    if (round % 100 === 99) await journal.compact(AT + next)
  }
}

if (import.meta.main) await recordForEver(process.argv[2] ?? '')
