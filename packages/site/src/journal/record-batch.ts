/** Record batch: observations gathered until it is worth a sync, and counted by what came of them. */
import type { ChangeKind, Instant } from '@comity/protocol'
import type { Journal, Observation } from './journal.ts'

const MAX_OBSERVATIONS = 2_000
const MAX_BODY_BYTES = 8 << 20

export class RecordBatch {
  readonly counts: Record<ChangeKind, number> = { created: 0, updated: 0, deleted: 0 }
  readonly #journal: Journal
  readonly #now: () => Instant
  #observations: Observation[] = []
  #bodyBytes = 0

  constructor(journal: Journal, now: () => Instant) {
    this.#journal = journal
    this.#now = now
  }

  add(seen: Observation): void {
    this.#observations.push(seen)
    if (!('gone' in seen)) this.#bodyBytes += seen.body?.length ?? 0
  }

  async flushWhenFull(): Promise<void> {
    if (this.#observations.length >= MAX_OBSERVATIONS || this.#bodyBytes >= MAX_BODY_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    const observations = this.#observations
    this.#observations = []
    this.#bodyBytes = 0
    if (observations.length === 0) return
    for (const { change } of await this.#journal.record(observations, this.#now())) this.counts[change]++
  }
}
