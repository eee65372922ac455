/**
 * Counted site: a cooperating site in this process, whose every answer is counted as HTTP/1.1 would carry it, heads and all.
 * The site is `@comity/site` as it is; only the sockets are left out, so that a hundred thousand pages can be tried in
 * seconds and the counts are the same in every run.
 *
 *   line.ask ──▶ request as bytes ──▶ site front ──▶ answer as bytes ──▶ counted
 *
 * `plain` is the same site without any help to crawlers: pages, tags, dates and 304, as any server has them.
 */
import { writeHttpDate } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { createSiteFront, digestOf, MemoryJournal, MemoryVersions, pageEtag } from '@comity/site'
import type { Change, SiteAnswer, SiteFront, PublishingLimits, SiteOptions, SiteRequest } from '@comity/site'
import type { SiteCopy } from './copy.ts'
import { CountedLine } from './counted-line.ts'
import { NOT_FOUND, plainAnswer } from './plain-page.ts'

export interface CountedPage {
  readonly path: string
  readonly body: Uint8Array
  readonly modifiedAt: Instant
  readonly type?: string | undefined
}

interface CountedSiteOptions {
  readonly base: string
  /** When the first pages are recorded. */
  readonly at: Instant
  readonly limits?: Partial<PublishingLimits> | undefined
}

/** `helping` is the site with all its documents. */
export type CountedEndpoint = 'plain' | 'helping'

interface Held {
  readonly body: Buffer
  readonly modifiedAt: Instant
  readonly type: string
}

/** All versions are kept: what a site that keeps fewer sends whole is for its owner to decide. */
const VERSION_BYTES = 2 ** 31
const DAY_MS = 86_400_000

export class CountedSite {
  readonly journal: MemoryJournal
  readonly base: string
  readonly front: SiteFront
  /** For whatever else is made of the same site. */
  readonly options: Pick<SiteOptions, 'journal' | 'base' | 'now' | 'read' | 'limits'>
  readonly #pages = new Map<string, Held>()
  #now: Instant

  private constructor({ base, at, limits = {} }: CountedSiteOptions) {
    this.base = base
    this.#now = at
    const versions = new MemoryVersions({ maxBytes: VERSION_BYTES, maxBodyBytes: VERSION_BYTES })
    this.journal = new MemoryJournal({ id: 'counted', versions, limits: { changes: 10_000_000, changeBytes: 2 ** 40 } })
    this.options = {
      journal: this.journal,
      base,
      now: () => this.#now,
      read: async (path) => this.#pages.get(path)?.body,
      limits: { cacheBytes: 2 ** 30, ...limits },
    }
    this.front = createSiteFront({
      ...this.options,
      robots: '',
      masks: [],
      isHostFixed: true,
      // Of a page's own earlier version alone, so that each scheme is measured by itself.
      dictionary: false,
      // Years pass in seconds here: what packing may take of the processor in a second says nothing.
      coding: { share: 1, burstMs: DAY_MS },
    })
  }

  static async open(pages: Iterable<CountedPage>, options: CountedSiteOptions): Promise<CountedSite> {
    const site = new CountedSite(options)
    await site.put(pages, options.at)
    return site
  }

  get now(): Instant {
    return this.#now
  }

  get paths(): readonly string[] {
    return [...this.#pages.keys()]
  }

  body(path: string): Buffer | undefined {
    return this.#pages.get(path)?.body
  }

  /** Time goes on. */
  moveTo(at: Instant): void {
    this.#now = Math.max(this.#now, at)
  }

  /** These pages are as given from then on; the changes that the journal makes of them. */
  async put(pages: Iterable<CountedPage>, at: Instant): Promise<readonly Change[]> {
    this.moveTo(at)
    const seen = Array.from(pages, ({ path, body, modifiedAt, type = 'text/html' }) => {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
      this.#pages.set(path, { body: bytes, modifiedAt, type })
      return { path, modifiedAt, digest: digestOf(bytes), bytes: bytes.length, type, body: bytes }
    })
    return await this.journal.record(seen, this.#now)
  }

  line(door: CountedEndpoint = 'helping'): CountedLine {
    const { host } = new URL(this.base)
    return new CountedLine(host, async (request) =>
      door === 'plain' ? this.#plain(request) : await this.#helped(request),
    )
  }

  async #helped(request: SiteRequest): Promise<SiteAnswer> {
    if (this.front.isOurs(request.path)) return (await this.front.answer(request)) ?? NOT_FOUND
    const page = this.#pages.get(request.path)
    if (page === undefined) return NOT_FOUND
    const whole = { status: 200, headers: pageFields(page), body: page.body }
    return this.front.holds(request, whole) ? (this.front.page(request, whole, page.body) ?? whole) : whole
  }

  #plain(request: SiteRequest): SiteAnswer {
    const page = this.#pages.get(request.path)
    if (page === undefined) return NOT_FOUND
    const { body, modifiedAt } = page
    const facts = { ...page, etag: plainTag(body.length, modifiedAt), bytes: body.length, body: () => body }
    return plainAnswer(facts, request, this.#now, true)
  }
}

/** The copy has all pages as they are now, with the tags that an endpoint gives them. */
export function holdSite(copy: SiteCopy, site: CountedSite, door: CountedEndpoint = 'helping'): void {
  for (const { path, digest, bytes, modifiedAt } of site.journal.pages()) {
    const etag = door === 'plain' ? plainTag(bytes, modifiedAt) : pageEtag({ digest })
    const headers: HeaderList = [
      ['ETag', etag],
      ['Last-Modified', writeHttpDate(modifiedAt)],
    ]
    copy.hold(path, site.body(path)!, headers, site.now, digest.slice('sha-256:'.length))
  }
}

/** As Apache does it: of what the file system knows, so that no file is read for it. */
const plainTag = (bytes: number, modifiedAt: Instant): string => `"${bytes.toString(16)}-${modifiedAt.toString(16)}"`

const pageFields = ({ body, modifiedAt, type }: Held): HeaderList => [
  ['Last-Modified', writeHttpDate(modifiedAt)],
  ['Content-Type', type],
  ['Content-Length', String(body.length)],
]
