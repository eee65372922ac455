/**
 * Workbench: which site may be visited now (the heap of sites of 004 Figure 4, and BUbiNG's workbench,
 * doi:10.1145/3160017). Taking a site takes its address too, so politeness is an invariant of the structure and needs
 * no lock: at most one visit per site and per address is out.
 *
 * A site whose address is taken is parked behind it; when the address comes free, the best parked site is let go.
 */
import type { Instant } from '@comity/protocol'
import { IndexedHeap } from './indexed-heap.ts'
import type { Order } from './order.ts'
import type { Site } from './site.ts'

interface AddressClock {
  readyAt: Instant
  holder: Site | undefined
  readonly parked: Set<Site>
}

export class Workbench {
  readonly #sites: readonly Site[]
  readonly #order: Order
  /** Whether a site has anything to be asked now. */
  readonly #hasWork: (site: Site) => boolean
  readonly #addresses = new Map<string, AddressClock>()
  readonly #dirtyAddresses = new Set<string>()
  readonly #ready: IndexedHeap
  readonly #resting: IndexedHeap
  #turn = 0
  #out = 0

  constructor(sites: readonly Site[], order: Order, hasWork: (site: Site) => boolean) {
    this.#sites = sites
    this.#order = order
    this.#hasWork = hasWork
    const at = (id: number): Site => sites[id] as Site
    this.#ready = new IndexedHeap((a, b) => at(a).rank - at(b).rank < 0 || (at(a).rank === at(b).rank && at(a).turn < at(b).turn))
    this.#resting = new IndexedHeap((a, b) => at(a).wakeAt < at(b).wakeAt || (at(a).wakeAt === at(b).wakeAt && a < b))
  }

  /** Sites that could be visited at this moment; what `r` is bounded by (004 §4.3). */
  get ready(): number {
    return this.#ready.size
  }
  /** Sites being visited. */
  get out(): number {
    return this.#out
  }

  /** When the next site wakes: 0 when one is ready, Infinity when none will ever be by itself. */
  wakesAt(): Instant {
    if (this.#ready.size > 0) return 0
    const next = this.#resting.peek()
    return next === undefined ? Infinity : (this.#sites[next] as Site).wakeAt
  }

  /** A site has gained or lost work, or its clocks moved: put it where it belongs. */
  schedule(site: Site): void {
    if (site.place === 'leased' || site.place === 'parked') return
    if (!this.#hasWork(site)) return this.#retire(site)
    if (site.place === 'ready') return this.#rerank(site)
    site.wakeAt = Math.max(site.readyAt, site.askedUntil, this.#clockOf(site)?.readyAt ?? 0)
    site.place = 'resting'
    this.#resting.push(site.id)
  }

  /** The best site that may be visited at `now`, taken together with its address. */
  take(now: Instant): Site | undefined {
    this.#wake(now)
    for (let id = this.#ready.pop(); id !== undefined; id = this.#ready.pop()) {
      const site = this.#sites[id] as Site
      site.place = 'idle'
      if (!this.#hasWork(site)) {
        this.#retire(site)
        continue
      }
      const clock = this.#clockOf(site)
      if (clock?.holder !== undefined) this.#park(site, clock)
      else if (Math.max(site.readyAt, site.askedUntil, clock?.readyAt ?? 0) > now) this.schedule(site)
      else return this.#hand(site, clock)
    }
    return undefined
  }

  /** The taken site turned out to live at `address`. False when that address must wait: then the site is given back. */
  place(site: Site, address: string, now: Instant): boolean {
    const held = this.#clockOf(site)
    if (site.address === address && held?.holder === site) return true
    if (held?.holder === site) this.#free(held)
    site.address = address
    const clock = this.#addresses.get(address) ?? { readyAt: 0, holder: undefined, parked: new Set() }
    this.#addresses.set(address, clock)
    if (clock.holder === undefined && clock.readyAt <= now) {
      clock.holder = site
      return true
    }
    this.#out--
    site.place = 'idle'
    if (clock.holder === undefined) this.schedule(site)
    else this.#park(site, clock)
    return false
  }

  /** The visit is over; neither the site nor its address is connected to before `readyAt`. */
  release(site: Site, readyAt: Instant): void {
    this.#out--
    site.place = 'idle'
    site.readyAt = Math.max(site.readyAt, readyAt)
    const clock = this.#clockOf(site)
    if (clock !== undefined && clock.holder === site) {
      clock.readyAt = Math.max(clock.readyAt, readyAt)
      this.#dirtyAddresses.add(site.address as string)
      clock.holder = undefined
    }
    this.schedule(site)
    if (clock !== undefined) this.#free(clock)
  }

  setAddressClock(address: string, readyAt: Instant): void {
    this.#addresses.set(address, { readyAt, holder: undefined, parked: new Set() })
  }

  /** Address clocks that moved since the last call. */
  drainAddresses(): [string, Instant][] {
    const rows = [...this.#dirtyAddresses].map((address): [string, Instant] => [
      address,
      (this.#addresses.get(address) as AddressClock).readyAt,
    ])
    this.#dirtyAddresses.clear()
    return rows
  }

  #wake(now: Instant): void {
    for (let id = this.#resting.peek(); id !== undefined; id = this.#resting.peek()) {
      const site = this.#sites[id] as Site
      if (site.wakeAt > now) return
      this.#resting.pop()
      site.place = 'ready'
      site.turn = ++this.#turn
      site.rank = this.#order.rankSite(site)
      this.#ready.push(id)
    }
  }

  #hand(site: Site, clock: AddressClock | undefined): Site {
    if (clock !== undefined) clock.holder = site
    site.place = 'leased'
    this.#out++
    return site
  }

  #rerank(site: Site): void {
    const rank = this.#order.rankSite(site)
    if (rank === site.rank) return
    site.rank = rank
    this.#ready.update(site.id)
  }

  #retire(site: Site): void {
    if (site.place === 'resting') this.#resting.remove(site.id)
    if (site.place === 'ready') this.#ready.remove(site.id)
    site.place = 'idle'
    const clock = this.#clockOf(site)
    if (clock !== undefined && clock.holder === undefined) this.#free(clock)
  }

  #park(site: Site, clock: AddressClock): void {
    site.place = 'parked'
    clock.parked.add(site)
  }

  /** Let the best parked site go: the one that may be visited first, then the one the order prefers. */
  #free(clock: AddressClock): void {
    clock.holder = undefined
    let best: Site | undefined
    let bestKey = [Infinity, Infinity]
    for (const site of clock.parked) {
      const key = [Math.max(site.readyAt, site.askedUntil, clock.readyAt), this.#order.rankSite(site)]
      if (best === undefined || key[0]! < bestKey[0]! || (key[0] === bestKey[0] && key[1]! < bestKey[1]!)) {
        best = site
        bestKey = key
      }
    }
    if (best === undefined) return
    clock.parked.delete(best)
    best.place = 'idle'
    this.schedule(best)
  }

  #clockOf(site: Site): AddressClock | undefined {
    return site.address === undefined ? undefined : this.#addresses.get(site.address)
  }
}
