/** The acts of `bench/frontier.ts`. Each runs in a process of its own, so that its memory is its own, and tells JSON. */
import { rmSync } from 'node:fs'
import { Collection } from '@comity/collection'
import { Frontier, orderNamed, politeDefaults } from '@comity/frontier'
import type { SiteRow } from '@comity/frontier'
import { siteOf, writeUrlKey } from '@comity/protocol'
import { open } from 'lmdb'
import { median, ownTime, rssAnonMb, since } from './measure.ts'
import type { Took } from './measure.ts'
import { urlStream } from './url-stream.ts'
import type { UrlStream } from './url-stream.ts'

export interface ActOptions {
  readonly dir: string
  readonly pages: number
  readonly sites: number
  readonly order: string
}

/** What a group commit holds that runs ten times a second, at the rate that is asked for. */
const BATCH = 5_000
const ROUNDS = 7
const CYCLES = 100_000
const CYCLES_PER_COMMIT = 1_000
const found = { depth: 1, seed: 0 }

/** Every so manieth URL is looked for in the end. */
const LOOKED_FOR = 97

export interface Grown {
  readonly known: number
  /** Of every 97th URL that was offered, how many are known. */
  readonly found: number
  /** Of those that were offered among known ones, all rounds together: how many were new, and taken. */
  readonly taken: number
  /** For all of the new URLs. */
  readonly took: Took
  readonly sites: number
  /** New URLs made durable per second, tenth by tenth. */
  readonly newPerSecond: readonly number[]
  readonly offersHashed: number
  readonly offersKeyed: number
  readonly emptyMb: number
  readonly memoryMb: number
}

export interface Resumed {
  readonly resumeMs: number
  readonly known: number
  readonly lost: number
  readonly memoryMb: number
}

export interface Cycled {
  readonly visits: number
  /** Pages that had waited and are done. */
  readonly done: number
  readonly visitsPerSecond: number
  readonly took: Took
}

export interface PeerResult {
  readonly known: number
  readonly found: number
  readonly took: Took
  readonly newPerSecond: number
  readonly emptyMb: number
  readonly memoryMb: number
}

export const ACTS: Readonly<Record<string, (options: ActOptions) => Promise<object>>> = {
  grow,
  growUntilKilled,
  resume,
  cycle,
  lmdbSeenSet,
  stringSet,
  requestMap,
}

/** Offer `pages` new URLs, durable batch by batch; then find out how fast mostly known ones go. */
async function grow({ dir, pages, sites }: ActOptions): Promise<Grown> {
  const stream = urlStream(sites)
  const emptyMb = rssAnonMb()
  const { collection, frontier } = await openBoth(dir)
  const segment = Math.max(BATCH, pages / 10)
  const rates: number[] = []
  let took: Took = NO_TIME
  for (let from = 0, spentMs = 0, segmentFrom = 0; from < pages;) {
    const urls = take(stream, from, Math.min(BATCH, pages - from))
    const began = ownTime()
    for (const url of urls) frontier.offer(url, found)
    await makeDurable(collection, frontier)
    const batch = since(began, ownTime())
    took = sum(took, batch)
    spentMs += batch.seconds * 1_000
    from += urls.length
    if (from - segmentFrom < segment && from < pages) continue
    rates.push(((from - segmentFrom) * 1_000) / spentMs)
    spentMs = 0
    segmentFrom = from
  }
  const [known, siteCount, memoryMb] = [frontier.pages.count, frontier.sites.length, rssAnonMb()]
  const foundAgain = countFound(stream, pages, (url) => frontier.findUrl(url) !== -1)
  const hashed: number[] = []
  const keyed: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    hashed.push(await offerMostlyKnown(stream, collection, frontier, offerStrings))
    keyed.push(await offerMostlyKnown(stream, collection, frontier, offerKeys))
  }
  const [offersHashed, offersKeyed] = [median(hashed), median(keyed)]
  const taken = frontier.pages.count - known
  await collection.close()
  const rest = { newPerSecond: rates, offersHashed, offersKeyed, memoryMb, emptyMb }
  return { known, found: foundAgain, taken, took, sites: siteCount, ...rest }
}

/** New among known ones, in all rounds of `grow`. */
export const NEW_AMONG_KNOWN: number = 2 * ROUNDS * BATCH

/** Of `pages` URLs, how many `countFound` looks for. */
export const lookedFor = (pages: number): number => Math.ceil(pages / LOOKED_FOR)

