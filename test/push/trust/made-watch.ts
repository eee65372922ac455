/**
 * A made watch: what a site sends is taken in and some of it fetched too, in fake time, by the policy that the crawler has
 * (`PushChecks`, and by it `judgeSentVersion` and `PushRecord`). Only the wire, the queue of visits and the rows are made.
 *
 *   item ──at its time──▶ line ──page by page──▶ came? ──take──▶ held      visits: one at a time, with a rest between
 */
import type { PageRow, Scheme } from '@comity/collection'
import type { CooperationRow, CooperationStore, PushRecord } from '@comity/follow'
import { outcomeOfStatus } from '@comity/ingest'
import type { Instant } from '@comity/protocol'
import { NEW_PUSH_RECORD } from '@comity/follow'
import { PushChecks } from '../../../packages/crawler/src/push/push-checks.ts'
import type { Random } from '../../../packages/testbed/src/seeded-random.ts'
import type { MadeAnswer, Version } from './made-site.ts'

/** A page as it was sent. */
export interface SentPage {
  readonly page: number
  readonly version: Version
  readonly asOf: Instant | undefined
  readonly isLie?: boolean
  /** It came as a difference from this one. */
  readonly base?: Uint8Array | undefined
  readonly scheme?: Scheme | undefined
}

export interface WatchTraits {
  /** Between two requests. */
  readonly restMs: number
  readonly latencyMs: number
  /** To take in one page. */
  readonly pageMs: number
  readonly aheadMs: number
}

export interface WatchFigures {
  readonly record: PushRecord
  /** What had been compared, asked for and taken when the site was believed no more. */
  readonly struck?: { readonly at: Instant; readonly checked: number; readonly requests: number } | undefined
  readonly firstLieAt: Instant | undefined
  readonly liesTaken: number
  readonly taken: number
  readonly hints: number
  readonly requests: number
  readonly heard: number
}

type Act = () => void

const DAY = 86_400_000
const SITE = 0

