/** A repository's own parts around a gateway handler, for tests: a real collection and frontier, and batches made by hand. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Collection, FACTS } from '@comity/collection'
import { Frontier, orderNamed, politeDefaults } from '@comity/frontier'
import type { SiteRow } from '@comity/frontier'
import { CrawlFollowUp, ownDocuments, LinkHandler, PageHandler, Tally, IngestEvents } from '@comity/ingest'
import { createFaults, DAY, NOON, read } from '@comity/ingest/testing'
import { GatewayHandler } from '../push/gateway-handler.ts'
import { crawlOptions } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import { filterByType } from '../fetch/fetch-filter.ts'
import { RobotsHandler } from '../fetch/robots-handler.ts'
import { readingOptions } from '../fetch/run-reading.ts'
import { SitemapHandler } from '../fetch/sitemap-handler.ts'
import { StartPages } from '../run/start-pages.ts'

export interface Bench extends AsyncDisposable {
  readonly collection: Collection
  readonly frontier: Frontier
  readonly handler: GatewayHandler
  /** Pages that were found to be fresh, and when. */
  readonly confirmed: (readonly [page: number, at: number])[]
  /** Make everything durable, with how far the inbox was read. */
  commit(upTo: number): Promise<void>
}

/** `dir`: an empty folder, or a collection to go on with. */
export async function gatewayBench(dir: string, given: Partial<CrawlOptions> = {}): Promise<Bench> {
  const options = crawlOptions({ userAgent: 'comity-test/1.0 (+https://example.org/bot)', ...given })
  const collection = await Collection.open(dir, NOON, { minFreeBytes: 0 })
  const start = new StartPages(options, collection, NOON)
  const frontier = new Frontier({
    order: orderNamed('depth'),
    politenessOf: () => politeDefaults,
    budgetOf: () => ({ maxPages: 1_000, maxBytes: 1e9, maxKnown: 10_000 }),
    maxTries: 2,
    random: () => 0,
    gates: false,
    textOf: (page) => collection.text(page),
  })
  const source = {
    pageLog: () => collection.pageLog(),
    sites: () => collection.sites<SiteRow>(),
    addresses: () => collection.addresses(),
    visits: () => [],
  }
  frontier.restore(source, NOON, collection.wasClosed)
  start.offerAll(frontier)
  const scope = start.reasonFor.bind(start)
  const confirmed: (readonly [number, number])[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a pool does, in this thread.
  const pool = { ...ownDocuments, read: (answered) => Promise.resolve(read(answered, readingOptions(options))) } as Pool
  const handler = new GatewayHandler({
    gateways: { mayName: (_, url) => new URL(url).host.endsWith('.example') },
    options,
    frontier,
    collection,
    forgotten: new Set(['http://forgotten.example']),
    dayMs: DAY,
    halfLifeMs: 30 * DAY,
    onConfirmed: (page, at) => confirmed.push([page, at]),
    visits: {
      room: { forPage: () => Promise.resolve() },
      robots: new RobotsHandler(frontier, collection, {
        productToken: 'comity-test',
        sitemaps: false,
        urlRules: options.urlRules,
        maxTries: 2,
        giveUp,
      }),
      filter: filterByType(options),
      pool,
      pages: new PageHandler({
        pool,
        collection,
        tally: new Tally(),
        options,
        links: new LinkHandler(frontier, scope),
        followUp: new CrawlFollowUp({ frontier, collection, scope, options, onSeedMoved: () => undefined }),
        taken: new IngestEvents(),
      }),
      sitemaps: new SitemapHandler(frontier, { scope, urlRules: options.urlRules, seedOf: () => 0, wish: options }),
      start,
      faults: createFaults(collection.dir),
    },
  })
  return {
    collection,
    frontier,
    handler,
    confirmed,
    commit: async (upTo) => {
      handler.save()
      collection.putFact(FACTS.inbox, upTo)
      await collection.commit(frontier.drain())
      frontier.stored()
    },
    [Symbol.asyncDispose]: () => collection.close(),
  }
}

type Pool = ConstructorParameters<typeof GatewayHandler>[0]['visits']['pool']

const giveUp = (): void => undefined

export const newFolder = (scratch: string): string => mkdtempSync(join(scratch, 'c-'))
