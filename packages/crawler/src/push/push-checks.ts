/**
 * PushChecks: of the pages that sites sent, some are fetched too, whole, and compared (`choose/push-look.ts` of follow);
 * `choose/push-record.ts` there says what follows.
 *
 *   taken ──some──▶ fetched ──the same──▶ agreed
 *      ▲               ├─a copy from before, or refused──▶ fetched again later, some times
 *      │               └─another─▶ in doubt ──the site sends that one too──▶ it had only changed once more
 *      │                              ├──fetched once more: is it the page by now, or another at each visit?
 *      └──────────────────────────────┼──it sends a third, newer one──▶ of ten edits one is told: that one is fetched
 *                                     └──neither, though it is heard──▶ counted, as far as no edit explains it
 *
 * Who is doubted again and again has no such excuse. And a line may be down: the minute that a site has to send what was found
 * begins when something of it has come through, or some minutes later.
 *
 * To be compared a page is fetched as it is: who sends a wrong page may say that it has not changed since.
 */
import type { Instant } from '@comity/protocol'
import type { Frontier } from '@comity/frontier'
import type { PageRow } from '@comity/collection'
import type {
  CooperationStore,
  IntakeChoice,
  PageLook,
  PushFinding,
  PushRecord,
  SentClaim,
  SentVersion,
} from '@comity/follow'
import type { SettledVisit } from '@comity/ingest'
import {
  LIE_WEIGHTS,
  NEW_PUSH_RECORD,
  checkedPush,
  findingOf,
  judgeUnfetched,
  isHintOnly,
  isSameVersion,
  isToBeChecked,
  isWorthAnother,
  judgeSentVersion,
  pageLookOf,
  staleForMs,
  tookPush,
} from '@comity/follow'

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

/** What is compared. */
interface Trial {
  readonly site: number
  readonly claim: SentClaim
  /** What the site sent before it, and since: from there on. */
  readonly told: SentVersion[]
  readonly toldBefore: number
  /** Versions before this one, in a row, that were not found. */
  readonly missed: number
  /** What was found last. */
  readonly last?: PageLook | undefined
  /** When it was looked at in vain for the first time, and how often since. */
  readonly vainSince?: Instant | undefined
  readonly vain: number
}

/** On its way: the page is being fetched. */
interface Check {
  readonly at: Instant
  readonly trial: Trial
}

interface Doubt {
  readonly site: number
  readonly at: Instant
  readonly trial: Trial
  /** What the site served. */
  readonly look: PageLook
  again?: PageLook | undefined
  /** When it is to be fetched once more, and when that began. */
  lookAt: Instant
  lookedAt?: Instant | undefined
  /** When something of the site came through, later than that. */
  heardAt?: Instant | undefined
}

/** It is fetched again then. */
interface Awaited {
  readonly at: Instant
  readonly trial: Trial
}

/** Fetched later than this, a page may well be another one by now: that says nothing. */
const CHECKED_WITHIN_MS = 60_000
/** A site has a minute to send what was found: pages change while they are on their way, and those that change often do. */
const DOUBTED_DAYS = 1 / 1_440
/** Where days are short: what a site is about to send is under way for so long all the same. */
const LEAST_DOUBT_MS = 2_000
/** Who says nothing at all has ten minutes. */
const SILENT_TIMES = 10
/** Late enough that a short-lived copy has expired, and early enough that hardly a verdict waits for it. */
const LOOK_AGAIN = 0.5
/** Versions of a page in a row that were not found; each was fetched, so none of them has stayed. */
const MOST_MISSED = 4
/** In vain: after a minute, then four more; copies in caches may be good for a day. */
const MOST_REFUSED = 2
const MOST_STALE = 4
const STALE_DAYS = 1
const MOST_CHECKS = 10_000
const MOST_DOUBTS = 1_000
/** That wait to be looked at later: all, and of a site, so that nobody fills the place of others. */
const MOST_AWAITED = 5_000
const MOST_AWAITED_OF_SITE = 50
const MOST_KNOWN = 8
/** While a page waits for copies in caches to expire it may be sent many times. */
const MOST_TOLD = 64
/** Of a site, on their way at a time: more would be fetched too late to say anything. */
const MOST_UNDER_WAY = 16

