/**
 * CopyHandler: of what passes through the proxy, a copy for the same path that packets take. Bodies are kept as the pieces they
 * came in and joined at the end; what is not wanted, larger than a cap, or more than the memory for it, passes all the same
 * and is told without its body. A sink that throws ends nobody's request: it is counted.
 */
import type { HeaderList } from '@comity/protocol'
import { proxyOptions } from '@comity/site/internal'
import type { BodyWatch, ExchangeWatch, PassedAnswer, PassedExchange, ProxyWishes } from '@comity/site/internal'
import { ConnectionWatch } from '../privacy/connection-watch.ts'
import type { BodyWish, ConversationLimits } from '../http/conversation-limits.ts'
import type { RequestHead, ResponseHead } from '../http/head.ts'
import { MemoryBudget } from '../memory-budget.ts'
import type { Authentication, ObservedExchangeSink, ExchangeVerdict } from '../http/observed-exchange.ts'

interface CopyLimits extends Pick<ConversationLimits, 'maxBodyBytes' | 'bytes'> {
  readonly server: string
  readonly serverPort: number
}

export function copyLimits(wishes: ProxyWishes): CopyLimits {
  const { origin, limits } = proxyOptions(wishes)
  const { hostname, port, protocol } = new URL(origin)
  return {
    maxBodyBytes: limits.maxCopyBytes,
    bytes: limits.copyBytes,
    server: hostname.replace(/^\[|\]$/g, ''),
    serverPort: Number(port) || (protocol === 'https:' ? 443 : 80),
  }
}

export class CopyHandler implements ExchangeWatch {
  readonly budget: MemoryBudget
  /** How often the sink threw. */
  faults = 0
  readonly #sink: ObservedExchangeSink
  readonly #wants: BodyWish
  readonly #limits: CopyLimits
  readonly #now: () => number
  readonly #watches = new WeakMap<object, ConnectionWatch>()

  constructor(sink: ObservedExchangeSink, wants: BodyWish, limits: CopyLimits, now: () => number) {
    this.#sink = sink
    this.#wants = wants
    this.#limits = limits
    this.#now = now
    this.budget = new MemoryBudget(limits.bytes)
  }

  begin(exchange: PassedExchange, answer: PassedAnswer): BodyCopy {
    const request = new LazyRequest(exchange)
    const response = new LazyResponse(answer)
    const isWanted = exchange.method === 'GET' && this.#asks(request, response)
    return new BodyCopy(this, exchange, request, response, isWanted ? this.#limits.maxBodyBytes : -1)
  }

  unanswered(exchange: PassedExchange): void {
    this.hand(exchange, new LazyRequest(exchange), undefined, NOTHING, 'no-response')
  }

  hand(
    exchange: PassedExchange,
    request: RequestHead,
    response: ResponseHead | undefined,
    body: Uint8Array,
    verdict: ExchangeVerdict,
  ): void {
    const { at, client, scheme, host, target } = exchange
    const watch = this.#watchOf(exchange)
    const authentication: Authentication = watch.isKnown ? 'known' : 'none'
    if (response !== undefined) watch.answers(response.status)
    const isSure = HOST.test(host) && target.startsWith('/')
    const url = isSure ? `${scheme}://${host}${target}` : undefined
    const { server, serverPort } = this.#limits
    const endedAt = this.#now()
    try {
      const ends = { at, endedAt, client, server, serverPort, authentication }
      this.#sink.observed({ ...ends, request, url, response, body, verdict })
    } catch {
      // Reading goes on whatever becomes of the copy.
      this.faults++
    }
  }

  /** It has heard of the request. */
  #watchOf({ connection, request }: PassedExchange): ConnectionWatch {
    const watch = this.#watches.get(connection) ?? new ConnectionWatch()
    this.#watches.set(connection, watch)
    watch.asks(request())
    return watch
  }

  #asks(request: RequestHead, response: ResponseHead): boolean {
    try {
      return this.#wants(request, response)
    } catch {
      this.faults++
      return false
    }
  }
}

const NOTHING = new Uint8Array(0)
const HOST = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

export class BodyCopy implements BodyWatch {
  readonly #handler: CopyHandler
  readonly #exchange: PassedExchange
  readonly #request: RequestHead
  readonly #response: ResponseHead
  readonly #most: number
  #pieces: Uint8Array[] = []
  #bytes = 0
  #lost: ExchangeVerdict | undefined

  constructor(
    handler: CopyHandler,
    exchange: PassedExchange,
    request: RequestHead,
    response: ResponseHead,
    most: number,
  ) {
    this.#handler = handler
    this.#exchange = exchange
    this.#request = request
    this.#response = response
    this.#most = most
    if (most === -1) this.#lost = 'not-wanted'
  }

  add(piece: Uint8Array): void {
    if (this.#lost !== undefined) return
    if (this.#bytes + piece.length > this.#most) return this.#lose('too-large')
    if (!this.#handler.budget.take(piece.length)) return this.#lose('no-room')
    const kept = Buffer.allocUnsafeSlow(piece.length)
    kept.set(piece)
    this.#pieces.push(kept)
    this.#bytes += piece.length
  }

  end(verdict: 'whole' | 'cut-short' | 'switched'): void {
    const isWhole = verdict === 'whole' && this.#lost === undefined
    const body = !isWhole || this.#bytes === 0 ? NOTHING : this.#pieces.length === 1 ? this.#pieces[0]! : this.#joined()
    this.#handler.hand(this.#exchange, this.#request, this.#response, body, isWhole ? 'whole' : this.#named(verdict))
    this.#lose('cut-short')
  }

  #named(verdict: ExchangeVerdict): ExchangeVerdict {
    return verdict === 'whole' ? this.#lost! : verdict
  }

  #joined(): Uint8Array {
    return Buffer.concat(this.#pieces, this.#bytes)
  }

  #lose(verdict: ExchangeVerdict): void {
    this.#lost = verdict
    this.#handler.budget.give(this.#bytes)
    this.#pieces = []
    this.#bytes = 0
  }
}

class LazyRequest implements RequestHead {
  readonly kind = 'request'
  readonly doubts: readonly [] = []
  readonly method: string
  readonly target: string
  readonly version: string
  readonly #headers: () => HeaderList

  constructor({ method, target, version, request }: PassedExchange) {
    this.method = method
    this.target = target
    this.version = version
    this.#headers = request
  }

  get headers(): HeaderList {
    return this.#headers()
  }
}

class LazyResponse implements ResponseHead {
  readonly kind = 'response'
  readonly doubts: readonly [] = []
  readonly status: number
  readonly version: string
  readonly #headers: () => HeaderList

  constructor({ status, version, headers }: PassedAnswer) {
    this.status = status
    this.version = version
    this.#headers = headers
  }

  get headers(): HeaderList {
    return this.#headers()
  }
}
