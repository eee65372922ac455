/**
 * Intake choice: what becomes of a version of a page that its site sent unasked. Pure.
 *
 *   no base, or nobody can tell which is newer ──▶ visit      newer ──▶ take, unless its site is heard as one that hints
 *   what is held ──▶ confirm                                   older ──▶ hint: it was late
 */
import type { Instant } from '@comity/protocol'
import type { PageRow } from '@comity/collection'
import { isDigestOf, isWordsOnly, judgePush } from '@comity/ingest'

export interface SentVersion {
  /** Undefined for a page that is said to be gone. */
  readonly key: Uint8Array | undefined
  /** By the site's clock. */
  readonly asOf: Instant | undefined
}

export type IntakeChoice = 'visit' | 'confirm' | 'late' | 'hint' | 'take'

/** `sent` is undefined for a difference from something that is not held; `isHintOnly`: the site is not believed at present. */
export function judgeSentVersion(
  held: PageRow | undefined,
  sent: SentVersion | undefined,
  isHintOnly: boolean,
): IntakeChoice {
  if (sent === undefined) return 'visit'
  const verdict = judgePush(held, sent)
  if (verdict === 'same') return 'confirm'
  if (verdict === 'unsure') return 'visit'
  if (verdict === 'older') return 'late'
  return isHintOnly ? 'hint' : 'take'
}

/** What an agent says of a page, besides its words. */
interface SaidOfPage {
  /** Undefined when it says nothing that could be compared. */
  readonly digest?: string | undefined
  readonly change?: string | undefined
  readonly hasWords: boolean
}

/** Words are taken of a page that is not held whole; of one that is, they tell that it has changed. */
export function judgeClaim(
  held: PageRow | undefined,
  { digest, change, hasWords }: SaidOfPage,
): 'same' | 'gone' | 'words' | 'hear' {
  if (digest === undefined) return change !== 'deleted' || (held !== undefined && held.status >= 400) ? 'same' : 'gone'
  if (held !== undefined && held.status < 400 && isDigestOf(digest, held.contentKey) === true) return 'same'
  return hasWords && (held?.body === undefined || isWordsOnly(held)) ? 'words' : 'hear'
}
