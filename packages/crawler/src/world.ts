/** World: clock, chance and names; whoever gives a crawl another one decides what time it is. */
import type { Instant } from '@comity/protocol'
import type { Lookup } from './fetch/addresses.ts'

/** All a crawl may touch outside itself, besides the network and its directory. */
export interface World {
  now(): Instant
  random(): number
  readonly lookup?: Lookup
}

export const realWorld: World = { now: () => Date.now(), random: () => Math.random() }
