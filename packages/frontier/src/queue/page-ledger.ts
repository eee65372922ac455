/**
 * PageLedger: the page table with its books kept. Every change of a page's state goes through here, so that the counts
 * are right and the next batch says what changed.
 *
 * A lease is no change: it does not outlive the process, and a batch tells of a leased page that it waits.
 */
import { FreshTexts } from './fresh-texts.ts'
import type { TextRun } from './fresh-texts.ts'
import { applyJournal, encodeJournal } from './frontier-batch.ts'
import type { PageText } from './frontier-batch.ts'
import { PageCensus } from './page-census.ts'
import type { PageTable } from './page-table.ts'

export class PageLedger {
  readonly #table: PageTable
  readonly census: PageCensus = new PageCensus()
  /** Text of a page whose batch has been stored. */
  readonly #storedText: (page: number) => PageText
  #texts = new FreshTexts(0)
  #changed: number[] = []
  /** Pages below this id are in some batch. */
  #journalled = 0

  constructor(table: PageTable, storedText: (page: number) => PageText) {
    this.#table = table
    this.#storedText = storedText
  }

  /** The table has a new page, its last. */
  enter(page: number, path: string, parent: number): void {
    this.#texts.add(this.#table.siteOf(page), path, parent)
    this.census.enter(this.#table.seedOf(page), this.#table.stateOf(page))
  }

  /** Change a page's state for good. `tries` is the reason when the state is outside. */
  move(page: number, state: number, tries: number): void {
    this.mark(page, state)
    this.#table.setTries(page, tries)
    this.note(page)
  }

  /** Change a page's state for now: it is leased, or no longer. */
  mark(page: number, state: number): void {
    this.census.move(this.#table.seedOf(page), this.#table.stateOf(page), state)
    this.#table.setState(page, state)
  }

  /** The next batch has the page as it is by then; a page that no batch has yet is in the next one anyway. */
  note(page: number): void {
    if (page < this.#journalled) this.#changed.push(page)
  }

  textOf(page: number): PageText {
    return this.#texts.get(page) ?? this.#storedText(page)
  }

  drain(): TextRun & { journal: Uint8Array } {
    const journal = encodeJournal(this.#table, this.#journalled, this.#table.count, this.#changed)
    this.#journalled = this.#table.count
    this.#changed = []
    return { journal, ...this.#texts.drain() }
  }

  /** The oldest drained batch is durable now. */
  stored(): void {
    this.#texts.stored()
  }

  /** Fill the table from a journal. Returns how many entries were superseded by later ones. */
  restore(journal: Iterable<Uint8Array>): number {
    let superseded = 0
    for (const record of journal) superseded += applyJournal(this.#table, record)
    this.#table.index()
    for (let page = 0; page < this.#table.count; page++) {
      this.census.enter(this.#table.seedOf(page), this.#table.stateOf(page))
    }
    this.#journalled = this.#table.count
    this.#texts = new FreshTexts(this.#table.count)
    return superseded
  }

  /** The journal so far in as few records as possible. */
  *snapshot(pagesPerRecord: number): Generator<Uint8Array> {
    for (let from = 0; from < this.#journalled; from += pagesPerRecord) {
      yield encodeJournal(this.#table, from, Math.min(from + pagesPerRecord, this.#journalled), [])
    }
  }
}
