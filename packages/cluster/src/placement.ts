/**
 * Placement: where something is at home. A pure function, so nobody asks and nothing moves: a page lives in the shard of its
 * registrable domain, with all hosts, schemes and ports of it, and an address is lent by the keeper of its number.
 */
import { clientNetwork, hostOf, registrableDomain } from '@comity/protocol'

/** So many shards at most: each keeps a list for each of the others. */
export const MAX_SHARDS = 4_096

/** FNV-1a, 32 bits, its bits mixed once more so that any number of shards gets its share. Part of what a cluster is: never changed. */
function placeHash(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The shard where an origin's pages are at home. */
export const shardOf = (origin: string, shards: number): number => placeHash(registrableDomain(hostOf(origin))) % shards

/** The keeper that lends an address: of IPv6 the first 64 bits count, as whoever has one address there has as many as they like. */
export const keeperOf = (address: string, shards: number): number => placeHash(placeOf(address)) % shards

/** What is lent at once: one address, or one network of IPv6. */
export const placeOf = (address: string): string => clientNetwork(address)
