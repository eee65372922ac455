/**
 * A crawler that keeps a copy of one site with the functions that crawl: what is asked, how answers are read, what of it is news,
 * and how a page is made of what came are `@comity/follow`. The lab brings a line to the site, its clock, the copy, and which
 * of the site's offers are known; where they stand is known, too, as whoever crawls at all finds that out, whatever the scheme.
 *
 *   poll ──▶ pages that are new or other ones ──▶ visit, each by itself        batch, dump ──▶ many at a time
 */
import {
  afterPoll,
  answerOfSent,
  BATCH_PAGES,
  batchQuestion,
  canListAll,
  inquire,
  DumpFetch,
  dumpedHeaders,
  headersOf,
  isNewsOf,
  OFFER_POLLS,
  MAX_PACKAGE_BYTES,
  newOffer,
  OfferMemory,
  readBatchOf,
  readDumpPackage,
  readPackages,
  signalOfReport,
  sortBatch,
} from '@comity/follow'
import type {
  ChangedPagesWish,
  Inquiry,
  HeldOptions,
  Offer,
  OfferKind,
  SiteOffers,
  PolledKind,
  ReportedPage,
} from '@comity/follow'
import { replyOf } from '@comity/ingest'
import type { AnsweredExchange, Ask, Reply } from '@comity/ingest'
import { BATCH_PATH, CHANGES_PATH, headerOf, ROBOTS_RDF } from '@comity/protocol'
import type { BatchPage, HeaderList, Instant } from '@comity/protocol'
import type { SiteCopy } from './copy.ts'
import { plainBody } from './http.ts'
import type { Answered, Asker } from './http.ts'

/** As our crawler asks for documents (`headersFor` and `askQuestion` of crawler). */
const DOCUMENT_HEADERS: HeaderList = [
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, br, zstd, deflate'],
]

/** Where `@comity/site` has what it offers, below its base; what begins with a slash, below its origin. */
const PLACES: Readonly<Partial<Record<OfferKind, string>>> = {
  filter: CHANGES_PATH,
  'change-list': 'metadata/changelist.xml',
  'metadata-archive': 'metadata/archives.txt',
  'robots-rdf': ROBOTS_RDF,
  sitemap: 'metadata/resourcelist.xml',
  dump: 'metadata/resourcedump.xml',
}

export interface FollowerParts {
  readonly base: string
  readonly copy: SiteCopy
  /** What the site is known to offer; where, when that is not where our sites have it. */
  readonly offers?: readonly (OfferKind | Offer)[]
  /** How pages that have changed are asked for. */
  readonly differences?: HeldOptions['differences']
  /** Of a filter: its pages come along. */
  readonly brings?: ChangedPagesWish['fields'] | undefined
  /** Of requests for pages, besides what the copy adds. */
  readonly pageHeaders?: HeaderList
  readonly documentHeaders?: HeaderList
  /** Documents are fetched whole each time, also when they are as they were. */
  readonly isUnconditional?: boolean
  /** Documents that are not asked for: what they say is not wanted. */
  readonly leavesOut?: (url: string) => boolean
}

/** How a page is visited: `isConditional` is how the crawler does it. */
interface VisitManner {
  readonly isConditional: boolean
}

const DAY_MS = 86_400_000

export class SiteFollower {
  readonly #parts: FollowerParts
  readonly #origin: string
  #row: SiteOffers
  /** Whether a difference that could not be used has come: then none is asked for any more, as `DifferenceUse` has it. */
  #isBroken = false
  readonly #numbers = new Map<string, number>()
  readonly #paths: string[] = []
  /** Of the packages of a dump: their tags, and the pages in them. */
  readonly #packages = new Map<string, { readonly etag: string | undefined; readonly paths: readonly string[] }>()

  constructor(parts: FollowerParts) {
    this.#parts = parts
    this.#origin = new URL(parts.base).origin
    const offers = (parts.offers ?? []).map((one) => (typeof one === 'string' ? knownOffer(one, parts.base) : one))
    this.#row = { lookedAt: 0, lookAgainAt: Infinity, offers }
  }

