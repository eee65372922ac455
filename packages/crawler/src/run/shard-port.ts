/**
 * ShardPort: what joins a crawl to others that crawl the same web together: whose home a page is, who lends addresses, and what is told
 * from one to the other. A crawl that is alone has none, and nothing of this costs it anything.
 *
 * The loop, the frontier and the collection are those of any crawl; a shard is a collection. It ends when whoever gave the port says
 * so: only all together know that there is nothing left.
 */
import { addressRestMs, reasonCode, EXCLUDED, reasonNamed } from '@comity/frontier'
import type { Frontier, HomeOf, Lease } from '@comity/frontier'
import type { Collection, Taken } from '@comity/collection'
import { canonicalUrl, siteOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { Totals } from '@comity/ingest'
import type { CrawlOptions } from '../options.ts'
import type { StartPages } from './start-pages.ts'
import type { VisitPlaces } from './visit-places.ts'

/** An address that is ours for a while. */
export interface AddressLoan {
  /** Whether one more request may be sent. */
  isGood(): boolean
  /** Others wait for it: who has had a page gives way. */
  isWanted(): boolean
  /** It has ended: the connection is to be destroyed. */
  whenOver(end: () => void): void
  /** Nobody is connected to it any more; it rests for so long. */
  giveBack(restMs: number): void
}

export interface ShardPort {
  readonly homeOf: HomeOf
  /** Ask for an address before it is connected to. */
  borrow(
    address: string,
    restMs: number,
  ): Promise<{ readonly kind: 'lent'; readonly loan: AddressLoan } | { readonly kind: 'wait'; readonly waitMs: number }>
  /** Whether visits may begin. */
  mayVisit(): boolean
  /** Shared with other shards of this machine. */
  readonly places?: VisitPlaces | undefined
  /** Its clocks were another machine's: every site rests, as after an unclean stop. */
  readonly isMoved: boolean
  /** The crawl is about to begin. */
  begin(run: ShardRun): void
}

/** Told of a page that is at home here, by the shard that found it. */
interface ToldPage {
  readonly url: string
  readonly depth: number
  readonly seed: number
}

/** What comes from other shards. */
interface ShardIntake {
  /** Take pages in. Returns how many were not: they are not at home here, or no URLs as we write them. */
  offer(pages: readonly ToldPage[]): number
  /** To become durable with what was offered. */
  keep(taken: readonly Taken[]): void
  /** Resolves when all that is in now is durable. */
  durable(): Promise<void>
}

/** How much it has done, and may do. */
interface ShardExtent {
  /** Nothing is under way, and nothing will be within the crawl's patience. */
  isIdle(): boolean
  /** Pages of the collection, with those on their way. */
  pagesTaken(): number
  /** At most so many pages, from now on. */
  limitPages(pages: number): void
  /** Bytes of the collection, with the most that may be on their way. */
  bytesTaken(): number
  /** At most so many bytes, whatever is on its way: no visit begins while the largest page would not fit. */
  limitBytes(bytes: number): void
}

/** A running shard, for whoever gave the port. */
export interface ShardRun {
  readonly frontier: Frontier
  readonly collection: Collection
  readonly totals: Totals
  readonly intake: ShardIntake
  readonly extent: ShardExtent
  /** All together have nothing left. */
  end(): void
  /** It is not ours any more: connections are destroyed at once, and nothing is asked again. */
  abandon(error: Error): void
}

/** Ask the keeper for the address of a visit that the frontier has placed; undefined when it must wait, and the lease is over. */
export async function borrowAddress(
  lease: Lease,
  address: string,
  { shard, frontier, now }: { readonly shard: ShardPort; readonly frontier: Frontier; readonly now: () => Instant },
): Promise<AddressLoan | undefined> {
  const borrowed = await shard.borrow(address, addressRestMs(lease.politeness))
  if (borrowed.kind === 'lent') return borrowed.loan
  frontier.postpone(lease, now() + borrowed.waitMs, now())
  return undefined
}

interface IntakeParts {
  readonly frontier: Frontier
  readonly start: StartPages
  readonly options: CrawlOptions
}

/**
 * What another shard has found for this one, judged as any link is. Only pages at home here are taken, whoever says what. A page at
 * depth 0 is where a start page has moved to.
 */
export function takeTold({ frontier, start, options }: IntakeParts, pages: readonly ToldPage[]): number {
  const seeds = start.urls.length
  let refused = 0
  for (const { url, depth, seed } of pages) {
    const origin = siteOf(url)
    const isOurs =
      canonicalUrl(url, undefined, options.urlRules) === url && frontier.elsewhere?.of(origin) === undefined
    if (!isOurs) {
      refused++
      continue
    }
    if (depth === 0) widen({ frontier, start }, url)
    const reason = start.reasonFor(url, { depth, listed: depth === 0 })
    if (frontier.findUrl(url) === -1 && !frontier.hasRoomFor(url)) refused++
    else {
      const found = { depth, seed: seed < seeds ? seed : 0 }
      frontier.offer(url, reason === undefined ? found : { ...found, excluded: reasonCode(reason) })
    }
  }
  return refused
}

/** Others may have told of pages there before it was known that a start page has moved there. */
function widen({ frontier, start }: Pick<IntakeParts, 'frontier' | 'start'>, url: string): void {
  if (start.isStart(url)) return
  start.move(url)
  const { pages } = frontier
  for (let page = 0; page < pages.count; page++) {
    if (pages.stateOf(page) !== EXCLUDED || reasonNamed(pages.exclusionOf(page)) !== 'scope') continue
    const depth = pages.depthOf(page)
    if (start.reasonFor(frontier.urlOf(page), { depth, listed: false }) === undefined) frontier.admit(page)
  }
}
