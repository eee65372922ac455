/** IntakeListener: who hears what came of what was sent. */
import type { InboxItem } from '@comity/collection'
import type { IntakeOutcome } from '@comity/ingest'
import type { Instant } from '@comity/protocol'

export interface IntakeListener {
  /** A site has news that did not come along: it is to be asked what changed. */
  onNews(origin: string): void
  onTaken(item: InboxItem, outcome: IntakeOutcome): void
  /** A version of a page that we lack is on its way, changed then by its site's clock, where that is said. */
  onAwaited(page: number, changedAt: Instant | undefined, heardAt: Instant): void
}
