/** Import counts: every record that was seen is a capture, or is counted under the reason why it is not. */
import type { IngestEvents, Totals } from '@comity/ingest'
import type { ImportProgress, ImportSummary } from './import-call.ts'

export class ImportCounts {
  archives = 0
  /** Of the archive at hand. */
  archive = ''
  #records = 0
  #seen = 0
  #captures = 0
  readonly #skipped = new Map<string, number>()
  readonly #problems = new Map<string, number>()
  readonly #totals: Totals
  readonly #before: Pick<Totals, 'pages' | 'bytes'>

  constructor(totals: Totals, taken: IngestEvents) {
    this.#totals = totals
    this.#before = { pages: totals.pages, bytes: totals.bytes }
    taken.follow('deposit', () => this.#captures++)
  }

  /** A record that can be read; its number among all that were seen. */
  record(): number {
    this.#records++
    return ++this.#seen
  }

  /** A record that is no capture. */
  skip(reason: string): void {
    count(this.#skipped, reason)
  }

  /** Something that is no record, or none that can be read. */
  leaveOut(problem: string): void {
    this.#seen++
    count(this.#skipped, problem)
  }

  /** A fault of a record that is read all the same. */
  problem(name: string): void {
    count(this.#problems, name)
  }

  get progress(): ImportProgress {
    const bytes = this.#totals.bytes - this.#before.bytes
    return { archive: this.archive, records: this.#records, captures: this.#captures, bytes }
  }

  get summary(): Omit<ImportSummary, 'collection' | 'interrupted' | 'index'> {
    const { archive: _, ...figures } = this.progress
    return {
      archives: this.archives,
      ...figures,
      seen: this.#seen,
      pages: this.#totals.pages - this.#before.pages,
      skipped: Object.fromEntries(this.#skipped),
      problems: Object.fromEntries(this.#problems),
    }
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
