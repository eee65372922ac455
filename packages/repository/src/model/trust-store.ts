/** Trust store: the sites that help crawlers, what they offer and how far they are believed, as a watch left it written. */
import type { FollowedCollection } from '@comity/collection'
import { cooperationOf, cooperationStory, isCooperating, lastWatch } from '@comity/follow'
import type { Instant } from '@comity/protocol'
import type { CooperatingQuery, CooperatingSites } from '../ports.ts'
import type { SiteStore } from './site-store.ts'
import { TimeSlices } from './time-slices.ts'

type Row = CooperatingSites['rows'][number]

const DAY_MS = 86_400_000
/** Reading every row takes at most this part of the time. */
const COST_RATIO = 20

export class TrustStore {
  readonly #followed: FollowedCollection
  readonly #options: { readonly now: () => Instant; readonly everyMs: number }
  #rows: readonly (Omit<Row, 'held'> & { readonly site: number })[] = []
  #dueAt: Instant = -Infinity
  /** Another store means that everything was begun anew. */
  #of: SiteStore | undefined

  constructor(followed: FollowedCollection, options: { readonly now: () => Instant; readonly everyMs: number }) {
    this.#followed = followed
    this.#options = options
  }

  async list(store: SiteStore, { offset, limit, only }: CooperatingQuery): Promise<CooperatingSites> {
    const { now, everyMs } = this.#options
    if (now() >= this.#dueAt || this.#of !== store) {
      const began = performance.now()
      this.#rows = await this.#read(store)
      this.#of = store
      this.#dueAt = everyMs === 0 ? -Infinity : now() + Math.max(everyMs, COST_RATIO * (performance.now() - began))
    }
    const wanted = only === 'calling' ? callers(this.#rows) : this.#rows
    const rows: Row[] = []
    for (const { site, ...row } of wanted.slice(offset, offset + limit)) {
      rows.push({ ...row, held: store.row(site).held })
    }
    let visited = 0
    for (const site of store.sites) if (store.row(site).lastVisitAt !== undefined) visited++
    return { total: wanted.length, ordinary: Math.max(0, visited - this.#rows.length), rows }
  }

  async #read(store: SiteStore): Promise<(Omit<Row, 'held'> & { site: number })[]> {
    const slices = new TimeSlices()
    const rows: (Omit<Row, 'held'> & { site: number })[] = []
    const dayMs = lastWatch(this.#followed.current)?.sample.dayMs ?? DAY_MS
    // All at once: the store may be read anew while we rest.
    for (const site of Array.from(store.sites)) {
      const row = cooperationOf(this.#followed.current, site)
      if (row !== undefined) {
        const story = cooperationStory(row, dayMs, this.#options.now())
        if (isCooperating(story)) rows.push({ site, origin: store.row(site).origin, ...story })
      }
      if (slices.isOver) await slices.rest()
    }
    return rows.toSorted(
      (a, b) => heard(b) - heard(a) || b.offers.length - a.offers.length || (a.origin < b.origin ? -1 : 1),
    )
  }
}

/** Those that sent most first. */
function callers<Story extends Pick<Row, 'calls' | 'origin'>>(rows: readonly Story[]): Story[] {
  const sent = ({ calls }: Story): number => calls?.heard ?? 0
  return rows
    .filter(({ calls }) => calls !== undefined)
    .toSorted((a, b) => sent(b) - sent(a) || (a.origin < b.origin ? -1 : 1))
}

const heard = ({ channels }: Pick<Row, 'channels'>): number => channels.reduce((sum, one) => sum + one.heard, 0)
