/** Memory journal: a journal that lasts as long as the process. The specification of `FileJournal`, and its double. */
import { randomUUID } from 'node:crypto'
import type { Instant } from '@comity/protocol'
import { ChangeTable } from './change-table.ts'
import { isCompactionDue, journalLimits, keptOf } from './compaction.ts'
import type { JournalLimits } from './compaction.ts'
import type { Change, Journal, Observation } from './journal.ts'
import { JournalView } from './view.ts'
import { checkedObservations, Staging } from './staging.ts'
import { keepVersions, MemoryVersions } from './version-store.ts'
import type { VersionStore } from './version-store.ts'

export interface MemoryJournalOptions {
  readonly id?: string
  readonly limits?: Partial<JournalLimits>
  readonly versions?: VersionStore
}

export class MemoryJournal extends JournalView implements Journal {
  readonly #limits: JournalLimits
  #tail: Promise<unknown> = Promise.resolve()
  #rowsAfterCompaction = 0

  constructor({ id = randomUUID(), limits, versions = new MemoryVersions() }: MemoryJournalOptions = {}) {
    super(id, new ChangeTable(), versions)
    this.#limits = journalLimits(limits)
  }

  async record(observations: Iterable<Observation>, at: Instant): Promise<readonly Change[]> {
    const checked = checkedObservations(observations)
    const recorded = this.#tail.then(() => this.#record(checked, at))
    this.#tail = recorded.catch(() => undefined)
    return await recorded
  }

  async #record(observations: readonly Observation[], at: Instant): Promise<readonly Change[]> {
    const staging = new Staging(this.table, this.#limits)
    const changes = staging.add(observations, at)
    await keepVersions(this.versions, staging.changes)
    staging.applyTo(this.table)
    if (isCompactionDue(this.table, this.#limits, this.#rowsAfterCompaction)) this.compact(this.table.lastAt)
    return changes
  }

  /** Forget what the limits do not keep. Happens by itself when it is worth it. Between two records, not during one. */
  compact(now: Instant): void {
    const { since, changes } = keptOf(this.table, this.#limits, now)
    const table = new ChangeTable(since, this.table.last, this.table.lastAt)
    for (const change of changes) table.append(change)
    this.table = table
    this.#rowsAfterCompaction = table.rowCount
  }
}
