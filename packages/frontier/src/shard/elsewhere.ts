/**
 * Elsewhere: pages whose home is another shard. Each is a row with an id, so that links to it stay local, and no more: no `Site` (540
 * bytes, and every shard hears of nearly every site), no place in a queue. All of them stand on one site without an origin, by their
 * whole URL; their key is that of their path, mixed with one of their origin.
 *
 * What is found leaves with the next batch: for each shard the pages that it is to be told of, in the order in which they were found.
 * The shard itself judges whether it wants them, as it alone knows where start pages have moved to.
 *
 * Invariant: a page is told again only when it was found nearer to a start page.
 */
import { siteOf, writeUrlKey } from '@comity/protocol'
import { reasonCode } from '../queue/exclusion-reasons.ts'
import { NO_PARENT } from '../queue/frontier-batch.ts'
import type { Discovery } from '../queue/frontier-options.ts'
import type { PageLedger } from '../queue/page-ledger.ts'
import { EXCLUDED } from '../queue/page-table.ts'
import type { PageTable } from '../queue/page-table.ts'
import type { SiteList } from '../queue/site-list.ts'

/** The home of an origin's pages: a shard by its number, or undefined for this one. */
export type HomeOf = (origin: string) => number | undefined

/** Where pages of an origin that is not at home here are kept. */
interface Away {
  readonly shard: number
  readonly site: number
  readonly high: number
  readonly low: number
}

/** The origin that their rows have. */
const NO_ORIGIN = ''
const REASON: number = reasonCode('elsewhere')
/** What a page says of its own link; all else is judged where the page is at home. */
const SAID_OF_LINK: ReadonlySet<number> = new Set([reasonCode('nofollow'), reasonCode('type'), reasonCode('told-type')])
/** Origins looked up lately: links of one page lead to few sites. */
const MAX_REMEMBERED = 10_000
/** Rows, 36 bytes each and their text; what is found beyond that is counted as lost. */
const MAX_ROWS = 100_000_000
const MAX_DEPTH = 0xffff

interface ElsewhereParts {
  readonly sites: SiteList
  readonly table: PageTable
  readonly ledger: PageLedger
  readonly homeOf: HomeOf
}

export class Elsewhere {
  readonly #parts: ElsewhereParts
  readonly #known = new Map<string, Away | undefined>()
  readonly #key = new Uint32Array(2)
  #found: [shard: number, page: number][] = []
  #site: number | undefined

  constructor(parts: ElsewhereParts) {
    this.#parts = parts
  }

  /** Undefined when the origin is at home here. */
  of(origin: string): Away | undefined {
    if (this.#known.has(origin)) return this.#known.get(origin)
    const shard = this.#parts.homeOf(origin)
    let away: Away | undefined
    if (shard !== undefined) {
      writeUrlKey(origin, this.#key, 0)
      const site = (this.#site ??= this.#parts.sites.idOf(NO_ORIGIN))
      away = { shard, site, high: this.#key[0]!, low: this.#key[1]! }
    }
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear()
    this.#known.set(origin, away)
    return away
  }

  get hasRoom(): boolean {
    return this.#site === undefined || this.#parts.sites.at(this.#site).known < MAX_ROWS
  }

  /** The page with this URL, or -1. */
  findUrl(url: string, { site, high, low }: Away): number {
    writeUrlKey(url.slice(siteOf(url).length), this.#key, 0)
    return this.#parts.table.find(site, (this.#key[0]! ^ high) >>> 0, (this.#key[1]! ^ low) >>> 0)
  }

  offer(url: string, away: Away, found: Discovery): number {
    writeUrlKey(url.slice(siteOf(url).length), this.#key, 0)
    return this.take(url, away, [this.#key[0]!, this.#key[1]!], found)
  }

  /** The same by the key of its path; -1 when there is no room for it. */
  take(url: string | (() => string), away: Away, [high, low]: readonly [number, number], found: Discovery): number {
    const key = [(high ^ away.high) >>> 0, (low ^ away.low) >>> 0] as const
    const known = this.#parts.table.find(away.site, ...key)
    if (known !== -1) this.#foundAgain(known, away, found)
    else if (!this.hasRoom) return -1
    return known === -1 ? this.#add(typeof url === 'string' ? url : url(), away, key, found) : known
  }

  drain(): [shard: number, page: number][] {
    const found = this.#found
    this.#found = []
    return found
  }

  #add(url: string, away: Away, [high, low]: readonly [number, number], found: Discovery): number {
    const { sites, table, ledger } = this.#parts
    const excluded = awayReason(found.excluded)
    const page = table.add(away.site, high, low, found.seed, Math.min(found.depth, MAX_DEPTH), EXCLUDED, excluded)
    ledger.enter(page, url, found.parent ?? NO_PARENT)
    sites.at(away.site).known++
    if (excluded === REASON) this.#found.push([away.shard, page])
    return page
  }

  /** That shard is told when it is nearer, or when nothing is said against it any more. */
  #foundAgain(page: number, away: Away, { depth, excluded }: Discovery): void {
    const { table, ledger } = this.#parts
    if (awayReason(excluded) !== REASON || table.stateOf(page) !== EXCLUDED) return
    const isTold = table.exclusionOf(page) === REASON
    if (isTold && depth >= table.depthOf(page)) return
    table.setDepth(page, Math.min(depth, table.depthOf(page)))
    ledger.move(page, EXCLUDED, REASON)
    this.#found.push([away.shard, page])
  }
}

/** Why a page that is at home elsewhere is excluded here: for what was said of the link, or because it is elsewhere. */
const awayReason = (excluded: number | undefined): number =>
  excluded !== undefined && SAID_OF_LINK.has(excluded) ? excluded : REASON
