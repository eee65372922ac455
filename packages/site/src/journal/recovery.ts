/**
 * Journal recovery: from a file to the table it stands for.
 *
 * Its torn end is cut off: nobody was told that these changes are durable. Anything wrong further up is refused by name and
 * place, since a journal that silently lost changes would tell crawlers that nothing happened. So is a number that is missing
 * or stands twice.
 */
import { LogFile } from '@comity/disk'
import { ChangeTable } from './change-table.ts'
import { journalDamaged } from '../errors.ts'
import type { Change } from './journal.ts'
import { decodeHeader, HEADER_BYTES } from './header.ts'
import type { JournalHeader } from './header.ts'
import { journalFraming } from './record.ts'

interface Recovered {
  readonly header: JournalHeader
  readonly table: ChangeTable
  readonly log: LogFile<Change>
  readonly cutBytes: number
}

/** Reads a file, and cuts its torn end if it has one. Undefined when there is none. */
export function recoverJournal(file: string): Recovered | undefined {
  let reading: JournalReading | undefined
  const opened = LogFile.open(file, HEADER_BYTES, (bytes) => {
    const journal = (reading = new JournalReading(file, decodeHeader(bytes, file)))
    const take = (change: Change, at: number): void => journal.take(change, at)
    return { framing: journalFraming, from: HEADER_BYTES, durableTo: journal.snapshotEnd, damage: 'refused', take }
  })
  if (opened.kind === 'damaged')
    throw journalDamaged(file, `what stands at byte ${opened.at} is no whole record, but was one or is followed by one`)
  if (opened.kind !== 'open') return undefined
  const { header, table } = reading!
  return { header, table, log: opened.log, cutBytes: opened.cutBytes }
}

class JournalReading {
  readonly header: JournalHeader
  readonly table: ChangeTable
  /** Where the snapshot ends and what was recorded since begins. */
  readonly snapshotEnd: number
  readonly #file: string
  #number = 0

  constructor(file: string, header: JournalHeader) {
    this.#file = file
    this.header = header
    this.table = new ChangeTable(header.since, header.last, header.lastAt)
    this.snapshotEnd = HEADER_BYTES + header.snapshotBytes
  }

  take(change: Change, at: number): void {
    // The snapshot leaves numbers out up to `since`; from there on there is one record for each.
    const isSparse = at < this.snapshotEnd && change.number <= this.header.since
    const before = at < this.snapshotEnd ? Math.max(this.#number, this.header.since) : this.table.last
    const isRight = isSparse ? change.number > this.#number : change.number === before + 1
    if (!isRight) {
      const expected = isSparse ? `one above ${this.#number}` : String(before + 1)
      throw journalDamaged(this.#file, `change ${change.number} stands at byte ${at}, where ${expected} should`)
    }
    this.#number = change.number
    this.table.append(change)
  }
}
