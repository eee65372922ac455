/**
 * Uncommitted: what has been deposited since the last commit. The next commit takes it whole, and until that is durable
 * whoever asks the collection finds it here.
 */
import { contentVersion } from './change-list.ts'
import { isNear } from './near-duplicates.ts'
import type { Simhash } from './near-duplicates.ts'
import type { BodyRow, CaptureRow, PageRow, RobotsRow } from './rows.ts'
import type { Instant } from '@comity/protocol'

/** What one visit leaves behind. */
export interface Deposit {
  readonly page: number
  readonly row: PageRow
  readonly at: Instant
  readonly capture: CaptureRow
  readonly links?: Uint8Array | undefined
  /** Set when this capture's body is stored here for the first time. */
  readonly newBody?: { readonly digest: string; readonly row: BodyRow } | undefined
}

export class Uncommitted {
  readonly deposits: (Deposit & { readonly oldHash: Simhash | undefined })[] = []
  /** Rows that changed without a visit. */
  readonly changed: Set<number> = new Set()
  readonly robots: Map<number, RobotsRow> = new Map()
  readonly meta: Map<string, unknown> = new Map()
  readonly freshness: Map<number, Uint8Array> = new Map()
  readonly cooperation: Map<number, unknown> = new Map()
  readonly reading: Map<number, Uint8Array> = new Map()
  readonly pages: Map<number, PageRow> = new Map()
  readonly bodies: Map<string, BodyRow> = new Map()
  /** Pages whose content may be found in another version than before, or not at all any more. */
  readonly changes: Set<number> = new Set()
  readonly #hashes = new Map<number, Simhash>()

  get isEmpty(): boolean {
    const { deposits, changed, changes, robots, meta, freshness, cooperation, reading } = this
    const rest = [changed, changes, robots, meta, freshness, cooperation, reading]
    return deposits.length === 0 && rest.every(({ size }) => size === 0)
  }

  /** `before` is the page's row as it was: its simhash gives way to the new one. */
  add(deposit: Deposit, before: PageRow | undefined): void {
    const { page, row, newBody } = deposit
    this.deposits.push({ ...deposit, oldHash: before?.simhash })
    if (contentVersion(before) !== contentVersion(row)) this.changes.add(page)
    this.pages.set(page, row)
    if (newBody !== undefined) this.bodies.set(newBody.digest, newBody.row)
    if (row.simhash === undefined) this.#hashes.delete(page)
    else this.#hashes.set(page, row.simhash)
  }

  /** A row is another one now, though nobody visited the page. */
  change(page: number, row: PageRow, before: PageRow): void {
    if (contentVersion(before) !== contentVersion(row)) this.changes.add(page)
    this.changed.add(page)
    this.pages.set(page, row)
  }

  nearDuplicate(hash: Simhash, page: number): number | undefined {
    for (const [other, seen] of this.#hashes) if (other !== page && isNear(hash, seen)) return other
    return undefined
  }
}