function countFound({ url }: UrlStream, pages: number, isKnown: (url: string) => boolean): number {
  let count = 0
  for (let n = 0; n < pages; n += LOOKED_FOR) if (isKnown(url(n))) count++
  return count
}

const NO_TIME: Took = { seconds: 0, cpuSeconds: 0 }

function sum(a: Took, b: Took): Took {
  return { seconds: a.seconds + b.seconds, cpuSeconds: a.cpuSeconds + b.cpuSeconds }
}

/** Nine of ten known, one new and made durable. Offers a second. */
async function offerMostlyKnown(
  stream: UrlStream,
  collection: Collection,
  frontier: Frontier,
  offerAll: (frontier: Frontier, urls: readonly string[]) => () => void,
): Promise<number> {
  const pages = frontier.pages.count
  const urls: string[] = []
  for (let i = 0; i < BATCH; i++) {
    urls.push(stream.url(pages + i))
    for (let again = 0; again < 9; again++) urls.push(stream.url((Math.imul(i * 9 + again, 0x9e3779b1) >>> 0) % pages))
  }
  const run = offerAll(frontier, urls)
  const began = performance.now()
  run()
  await makeDurable(collection, frontier)
  return (urls.length * 1_000) / (performance.now() - began)
}

function offerStrings(frontier: Frontier, urls: readonly string[]): () => void {
  return () => {
    for (const url of urls) frontier.offer(url, found)
  }
}

/** As the crawler does it: sites and keys come from the threads that read pages, the text is made for new URLs only. */
function offerKeys(frontier: Frontier, urls: readonly string[]): () => void {
  const keys = new Uint32Array(urls.length * 2)
  const sites = urls.map((url, i) => {
    const origin = siteOf(url)
    writeUrlKey(url.slice(origin.length), keys, i * 2)
    return frontier.site(origin)
  })
  return () => {
    for (const [i, url] of urls.entries()) {
      const [site, high, low] = [sites[i]!, keys[i * 2]!, keys[i * 2 + 1]!]
      const page = frontier.find(site, high, low)
      if (page === -1) frontier.add(site, high, low, url.slice(siteOf(url).length), found)
      else frontier.reach(page, found.depth)
    }
  }
}

/** Go on offering new URLs and tell after each commit how many are safe, until somebody ends it. */
async function growUntilKilled({ dir, sites }: ActOptions): Promise<never> {
  const stream = urlStream(sites)
  const { collection, frontier } = await openBoth(dir)
  for (;;) {
    for (const url of take(stream, frontier.pages.count, BATCH)) frontier.offer(url, found)
    await makeDurable(collection, frontier)
    process.stdout.write(`safe ${frontier.pages.count}\n`)
  }
}

/** `pages` are known to be safe: open, restore, lease; then look whether they are all there. */
async function resume({ dir, pages, sites }: ActOptions): Promise<Resumed> {
  const { collection, frontier } = await openBoth(dir)
  const lease = frontier.lease(Date.now())
  // From the start of the process, which is where the user starts to wait.
  const resumeMs = performance.now()
  const memoryMb = rssAnonMb()
  const stream = urlStream(sites)
  let lost = lease === undefined || collection.wasClosed ? 1 : 0
  for (let n = 0; n < pages; n += 997) if (frontier.findUrl(stream.url(n)) !== n) lost++
  for (let n = 0; n < pages; n += 9_973) if (frontier.urlOf(n) !== stream.url(n)) lost++
  if (frontier.urlOf(pages - 1) !== stream.url(pages - 1)) lost++
  if (lease?.first.kind === 'page') frontier.settle(lease.first.page, 'waiting')
  if (lease !== undefined) frontier.release(lease, Date.now())
  await makeDurable(collection, frontier)
  await collection.close()
  return { resumeMs, known: frontier.pages.count, lost, memoryMb }
}

/** Lease, place, answer, settle, release; durable every thousand. The clock goes a millisecond a visit. */
async function cycle({ dir, order }: ActOptions): Promise<Cycled> {
  const { collection, frontier } = await openBoth(dir, order)
  let now = Date.now() + 60_000
  let [visits, done] = [0, 0]
  const began = ownTime()
  while (visits < CYCLES) {
    const lease = frontier.lease(now++)
    if (lease === undefined) {
      if (frontier.wakesAt() === Infinity) break
      now = Math.max(now, frontier.wakesAt())
      continue
    }
    // Two sites to an address.
    if (!frontier.place(lease, `address ${lease.site.id >> 1}`, now)) continue
    frontier.answered(lease, { endedAt: now, tookMs: 20, overloaded: false })
    if (lease.first.kind === 'page') {
      frontier.settle(lease.first.page, 'done', 20_000)
      done++
    }
    frontier.release(lease, now)
    if (++visits % CYCLES_PER_COMMIT === 0) await makeDurable(collection, frontier)
  }
  const took = since(began, ownTime())
  await collection.close()
  return { visits, done, visitsPerSecond: visits / took.seconds, took }
}