  get copy(): SiteCopy {
    return this.#parts.copy
  }

  /** Brings the copy up to date by what the site tells. */
  async follow(line: Asker, kind: PolledKind, now: Instant): Promise<void> {
    const { due, brought } = await this.poll(line, kind, now)
    for (const page of brought) {
      const path = this.#pathOf(page.url)
      if (await this.#deliver(path, page, now)) due.delete(path)
    }
    for (const path of due.keys()) await this.visit(line, path, now)
  }

  /** The same where pages themselves are not what is measured: the copy is taken to be what is told. Returns what was news. */
  async learn(line: Asker, kind: PolledKind, now: Instant): Promise<ReadonlySet<string>> {
    const { due } = await this.poll(line, kind, now)
    for (const [path, told] of due) {
      if (told.change === 'deleted') this.copy.drop(path)
      else this.copy.note(path, told.digest, now)
    }
    return new Set(due.keys())
  }

  /** What is news of it, by path; and pages that came along. A gap in what changed is closed by what lists all pages. */
  async poll(line: Asker, kind: PolledKind, now: Instant): Promise<Polled> {
    const looked = await this.#lookOnce(line, kind, now)
    const other = this.#row.isBehind === true ? this.#row.offers.find((one) => one.kind === 'sitemap') : undefined
    if (other === undefined) return looked
    const listed = await this.#lookOnce(line, 'sitemap', now)
    return { ...looked, due: new Map([...looked.due, ...listed.due]) }
  }

  /** One page by itself. A difference that cannot be used costs a second request. */
  async visit(line: Asker, path: string, now: Instant, { isConditional }: VisitManner = CONDITIONAL): Promise<void> {
    const { pageHeaders = [], differences = 'none' } = this.#parts
    const wanted = this.#isBroken ? 'none' : differences
    const held = isConditional ? this.copy.version(this.#origin + path, path, wanted) : undefined
    const answer = await line.ask({ path, headers: [...pageHeaders, ...Object.entries(held?.headers ?? {})] })
    if (answer.status === 304 && held?.isConditional === true) return
    const rebuilt = await held?.rebuild(exchangeOf(answer, now))
    if (rebuilt?.kind === 'broken') {
      this.copy.noteBroken()
      this.#isBroken = true
      return this.#take(path, await line.ask({ path, headers: pageHeaders }), now)
    }
    if (rebuilt?.scheme === undefined) this.#take(path, answer, now)
    else this.copy.take(path, rebuilt.answer.body, rebuilt.answer.head.headers, now)
  }

  /** These pages in as few requests as the crawler makes of them; what did not change does not come. */
  async batch(line: Asker, paths: readonly string[], now: Instant): Promise<void> {
    for (let at = 0; at < paths.length; at += BATCH_PAGES) {
      const some = paths.slice(at, at + BATCH_PAGES)
      const wishes = some.map((path) => ({ url: this.#origin + path, etag: this.copy.pages.get(path)?.row.etag }))
      const { headers, body } = batchQuestion(wishes)
      const answer = await line.ask({
        path: BATCH_PATH,
        method: 'QUERY',
        headers: Object.entries({ ...Object.fromEntries(DOCUMENT_HEADERS), ...headers }),
        body,
      })
      const read = await readBatchOf(exchangeOf(answer, now))
      if ('problem' in read) throw new Error(`a batch: ${read.problem}`)
      const urls = wishes.map(({ url }) => url)
      const { came, unsure } = sortBatch(urls, read)
      const alone = new Set(unsure.map((url) => this.#pathOf(url)))
      for (const page of came) {
        const path = this.#pathOf(page.url)
        if (!(await this.#deliver(path, page, now))) alone.add(path)
      }
      for (const path of alone) await this.visit(line, path, now)
    }
  }

  /**
   * The whole site, in as many packages as it makes of itself, again and again: the crawler takes a dump for its first copy alone,
   * and that it costs more than what changed is what 002 §6.4 says of it. `isConditional`: packages that are as they were are
   * left out. It says what is there and not what is gone, so pages that were in none of them are asked for.
   */
  async dump(line: Asker, isConditional: boolean, now: Instant): Promise<void> {
    const offer = this.#offerOf('dump')
    const listed = await this.#inquire(line, now, readPackages({ origin: this.#origin, offer }, 'resourcedump'))
    if (listed === undefined || typeof listed === 'string') throw new Error(`a dump: ${listed ?? 'it was cut short'}`)
    for (const { url } of listed) await this.#package(line, url, isConditional, now)
    const there = new Set(listed.flatMap(({ url }) => this.#packages.get(url)?.paths ?? []))
    const missing = [...this.copy.pages.keys()].filter((path) => !there.has(path))
    for (const path of missing) await this.visit(line, path, now)
  }

  async #package(line: Asker, url: string, isConditional: boolean, now: Instant): Promise<void> {
    const fetch = new DumpFetch(MAX_PACKAGE_BYTES)
    const etag = isConditional ? this.#packages.get(url)?.etag : undefined
    const conditions: HeaderList = etag === undefined ? [] : [['if-none-match', etag]]
    const headers = [...Object.entries(fetch.begin().headers), ...conditions]
    const answer = await line.ask({ path: this.#pathOf(url), headers })
    if (answer.status === 304) return
    const fetched = fetch.answered(exchangeOf(answer, now))
    if (fetched.kind !== 'whole') throw new Error(`${url} did not come whole`)
    const paths: string[] = []
    const pages = readDumpPackage(fetched.bytes, url, () => true)
    let step = await pages.next()
    for (; step.done !== true; step = await pages.next()) {
      const path = this.#pathOf(step.value.url)
      paths.push(path)
      this.copy.take(path, step.value.body, dumpedHeaders(step.value), now)
    }
    const { problem, faults } = step.value
    if (problem !== undefined || faults > 0) throw new Error(`${url}: ${problem ?? `${faults} pages are wrong`}`)
    this.#packages.set(url, { etag: headerOf(answer.headers, 'etag'), paths })
  }

  async #lookOnce(line: Asker, kind: PolledKind, now: Instant): Promise<Polled> {
    const [offer, memory, brings] = [this.#offerOf(kind), this.#memoryOf(kind), this.#parts.brings]
    const due = new Map<string, ReportedPage>()
    const brought: BatchPage[] = []
    const end = await this.#inquire(
      line,
      now,
      OFFER_POLLS[kind]({
        origin: this.#origin,
        offer,
        memory,
        robots: undefined,
        toldAt: this.#row.toldAt,
        hasOtherLists: canListAll(this.#row.offers),
        bring: brings === undefined ? undefined : { fields: brings, take: (pages) => void brought.push(...pages) },
        tell: (told, document) => {
          // Nobody speaks for another site (`watch/reported-pages.ts` of crawler).
          if (!told.url.startsWith(`${this.#origin}/`)) return
          const path = this.#pathOf(told.url)
          if (this.#isNews(path, kind, told, now)) due.set(path, told)
          if (document !== undefined) memory.named.name(document, this.#numberOf(path), told.change === 'deleted')
        },
        keep: () => undefined,
      }),
    )
    if (end?.problem !== undefined || end?.brought?.problem !== undefined)
      throw new Error(`${offer.url}: ${end.problem ?? end.brought?.problem}`)
    if (end?.isComplete === true)
      for (const page of memory.named.missing(end.documents)) {
        const path = this.#paths[page]!
        if (this.copy.pages.has(path)) due.set(path, { url: this.#origin + path, change: 'deleted', changedAt: now })
      }
    const outcome = { at: now, news: due.size, spent: { requests: 0, bytes: 0 }, isBehind: end?.isBehind }
    const terms = { dayMs: DAY_MS, minPollMs: 0 }
    this.#row = afterPoll({ ...this.#row, ...memory.row() }, offer, outcome, terms)
    return { due, brought }
  }

  #memoryOf(kind: PolledKind): OfferMemory {
    return new OfferMemory(this.#row, this.#offerOf(kind).url)
  }

  /** A page that is not held, or a signal that counts (`watch/reported-pages.ts` of crawler). */
  #isNews(path: string, kind: PolledKind, told: ReportedPage, now: Instant): boolean {
    const row = this.copy.pages.get(path)?.row
    if (row === undefined) return told.change !== 'deleted'
    const signal = signalOfReport(this.#origin + path, kind, told, row)
    return signal !== undefined && isNewsOf(row, signal, now)
  }

  async #inquire<Result>(line: Asker, now: Instant, inquiry: Inquiry<Result>): Promise<Result | undefined> {
    return await inquire(inquiry, async (ask) => await this.#reply(line, ask, now))
  }

  async #reply(line: Asker, asked: Ask, now: Instant): Promise<Reply> {
    const { documentHeaders = DOCUMENT_HEADERS, isUnconditional, leavesOut } = this.#parts
    if (leavesOut?.(asked.url) === true) return LEFT_OUT
    const ask = isUnconditional === true ? { ...asked, mark: undefined } : asked
    const headers = { ...Object.fromEntries(documentHeaders), ...headersOf(ask) }
    const { method, body } = ask
    const answer = await line.ask({ path: this.#pathOf(ask.url), method, headers: Object.entries(headers), body })
    return replyOf(ask, exchangeOf(answer, now))
  }

  /** A page that came among others; false for a difference that cannot be used (`bulk/delivered-pages.ts` of crawler). */
  async #deliver(path: string, page: BatchPage, now: Instant): Promise<boolean> {
    const answer = answerOfSent(page, now)
    const rebuilt = await this.copy.version(page.url, path, 'any')?.rebuild(answer)
    if (rebuilt?.kind === 'broken' || (rebuilt === undefined && page.status === 226)) {
      this.copy.noteBroken()
      return false
    }
    const { head, body } = rebuilt?.answer ?? answer
    this.#take(
      path,
      { status: head.status, headers: head.headers, body: Buffer.from(body.buffer, body.byteOffset, body.length) },
      now,
    )
    return true
  }

  #take(path: string, answer: Answered, now: Instant): void {
    if (answer.status === 404 || answer.status === 410) this.copy.drop(path)
    else if (answer.status === 200) this.copy.take(path, plainBody(answer), answer.headers, now)
    else throw new Error(`the site answers ${answer.status} for ${path}`)
  }

  #offerOf(kind: OfferKind): Offer {
    const offer = this.#row.offers.find((one) => one.kind === kind)
    if (offer === undefined) throw new Error(`${this.#parts.base} is not known to offer ${kind}`)
    return offer
  }

  #numberOf(path: string): number {
    const known = this.#numbers.get(path)
    if (known !== undefined) return known
    this.#numbers.set(path, this.#paths.length)
    return this.#paths.push(path) - 1
  }

  #pathOf(url: string): string {
    if (!url.startsWith(`${this.#origin}/`)) throw new Error(`${url} is not a page of ${this.#origin}`)
    return url.slice(this.#origin.length)
  }
}

interface Polled {
  readonly due: Map<string, ReportedPage>
  readonly brought: readonly BatchPage[]
}

const LEFT_OUT: Reply = { kind: 'same', status: 0, problem: 'it was not asked for' }
const CONDITIONAL: VisitManner = { isConditional: true }

function knownOffer(kind: OfferKind, base: string): Offer {
  return newOffer(kind, new URL(PLACES[kind] ?? '', base).href)
}

/** An answer as the crawler's readers have it; it takes no time. */
function exchangeOf({ status, headers, body }: Answered, at: Instant): AnsweredExchange {
  const head = { status, statusText: '', headers }
  const timed = { startedAt: at, endedAt: at, firstByteMs: 0, transferMs: 0 }
  return { kind: 'answered', head, body: body as Uint8Array<ArrayBuffer>, declined: false, ...timed }
}
