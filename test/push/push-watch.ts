/** A watch that hears what sites send, for tests: what came of each page that was sent, and what the collection holds. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Collection, storedContent } from '@comity/collection'
import { watchOptions } from '@comity/crawler'
import type { CooperationRow } from '@comity/follow'
import type { CrawlOptions, WatchOptions, World } from '@comity/crawler'
import type { IntakeOutcome, SentEvent } from '@comity/ingest'
import { policyNamed } from '@comity/frontier'
import type { SiteRow } from '@comity/frontier'
import { WatchEndpoints } from '@comity/receiver'
import type { WatchEndpointsOptions } from '@comity/receiver'
import type { SiteScheme } from '@comity/site'
import { timeLimit } from '../../packages/cli/src/terminal/time-limit.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite, CooperatingSiteOptions } from '../watch/cooperating-site.ts'
import { comesTrue, newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'

export interface Held {
  readonly text: string
  readonly status: number
  readonly captures: readonly HeldCapture[]
}

export interface HeldCapture {
  readonly source: string
  readonly outcome: string
  readonly scheme?: string | undefined
  readonly digest?: string | undefined
}

/** Undefined for a page that was never held. */
export async function heldOf(into: string, url: string): Promise<Held | undefined> {
  await using collection = Collection.openReadOnly(into)
  for (const { key, value } of collection.pages()) {
    if (collection.url(key) !== url || value.body === undefined) continue
    const content = storedContent(collection, value.body)
    const captures = [...collection.captures(key)].map(({ value: { source, outcome, scheme, digest } }) => ({
      source,
      outcome,
      scheme,
      digest,
    }))
    return { text: content.kind === 'ok' ? Buffer.from(content.bytes).toString() : '', status: value.status, captures }
  }
  return undefined
}

export interface PushWatchOptions {
  readonly watch?: Partial<WatchOptions>
  readonly crawl?: Partial<CrawlOptions>
  readonly doors?: Partial<WatchEndpointsOptions>
  readonly world?: World
  /** Of the endpoints; any unless given. */
  readonly port?: number
}

const HOST = '127.0.51.9'

/** It runs until the test has seen what it wanted. */
export class PushWatch implements AsyncDisposable {
  readonly doors: WatchEndpoints
  readonly into: string
  /** What came of what was sent, in order, by this process. */
  readonly events: SentEvent[] = []
  readonly #stop = new AbortController()
  readonly #run: Promise<unknown>
  readonly #open = Promise.withResolvers<void>()
  readonly #hear = (event: unknown): void => void this.events.push(event as SentEvent)

  constructor(into: string, { watch = {}, crawl = {}, doors = {}, world, port = 0 }: PushWatchOptions = {}) {
    this.into = into
    this.doors = new WatchEndpoints({
      dir: into,
      listen: { host: HOST, port },
      mayBeHttp: true,
      ...doors,
      onOpen: () => this.#open.resolve(),
    })
    subscribe('comity:sent', this.#hear)
    // Nothing is visited by itself: what comes was sent, or was told of.
    const quiet = { policy: policyNamed('metadata'), requestsPerSecond: 50, dayMs: 3_600_000, minPollMs: 3_600_000 }
    const options = watchOptions({ ...quiet, ...watch })
    const signal = AbortSignal.any([this.#stop.signal, ...timeLimit(120_000)])
    const more = { intake: this.doors, ...(world === undefined ? {} : { world }) }
    this.#run = quickCrawl(into, [], { watch: options, ...crawl }, signal, more)
    // Whoever disposes of it is told.
    this.#run.catch(() => this.#open.resolve())
  }

  /** The endpoints are open. */
  get opened(): Promise<void> {
    return this.#open.promise
  }

  get port(): number {
    return Number(new URL(this.doors.url).port)
  }

  outcomes(url: string): IntakeOutcome[] {
    return this.events.filter((event) => event.url === url).map(({ outcome }) => outcome)
  }

  held(url: string): Promise<Held | undefined> {
    return heldOf(this.into, url)
  }

  async holds(url: string, text: string): Promise<boolean> {
    return (await this.held(url))?.text.includes(text) === true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#run
    unsubscribe('comity:sent', this.#hear)
  }
}

/** A site that was crawled, and a watch of it. */
export interface WatchedSite extends AsyncDisposable {
  readonly site: CooperatingSite
  readonly watch: PushWatch
  readonly into: string
}

export async function watchedSite(
  pages: Readonly<Record<string, string>>,
  options: CooperatingSiteOptions,
  watching: PushWatchOptions,
): Promise<WatchedSite> {
  await using made = new AsyncDisposableStack()
  const site = made.use(await createCooperatingSite(pages, { calls: true, schemes: CALLS_ONLY, ...options }))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { dumps: false })
  // What the crawl found is of before all that is sent.
  await nextSecond()
  const watch = made.use(new PushWatch(into, watching))
  await watch.opened
  const all = made.move()
  return { site, watch, into, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** What is remembered of the pages that the site sent. */
export async function pushRecord({
  site,
  into,
}: Pick<WatchedSite, 'site' | 'into'>): Promise<CooperationRow['pushes']> {
  await using collection = Collection.openReadOnly(into)
  for (const [id, row] of collection.sites<SiteRow>())
    if (row.origin === site.origin) return (collection.cooperation(id) as CooperationRow | undefined)?.pushes
  return undefined
}

export const subscribed = (site: CooperatingSite) => (): boolean => [...site.subscribers.all()].length > 0

/** Waits for what happens by itself, in other threads and on sockets. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  assert.ok(await comesTrue(isSo), `four minutes were not enough for: ${what}`)
}

/** What a visit found and what is sent within the same second cannot be put in order: the second after this one. */
export async function nextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1_000)
  await until('the next second', () => Math.floor(Date.now() / 1_000) > second)
}

/** A site that pushes, and offers nothing that it could be asked for instead. */
export const CALLS_ONLY: readonly SiteScheme[] = ['catalog', 'push', 'keys', 'events']

export const page = (title: string, ...links: string[]): string =>
  `<title>${title}</title><p>${title} ${'and some text that stays the same '.repeat(40)}${links.map((link) => `<a href="${link}">to ${link}</a>`).join(' ')}`
