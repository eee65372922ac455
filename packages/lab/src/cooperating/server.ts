/**
 * The site of a year, on loopback: as it was then, or as one that helps crawlers.
 *
 *   plain     pages, tags, dates and 304, gzip for who asks; what any server does
 *   helping   the same pages behind the site's middleware, which has a journal of what changes
 *
 * Its clock is that of the year. Recording a change in the journal is work of the site's that a plain one is spared.
 */
import { createServer as createHttp } from 'node:http'
import type { RequestListener, ServerResponse } from 'node:http'
import { createServer as createHttp2 } from 'node:http2'
import type { Server } from 'node:net'
import { writeHttpDate } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { createSiteFront, digestOf, MemoryJournal, MemoryVersions, nodeMiddleware } from '@comity/site'
import type { Observation, SiteAnswer, SiteFront, SiteOptions } from '@comity/site'
import { portOf } from '@comity/testbed'
import { headerPairs } from './http.ts'
import { NOT_FOUND, plainAnswer } from './plain-page.ts'
import type { PlainPage } from './plain-page.ts'
import { INDEXNOW_KEY, SITE_KEYS } from './sender.ts'
import { cpuMs } from '../experiments/schemes/worker.ts'
import { DAY_MS, YearState } from './year.ts'
import type { Bodies, Year, YearEvent } from './year.ts'

export interface SiteEndpoint {
  readonly door: 'plain' | 'helping'
  readonly http2?: boolean | undefined
  /** Of the pages in one part of a dump. */
  readonly dumpBytes?: number | undefined
}

/** What is sent from the site by itself, and when. */
interface SendingSite {
  readonly dueAt: Instant
  send(now: Instant): Promise<void>
}

/** Where the site would be if it were not on loopback. */
export const SITE_BASE = 'https://www.example.org/'
const TYPE = 'text/html'
/** All versions of a year are kept: what a site that keeps fewer sends whole is for its owner to decide. */
const VERSION_BYTES = 2 ** 30

export class YearServer implements AsyncDisposable {
  readonly #state: YearState
  readonly #bodies: Bodies
  readonly #journal: MemoryJournal | undefined
  readonly #modified = new Map<string, Instant>()
  readonly #server: Server
  #front: SiteFront | undefined
  #now: Instant

  private constructor(year: Year, bodies: Bodies, { door, http2, dumpBytes }: SiteEndpoint) {
    this.#state = new YearState(year)
    this.#bodies = bodies
    // Just before: what a delivery worker sends at the beginning of a day, it sends at the beginning of the first.
    this.#now = year.from - 1
    const isHelping = door === 'helping'
    const versions = new MemoryVersions({ maxBytes: VERSION_BYTES })
    this.#journal = isHelping ? new MemoryJournal({ id: 'year', versions }) : undefined
    const listener = this.#journal === undefined ? this.#plain() : this.#helping(this.#journal, dumpBytes)
    this.#server = http2 === true ? createHttp2(asHttp2(listener)) : createHttp({ keepAliveTimeout: 600_000 }, listener)
  }

  static async open(year: Year, bodies: Bodies, door: SiteEndpoint): Promise<YearServer> {
    const server = new YearServer(year, bodies, door)
    await server.#record(year.present, () => server.#now)
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get port(): number {
    return portOf(this.#server)
  }

  /** For a delivery worker, which has to see the same pages under the same rules. Throws for a plain site: that tells nobody. */
  get siteOptions(): SiteOptions {
    if (this.#front === undefined) throw new Error('a plain site sends nothing')
    return this.#front.siteOptions
  }

  /** What happens up to this moment happens, each change at its own time. */
  async advance(to: Instant): Promise<void> {
    await this.#record(this.#state.advance(to), ({ at }) => at)
    this.#now = to
  }

  /** Goes on to a moment from change to change, and whenever something is due it is sent. */
  async live(to: Instant, sender: SendingSite, onRecorded: (ms: number) => void): Promise<void> {
    for (;;) {
      const at = Math.min(this.#state.nextAt, Math.max(this.#now, sender.dueAt))
      if (at > to) break
      const cpu = cpuMs()
      await this.advance(at)
      onRecorded(cpuMs() - cpu)
      if (sender.dueAt <= at) await sender.send(at)
    }
    this.#now = to
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #record(events: readonly YearEvent[], noticedAt: (event: YearEvent) => Instant): Promise<void> {
    for (const { path, at } of events) this.#modified.set(path, at)
    if (this.#journal === undefined) return
    // What was changed at one time was noticed at one time.
    for (const [at, together] of Map.groupBy(events, noticedAt))
      await this.#journal.record(
        together.map((event) => this.#observation(event)),
        at,
      )
  }

  #observation({ path, at, content }: YearEvent): Observation {
    if (content === undefined) return { path, gone: true }
    const body = this.#bodies.get(content)!
    return { path, modifiedAt: at, digest: digestOf(body), bytes: body.length, type: TYPE, body }
  }

  #plain(): RequestListener {
    return (request, response) => {
      const path = request.url ?? '/'
      const content = this.#state.pages.get(path)
      const asked = { method: 'GET', headers: headerPairs(request.rawHeaders) }
      send(response, content === undefined ? NOT_FOUND : plainAnswer(this.#page(path, content), asked, this.#now, true))
    }
  }

  #page(path: string, content: string): PlainPage {
    const [modifiedAt, body] = [this.#modified.get(path)!, this.#bodies.get(content)!]
    // As Apache does it: of what the file system knows, so that no file is read for it.
    const etag = `"${content.slice(0, 12)}-${modifiedAt.toString(16)}"`
    return { etag, modifiedAt, type: TYPE, bytes: body.length, body: () => body }
  }

  #helping(journal: MemoryJournal, dumpBytes: number | undefined): RequestListener {
    this.#front = createSiteFront({
      journal,
      base: SITE_BASE,
      now: () => this.#now,
      robots: '',
      // Files as they are: nothing in them differs from answer to answer, or follows from the host's name.
      masks: [],
      isHostFixed: true,
      // Of a page's own earlier version alone, so that each scheme is measured by itself.
      dictionary: false,
      limits: dumpBytes === undefined ? {} : { dumpBytes },
      // A year passes in seconds here: what packing may take of the processor in a second says nothing.
      coding: { share: 1, burstMs: DAY_MS },
      keys: SITE_KEYS,
      push: { indexNowKey: INDEXNOW_KEY },
    })
    const middleware = nodeMiddleware(this.#front)
    return (request, response) =>
      middleware(request, response, (error) => {
        if (error !== undefined) return response.destroy()
        const path = request.url ?? '/'
        const content = this.#state.pages.get(path)
        if (content === undefined) return send(response, NOT_FOUND)
        const body = this.#bodies.get(content)!
        response.setHeader('Last-Modified', writeHttpDate(this.#modified.get(path)!))
        response.setHeader('Content-Type', TYPE)
        response.setHeader('Content-Length', body.length)
        response.end(body)
      })
  }
}

function send(response: ServerResponse, { status, headers, body }: SiteAnswer): void {
  response.statusCode = status
  for (const [name, value] of headers) response.setHeader(name, value)
  response.end(body)
}

/** Node's compatible form of HTTP/2 has all that is used here. */
const asHttp2 = (listener: RequestListener): Parameters<typeof createHttp2>[1] & object =>
  listener as unknown as Parameters<typeof createHttp2>[1] & object