export class PushChecks {
  readonly #parts: PushChecksParts
  readonly #checks = new Map<number, Check>()
  readonly #doubts = new Map<number, Doubt>()
  readonly #awaited = new Map<number, Awaited>()

  constructor(parts: PushChecksParts) {
    this.#parts = parts
  }

  /** What the site sends is a hint at present, and no more. */
  isHintOnly(site: number): boolean {
    return isHintOnly(this.#recordOf(site), this.#parts.now())
  }

  /** A page came, and this should become of it; `held` is what we hold of it. */
  came(page: number, site: number, version: SentVersion, held: PageRow | undefined): IntakeChoice {
    this.sent(page, site, version)
    return judgeSentVersion(held, version, this.isHintOnly(site))
  }

  /** A version of a page was told, whatever becomes of it. */
  sent(page: number, site: number, version: SentVersion): void {
    const doubt = this.#doubts.get(page)
    if (doubt !== undefined && isFound(doubt, version.key)) this.#acquit(page)
    const told = this.#trialOf(page)?.told
    if (told !== undefined && told.length < MOST_TOLD) told.push(version)
    for (const other of this.#doubts.values()) if (other.site === site) other.heardAt ??= this.#parts.now()
  }

  /** It was taken as it was sent, newer than what we had found, which is `held`. */
  took(page: number, site: number, version: SentVersion, held?: PageRow): void {
    const taken = tookPush(this.#recordOf(site))
    this.#parts.store.note(site, { pushes: taken })
    this.#mayBegin(page, site, version, held, taken)
  }

  /** It was not taken, as its site is not believed: a probe shows whether it may be again. */
  hinted(page: number, site: number, version: SentVersion, held?: PageRow): void {
    this.#mayBegin(page, site, version, held, this.#recordOf(site))
  }

  mustBeWhole(page: number): boolean {
    return this.#checks.has(page)
  }

  settled({ page, outcome, row, before, at, scheme, source = 'crawl', headers = [] }: SettledVisit): void {
    const check = this.#checks.get(page)
    // A visit begins when the check was noted, and on a quick machine within the same millisecond. What is sent is no visit.
    if (check === undefined || at < check.at || source !== 'crawl') return
    this.#checks.delete(page)
    const hasAnswer = outcome === 'ok' || outcome === 'client-error'
    if (!hasAnswer || at - check.at > CHECKED_WITHIN_MS || scheme !== undefined) return
    const look = pageLookOf(row, headers, at)
    const doubt = this.#doubts.get(page)
    if (doubt === undefined) this.#compare(page, withText(check.trial, before), look, at)
    else if (judgeUnfetched(doubt.trial.claim, look) === 'same') this.#agree(page, doubt)
    else if (isToldSince(doubt.trial, look)) this.#acquit(page)
    else doubt.again = look
  }

  /** Doubts that nobody has cleared up become what they look like. True when some did: that is worth a commit. */
  tick(now: Instant): boolean {
    for (const [page, { at, trial }] of this.#awaited) {
      if (now < at || !this.#fetch(page, trial)) continue
      this.#awaited.delete(page)
    }
    let hasCounted = false
    for (const [page, doubt] of this.#doubts) {
      const end = this.#endOf(doubt)
      if (now >= end) {
        this.#acquit(page)
        // As of then, however late it is looked at: what was said before a rest is no reason for another after it.
        this.#count(doubt.site, foundIn(doubt), end)
        hasCounted = true
      } else if (now >= doubt.lookAt) {
        doubt.lookAt = Infinity
        if (this.#fetch(page, doubt.trial)) doubt.lookedAt = now
      }
    }
    return hasCounted
  }

  /** When the next doubt ends or a page is to be looked at; Infinity while there is none. */
  nextAt(): Instant {
    const awaited =
      this.#checks.size >= MOST_CHECKS
        ? Infinity
        : this.#awaited
            .values()
            .map(({ at }) => at)
            .reduce(soonest, Infinity)
    return this.#doubts
      .values()
      .map((doubt) => Math.min(doubt.lookAt, this.#endOf(doubt)))
      .reduce(soonest, awaited)
  }

  // ── what was found ─────────────────────────────────────────────────────────────────────────────────────────

  #compare(page: number, trial: Trial, look: PageLook, at: Instant): void {
    const { claim, site } = trial
    const glance = judgeUnfetched(claim, look)
    if (glance === 'same') return this.#count(site, 'same')
    if (isToldSince(trial, look)) return
    if (glance !== 'other') return this.#lookLater(page, trial, look, glance)
    // It is what was sent before: so that was served, and this may follow.
    const missed = isAmong(trial.told, look) ? 1 : trial.missed + 1
    if (missed >= MOST_MISSED) return this.#count(site, findingOf(claim, trial.last ?? look, look))
    if (this.#doubts.size >= MOST_DOUBTS) return
    const lookAt = isWorthAnother(claim, look) ? at + LOOK_AGAIN * this.#doubtMs : Infinity
    this.#doubts.set(page, { site, at, trial: { ...trial, missed, last: look }, look, lookAt })
  }

  /** Nobody could tell yet: it is looked at later, a few times and for a day at most, which is as long as anybody has. */
  #lookLater(page: number, trial: Trial, look: PageLook, glance: 'stale' | 'refused'): void {
    const { now, dayMs } = this.#parts
    const { claim, site, vain, vainSince = now() } = trial
    const isStale = glance === 'stale'
    const inMs = isStale ? Math.max(staleForMs(claim, look), LEAST_DOUBT_MS) : this.#doubtMs * 4 ** vain
    const isLate = isStale && now() + inMs > vainSince + STALE_DAYS * dayMs
    // Who goes on like that has had its time.
    if (vain >= (isStale ? MOST_STALE : MOST_REFUSED) || isLate) return this.#count(site, 'different')
    // Where there is no room for more, those that wait will tell.
    const ofSite = countOf(this.#awaited.values(), (one) => one.trial.site === site)
    if (this.#awaited.size >= MOST_AWAITED || ofSite >= MOST_AWAITED_OF_SITE) return
    this.#awaited.set(page, { at: now() + inMs, trial: { ...trial, vain: vain + 1, vainSince } })
  }

  #agree(page: number, { site }: Doubt): void {
    this.#acquit(page)
    this.#count(site, 'same')
  }

  /** A doubt is over, and nobody need look once more. */
  #acquit(page: number): void {
    this.#doubts.delete(page)
    this.#checks.delete(page)
  }

  /** Who is about to be looked at once more is waited for. */
  #endOf({ at, heardAt = Infinity, lookedAt = -Infinity, again }: Doubt): Instant {
    const end = Math.min(heardAt + this.#doubtMs, at + SILENT_TIMES * this.#doubtMs)
    return again === undefined ? Math.max(end, lookedAt + CHECKED_WITHIN_MS) : end
  }

  get #doubtMs(): number {
    return Math.max(LEAST_DOUBT_MS, this.#parts.dayMs * DOUBTED_DAYS)
  }

  // ── what is looked at ──────────────────────────────────────────────────────────────────────────────────────

  /**
   * One that was to be checked, or is in doubt, and has been sent anew is compared with the newer version. One that waits to be
   * looked at later waits on: sent anew each minute, it would never be looked at.
   */
  #mayBegin(
    page: number,
    site: number,
    { key, asOf }: SentVersion,
    held: PageRow | undefined,
    record: PushRecord,
  ): void {
    if (this.#awaited.has(page)) return
    const doubt = this.#doubts.get(page)
    const trial = this.#trialOf(page)
    if (trial === undefined && !this.#isChosen(site, record)) return
    const known = [...(trial?.claim.known ?? []), ...(trial === undefined ? [] : [trial.claim])]
    if (doubt !== undefined) known.push(doubt.look)
    if (held !== undefined) known.push({ key: held.status >= 400 ? undefined : held.contentKey, simhash: held.simhash })
    const claim = { key, asOf, known: known.slice(-MOST_KNOWN).map(({ key: one, simhash }) => ({ key: one, simhash })) }
    const told =
      trial === undefined
        ? []
        : [...trial.told.filter((one) => !isSameVersion(one.key, key)), trial.claim].slice(-MOST_KNOWN)
    const { missed = 0, last, vain = 0, vainSince } = trial ?? {}
    this.#acquit(page)
    this.#fetch(page, { site, claim, told, toldBefore: told.length, missed, last, vain, vainSince })
  }

  #trialOf(page: number): Trial | undefined {
    return (this.#doubts.get(page) ?? this.#checks.get(page) ?? this.#awaited.get(page))?.trial
  }

  #isChosen(site: number, record: PushRecord): boolean {
    const { now, random } = this.#parts
    const ofSite = ({ trial }: { readonly trial: Trial }): boolean => trial.site === site
    const isRecent = (check: Check): boolean => ofSite(check) && now() <= check.at + CHECKED_WITHIN_MS
    const onTheirWay = countOf(this.#checks.values(), isRecent)
    const underWay = countOf(this.#awaited.values(), ofSite) + onTheirWay
    const doubted = this.#doubts
      .values()
      .filter(ofSite)
      .reduce((sum, doubt) => sum + grossWeight(foundIn(doubt)), 0)
    return onTheirWay < MOST_UNDER_WAY && isToBeChecked(record, now(), random, { underWay, doubted })
  }

  #fetch(page: number, trial: Trial): boolean {
    if (this.#checks.size >= MOST_CHECKS) this.#forgetOldest()
    if (this.#checks.size >= MOST_CHECKS) return false
    this.#checks.set(page, { at: this.#parts.now(), trial })
    this.#parts.frontier.revisit(page)
    return true
  }

  /** It came to no visit in time, and says nothing any more. */
  #forgetOldest(): void {
    const [first] = this.#checks
    if (first !== undefined && this.#parts.now() > first[1].at + CHECKED_WITHIN_MS) this.#checks.delete(first[0])
  }

  #count(site: number, finding: PushFinding, at: Instant = this.#parts.now()): void {
    const { store, dayMs } = this.#parts
    store.note(site, { pushes: checkedPush(this.#recordOf(site), finding, at, dayMs) })
  }

  #recordOf(site: number): PushRecord {
    return this.#parts.store.of(site).pushes ?? NEW_PUSH_RECORD
  }
}

const soonest = (least: Instant, one: Instant): Instant => Math.min(least, one)

/** An edit is no reason to look more closely. */
const grossWeight = (finding: PushFinding): number => (finding === 'edited' ? 0 : LIE_WEIGHTS[finding])

const foundIn = ({ trial, look, again }: Doubt): PushFinding => findingOf(trial.claim, look, again)

const isFound = ({ look, again }: Doubt, key: VersionKey): boolean =>
  isSameVersion(look.key, key) || (again !== undefined && isSameVersion(again.key, key))

const isAmong = (told: readonly SentVersion[], look: PageLook): boolean =>
  told.some(({ key }) => isSameVersion(key, look.key))

/** The site itself sent this too, as newer; what comes late, or twice, is older than that. */
const isToldSince = ({ told, toldBefore, claim: { asOf = Infinity } }: Trial, look: PageLook): boolean =>
  isAmong(told.slice(toldBefore), look) ||
  isAmong(
    told.filter((one) => one.asOf !== undefined && one.asOf > asOf),
    look,
  )

/** What was sent is held until it is fetched: so its text is known. */
function withText(trial: Trial, before: PageRow | undefined): Trial {
  if (before?.simhash === undefined || !isSameVersion(before.contentKey, trial.claim.key)) return trial
  return { ...trial, claim: { ...trial.claim, simhash: before.simhash } }
}

function countOf<T>(all: Iterable<T>, isOne: (one: T) => boolean): number {
  let count = 0
  for (const one of all) if (isOne(one)) count++
  return count
}
