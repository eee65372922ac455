/**
 * Workbench: which site may be visited now (the heap of sites of 004 Figure 4, and BUbiNG's workbench,
 * doi:10.1145/3160017). Taking a site takes its address too, so politeness is an invariant of the structure and needs
 * no lock: at most one visit per site and per address is out.
 *
 *   idle ──work──▶ resting ──its clocks──▶ ready ──take──▶ leased ──release──▶ resting or idle
 *                                  └──▶ parked ──▶ ready
 *
 * Of the sites at one address at most one is ready: the best. The others are parked behind the address, and the best
 * of them is next when the address has rested, so a thousand names on one address cost no more than one.
 *
 * Invariants: a site is in exactly one of the heaps, or in none when idle or leased; an address behind which sites are
 * parked has a visit out, or a ready site, or is itself in `#waking`, so that nobody is forgotten there.
 */
import type { Instant } from '@comity/protocol'
import { IndexedHeap } from './indexed-heap.ts'
import type { HeapItem } from './indexed-heap.ts'
import type { Site } from './site.ts'

interface Address extends HeapItem {
  readonly name: string
  /** No connection before this. */
  readyAt: Instant
  /** The site that is being visited here. */
  visited: Site | undefined
  /** The site whose turn is next: the only one of this address among the ready. */
  next: Site | undefined
  /** Made when a second site comes; most addresses never see one. */
  parked: IndexedHeap<Site> | undefined
}

export class Workbench {
  /** Lower goes first. */
  readonly #rankSite: (site: Site) => number
  /** Whether a site has anything to be asked now. */
  readonly #hasWork: (site: Site) => boolean
  readonly #addresses = new Map<string, Address>()
  readonly #movedAddresses = new Set<Address>()
  readonly #ready = new IndexedHeap<Site>(goesFirst)
  readonly #resting = new IndexedHeap<Site>((a, b) => a.wakeAt < b.wakeAt || (a.wakeAt === b.wakeAt && a.id < b.id))
  /** Addresses with parked sites and nobody to go next. */
  readonly #waking = new IndexedHeap<Address>((a, b) => a.readyAt < b.readyAt)
  #turn = 0
  #out = 0

  constructor(rankSite: (site: Site) => number, hasWork: (site: Site) => boolean) {
    this.#rankSite = rankSite
    this.#hasWork = hasWork
  }

  /** Sites that could be visited at this moment; what `r` is bounded by (004 §4.3). */
  get ready(): number {
    return this.#ready.size
  }
  /** Sites being visited. */
  get out(): number {
    return this.#out
  }

  /**
   * Whether the site that is being visited would be taken again if it were released without a rest: nobody else goes first at its address
   * or, where it must share its place (`isFull`), anywhere. As good as it is enough for those who wait: they come round before it.
   */
  isNext(site: Site, isFull: boolean, now: Instant): boolean {
    this.#wake(now)
    const rank = this.#rankSite(site)
    const parked = this.#addressOf(site)?.parked?.peek()
    if (parked !== undefined && this.#rankSite(parked) <= rank) return false
    const ready = isFull ? this.#best() : undefined
    if (ready !== undefined) this.#ready.push(ready)
    return ready === undefined || ready.rank > rank
  }

  /** When the next site wakes: 0 when one is ready, Infinity when none will ever be by itself. */
  wakesAt(): Instant {
    if (this.#ready.size > 0) return 0
    return Math.min(this.#resting.peek()?.wakeAt ?? Infinity, this.#waking.peek()?.readyAt ?? Infinity)
  }

  /** A site has gained or lost work, or its clocks moved: put it where it belongs. A later clock is seen by `take`. */
  schedule(site: Site): void {
    if (site.place === 'leased') return
    if (!this.#hasWork(site)) this.#retire(site)
    else if (site.place === 'ready' || site.place === 'parked') this.#rerank(site)
    else this.#rest(site)
  }

  /** The best site that may be visited at `now`, taken together with its address. */
  take(now: Instant): Site | undefined {
    this.#wake(now)
    for (let site = this.#best(); site !== undefined; site = this.#best()) {
      const address = this.#addressOf(site)
      if (address !== undefined) address.next = undefined
      if (this.#hasWork(site) && Math.max(restsUntil(site), address?.readyAt ?? 0) <= now)
        return this.#hand(site, address)
      site.place = 'idle'
      this.schedule(site)
      if (address !== undefined) this.#vacate(address)
      this.#wake(now)
    }
    return undefined
  }

  /**
   * The taken site turned out to live at `name`, which is not connected to before `notBefore` in any case. False when
   * the address must wait; then the site is to be released.
   */
  place(site: Site, name: string, now: Instant, notBefore: Instant): boolean {
    const held = this.#addressOf(site)
    if (held?.visited === site && held.name === name) return true
    if (held?.visited === site) this.#vacate(held)
    site.address = name
    this.restAddress(name, notBefore)
    const address = this.#address(name)
    if (address.visited !== undefined || address.readyAt > now) return false
    this.#occupy(address, site)
    return true
  }

  /** The visit is over; the site is not connected to before `readyAt`, its address not before `addressAt`. */
  release(site: Site, readyAt: Instant, addressAt: Instant = readyAt): void {
    this.#out--
    site.place = 'idle'
    site.readyAt = Math.max(site.readyAt, readyAt)
    const address = this.#addressOf(site)
    if (address?.visited === site) {
      this.restAddress(address.name, addressAt)
      this.#movedAddresses.add(address)
      this.#vacate(address)
    }
    this.schedule(site)
  }

  /** An address is not connected to before `readyAt`. */
  restAddress(name: string, readyAt: Instant): void {
    const address = this.#address(name)
    address.readyAt = Math.max(address.readyAt, readyAt)
    this.#waking.update(address)
  }

  addressRestsUntil(name: string): Instant {
    return this.#addresses.get(name)?.readyAt ?? 0
  }

  /** Address clocks that moved since the last call. */
  drainAddresses(): [string, Instant][] {
    const rows = Array.from(this.#movedAddresses, ({ name, readyAt }): [string, Instant] => [name, readyAt])
    this.#movedAddresses.clear()
    return rows
  }

  /** The ready site that goes first. A rank that has got worse since it was set is seen here, where it matters. */
  #best(): Site | undefined {
    for (;;) {
      const site = this.#ready.pop()
      if (site === undefined) return undefined
      const rank = this.#rankSite(site)
      if (rank <= site.rank) return site
      site.rank = rank
      this.#ready.push(site)
    }
  }

  #wake(now: Instant): void {
    for (let next = this.#waking.peek(); next !== undefined && next.readyAt <= now; next = this.#waking.peek()) {
      this.#waking.pop()
      const best = next.parked?.pop()
      if (best !== undefined) this.#makeReady(best, next)
    }
    for (let site = this.#resting.peek(); site !== undefined && site.wakeAt <= now; site = this.#resting.peek()) {
      this.#resting.pop()
      this.#arrive(site, now)
    }
  }

  /** A site's own clocks allow a visit: it is ready, or queues at its address. */
  #arrive(site: Site, now: Instant): void {
    site.turn = ++this.#turn
    site.rank = this.#rankSite(site)
    const address = this.#addressOf(site)
    const isFree = address?.visited === undefined && address?.next === undefined && (address?.readyAt ?? 0) <= now
    if (address === undefined || isFree) return this.#makeReady(site, address)
    this.#park(site, address)
    this.#prefer(address)
  }

  #makeReady(site: Site, address: Address | undefined): void {
    site.place = 'ready'
    this.#ready.push(site)
    if (address !== undefined) address.next = site
  }

  #park(site: Site, address: Address): void {
    site.place = 'parked'
    address.parked ??= new IndexedHeap(goesFirst)
    address.parked.push(site)
    if (address.visited === undefined && address.next === undefined) this.#waking.push(address)
  }

  #hand(site: Site, address: Address | undefined): Site {
    if (address !== undefined) this.#occupy(address, site)
    site.place = 'leased'
    this.#out++
    return site
  }

