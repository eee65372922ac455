/**
 * How a web falls on the shards of a cluster: a crawl in rounds, in which each shard takes the next page of its own queue, keeps a row for
 * each page of another shard that it finds, and tells that shard of it, once and again when it is nearer. Pure, by seed.
 *
 *   web ──▶ hosts ──▶ registrable domains ──▶ shards          and  hosts ──▶ addresses
 *
 * Placement is the cluster's own function. Which hosts share a domain or an address is made up by law: most have their own, the rest follow
 * Zipf's, as blogs on a platform and sites behind a CDN do.
 */
import { shardOf } from '@comity/cluster'
import type { WebGraph } from '@comity/lab'
import { createRandom } from '@comity/testbed'

export interface SharesCall {
  readonly web: WebGraph
  readonly shards: number
  readonly seed: number
  /** Share of the hosts that have no domain, or no address, of their own. */
  readonly onPlatforms: number
  readonly behindNetworks: number
}

export interface Shares {
  /** By shard. */
  readonly pages: Uint32Array
  readonly bytes: Float64Array
  readonly sites: Uint32Array
  readonly foreignRows: Uint32Array
  /** Sites that a shard has found pages of without being their home. */
  readonly foreignSites: Uint32Array
  readonly entries: Uint32Array
  /** Of all links those that lead to another shard, and all. */
  readonly crossing: number
  readonly links: number
  readonly fetched: number
  readonly told: number
  readonly toldAgain: number
  /** Of all pages, those of the domain that has most. */
  readonly largestDomain: number
  readonly entryBytes: number
  /** Pages by address, most first. */
  readonly addressPages: readonly number[]
  /** Shards that have pages at the busiest addresses. */
  readonly addressShards: readonly number[]
}

/** Hosts by number, each with a group: mostly one of its own. */
function groupsOf(hosts: number, shared: number, seed: number): Uint32Array {
  const random = createRandom(seed)
  const groups = new Uint32Array(hosts)
  const platforms = Math.max(1, Math.floor(hosts / 100))
  for (let host = 0; host < hosts; host++) {
    const isShared = random.chance(shared)
    // Zipf with exponent one: the n-th of them is chosen as often as 1/n.
    groups[host] = isShared ? hosts + Math.floor(platforms ** random.next()) - 1 : host
  }
  return groups
}

export function sharesOf({ web, shards, seed, onPlatforms, behindNetworks }: SharesCall): Shares {
  const domains = groupsOf(web.sites, onPlatforms, seed)
  const addresses = groupsOf(web.sites, behindNetworks, seed + 1)
  const homes = Uint32Array.from(domains, (domain, host) => shardOf(`https://h${host}.d${domain}.example`, shards))
  const crawl = crawlInRounds(web, homes, shards)
  const [pages, sites] = [new Uint32Array(shards), new Uint32Array(shards)]
  const bytes = new Float64Array(shards)
  const byDomain = new Map<number, number>()
  const byAddress = new Map<number, { pages: number; readonly shards: Set<number> }>()
  for (const page of crawl.fetched) {
    const host = web.siteOf[page]!
    const home = homes[host]!
    pages[home]!++
    bytes[home]! += web.bytes?.[page] ?? 0
    byDomain.set(domains[host]!, (byDomain.get(domains[host]!) ?? 0) + 1)
    const at = byAddress.get(addresses[host]!) ?? { pages: 0, shards: new Set() }
    byAddress.set(addresses[host]!, at)
    at.pages++
    at.shards.add(home)
  }
  for (const home of homes) sites[home]!++
  const busiest = [...byAddress.values()].toSorted((a, b) => b.pages - a.pages)
  return {
    pages,
    bytes,
    sites,
    ...crawl,
    fetched: crawl.fetched.length,
    largestDomain: Math.max(...byDomain.values()) / crawl.fetched.length,
    entryBytes: meanEntryBytes(web, domains),
    addressPages: busiest.map((one) => one.pages),
    addressShards: busiest.slice(0, 20).map((one) => one.shards.size),
  }
}

type Crawled = Pick<Shares, 'foreignRows' | 'foreignSites' | 'entries' | 'crossing' | 'links' | 'told' | 'toldAgain'>

function crawlInRounds(web: WebGraph, homes: Uint32Array, shards: number): Crawled & { readonly fetched: number[] } {
  const UNKNOWN = 0xff
  const depths = new Uint8Array(web.pages).fill(UNKNOWN)
  const queues: { pages: number[]; next: number }[] = Array.from({ length: shards }, () => ({ pages: [], next: 0 }))
  const [foreignRows, entries] = [new Uint32Array(shards), new Uint32Array(shards)]
  const sites = Array.from({ length: shards }, () => new Set<number>())
  /** How near each page of another shard was told, by the shard that tells and the page. */
  const told = new Map<number, number>()
  const fetched: number[] = []
  let [crossing, links, toldAgain] = [0, 0, 0]
  const homeOf = (page: number): number => homes[web.siteOf[page]!]!
  const offer = (page: number, depth: number): void => {
    if (depths[page] === UNKNOWN) queues[homeOf(page)]!.pages.push(page)
    depths[page] = Math.min(depths[page]!, depth, UNKNOWN - 1)
  }
  for (const home of web.homes) offer(home, 0)
  for (let isMoving = true; isMoving;) {
    isMoving = false
    /** Heard of in the next round: messages take a while. */
    const heard: [page: number, depth: number][] = []
    for (const [shard, queue] of queues.entries()) {
      const page = queue.pages[queue.next]
      if (page === undefined) continue
      queue.next++
      isMoving = true
      fetched.push(page)
      const depth = Math.min(depths[page]! + 1, UNKNOWN - 1)
      for (const target of web.targets.subarray(web.starts[page], web.starts[page + 1])) {
        links++
        if (homeOf(target) === shard) {
          offer(target, depth)
          continue
        }
        crossing++
        const key = shard * web.pages + target
        const before = told.get(key)
        if (before !== undefined && before <= depth) continue
        if (before === undefined) foreignRows[shard]!++
        else toldAgain++
        sites[shard]!.add(web.siteOf[target]!)
        told.set(key, depth)
        entries[shard]!++
        heard.push([target, depth])
      }
    }
    for (const [page, depth] of heard) offer(page, depth)
  }
  const foreignSites = Uint32Array.from(sites, ({ size }) => size)
  return { fetched, foreignRows, foreignSites, entries, crossing, links, told: told.size, toldAgain }
}

/** As an entry is written on the wire, for pages with paths as long as these have. */
function meanEntryBytes(web: WebGraph, domains: Uint32Array): number {
  const sample = Math.min(web.pages, 1_000)
  let bytes = 0
  for (let n = 0; n < sample; n++) {
    const page = Math.floor((n * web.pages) / sample)
    const host = web.siteOf[page]!
    const path = new URL(web.words?.urlOf(page) ?? 'https://a.example/').pathname
    const url = `https://h${host}.d${domains[host]!}.example${path}`
    bytes += JSON.stringify({ url, depth: 3, seed: 0 }).length + 1
  }
  return bytes / sample
}
