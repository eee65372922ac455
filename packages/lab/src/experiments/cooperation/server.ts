/**
 * A cooperating site on loopback: its pages with validators, and the documents that `@comity/site` publishes of them, on
 * real sockets. Its clock is a number, so that what it sends is the same, byte for byte, in every run.
 *
 * Three endpoints to one journal, as one address can have but one robots.rdf: in parts, in one file, and as 002 prints it.
 */
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { evaluateConditions, ROBOTS_RDF, ROBOTS_RDF_TYPE, writeHttpDate } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { createSite, MemoryJournal, NO_BODY, pageEtag } from '@comity/site'
import type { Observation, PageState, Scheme, Site, SiteAnswer } from '@comity/site'
import { SITE_BEGINS } from '../../webs/made-site.ts'
import type { SitePages } from '../../webs/made-site.ts'
import { paperRobotsRdf } from './rdf.ts'

/** `parts` offers everything, `whole` and `paper` nothing but their robots.rdf. */
export type Endpoint = 'parts' | 'whole' | 'paper'

export interface CooperatingSite extends AsyncDisposable {
  readonly base: string
  readonly ports: Readonly<Record<Endpoint, number>>
  /** A day later these pages, by their place in the list, have changed. */
  change(pages: Iterable<number>): Promise<void>
}

const OFFERED: readonly Scheme[] = ['robots', 'sitemap', 'archives', 'robots-rdf', 'resourcesync', 'catalog', 'changes']
const DAY_MS = 86_400_000

export async function serveCooperatingSite({ base, pages }: SitePages): Promise<CooperatingSite> {
  const { origin } = new URL(base)
  // After the last change of any page, whatever year it is there.
  let now: Instant = pages.reduce((latest, { modifiedAt }) => Math.max(latest, modifiedAt), SITE_BEGINS)
  const journal = new MemoryJournal({ id: 'cooperation', limits: { changes: 10_000_000, changeBytes: 2 ** 40 } })
  const versions = new Uint32Array(pages.length)
  const stateOf = (index: number): Observation => {
    const { url, bytes, modifiedAt } = pages[index]!
    const version = versions[index]!
    const digest = `sha-256:${hash('sha256', `${url} ${version}`)}`
    return {
      path: url.slice(origin.length),
      modifiedAt: version === 0 ? modifiedAt : now,
      digest,
      bytes,
      type: 'text/html',
    }
  }
  await journal.record(
    pages.map((_, index) => stateOf(index)),
    now,
  )
  now += DAY_MS
  const options = { journal, base, now: () => now, read: async () => undefined }
  const site = createSite({ ...options, schemes: OFFERED })
  const whole = createSite({
    ...options,
    schemes: ['robots-rdf'],
    robotsRdf: { firstPages: Infinity },
    limits: { cacheBytes: 2 ** 29 },
  })
  const doors: Readonly<Record<Endpoint, Server>> = {
    parts: serverOf(site, journal, () => now),
    whole: serverOf(whole, journal, () => now),
    paper: serverOf(
      paperSite(journal, base, () => now),
      journal,
      () => now,
    ),
  }
  const entries = Object.entries(doors) as [Endpoint, Server][]
  await Promise.all(entries.map(([, server]) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))))
  return {
    base,
    ports: Object.fromEntries(
      entries.map(([door, server]) => [door, (server.address() as AddressInfo).port]),
    ) as Record<Endpoint, number>,
    async change(changed) {
      now += DAY_MS
      const seen = [...changed].map((index) => {
        versions[index]! += 1
        return stateOf(index)
      })
      await journal.record(seen, now)
      // A site dates its documents to the end of the second, and robots.rdf is made anew after a minute at the earliest.
      now += 3_600_000
    },
    async [Symbol.asyncDispose]() {
      for (const [, server] of entries) server.closeAllConnections()
      await Promise.all(entries.map(([, server]) => new Promise((done) => server.close(done))))
    },
  }
}

/** Only what answers need. */
type Answering = Pick<Site, 'answer'>

/** robots.rdf as it is printed, a file as any other. */
function paperSite(journal: MemoryJournal, base: string, now: () => Instant): Answering {
  const { origin, pathname } = new URL(base)
  let made: { readonly number: number; readonly body: Buffer; readonly at: Instant } | undefined
  return {
    answer: async ({ path, method, headers }) => {
      if (path !== `${pathname}${ROBOTS_RDF}`) return undefined
      if (made?.number !== journal.last) {
        const entries = Array.from(journal.pages(), (page) => ({ ...page, url: `${origin}${page.path}` }))
        made = { number: journal.last, body: Buffer.from(paperRobotsRdf(entries, base)), at: now() }
      }
      const { body, at } = made
      const etag = `"${hash('sha256', body).slice(0, 32)}"`
      const fields: HeaderList = [
        ['ETag', etag],
        ['Last-Modified', writeHttpDate(at)],
      ]
      if (evaluateConditions({ method, headers }, { etag, lastModified: at }, now()) === 'not-modified')
        return { status: 304, headers: fields, body: NO_BODY }
      const described: HeaderList = [
        ...fields,
        ['Content-Type', ROBOTS_RDF_TYPE],
        ['Content-Length', String(body.length)],
      ]
      return { status: 200, headers: described, body }
    },
  }
}

function serverOf(site: Answering, journal: MemoryJournal, now: () => Instant): Server {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path, method] = [request.url ?? '/', request.method ?? 'GET']
    const headers = headerList(request.rawHeaders)
    const page = journal.page(path)
    const given =
      page === undefined
        ? await site.answer({ method, path, headers, body: noBody })
        : pageAnswer(page, method, headers, now())
    send(response, given ?? { status: 404, headers: [['Content-Length', '0']], body: NO_BODY }, now())
  }
  // What the site is asked here is asked by this program; an answer that fails is seen as a connection that ends.
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  server.keepAliveTimeout = 600_000
  server.maxRequestsPerSocket = 0
  return server
}

const noBody = async (): Promise<Uint8Array> => NO_BODY

function headerList(raw: readonly string[]): HeaderList {
  const fields: [string, string][] = []
  for (let i = 0; i + 1 < raw.length; i += 2) fields.push([raw[i]!, raw[i + 1]!])
  return fields
}

function pageAnswer(page: PageState, method: string, headers: HeaderList, now: Instant): SiteAnswer {
  const validators = { etag: pageEtag(page), lastModified: page.modifiedAt }
  const fields: HeaderList = [
    ['ETag', validators.etag],
    ['Last-Modified', writeHttpDate(page.modifiedAt)],
  ]
  if (evaluateConditions({ method, headers }, validators, now) === 'not-modified')
    return { status: 304, headers: fields, body: NO_BODY }
  const described: HeaderList = [
    ...fields,
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Length', String(page.bytes)],
  ]
  return { status: 200, headers: described, body: method === 'HEAD' ? NO_BODY : Buffer.alloc(page.bytes, 'x') }
}

function send(response: ServerResponse, { status, headers, body }: SiteAnswer, now: Instant): void {
  // The clock of the site, not of this machine.
  response.sendDate = false
  response.writeHead(status, ['Date', writeHttpDate(now), ...headers.flat()])
  if (body instanceof Uint8Array) response.end(body)
  else throw new TypeError('an answer of unknown length is not what is measured here')
}