  /** Whoever was to go next here waits for the visit that begins now. */
  #occupy(address: Address, site: Site): void {
    const { next } = address
    address.visited = site
    address.next = undefined
    this.#waking.remove(address)
    if (next === undefined) return
    this.#ready.remove(next)
    this.#park(next, address)
  }

  /** Nobody is visited here any more, and nobody goes next: whoever is parked gets a chance at the next `take`. */
  #vacate(address: Address): void {
    address.visited = undefined
    if (address.parked !== undefined && address.parked.size > 0) this.#waking.push(address)
  }

  #rest(site: Site): void {
    site.wakeAt = restsUntil(site)
    site.place = 'resting'
    this.#resting.push(site)
  }

  #rerank(site: Site): void {
    const rank = this.#rankSite(site)
    if (rank === site.rank) return
    site.rank = rank
    const address = this.#addressOf(site)
    if (site.place === 'ready') this.#ready.update(site)
    else address?.parked?.update(site)
    if (address !== undefined) this.#prefer(address)
  }

  /** Ranks have moved: if a parked site is now better than the one that was to go next, they change places. */
  #prefer(address: Address): void {
    const { next, parked } = address
    const best = parked?.peek()
    if (next === undefined || best === undefined || !goesFirst(best, next)) return
    parked?.pop()
    this.#ready.remove(next)
    this.#makeReady(best, address)
    this.#park(next, address)
  }

  #retire(site: Site): void {
    const address = this.#addressOf(site)
    if (site.place === 'resting') this.#resting.remove(site)
    if (site.place === 'ready') this.#ready.remove(site)
    if (site.place === 'parked') address?.parked?.remove(site)
    site.place = 'idle'
    if (address === undefined) return
    if (address.next === site) {
      address.next = undefined
      this.#vacate(address)
    } else if (address.parked?.size === 0) this.#waking.remove(address)
  }

  #address(name: string): Address {
    const known = this.#addresses.get(name)
    if (known !== undefined) return known
    const fresh: Address = { name, readyAt: 0, visited: undefined, next: undefined, parked: undefined, heapAt: 0 }
    this.#addresses.set(name, fresh)
    return fresh
  }

  #addressOf(site: Site): Address | undefined {
    return site.address === undefined ? undefined : this.#address(site.address)
  }
}

/** Until when a site's own clocks let it rest. */
const restsUntil = (site: Site): Instant => Math.max(site.readyAt, site.askedUntil)

const goesFirst = (a: Site, b: Site): boolean => a.rank < b.rank || (a.rank === b.rank && a.turn < b.turn)
