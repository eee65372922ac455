/**
 * ImportIndex: the index of a collection follows an import. It begins with the first deposit, and not before there is something
 * new: importing twice changes nothing.
 */
import type { Collection } from '@comity/collection'
import type { IngestEvents, ReadingPool } from '@comity/ingest'
import { Indexing } from '@comity/search'
import type { IndexSummary } from '@comity/search'

export class ImportIndex implements AsyncDisposable {
  #indexing: Indexing | undefined

  constructor(collection: Collection, taken: IngestEvents, readers: ReadingPool) {
    taken.follow('deposit', () => (this.#indexing ??= begun(collection, readers)))
    taken.follow('committed', () => this.#indexing?.follow())
  }

  /** Undefined when nothing was indexed. */
  get summary(): IndexSummary | undefined {
    return this.#indexing?.summary
  }

  /** Resolves when not more than so many pages are unindexed. */
  async room(maxPages: number): Promise<void> {
    await this.#indexing?.room(maxPages)
  }

  async finish(inOrder: boolean): Promise<void> {
    await this.#indexing?.finish(inOrder)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#indexing?.[Symbol.asyncDispose]()
  }
}

function begun(collection: Collection, readers: ReadingPool): Indexing {
  const indexing = new Indexing(collection)
  indexing.hear(readers)
  return indexing
}