// ── peers ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Random 8-byte keys, looked up and put straight into LMDB, in transactions of the same size. */
async function lmdbSeenSet({ dir, pages, sites }: ActOptions): Promise<PeerResult> {
  const stream = urlStream(sites)
  const emptyMb = rssAnonMb()
  const db = open<boolean, Uint8Array>({ path: `${dir}-seen`, keyEncoding: 'binary' })
  const key = new Uint32Array(2)
  let [known, took] = [0, NO_TIME]
  for (let from = 0; from < pages; from += BATCH) {
    const urls = take(stream, from, Math.min(BATCH, pages - from))
    const began = ownTime()
    await db.batch(() => {
      for (const url of urls) {
        writeUrlKey(url, key, 0)
        const bytes = Buffer.from(key.buffer.slice(0))
        if (db.doesExist(bytes)) continue
        void db.put(bytes, true)
        known++
      }
    })
    await db.flushed
    took = sum(took, since(began, ownTime()))
  }
  const memoryMb = rssAnonMb()
  const foundAgain = countFound(stream, pages, (url) => {
    writeUrlKey(url, key, 0)
    return db.doesExist(Buffer.from(key.buffer.slice(0)))
  })
  await db.close()
  rmSync(`${dir}-seen`, { recursive: true, force: true })
  return { known, found: foundAgain, newPerSecond: known / took.seconds, took, memoryMb, emptyMb }
}

/** What a small crawler keeps: a Set of URL strings, in memory only. */
async function stringSet({ pages, sites }: ActOptions): Promise<PeerResult> {
  const seen = new Set<string>()
  return await inMemory(pages, sites, (url) => void seen.add(url), seen)
}

/** What Crawlee's memory storage keeps, in outline: a Map from URL to a request. */
async function requestMap({ pages, sites }: ActOptions): Promise<PeerResult> {
  const requests = new Map<string, object>()
  const add = (url: string): void => {
    if (requests.has(url)) return
    requests.set(url, {
      id: requests.size,
      url,
      uniqueKey: url,
      method: 'GET',
      retryCount: 0,
      errorMessages: [],
      headers: {},
      userData: {},
    })
  }
  return await inMemory(pages, sites, add, requests)
}

async function inMemory(
  pages: number,
  sites: number,
  add: (url: string) => void,
  known: { readonly size: number; has(url: string): boolean },
): Promise<PeerResult> {
  const stream = urlStream(sites)
  const emptyMb = rssAnonMb()
  let took = NO_TIME
  for (let from = 0; from < pages; from += BATCH) {
    const urls = take(stream, from, Math.min(BATCH, pages - from))
    const began = ownTime()
    for (const url of urls) add(url)
    took = sum(took, since(began, ownTime()))
  }
  const memoryMb = rssAnonMb()
  const foundAgain = countFound(stream, pages, (url) => known.has(url))
  return { known: known.size, found: foundAgain, newPerSecond: known.size / took.seconds, took, memoryMb, emptyMb }
}

// ── shared ───────────────────────────────────────────────────────────────────────────────────────────────────

async function openBoth(dir: string, order = 'depth'): Promise<{ collection: Collection; frontier: Frontier }> {
  const collection = await Collection.open(dir, Date.now())
  const frontier = new Frontier({
    order: orderNamed(order),
    politenessOf: () => politeDefaults,
    budgetOf: () => ({ maxPages: 1e9, maxBytes: 1e15, maxKnown: 1e9 }),
    maxTries: 3,
    random: () => Math.random(),
    gates: false,
    textOf: (page) => collection.text(page),
  })
  const source = {
    pageLog: () => collection.pageLog(),
    sites: () => collection.sites<SiteRow>(),
    addresses: () => collection.addresses(),
  }
  frontier.restore(source, Date.now(), collection.wasClosed)
  return { collection, frontier }
}

async function makeDurable(collection: Collection, frontier: Frontier): Promise<void> {
  await collection.commit(frontier.drain())
  frontier.stored()
}

const take = ({ url }: UrlStream, from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => url(from + i))
