/**
 * PushChecks: of the pages that sites sent, some are fetched too, whole, and compared; `choose/push-record.ts` of follow says what follows.
 *
 *   taken ──some──▶ fetched ──the same──▶ agreed
 *                      └─another─▶ in doubt ──the site sends that one too──▶ it had only changed once more
 *                                     ├──it sends a third, newer one──▶ of ten edits one is told: that one is fetched
 *                                     └──neither, though it is heard──▶ it was not what the site serves
 *
 * Who is doubted again and again has no such excuse. And a line may be down: the minute that a site has to send what was found
 * begins when something of it has come through, or some minutes later.
 *
 * To be compared a page is fetched as it is: who sends a wrong page may say that it has not changed since.
 */
import type { Instant } from '@comity/protocol'
import type { Frontier } from '@comity/frontier'
import { isSameKey } from '@comity/ingest'
import type { CooperationStore, PushRecord } from '@comity/follow'
import type { SettledVisit } from '@comity/ingest'
import { NEW_PUSH_RECORD, checkedPush, isHintOnly, isToBeChecked, tookPush } from '@comity/follow'

interface PushChecksParts {
  readonly frontier: Pick<Frontier, 'revisit'>
  readonly store: CooperationStore
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
  /** Versions before this one, in a row, that were not found. */
  readonly missed: number
}

interface Doubt {
  readonly site: number
  readonly at: Instant
  /** What the site served. */
  readonly served: VersionKey
  /** Versions in a row that were not found. */
  readonly missed: number
  /** When something of the site came through, later than that. */
  heardAt?: Instant | undefined
}

/** Fetched later than this, a page may well be another one by now: that says nothing. */
const CHECKED_WITHIN_MS = 60_000
/** A site has a minute to send what was found: pages change while they are on their way, and those that change often do. */
const DOUBTED_DAYS = 1 / 1_440
/** Where days are short: what a site is about to send is under way for so long all the same. */
const LEAST_DOUBT_MS = 2_000
/** Who says nothing at all has ten minutes. */
const SILENT_TIMES = 10
/** Versions of a page in a row that were not found; each was fetched, so none of them has stayed. */
const MOST_MISSED = 4
const MOST_CHECKS = 10_000
const MOST_DOUBTS = 1_000

export class PushChecks {
  readonly #parts: PushChecksParts
  readonly #checks = new Map<number, Check>()
  readonly #doubts = new Map<number, Doubt>()

  constructor(parts: PushChecksParts) {
    this.#parts = parts
  }

  /** What the site sends is a hint at present, and no more. */
  isHintOnly(site: number): boolean {
    return isHintOnly(this.#recordOf(site), this.#parts.now())
  }

  /** A page came, whatever becomes of it. */
  sent(page: number, site: number, key: VersionKey): void {
    const doubt = this.#doubts.get(page)
    if (doubt !== undefined && isSameVersion(doubt.served, key)) this.#doubts.delete(page)
    for (const other of this.#doubts.values()) if (other.site === site) other.heardAt ??= this.#parts.now()
  }

  /** It was taken as it was sent, newer than what we had found. */
  took(page: number, site: number, key: VersionKey): void {
    const taken = tookPush(this.#recordOf(site))
    this.#parts.store.note(site, { pushes: taken })
    this.#mayBegin(page, key, taken)
  }

  /** It was not taken, as its site is not believed: a probe shows whether it may be again. */
  hinted(page: number, site: number, key: VersionKey): void {
    this.#mayBegin(page, key, this.#recordOf(site))
  }

  mustBeWhole(page: number): boolean {
    return this.#checks.has(page)
  }

  settled({ page, outcome, row, at, scheme }: SettledVisit): void {
    const check = this.#checks.get(page)
    // A visit begins when the check was noted, and on a quick machine within the same millisecond.
    if (check === undefined || at < check.at) return
    this.#checks.delete(page)
    const hasAnswer = outcome === 'ok' || outcome === 'client-error'
    if (!hasAnswer || at - check.at > CHECKED_WITHIN_MS || scheme !== undefined) return
    const served = row.status >= 400 ? undefined : row.contentKey
    if (isSameVersion(served, check.key)) return this.#count(row.site, true)
    const missed = check.missed + 1
    if (missed >= MOST_MISSED) return this.#count(row.site, false)
    if (this.#doubts.size < MOST_DOUBTS) this.#doubts.set(page, { site: row.site, at, served, missed })
  }

  /** Doubts that nobody has cleared up become what they look like. True when some did: that is worth a commit. */
  tick(now: Instant): boolean {
    let hasCounted = false
    for (const [page, doubt] of this.#doubts) {
      const end = this.#endOf(doubt)
      if (now < end) continue
      this.#doubts.delete(page)
      // As of then, however late it is looked at: what was said before a rest is no reason for another after it.
      this.#count(doubt.site, false, end)
      hasCounted = true
    }
    return hasCounted
  }

  /** When the next doubt ends; Infinity while there is none. */
  nextAt(): Instant {
    return this.#doubts.values().reduce((soonest, doubt) => Math.min(soonest, this.#endOf(doubt)), Infinity)
  }

  #endOf({ at, heardAt = Infinity }: Doubt): Instant {
    return Math.min(heardAt + this.#doubtMs, at + SILENT_TIMES * this.#doubtMs)
  }

  get #doubtMs(): number {
    return Math.max(LEAST_DOUBT_MS, this.#parts.dayMs * DOUBTED_DAYS)
  }

  #isChosen(record: PushRecord): boolean {
    return isToBeChecked(record, this.#parts.now(), this.#parts.random)
  }

  /** One that was to be checked, or is in doubt, and has been sent anew is compared with the newer version. */
  #mayBegin(page: number, key: VersionKey, record: PushRecord): void {
    const known = this.#doubts.get(page) ?? this.#checks.get(page)
    if (known === undefined && !this.#isChosen(record)) return
    if (this.#checks.size >= MOST_CHECKS) return
    this.#doubts.delete(page)
    this.#checks.set(page, { at: this.#parts.now(), key, missed: known?.missed ?? 0 })
    this.#parts.frontier.revisit(page)
  }

  #count(site: number, isSame: boolean, at: Instant = this.#parts.now()): void {
    const { store, dayMs } = this.#parts
    store.note(site, { pushes: checkedPush(this.#recordOf(site), isSame, at, dayMs) })
  }

  #recordOf(site: number): PushRecord {
    return this.#parts.store.of(site).pushes ?? NEW_PUSH_RECORD
  }
}

const isSameVersion = (one: VersionKey, other: VersionKey): boolean =>
  one === undefined || other === undefined ? one === other : isSameKey(one, other)
