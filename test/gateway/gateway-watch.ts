/** A repository that hears two gateways, for tests: a watch with its endpoints, what is known of each gateway, and what is found. */
import { Collection } from '@comity/collection'
import { gatewayRows } from '@comity/ingest'
import { openSearch, readingOf } from '@comity/search'
import type { GatewayRow } from '@comity/ingest'
import type { KeyRing } from '@comity/protocol'
import { gatewaysFile, GatewaySender, keyRingOf } from './gateway-sender.ts'
import type { Listed } from './gateway-sender.ts'
import { PushWatch, until } from '../push/push-watch.ts'
import type { PushWatchOptions } from '../push/push-watch.ts'
import { newDirectory } from '../crawl/quick-crawl.ts'

export const NORTH: KeyRing = keyRingOf(11)
const SOUTH: KeyRing = keyRingOf(12)
export const UNI = 'http://www.uni.example'
export const LISTED: readonly Listed[] = [
  { name: 'north', rings: [NORTH], hosts: ['*.uni.example'] },
  { name: 'south', rings: [SOUTH], hosts: ['*.uni.example', 'lab.example:8080'] },
]

export interface Repository extends AsyncDisposable {
  readonly into: string
  readonly watch: PushWatch
  readonly north: GatewaySender
  readonly south: GatewaySender
  /** What is known of a gateway. */
  readonly row: (name: string) => Promise<GatewayRow | undefined>
  /** Until a gateway's batches are dealt with: so many taken, so many again. */
  readonly dealtWith: (name: string, batches: number, repeated?: number) => Promise<GatewayRow>
}

export async function repository({
  gateways = gatewaysFile(LISTED),
  into = newDirectory(),
  ...more
}: PushWatchOptions & { gateways?: string; into?: string } = {}): Promise<Repository> {
  const watch = new PushWatch(into, {
    ...more,
    crawl: { index: true, ...more.crawl },
    doors: { gateways, ...more.doors },
  })
  await watch.opened
  const row = async (name: string): Promise<GatewayRow | undefined> => {
    await using collection = Collection.openReadOnly(into)
    return gatewayRows(collection)[name]
  }
  return {
    into,
    watch,
    north: new GatewaySender(watch.doors.url, NORTH),
    south: new GatewaySender(watch.doors.url, SOUTH),
    row,
    dealtWith: async (name, batches, repeated = 0) => {
      await until(`${batches} batches of ${name}, and ${repeated} again`, async () => {
        const known = await row(name)
        return known?.batches === batches && known.repeated === repeated
      })
      return (await row(name))!
    },
    [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  }
}

export async function hitsOf(into: string, url: string): Promise<readonly [people: number, robots: number]> {
  await using collection = Collection.openReadOnly(into)
  for (const [key] of collection.texts()) {
    const row = collection.url(key) === url ? readingOf(collection, key) : undefined
    if (row !== undefined) return [Math.round(row.people), Math.round(row.robots)]
  }
  return [0, 0]
}

export async function found(into: string, query: string): Promise<string[]> {
  await using collection = Collection.openReadOnly(into)
  await using search = openSearch(into, () => collection)
  const { results } = await search.engine.search({ query, limit: 10 })
  return results.map(({ url }) => url)
}
