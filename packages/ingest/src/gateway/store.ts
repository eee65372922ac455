/**
 * GatewayStore: what is remembered of each gateway: which batches were taken, and what they came to. One row a gateway, in one
 * fact of the collection, so that it is durable in the same commit as what followed from the batches.
 */
import type { GatewayFigures, Instant } from '@comity/protocol'
import { factKind } from '@comity/collection'
import type { Collection, FactKind } from '@comity/collection'
import { isTaken, withBatch } from './runs.ts'
import type { GatewayRun } from './runs.ts'
import type { GatewayOutcome } from './outcome.ts'
import { isGatewayRows } from '../stored-shapes.ts'

type Counts = Readonly<Record<string, number>>

/** Field names are part of the format: add, never rename. */
export interface GatewayRow {
  readonly runs: readonly GatewayRun[]
  readonly batches: number
  /** Batches that came again. */
  readonly repeated: number
  /** When the last one came. */
  readonly lastAt: Instant
  /** Until when what it told of had passed. */
  readonly passedAt: Instant
  /** Shipped. */
  readonly bytes: number
  /** Pages that went by and may be indexed, each time, and their bytes without codings. */
  readonly pages: number
  readonly htmlBytes: number
  /** What went by and was left out there, by reason. */
  readonly skipped: Counts
  /** Rows, by what came of each (`gateway/outcome.ts`). */
  readonly outcomes: Counts
  readonly people: number
  readonly robots: number
  /** Requests that a crawler would have made: one for a page that was taken, one a day for a page that was seen again. */
  readonly avoidedRequests: number
  /** Of pages that were taken: as many as the mean page of their batch has. */
  readonly avoidedBytes: number
}

/** A batch that was dealt with. */
export interface TakenBatch {
  readonly run: string
  readonly number: number
  readonly to: Instant
  /** When it came. */
  readonly at: Instant
  readonly bytes: number
  readonly figures: GatewayFigures
  readonly outcomes: ReadonlyMap<GatewayOutcome, number>
  readonly people: number
  readonly robots: number
  /** Pages seen again, each for the first time in a day. */
  readonly confirmedToday: number
}

export type GatewayRows = Readonly<Record<string, GatewayRow>>

export const GATEWAYS: FactKind<GatewayRows> = factKind('gateways', isGatewayRows)
const NEW: GatewayRow = {
  runs: [],
  batches: 0,
  repeated: 0,
  lastAt: 0,
  passedAt: 0,
  bytes: 0,
  pages: 0,
  htmlBytes: 0,
  skipped: {},
  outcomes: {},
  people: 0,
  robots: 0,
  avoidedRequests: 0,
  avoidedBytes: 0,
}

/** What is known of gateways, by name. */
export function gatewayRows(collection: Pick<Collection, 'fact'>): GatewayRows {
  return collection.fact(GATEWAYS) ?? {}
}

export class GatewayStore {
  readonly #collection: Pick<Collection, 'fact' | 'putFact'>
  readonly #rows: Map<string, GatewayRow>
  #isUnsaved = false

  constructor(collection: Pick<Collection, 'fact' | 'putFact'>) {
    this.#collection = collection
    this.#rows = new Map(Object.entries(gatewayRows(collection)))
  }

  get rows(): GatewayRows {
    return Object.fromEntries(this.#rows)
  }

  isTaken(name: string, run: string, number: number): boolean {
    return isTaken(this.#rows.get(name)?.runs ?? [], run, number)
  }

  /** One came again, or could not be read: nothing of it counts. */
  passedOver(name: string, why: 'repeated' | 'unreadable' | 'fault', at: Instant): void {
    const row = this.#rows.get(name) ?? NEW
    const lastAt = Math.max(row.lastAt, at)
    if (why === 'repeated') this.#put(name, { ...row, lastAt, repeated: row.repeated + 1 })
    else this.#put(name, { ...row, lastAt, outcomes: sum(row.outcomes, { [why]: 1 }) })
  }

  took(name: string, taken: TakenBatch): void {
    const row = this.#rows.get(name) ?? NEW
    const { figures, outcomes, at } = taken
    const applied = outcomes.get('taken') ?? 0
    const meanBytes = figures.pages === 0 ? 0 : figures.htmlBytes / figures.pages
    this.#put(name, {
      ...row,
      runs: withBatch(row.runs, taken.run, taken.number, at),
      batches: row.batches + 1,
      lastAt: Math.max(row.lastAt, at),
      passedAt: Math.max(row.passedAt, taken.to),
      bytes: row.bytes + taken.bytes,
      pages: row.pages + figures.pages,
      htmlBytes: row.htmlBytes + figures.htmlBytes,
      skipped: sum(row.skipped, figures.skipped),
      outcomes: sum(row.outcomes, Object.fromEntries(outcomes)),
      people: row.people + taken.people,
      robots: row.robots + taken.robots,
      avoidedRequests: row.avoidedRequests + applied + taken.confirmedToday,
      avoidedBytes: row.avoidedBytes + applied * meanBytes,
    })
  }

  /** Goes with the next commit. */
  save(): void {
    if (this.#isUnsaved) this.#collection.putFact(GATEWAYS, this.rows)
    this.#isUnsaved = false
  }

  #put(name: string, row: GatewayRow): void {
    this.#rows.set(name, row)
    this.#isUnsaved = true
  }
}

/** Reasons are the gateways' own words: so many are told apart, the rest is `other`. */
const MOST_NAMES = 100

function sum(before: Counts, more: Counts): Counts {
  const sums = new Map(Object.entries(before))
  for (const [name, count] of Object.entries(more)) {
    const place = sums.has(name) || sums.size < MOST_NAMES ? name : 'other'
    sums.set(place, (sums.get(place) ?? 0) + count)
  }
  return Object.fromEntries(sums)
}
