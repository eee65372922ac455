/**
 * PageLedger: the page table with its books kept. Every change of a page's state goes through here, so that the counts
 * are right and the next batch says what changed.
 *
 * A lease is no change: it does not outlive the process, and a batch tells of a leased page that it waits.
 */
import { urlSpellings, writeUrlKey } from '@comity/protocol'
import { FreshTexts } from './fresh-texts.ts'
import type { TextRun } from './fresh-texts.ts'
import { applyPageLog, encodePageLog } from './frontier-batch.ts'
import type { BatchPageText } from './frontier-batch.ts'
import { PageCensus } from './page-census.ts'
import { FORGOTTEN } from './page-table.ts'
import type { PageTable } from './page-table.ts'

export class PageLedger {
  readonly #table: PageTable
  readonly census: PageCensus = new PageCensus()
  /** Text of a page whose batch has been stored. */
  readonly #storedText: (page: number) => BatchPageText
  #texts = new FreshTexts(0)
  #changed: number[] = []
  readonly #key = new Uint32Array(2)
  /** Pages below this id are in some batch. */
  #logged = 0

  constructor(table: PageTable, storedText: (page: number) => BatchPageText) {
    this.#table = table
    this.#storedText = storedText
  }

  /** The table has a new page, its last. */
  enter(page: number, path: string, parent: number): void {
    this.#texts.add(this.#table.siteOf(page), path, parent)
    this.census.enter(this.#table.seedOf(page), this.#table.stateOf(page))
  }

  /** Change a page's state for good. `tries` is the reason when the page is excluded. */
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
    if (page < this.#logged) this.#changed.push(page)
  }

  /** Whether a page was forgotten that this is another spelling of. */
  isForgotten(site: number, path: string): boolean {
    if (this.census.count('forgotten') === 0) return false
    const [, ...others] = urlSpellings(path)
    return others.some((other) => {
      writeUrlKey(other, this.#key, 0)
      const known = this.#table.find(site, this.#key[0]!, this.#key[1]!)
      return known !== -1 && this.#table.stateOf(known) === FORGOTTEN
    })
  }

  textOf(page: number): BatchPageText {
    return this.#texts.get(page) ?? this.#storedText(page)
  }

  drain(): TextRun & { pageLog: Uint8Array } {
    const pageLog = encodePageLog(this.#table, this.#logged, this.#table.count, this.#changed)
    this.#logged = this.#table.count
    this.#changed = []
    return { pageLog, ...this.#texts.drain() }
  }

  /** The oldest drained batch is durable now. */
  stored(): void {
    this.#texts.stored()
  }

  /** Fill the table from a page log. Returns how many entries were superseded by later ones. */
  restore(pageLog: Iterable<Uint8Array>): number {
    let superseded = 0
    for (const record of pageLog) superseded += applyPageLog(this.#table, record)
    this.#table.index()
    for (let page = 0; page < this.#table.count; page++) {
      this.census.enter(this.#table.seedOf(page), this.#table.stateOf(page))
    }
    this.#logged = this.#table.count
    this.#texts = new FreshTexts(this.#table.count)
    return superseded
  }

  /** The page log so far in as few records as possible. */
  *snapshot(pagesPerRecord: number): Generator<Uint8Array> {
    for (let from = 0; from < this.#logged; from += pagesPerRecord) {
      yield encodePageLog(this.#table, from, Math.min(from + pagesPerRecord, this.#logged), [])
    }
  }
}
