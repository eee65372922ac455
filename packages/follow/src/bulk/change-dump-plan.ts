/**
 * Change dump plan: which packages of a site's change dump (ResourceSync 1.1 §14) are worth taking for pages that are due
 * and said to have changed.
 *
 *   list ──▶ packages that reach beyond our oldest copy, newest first, until no page is left
 *              ├─ small, and the list says so: taken unseen, as looking costs as much
 *              └─ else its manifest is read: taken when the pages in it that are due cost more any other way
 *
 * A page in two packages is as the newer one has it. Pages that stand in none are fetched otherwise.
 */
import type { Instant, SyncReference } from '@comity/protocol'
import type { Inquiry } from '../inquiry.ts'
import { chooseDelivery } from '../choose/delivery-choice.ts'
import type { Deliveries, DuePage, Estimate } from '../choose/delivery-choice.ts'
import { isPacked, MAX_PACKAGE_BYTES } from './dump-package.ts'
import type { PackedEntry } from './dump-package.ts'
import { PACKED_SHARE, countOf, readPackages } from './dump-plan.ts'
import { ownUrl } from '../offer-poll.ts'
import { HEAD_BYTES } from '../request-price.ts'
import type { Offer } from '../site-offers.ts'

export interface ChangeDumpTerms {
  readonly origin: string
  readonly offer: Offer
  /** What is due, by page. */
  readonly due: ReadonlyMap<number, DuePage>
  /** Which of them an entry of a manifest is, in the version that was announced. */
  readonly pageOf: (entry: PackedEntry) => number | undefined
  /** When the oldest of our copies was made: what changed before is of no use. */
  readonly since: Instant
  /** How the pages come otherwise, and what counts. */
  readonly otherwise: Deliveries
  readonly costOf: (estimate: Estimate) => number
}

export interface ChangeDumpPlan {
  /** URLs, in the order they are to be taken. */
  readonly packages: readonly string[]
  /** Why there is none. */
  readonly problem?: string | undefined
}

/** Packages of one taking. */
const MAX_PACKAGES = 64
/** What is no larger is taken without reading its manifest. */
const UNSEEN_BYTES = 64 << 10
/** How far the clocks of a site and ours may be apart. */
const CLOCK_SKEW_MS = 3_600_000

export function* planChangeDump(terms: ChangeDumpTerms): Inquiry<ChangeDumpPlan> {
  const listed = yield* readPackages(terms, 'changedump')
  if (typeof listed === 'string') return { packages: [], problem: listed }
  const packages: string[] = []
  const found = new Set<number>()
  let left = terms.due.size
  for (const entry of newestFirst(listed, terms.since).slice(0, MAX_PACKAGES)) {
    if (left <= 0) break
    const covered = yield* weigh(terms, entry, left, found)
    left -= covered
    if (covered > 0) packages.push(entry.url)
  }
  return { packages, problem: packages.length === 0 ? 'it holds few of the pages that changed' : undefined }
}

function newestFirst(listed: readonly SyncReference[], since: Instant): readonly SyncReference[] {
  const recent = listed.filter(({ until }) => until === undefined || until >= since - CLOCK_SKEW_MS)
  return recent.toSorted((a, b) => endOf(b) - endOf(a))
}

const endOf = ({ until, modifiedAt }: SyncReference): Instant => until ?? modifiedAt ?? Number.MAX_SAFE_INTEGER

/** How many of the pages that are due are thought to be in it; 0 when it is not worth its bytes. */
function* weigh(terms: ChangeDumpTerms, entry: SyncReference, left: number, found: Set<number>): Inquiry<number> {
  if ((entry.bytes ?? 0) > MAX_PACKAGE_BYTES) return 0
  const count = countOf(entry)
  const size = entry.bytes ?? (count && count.unpacked * PACKED_SHARE)
  if (count !== undefined && size !== undefined && size <= UNSEEN_BYTES) {
    const likely = [...terms.due.values()].slice(0, Math.min(left, count.pages))
    return isWorth(terms, likely, size) ? likely.length : 0
  }
  const contents = yield* contentsOf(terms, entry)
  const pages = new Set(contents.flatMap((one) => terms.pageOf(one) ?? []).filter((page) => !found.has(page)))
  const bytes = entry.bytes ?? contents.reduce((sum, one) => sum + (one.bytes ?? 0), 0) * PACKED_SHARE
  const due = [...pages].flatMap((page) => terms.due.get(page) ?? [])
  if (bytes > MAX_PACKAGE_BYTES || !isWorth(terms, due, bytes)) return 0
  for (const page of pages) found.add(page)
  return pages.size
}

/** The list and the manifest are paid for; what counts is the package. */
function isWorth({ otherwise, costOf }: ChangeDumpTerms, due: readonly DuePage[], bytes: number): boolean {
  if (due.length === 0) return false
  const { single, batch } = chooseDelivery(due, otherwise, costOf)
  const least = Math.min(costOf(single), batch === undefined ? Infinity : costOf(batch))
  return costOf({ bytes: bytes + HEAD_BYTES, requests: 1 }) < least
}

function* contentsOf({ origin }: ChangeDumpTerms, { links }: SyncReference): Inquiry<readonly PackedEntry[]> {
  const manifest = links?.find(({ rel }) => rel === 'contents')?.href
  const url = manifest === undefined ? undefined : ownUrl(manifest, origin)
  if (url === undefined) return []
  const reply = yield { url, reads: { reader: 'sync' } }
  return reply.kind === 'document' ? reply.read.sync!.entries.filter(isPacked) : []
}
