/**
 * PushStore: what is remembered of each site as one that pushes: what it is subscribed to, what it sent by which scheme and
 * what came of it, what was refused in its name. Counted in memory, where a storm costs little, and written with the next
 * commit, into the site's row of the cooperation table.
 */
import { addCount, ownValue } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { InboxEndpoint, InboxItem, InboxProof, InboxScheme, Subscription } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import type { CooperationStore } from './cooperation-store.ts'

/** What has come in since the endpoints were opened. */
export interface IntakeFigures {
  readonly totals: {
    readonly accepted: number
    readonly acceptedBytes: number
    readonly byDoor: Readonly<Record<string, number | undefined>>
    /** By reason. */
    readonly refused: Readonly<Record<string, number | undefined>>
    readonly ignored: number
  }
  /** Some sites, those that were heard last. */
  readonly sites: readonly { readonly origin: string; readonly refused: Readonly<Record<string, number | undefined>> }[]
  readonly inbox: { readonly items: number; readonly bytes: number }
  readonly pending: number
  readonly fill: number
}

/** Field names are part of the format. */
export interface PushRow {
  readonly subscription?: SubscriptionRow | undefined
  /** Pages and notices, by what came of each; since it was first heard. */
  readonly outcomes: Counts
  /** The same by scheme. */
  readonly schemes: Counts
  readonly bytes: number
  /** Of the last that came: when, through which endpoint, and how the site had proven itself. */
  readonly lastAt?: Instant | undefined
  readonly door?: InboxEndpoint | undefined
  readonly proof?: InboxProof | undefined
  /** Requests in the name of the site that were refused, by reason. */
  readonly refused: Counts
}

export interface SubscriptionRow {
  readonly scheme: InboxScheme
  readonly state: Subscription['state']
  readonly leaseUntil?: Instant | undefined
  /** Why the hub would not, in its own words. */
  readonly reason?: string | undefined
}

export type Counts = Readonly<Record<string, number>>

/** The same while it is counted: a copy for every notice of a storm would be dear. */
type Counting = { -readonly [Name in keyof PushRow]: PushRow[Name] } & {
  readonly outcomes: Record<string, number>
  readonly schemes: Record<string, number>
}

/** A hub's words. */
const MAX_REASON = 200

export class PushStore {
  readonly #store: CooperationStore
  readonly #frontier: Pick<Frontier, 'sites'>
  readonly #sites = new Map<string, number>()
  readonly #rows = new Map<number, Counting>()
  readonly #unsaved = new Set<number>()
  /** What was refused before this run: endpoints count from when they were opened. */
  readonly #refusedBefore = new Map<number, Counts>()
  #lastItem = 0

  constructor(store: CooperationStore, frontier: Pick<Frontier, 'sites'>) {
    this.#store = store
    this.#frontier = frontier
  }

  /** One page or notice; of a site that is not known nothing is kept. */
  taken({ number, origin, scheme, door, proof, at, body }: InboxItem, outcome: string): void {
    const site = this.#siteOf(origin)
    if (site === undefined) return
    const row = this.#changing(site)
    addCount(row.outcomes, outcome)
    addCount(row.schemes, scheme)
    // An item may hold many.
    if (number !== this.#lastItem) row.bytes += body.length
    this.#lastItem = number
    row.lastAt = at
    row.door = door
    row.proof = proof
  }

  subscribed(subscriptions: readonly Subscription[]): void {
    for (const { origin, scheme, state, leaseUntil, reason } of newestOf(subscriptions)) {
      const site = this.#siteOf(origin)
      if (site === undefined) continue
      const { subscription: known } = this.#rowOf(site)
      const isKnown = known?.scheme === scheme && known.state === state && known.leaseUntil === leaseUntil
      const subscription = { scheme, state, leaseUntil, reason: reason?.slice(0, MAX_REASON) }
      if (!isKnown) this.#changing(site).subscription = subscription
    }
  }

  heard({ sites }: Pick<IntakeFigures, 'sites'>): void {
    for (const { origin, refused } of sites) {
      const site = this.#siteOf(origin)
      if (site === undefined) continue
      const known = this.#rowOf(site).refused
      const sums = sumOf(this.#refusedBefore.get(site) ?? {}, refused)
      const isKnown = Object.entries(sums).every(([kind, count]) => ownValue(known, kind) === count)
      if (!isKnown) this.#changing(site).refused = sums
    }
  }

  /** There is something to go with the next commit. */
  get isUnsaved(): boolean {
    return this.#unsaved.size > 0
  }

  /** Goes with the next commit. */
  save(): void {
    for (const site of this.#unsaved) this.#store.note(site, { calls: structuredClone(this.#rows.get(site)) })
    this.#unsaved.clear()
  }

  #changing(site: number): Counting {
    this.#unsaved.add(site)
    return this.#rowOf(site)
  }

  #rowOf(site: number): Counting {
    const known = this.#rows.get(site)
    if (known !== undefined) return known
    const { outcomes = {}, schemes = {}, bytes = 0, refused = {}, ...rest } = this.#store.of(site).calls ?? {}
    const row = { ...rest, outcomes: { ...outcomes }, schemes: { ...schemes }, bytes, refused }
    this.#rows.set(site, row)
    this.#refusedBefore.set(site, refused)
    return row
  }

  /** Sites only ever become more. */
  #siteOf(origin: string): number | undefined {
    const { sites } = this.#frontier
    for (let site = this.#sites.size; site < sites.length; site++) this.#sites.set(sites[site]!.origin, site)
    return this.#sites.get(origin)
  }
}

const RANK: readonly Subscription['state'][] = ['ended', 'denied', 'leaving', 'asked', 'active']

/** Of a site that was subscribed to more than once, the one that counts. */
function newestOf(subscriptions: readonly Subscription[]): Iterable<Subscription> {
  const best = new Map<string, Subscription>()
  for (const one of subscriptions) {
    const known = best.get(one.origin)
    if (known === undefined || RANK.indexOf(one.state) > RANK.indexOf(known.state)) best.set(one.origin, one)
  }
  return best.values()
}

function sumOf(before: Counts, now: Readonly<Record<string, number | undefined>>): Counts {
  const sums: Record<string, number> = { ...before }
  for (const [name, count = 0] of Object.entries(now)) addCount(sums, name, count)
  return sums
}
