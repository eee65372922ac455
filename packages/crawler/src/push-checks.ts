/**
 * PushChecks: of the pages that sites sent, some are fetched too, whole, and compared; `push-record.ts` says what follows.
 *
 *   taken ──some──▶ fetched ──the same──▶ agreed
 *                      └─another─▶ in doubt ──the site sends that one too, within its minute──▶ it had only changed once more
 *                                     └──else──▶ it was not what the site serves
 *
 * To be compared a page is fetched as it is: who sends a wrong page may say that it has not changed since.
 */
import type { Instant } from '@comity/protocol'
import type { Frontier } from '@comity/frontier'
import { isSameKey } from './content-key.ts'
import type { CooperationBook } from './cooperation-book.ts'
import type { SettledVisit } from './page-desk.ts'
import { NEW_PUSH_RECORD, checkedPush, isHintOnly, isToBeChecked, tookPush } from './push-record.ts'
import type { PushRecord } from './push-record.ts'

export interface PushChecksParts {
  readonly frontier: Pick<Frontier, 'revisit'>
  readonly book: CooperationBook
  /** How long a day lasts. */
  readonly dayMs: number
  readonly now: () => Instant
  readonly random: () => number
}

/** A version of a page; undefined for one that is gone. */
export type VersionKey = Uint8Array | undefined

interface Check {
  readonly at: Instant
  readonly key: VersionKey
}

interface Doubt {
  readonly site: number
  readonly at: Instant
  /** What the site served. */
  readonly served: VersionKey
}

/** Fetched later than this, a page may well be another one by now: that says nothing. */
const CHECKED_WITHIN_MS = 60_000
/** A site has a minute to send what we found: pages change while they are on their way, and those that change often do. */
const DOUBTED_DAYS = 1 / 1_440
/** Where days are short: what a site is about to send is under way for so long all the same. */
const LEAST_DOUBT_MS = 2_000
const MOST_CHECKS = 10_000

export class PushChecks {
  readonly #parts: PushChecksParts
  readonly #checks = new Map<number, Check>()
  /** The oldest first. */
  readonly #doubts = new Map<number, Doubt>()

  constructor(parts: PushChecksParts) {
    this.#parts = parts
  }

  /** What the site sends is a hint at present, and no more. */
  isHintOnly(site: number): boolean {
    return isHintOnly(this.#recordOf(site), this.#parts.now())
  }

  /** A page came, whatever becomes of it. */
  sent(page: number, key: VersionKey): void {
    const doubt = this.#doubts.get(page)
    if (doubt !== undefined && isSameVersion(doubt.served, key)) this.#doubts.delete(page)
  }

  /** It was taken as it was sent. */
  took(page: number, site: number, key: VersionKey): void {
    const taken = tookPush(this.#recordOf(site))
    this.#parts.book.note(site, { pushes: taken })
    // One that was to be checked and has been sent anew is compared with the newer version.
    if (this.#checks.has(page) || this.#isChosen(taken)) this.#begin(page, key)
  }

  /** It was not taken, as its site is not believed: a probe shows whether it may be again. */
  hinted(page: number, site: number, key: VersionKey): void {
    if (this.#isChosen(this.#recordOf(site))) this.#begin(page, key)
  }

  mustBeWhole(page: number): boolean {
    return this.#checks.has(page)
  }

  settled({ page, outcome, row, at, scheme }: SettledVisit): void {
    const check = this.#checks.get(page)
    if (check === undefined || at <= check.at) return
    this.#checks.delete(page)
    const hasAnswer = outcome === 'ok' || outcome === 'client-error'
    if (!hasAnswer || at - check.at > CHECKED_WITHIN_MS || scheme !== undefined) return
    const served = row.status >= 400 ? undefined : row.contentKey
    if (isSameVersion(served, check.key)) return this.#count(row.site, true)
    // Doubted twice, the first is no doubt any more.
    if (this.#doubts.delete(page)) this.#count(row.site, false)
    this.#doubts.set(page, { site: row.site, at, served })
  }

  /** Doubts that nobody has cleared up become what they look like. True when some did: that is worth a commit. */
  tick(now: Instant): boolean {
    let hasCounted = false
    for (const [page, { site, at }] of this.#doubts) {
      if (now < at + this.#doubtMs) break
      this.#doubts.delete(page)
      this.#count(site, false)
      hasCounted = true
    }
    return hasCounted
  }

  /** When the next doubt ends; Infinity while there is none. */
  nextAt(): Instant {
    for (const { at } of this.#doubts.values()) return at + this.#doubtMs
    return Infinity
  }

  get #doubtMs(): number {
    return Math.max(LEAST_DOUBT_MS, this.#parts.dayMs * DOUBTED_DAYS)
  }

  #isChosen(record: PushRecord): boolean {
    return isToBeChecked(record, this.#parts.now(), this.#parts.random)
  }

  #begin(page: number, key: VersionKey): void {
    if (this.#checks.size >= MOST_CHECKS) return
    this.#checks.set(page, { at: this.#parts.now(), key })
    this.#parts.frontier.revisit(page)
  }

  #count(site: number, isSame: boolean): void {
    const { book, now, dayMs } = this.#parts
    book.note(site, { pushes: checkedPush(this.#recordOf(site), isSame, now(), dayMs) })
  }

  #recordOf(site: number): PushRecord {
    return this.#parts.book.of(site).pushes ?? NEW_PUSH_RECORD
  }
}

const isSameVersion = (one: VersionKey, other: VersionKey): boolean =>
  one === undefined || other === undefined ? one === other : isSameKey(one, other)
