/** Sample repository, for the tests of this package: a small crawl with a real page log, and ports that do as told. */
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Collection, FollowedCollection } from '@comity/collection'
import type { FrontierRows } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import type { SampleVisit } from '@comity/collection/testing'
import { Frontier, NO_PARENT, orderNamed, politeDefaults } from '@comity/frontier'
import type { Lease } from '@comity/frontier'
import type { SearchAnswer, SearchRequest } from '@comity/index'
import type { Instant } from '@comity/protocol'
import type { CrawlState, LiveSample } from '../model/models.ts'
import type { CrawlPort, PagesPort, SearchPort } from '../ports.ts'
import { Repository } from '../repository.ts'
import { Surveyor } from '../model/surveyor.ts'

export const AT: Instant = Date.UTC(2026, 10, 14)

/** A sample crawl whose pages are in a real frontier, so that its page log can be read. */
export class LoggedCrawl extends SampleCrawl {
  readonly #frontier: Frontier
  readonly #visited = new Set<number>()

  constructor(collection: Collection, origins: readonly string[]) {
    super(collection, origins)
    this.#frontier = new Frontier({
      order: orderNamed('depth'),
      politenessOf: () => ({ ...politeDefaults, delayMs: 0, pagesPerConnection: 1_000_000 }),
      budgetOf: () => ({ maxPages: Infinity, maxBytes: Infinity, maxKnown: Infinity }),
      maxTries: 1,
      random: () => 0,
      gates: false,
      textOf: (page) => collection.text(page),
    })
    for (const origin of origins) this.#frontier.site(origin)
  }

  override offer(path: string, site = 0, parent: number = NO_PARENT, excluded?: number): number {
    const page = super.offer(path, site, parent)
    const depth = parent === NO_PARENT ? 0 : this.#frontier.pages.depthOf(parent) + 1
    const find = { depth, seed: 0, parent, ...(excluded === undefined ? {} : { excluded }) }
    if (this.#frontier.offer(this.urlOf(page), find) !== page) throw new Error('two pages have one URL')
    return page
  }

  override visit(visit: SampleVisit): ReturnType<SampleCrawl['visit']> {
    this.#frontier.admit(visit.page)
    this.#visited.add(visit.page)
    return super.visit(visit)
  }

  /** Every page is leased, as only that way leads to done; those not visited go back to where they were. */
  override drain(): FrontierRows {
    const frontier = this.#frontier
    const leases: Lease[] = []
    for (let lease = frontier.lease(AT); lease !== undefined; lease = frontier.lease(AT)) leases.push(lease)
    for (const lease of leases) {
      const pages: number[] = []
      for (
        let task: Lease['task'] | undefined = lease.task;
        task !== undefined;
        task = frontier.next(lease, AT)?.task
      ) {
        if (task.kind === 'page') pages.push(task.page)
      }
      for (const page of pages) frontier.settle(page, this.#visited.has(page) ? 'done' : 'waiting')
      frontier.release(lease, AT)
    }
    this.#visited.clear()
    const { pageLog, sites } = frontier.drain()
    return { ...super.drain(), pageLog, sites }
  }

  /** For readers in this process too: LMDB keeps their snapshot until a timer of its own, which was set before this one. */
  override async commit(): Promise<void> {
    await super.commit()
    this.#frontier.stored()
    await sleep(1)
  }
}

const ORIGINS: readonly string[] = ['https://a.example', 'https://b.example', 'https://unseen.example']

interface SampleCollection {
  readonly collection: Collection
  readonly crawl: LoggedCrawl
}

const linkTo = (...pages: number[]): { to: number; anchor: string }[] => pages.map((to) => ({ to, anchor: `to ${to}` }))

/**
 * Six pages: 0 a/ → 1, 2, 3, 4 · 1 a/1 changed once → 0 · 2 a/2 gone, 404 · 3 a/3 waiting · 4 b/ → 0, 1 · 5 b/kept
 * says noarchive.
 */
export async function sampleCollection(t: TestContext): Promise<SampleCollection> {
  const collection = await Collection.open(testFolder(t), AT, { minFreeBytes: 0 })
  t.after(() => collection.close())
  const crawl = new LoggedCrawl(collection, ORIGINS)
  const home = crawl.offer('/')
  for (const path of ['/1', '/2', '/3']) crawl.offer(path, 0, home)
  const other = crawl.offer('/', 1, home)
  crawl.offer('/kept?a=1', 1, other)
  const type = 'text/html; charset=utf-8'
  crawl.visit({ page: 0, at: AT, body: HOSTILE, title: 'Home <b>of</b> A', links: linkTo(1, 2, 3, 4), extra: { type } })
  await crawl.commit()
  crawl.visit({ page: 1, at: AT + 1_000, body: '<p>one</p><p>two</p>', extra: { type } })
  crawl.visit({
    page: 1,
    at: AT + 2_000,
    body: '<p>one</p><p>changed</p>',
    title: 'One',
    links: linkTo(0),
    extra: { type, changes: 1, changedAt: AT + 2_000 },
  })
  const gone = {
    outcome: 'client-error',
    status: 404,
    problem: 'status 404',
    bytes: 0,
    body: undefined,
    nearDuplicateOf: 1,
  }
  crawl.visit({ page: 2, at: AT + 3_000, body: '', extra: gone })
  crawl.visit({ page: 4, at: AT + 4_000, body: '<p>b</p>', title: 'B', links: linkTo(0, 1), extra: { type } })
  crawl.visit({ page: 5, at: AT + 5_000, body: '<p>kept</p>', extra: { type, noarchive: true } })
  const robots = Buffer.from('User-agent: *\nDisallow: /private')
  collection.putRobots(0, { fetchedAt: AT, expiresAt: AT, status: 200, verdict: 'rules', body: robots })
  await crawl.commit()
  return { collection, crawl }
}

/** A page that tries to run, to ask and to leave. */
const HOSTILE: string =
  '<title>Home</title><script>alert(1)</script><img src="http://evil.example/x.png" onerror="alert(2)">' +
  '<form action="http://evil.example/"><input></form><meta http-equiv="refresh" content="0;url=http://evil.example/">' +
  '<p>hello</p>'

export interface SampleRepository extends SampleCollection {
  readonly repository: Repository
  readonly survey: Surveyor
  readonly search: SearchPort & { readonly asked: SearchRequest[] }
  readonly control: SampleControl
  /** What the clock says; a test moves it. */
  readonly clock: { now: Instant }
}

export async function sampleRepository(t: TestContext): Promise<SampleRepository> {
  const { collection, crawl } = await sampleCollection(t)
  const clock = { now: AT + 60_000 }
  const followed = new FollowedCollection(collection.dir, () => clock.now)
  const survey = new Surveyor(followed, { now: () => clock.now, everyMs: 0 })
  t.after(async () => {
    await survey[Symbol.asyncDispose]()
    await followed[Symbol.asyncDispose]()
  })
  await survey.settled()
  const [search, control] = [sampleSearch(), new SampleControl()]
  const parts = { collection: followed, survey, search, crawl: control, now: () => clock.now }
  return { collection, crawl, repository: new Repository(parts), survey, search, control, clock }
}

const one = (value: string): SearchAnswer['facets']['sites'] => [{ value, pages: 1 }]

function sampleSearch(): SampleRepository['search'] {
  const asked: SearchRequest[] = []
  const result = { key: 1, url: 'https://a.example/1', title: 'One', score: 2.5, site: 'https://a.example' }
  const snippet: SearchAnswer['results'][number]['snippet'] = { text: 'one changed', marks: [[0, 3]] }
  return {
    asked,
    search: (request) => {
      asked.push(request)
      return {
        results: [{ ...result, snippet, type: 'text/html', language: 'en', at: AT, folded: 0 }],
        matches: 1,
        isLowerBound: false,
        facets: { sites: one('https://a.example'), types: one('text/html'), languages: one('en') },
        suggestion: 'won',
        problems: [],
        tookMs: 0.5,
      }
    },
    suggest: (typed, limit) =>
      [`${typed}a`, `${typed}b`].slice(0, limit).map((title) => ({ title, url: `https://a.example/${title}` })),
    statistics: () => ({ documents: 4, segments: 1, bytes: 1_000, refused: [] }),
  }
}

export class SampleControl implements CrawlPort {
  readonly calls: string[] = []
  condition: 'running' | 'paused' | 'none' = 'running'
  sample: LiveSample = sampleOf(1)
  #push: ((sample: LiveSample) => void) | undefined
  listeners = 0

  async state(): Promise<CrawlState> {
    return this.condition === 'none'
      ? { kind: 'none' }
      : { kind: this.condition, pid: 42, startedAt: AT, sample: this.sample }
  }
  async pause(): Promise<void> {
    this.#call('pause')
  }
  async resume(): Promise<void> {
    this.#call('resume')
  }
  async stop(): Promise<void> {
    this.#call('stop')
  }
  async addSeed(url: string): Promise<void> {
    this.#call(`seed ${url}`)
  }
  async setBudget({
    maxPages,
    maxBytes,
  }: {
    maxPages?: number | undefined
    maxBytes?: number | undefined
  }): Promise<void> {
    this.#call(`budget ${maxPages} ${maxBytes}`)
  }

  async *samples(signal: AbortSignal): AsyncGenerator<LiveSample> {
    const waiting: LiveSample[] = []
    let wake: (() => void) | undefined
    this.listeners++
    this.#push = (sample) => {
      waiting.push(sample)
      wake?.()
    }
    signal.addEventListener('abort', () => wake?.())
    try {
      while (!signal.aborted) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      this.listeners--
    }
  }

  push(sample: LiveSample): void {
    this.#push?.(sample)
  }

  #call(name: string): void {
    this.calls.push(name)
  }
}

export const sampleOf = (pages: number): LiveSample => ({
  at: AT + pages,
  pages,
  pagesPerSecond: 2,
  bytes: 3,
  bytesPerSecond: 4,
  sitesReady: 5,
  sitesWaiting: 6,
  pagesWaiting: 7,
  visits: 8,
  errors: { 'client-error': 1 },
  importance: 0.5,
  unindexed: 0,
})

/** Pages that only say what they were drawn from. */
export const samplePages: PagesPort = {
  render: (name, model) => `<!doctype html><title>${name}</title><pre>${Object.keys(model).join(' ')}</pre>`,
  asset: (name) => (name === 'comity.css' ? { type: 'text/css; charset=utf-8', body: 'body{}' } : undefined),
}