export class MadeWatch {
  /** The true time. */
  now: Instant
  readonly rows: Map<number, PageRow> = new Map()
  readonly #traits: WatchTraits
  readonly #answer: (page: number, at: Instant) => MadeAnswer
  readonly #agenda = new Agenda()
  readonly #visits = new Set<number>()
  readonly #items: SentPage[] = []
  readonly #checks: PushChecks
  #cooperation: CooperationRow = {}
  #underWay: number | undefined
  #again = false
  #isTaking = false
  #tickAt: Instant = Infinity
  #readyAt: Instant = 0
  #struck: WatchFigures['struck']
  #firstLieAt: Instant | undefined
  readonly #counts: Record<'liesTaken' | 'taken' | 'hints' | 'requests' | 'heard', number> = {
    liesTaken: 0,
    taken: 0,
    hints: 0,
    requests: 0,
    heard: 0,
  }

  constructor(begin: Instant, traits: WatchTraits, random: Random, answer: (page: number, at: Instant) => MadeAnswer) {
    this.now = begin
    this.#traits = traits
    this.#answer = answer
    this.#checks = new PushChecks({
      frontier: { revisit: (page) => this.#revisit(page) },
      store: {
        of: () => this.#cooperation,
        note: (_site: number, part: CooperationRow) => this.#note(part),
      } as unknown as CooperationStore,
      dayMs: DAY,
      now: () => this.#ours(this.now),
      random: () => random.next(),
    })
  }

  /** Something happens at a time, which is the true one. */
  at(instant: Instant, act: Act): void {
    this.#agenda.add(instant, act)
  }

  /** A page that a crawl has found. */
  hold(page: number, at: Instant): void {
    this.rows.set(page, this.#rowOf(this.#answer(page, at), at, undefined))
  }

  arrive(pages: readonly SentPage[]): void {
    for (const page of pages) this.#items.push(page)
    this.#takeNext()
  }

  /** Until then, or until the site is believed no more. */
  run(until: Instant, isOver: () => boolean = () => false): WatchFigures {
    for (let next = this.#agenda.next(until); next !== undefined && !isOver(); next = this.#agenda.next(until)) {
      this.now = Math.max(this.now, next.at)
      next.act()
      this.#tickSoon()
    }
    const [struck, firstLieAt] = [this.#struck, this.#firstLieAt]
    return { record: this.#cooperation.pushes ?? NEW_PUSH_RECORD, struck, firstLieAt, ...this.#counts }
  }

  get isStruck(): boolean {
    return this.#struck !== undefined
  }

  #note(part: CooperationRow): void {
    const before = this.#cooperation.pushes?.strikes ?? 0
    this.#cooperation = { ...this.#cooperation, ...part }
    const { strikes, checked } = this.#cooperation.pushes!
    if (strikes > before) this.#struck ??= { at: this.now, checked, requests: this.#counts.requests }
  }

  #ours(at: Instant): Instant {
    return at + this.#traits.aheadMs
  }

  #tickSoon(): void {
    const ours = this.#checks.nextAt()
    if (ours === Infinity) return
    const at = Math.max(this.now, ours - this.#traits.aheadMs)
    if (at >= this.#tickAt) return
    this.#tickAt = at
    this.at(at, () => {
      this.#tickAt = Infinity
      this.#checks.tick(this.#ours(this.now))
    })
  }

  // ── what was sent ──────────────────────────────────────────────────────────────────────────────────────────

  #takeNext(): void {
    if (this.#isTaking || this.#items.length === 0) return
    this.#isTaking = true
    this.at(this.now + this.#traits.pageMs, () => {
      this.#isTaking = false
      const sent = this.#items.shift()!
      this.#counts.heard++
      this.#take(sent)
      this.#takeNext()
    })
  }

  /** As `SentPages.take` of the crawler has it. */
  #take({ page, version: { key, simhash }, asOf, isLie = false, base, scheme }: SentPage): void {
    const held = this.rows.get(page)
    if (isLie) this.#firstLieAt ??= this.now
    if (this.#underWay === page) {
      this.#again = true
      this.#checks.sent(page, SITE, { key, asOf })
      return
    }
    if (base !== undefined && !isSame(base, held?.contentKey)) {
      this.#checks.sent(page, SITE, { key, asOf })
      return this.#revisit(page)
    }
    // Of what we do not know we need not hear that it is gone.
    if (held === undefined && key === undefined) return
    const told = { key, asOf }
    const choice = this.#checks.came(page, SITE, told, held)
    if (choice === 'confirm') {
      if (asOf !== undefined && asOf > (held?.servedAt ?? -Infinity)) this.rows.set(page, { ...held!, servedAt: asOf })
    } else if (choice === 'visit') this.#revisit(page)
    else if (choice === 'hint') {
      this.#counts.hints++
      this.#revisit(page)
      this.#checks.hinted(page, SITE, told, held)
    } else if (choice === 'take') {
      this.#counts.taken++
      if (isLie) this.#counts.liesTaken++
      const status = key === undefined ? 410 : 200
      const at = this.#ours(this.now)
      const row = rowOf({ status, contentKey: key ?? held?.contentKey, servedAt: asOf, simhash, visitedAt: at })
      this.rows.set(page, row)
      this.#visits.delete(page)
      // Whatever is deposited is told of.
      const outcome = outcomeOfStatus(status)
      this.#checks.settled({ page, outcome, at, before: held, row, bytes: 1, scheme, source: 'push' })
      this.#checks.took(page, SITE, told, held)
    }
  }

  // ── visits ─────────────────────────────────────────────────────────────────────────────────────────────────

  #revisit(page: number): void {
    this.#visits.add(page)
    this.#visitNext()
  }

  #visitNext(): void {
    if (this.#underWay !== undefined) return
    const [page] = this.#visits
    if (page === undefined) return
    this.#visits.delete(page)
    this.#underWay = page
    const begin = Math.max(this.now, this.#readyAt)
    const { latencyMs, restMs } = this.#traits
    this.at(begin + latencyMs / 2, () => {
      const answer = this.#answer(page, this.now)
      this.at(begin + latencyMs, () => {
        this.#counts.requests++
        this.#underWay = undefined
        this.#readyAt = this.now + restMs
        this.#settle(page, answer, begin)
        if (this.#again) this.#visits.add(page)
        this.#again = false
        this.#visitNext()
      })
    })
  }

  #settle(page: number, answer: MadeAnswer, begin: Instant): void {
    const { status, headers } = answer
    const before = this.rows.get(page)
    const outcome = outcomeOfStatus(status)
    const row = this.#rowOf(answer, begin, before)
    if (outcome === 'ok' || outcome === 'client-error') this.rows.set(page, row)
    this.#checks.settled({ page, outcome, at: this.#ours(begin), before, row, bytes: 1, headers, source: 'crawl' })
  }

  #rowOf({ status, version, servedAt, lastModified }: MadeAnswer, at: Instant, before: PageRow | undefined): PageRow {
    const { key: contentKey, simhash } = status === 200 ? version : { key: before?.contentKey, simhash: undefined }
    return rowOf({ status, contentKey, servedAt, simhash, lastModified, visitedAt: this.#ours(at) })
  }
}

const rowOf = (facts: Partial<PageRow>): PageRow =>
  ({ site: SITE, outcome: 'ok', visits: 1, changes: 0, bytes: 1, timings: {}, body: {}, ...facts }) as PageRow

const isSame = (one: Uint8Array, other: Uint8Array | undefined): boolean =>
  other !== undefined && Buffer.compare(one, other) === 0

/** What happens when; of the same instant in the order it was put down. */
class Agenda {
  readonly #heap: { readonly at: Instant; readonly number: number; readonly act: Act }[] = []
  #number = 0

  add(at: Instant, act: Act): void {
    const heap = this.#heap
    heap.push({ at, number: this.#number++, act })
    for (let place = heap.length - 1; place > 0;) {
      const parent = (place - 1) >> 1
      if (!this.#isBefore(place, parent)) return
      this.#swap(place, parent)
      place = parent
    }
  }

  /** The next that is due by then. */
  next(until: Instant): { readonly at: Instant; readonly act: Act } | undefined {
    const heap = this.#heap
    const first = heap[0]
    if (first === undefined || first.at > until) return undefined
    const last = heap.pop()!
    if (heap.length === 0) return first
    heap[0] = last
    for (let place = 0; ;) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      let least = place
      if (left < heap.length && this.#isBefore(left, least)) least = left
      if (right < heap.length && this.#isBefore(right, least)) least = right
      if (least === place) return first
      this.#swap(place, least)
      place = least
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one]!, this.#heap[other]!]
    return a.at < b.at || (a.at === b.at && a.number < b.number)
  }

  #swap(one: number, other: number): void {
    const heap = this.#heap
    ;[heap[one], heap[other]] = [heap[other]!, heap[one]!]
  }
}
