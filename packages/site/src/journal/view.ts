/**
 * Journal view: the reading half of a journal, over the table of changes that counts at the moment and the earlier bodies.
 * Whoever writes extends it, and puts another table in its place when it forgets. (Inherited, as both journals would hand on
 * each of these questions otherwise, word for word.)
 */
import type { ChangeTable } from './change-table.ts'
import type { Change, Journal, JournaledPage } from './journal.ts'
import type { VersionStore } from './version-store.ts'

export abstract class JournalView implements Omit<Journal, 'record'> {
  readonly id: string
  /** What is durable, and nothing else. */
  protected table: ChangeTable
  protected readonly versions: VersionStore

  protected constructor(id: string, table: ChangeTable, versions: VersionStore) {
    this.id = id
    this.table = table
    this.versions = versions
  }

  get last(): number {
    return this.table.last
  }

  get since(): number {
    return this.table.since
  }

  get pageCount(): number {
    return this.table.pageCount
  }

  page(path: string): JournaledPage | undefined {
    return this.table.page(path)
  }

  numberOf(path: string): number | undefined {
    return this.table.numberOf(path)
  }

  pages(): Iterable<JournaledPage> {
    return this.table.pages()
  }

  tombstones(): Iterable<Change> {
    return this.table.tombstones()
  }

  changesAfter(number: number, limit?: number): readonly Change[] | undefined {
    return this.table.changesAfter(number, limit)
  }

  version(digest: string): Uint8Array | undefined {
    return this.versions.get(digest)
  }
}
