/**
 * Sample crawl: deposits as a crawler makes them, for the tests of this package. A page's id is its place in the list
 * of paths; the page log is only numbered, since nothing here reads it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import {
  gzipRecord,
  payloadDigest,
  requestHead,
  requestRecord,
  responseHead,
  responseRecord,
  revisitRecord,
  simhash,
} from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { Collection } from '../collection.ts'
import type { FrontierRows } from '../rows/frontier-rows.ts'
import { encodeLinks, packAnchors } from '../rows/link-list.ts'
import { NO_PARENT } from '../rows/page-texts.ts'
import type { PageText } from '../rows/page-texts.ts'
import type { CaptureRow, PageRow, WarcPosition } from '../rows/rows.ts'

/** For tests that put rows there which nobody of ours would write. */
export { openState } from '../rows/state.ts'
export type { State } from '../rows/state.ts'

/** A folder that is gone when the test ends. */
export function testFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-collection-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'collection')
}

export interface SampleVisit {
  readonly page: number
  readonly at: Instant
  readonly body: string
  readonly title?: string
  readonly links?: readonly { readonly to: number; readonly anchor: string }[]
  readonly extra?: Partial<PageRow>
}

export class SampleCrawl {
  readonly collection: Collection
  readonly #origins: readonly string[]
  #texts: PageText[] = []
  #first: number
  #known = new Map<number, PageText>()

  constructor(collection: Collection, origins: readonly string[] = ['https://a.example'], first = 0) {
    this.collection = collection
    this.#origins = origins
    this.#first = first
  }

  /** Know a page; returns its id. */
  offer(path: string, site = 0, parent: number = NO_PARENT): number {
    const page = this.#first + this.#texts.length
    this.#texts.push({ site, path, parent })
    this.#known.set(page, { site, path, parent })
    return page
  }

  urlOf(page: number): string {
    const text = this.#known.get(page)
    return (this.#origins[text?.site ?? 0] ?? '') + (text?.path ?? '')
  }

  /** One answered visit: stored whole, or as a revisit when its body is known. */
  visit(visit: SampleVisit): WarcPosition {
    const { page, at, links = [] } = visit
    const body = Buffer.from(visit.body)
    const digest = payloadDigest(body)
    const { record, holder } = this.#store(page, at, body, digest)
    const before = this.collection.page(page)
    const site = this.#known.get(page)?.site ?? 0
    const row: PageRow = {
      site,
      outcome: 'ok',
      status: 200,
      visitedAt: at,
      visits: (before?.visits ?? 0) + 1,
      changes: 0,
      digest,
      bytes: body.length,
      title: visit.title,
      simhash: simhash(visit.body),
      timings: { firstByteMs: 5 },
      body: holder,
      ...visit.extra,
    }
    const capture: CaptureRow = {
      source: 'crawl',
      outcome: 'ok',
      status: 200,
      digest,
      bytes: body.length,
      record,
      body: holder,
    }
    const targets = links.map(({ to }) => to)
    this.collection.deposit({
      page,
      row,
      at,
      capture,
      links: links.length > 0 ? encodeLinks(targets, packAnchors(links.map(({ anchor }) => anchor))) : undefined,
      newBody: record === holder ? { digest, row: { ...record, url: this.urlOf(page), at } } : undefined,
    })
    return record
  }

  #store(page: number, at: Instant, body: Buffer, digest: string): { record: WarcPosition; holder: WarcPosition } {
    const { collection } = this
    const url = this.urlOf(page)
    const httpHead = responseHead({ status: 200, statusText: 'OK', headers: [['Content-Type', 'text/html']] })
    const twin = collection.body(digest)
    const request = requestRecord({ url, at, httpHead: requestHead({ method: 'GET', target: url, headers: [] }) })
    const response =
      twin === undefined
        ? responseRecord({ url, at, httpHead, body, payloadDigest: digest })
        : revisitRecord({
            url,
            at,
            httpHead,
            payloadDigest: digest,
            profile: 'identical-payload-digest',
            refersToUri: twin.url,
            refersToDate: twin.at,
          })
    const record = collection.appendRecord(gzipRecord(response), at)
    collection.appendRecord(gzipRecord(request), at)
    if (twin === undefined) return { record, holder: record }
    const { file, offset, length } = twin
    return { record, holder: { file, offset, length } }
  }

  /** What a frontier would say now. */
  drain(): FrontierRows {
    const texts = this.#texts
    const first = this.#first
    this.#texts = []
    this.#first += texts.length
    const sites = this.#origins.map((origin, site) => [site, { origin }] as const)
    return { pageLog: Buffer.from(`journal ${first}`), first, texts, sites, addresses: [['192.0.2.1', first]] }
  }

  async commit(): Promise<void> {
    await this.collection.commit(this.drain())
  }
}
