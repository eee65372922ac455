/**
 * Asker: the requests of a site check, one after the other on one connection, each no sooner than is polite, each noted. It
 * stops for good when the site asks to be left alone or when all requests that were allowed are used up.
 */
import type { SecureContext } from 'node:tls'
import { headerOf, TOO_MUCH_WORK } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { AddressCache } from '../fetch/addresses.ts'
import { ByteBudget } from '../fetch/byte-budget.ts'
import { Connection } from '../fetch/connection.ts'
import { inquire, headersOf, TOO_COSTLY_REPLY } from '@comity/follow'
import type { Inquiry } from '@comity/follow'
import type { Ask, Reply, Documents, Exchange } from '@comity/ingest'
import { ownDocuments } from '@comity/ingest'
import { headersFor } from '../options.ts'
import type { CrawlOptions } from '../options.ts'

/** One request as it is shown. */
export interface CheckRequest {
  readonly method: string
  readonly url: string
  /** 0 when there was no answer. */
  readonly status: number
  /** Of the body as it was sent. */
  readonly bytes: number
  readonly ms: number
  readonly problem?: string | undefined
  /** Refused to whoever does not prove who they are (RFC 9421 §5). */
  readonly asksProof?: true | undefined
}

interface AskerOptions {
  readonly origin: string
  readonly crawl: CrawlOptions
  readonly addresses: AddressCache
  readonly trust: SecureContext | undefined
  readonly now: () => Instant
  readonly sleep: (ms: number) => Promise<void>
  readonly maxRequests: number
  /** Rest before each request but the first. */
  readonly pauseMs: number
  /** Who reads what it answers; this thread when not given. */
  readonly documents?: Documents | undefined
  readonly onRequest: (request: CheckRequest) => void
}

type Asked = Omit<Ask, 'url' | 'mark'>

interface Conversed<Result> {
  /** Undefined when it was cut short. */
  readonly result: Result | undefined
  readonly requests: number
  readonly bytes: number
}

const SITE_IN_TROUBLE: ReadonlySet<number> = new Set([429, 503])

export class Asker {
  readonly #options: AskerOptions
  #connection: Connection | undefined
  #pauseMs: number
  #asked = 0
  #bytes = 0
  #stopped: string | undefined
  readonly #answered = new Set<string>()

  constructor(options: AskerOptions) {
    this.#options = options
    this.#pauseMs = options.pauseMs
  }

  get origin(): string {
    return this.#options.origin
  }

  get requests(): number {
    return this.#asked
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Why nothing more is asked; undefined while something is. */
  get stopped(): string | undefined {
    return this.#stopped
  }

  /** What the site asks for between two requests; it may lengthen the rest, never shorten it. */
  restAtLeast(ms: number): void {
    this.#pauseMs = Math.max(this.#pauseMs, ms)
  }

  /** It was asked for, and something came. */
  hasAnswered(url: string): boolean {
    return this.#answered.has(url)
  }

  /** Undefined when nothing more may be asked. */
  async ask(url: string, asked: Asked = {}): Promise<Exchange | undefined> {
    const { maxRequests, sleep, now, onRequest } = this.#options
    if (this.#asked >= maxRequests)
      this.#stopped ??= `${maxRequests} requests were made, which is the most for one check`
    if (this.#stopped !== undefined) return undefined
    if (this.#asked > 0 && this.#pauseMs > 0) await sleep(this.#pauseMs)
    this.#asked++
    const startedAt = now()
    const exchange = await this.#exchange(url, asked)
    const isAnswered = exchange.kind === 'answered'
    const status = isAnswered ? exchange.head.status : 0
    const bytes = isAnswered ? exchange.body.length : 0
    this.#bytes += bytes
    if (SITE_IN_TROUBLE.has(status)) this.#stopped ??= `the site answered ${status}: it asks to be left alone`
    const problem = isAnswered ? undefined : exchange.message
    if (status >= 200 && status < 400) this.#answered.add(url)
    const asksProof = status === 403 && fieldOf(exchange, 'accept-signature') !== undefined
    const method = asked.method ?? 'GET'
    onRequest({ method, url, status, bytes, ms: now() - startedAt, problem, ...(asksProof ? { asksProof } : {}) })
    return exchange
  }

  /** Leads an inquiry to its end, or to its so many-th question. `onReply` listens in. */
  async inquire<Result>(
    inquiry: Inquiry<Result>,
    maxRequests: number = Infinity,
    onReply: (url: string, reply: Reply) => void = () => undefined,
  ): Promise<Conversed<Result>> {
    const [requests, bytes] = [this.#asked, this.#bytes]
    const result = await inquire(inquiry, async (question) => {
      const isOver = this.#asked - requests >= maxRequests
      const exchange = isOver ? undefined : await this.ask(question.url, { ...question, headers: headersOf(question) })
      if (exchange === undefined) return undefined
      const reply = await this.#read(question, exchange)
      onReply(question.url, reply)
      return reply
    })
    return { result, requests: this.#asked - requests, bytes: this.#bytes - bytes }
  }

  async #read(ask: Ask, exchange: Exchange): Promise<Reply> {
    const { documents = ownDocuments } = this.#options
    const reply = await documents.work('reply', { ask, exchange, address: '' })
    return reply === TOO_MUCH_WORK ? TOO_COSTLY_REPLY : reply
  }

  async close(): Promise<void> {
    await this.#connection?.close()
  }

  async #exchange(url: string, { method, headers, body, maxBytes }: Asked): Promise<Exchange> {
    const { crawl, origin } = this.#options
    const { pathname, search } = new URL(url)
    const opened = await this.#open()
    if (!(opened instanceof Connection)) return opened
    const sent = { ...headersFor(crawl, origin), ...headers }
    const options = { method, body, ...(maxBytes === undefined ? {} : { maxBodyBytes: maxBytes }) }
    const exchange = await opened.request(`${pathname}${search}`, sent, options)
    // The server had closed the connection before it heard of us: that is no answer, so it is asked again.
    if (exchange.kind === 'failed' && exchange.stale) {
      await opened.close()
      const again = await this.#open()
      return again instanceof Connection ? await again.request(`${pathname}${search}`, sent, options) : again
    }
    return exchange
  }

  async #open(): Promise<Connection | Exchange> {
    if (this.#connection?.isOpen === true) return this.#connection
    await this.#connection?.close()
    const { origin, addresses, crawl, trust, now } = this.#options
    const resolution = await addresses.resolve(origin)
    if (resolution.kind !== 'address') {
      this.#stopped ??= resolution.message
      const at = now()
      return {
        kind: 'failed',
        outcome: resolution.kind,
        message: resolution.message,
        stale: false,
        startedAt: at,
        endedAt: at,
        firstByteMs: 0,
        transferMs: 0,
      }
    }
    const { limits, insecureTls, proxy, identity } = crawl
    const budget = new ByteBudget(Infinity)
    this.#connection = new Connection({
      origin,
      address: resolution.address,
      limits,
      budget,
      now,
      insecureTls,
      trust,
      proxy,
      identity,
    })
    return this.#connection
  }
}

/** A header field of an answer; undefined when there was none. */
export function fieldOf(exchange: Exchange | undefined, name: string): string | undefined {
  return exchange?.kind === 'answered' ? headerOf(exchange.head.headers, name) : undefined
}

export const statusOf = (exchange: Exchange | undefined): number =>
  exchange?.kind === 'answered' ? exchange.head.status : 0
