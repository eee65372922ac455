/**
 * Server: the repository over HTTP, for people and programs.
 *
 *   request ─▶ host, origin ─▶ route ─▶ token (what changes anything) ─▶ parameters, body ─▶ answer ─▶ headers, bytes
 *                  └──────────────┴────────────────┴──────────────────────────┴── Problem ─▶ JSON or a page
 *
 * Reading needs no token, so it listens on loopback unless told otherwise. Everything that is sent is limited, in size
 * and in time (`limits.ts`); whatever a request is, it gets an answer, and only our own bug is a 500.
 */
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { ServerOptions as SecureServerOptions } from 'node:https'
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClientPlaces, ownValue, proxySet } from '@comity/protocol'
import type { Proxies, Instant } from '@comity/protocol'
import { accessLine } from './access-log.ts'
import type { AccessLog } from './access-log.ts'
import { apiRoutes } from './api-routes.ts'
import {
  answerBrokenRequest,
  clientAddress,
  listenAt,
  Problem,
  DATA_POLICY,
  PAGE_POLICY,
  securityHeaders,
} from '@comity/receiver'
import { controlRoutes } from './control-routes.ts'
import { serverLimits } from '../limits.ts'
import type { ServerLimits } from '../limits.ts'
import type { ListenOptions } from '@comity/receiver'
import { LiveHub } from './live-hub.ts'
import { Metrics } from './metrics.ts'
import type { RoleModel } from '../model/page-models.ts'
import { pageRoutes } from './page-routes.ts'
import { readParameters } from './parameter.ts'
import type { PagesPort, SeveralPort, WholePort } from '../ports.ts'
import type { Repository } from '../repository.ts'
import { readBody } from './request-body.ts'
import { checkOrigin, checkToken, checkedHost } from './request-guard.ts'
import { html, json } from './route.ts'
import type { Answer, Route, StreamAnswer, WholeAnswer } from './route.ts'
import { Router } from './router.ts'
import { send } from './sending.ts'
import { serviceRoutes } from './service-routes.ts'
import { severalRoutes } from './several-routes.ts'
import { Turnstile } from './turnstile.ts'
import { wholeRoutes } from './whole-routes.ts'

/** A collection with all that is known of it, several that are searched as one, or all shards of a cluster. */
type Served = { readonly repository: Repository } | { readonly several: SeveralPort } | { readonly whole: WholePort }

export type ServerOptions = Served & ServerSettings

interface ServerSettings {
  readonly pages: PagesPort
  readonly token: string
  readonly now: () => Instant
  /** Names under which the server may be asked, besides its addresses and `localhost`. */
  readonly hostNames?: readonly string[] | undefined
  /** Addresses of proxies in front of us, whose X-Forwarded-For is believed. */
  readonly proxies?: readonly string[] | undefined
  readonly limits?: Partial<ServerLimits> | undefined
  /** Certificate and private key, as PEM: everything is answered by https then, and by nothing else. */
  readonly tls?: { readonly cert: string | Uint8Array; readonly key: string | Uint8Array } | undefined
  /** Of a demonstration: who is at work there. */
  readonly roles?: (() => readonly RoleModel[]) | undefined
  readonly accessLog?: AccessLog | undefined
  /** Hears of every bug of ours. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** What is known of a request while it is being answered. */
interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  route?: Route
  problem?: string
}

/** A hand that is not shaken in time goes with what is late otherwise. */
const tlsOf = <Settings extends { readonly headersTimeout: number }>(
  { cert, key }: NonNullable<ServerSettings['tls']>,
  settings: Settings,
): SecureServerOptions & Settings => ({
  ...settings,
  cert: pemOf(cert),
  key: pemOf(key),
  handshakeTimeout: settings.headersTimeout,
})

const pemOf = (pem: string | Uint8Array): string =>
  typeof pem === 'string' ? pem : Buffer.from(pem).toString('latin1')

export class RepositoryServer implements AsyncDisposable {
  readonly #options: ServerOptions
  readonly #limits: ServerLimits
  readonly #http: HttpServer
  readonly #router: Router
  readonly #metrics = new Metrics()
  readonly #searches: Turnstile
  readonly #copies: Turnstile
  readonly #proxies: Proxies
  readonly #connections: ClientPlaces
  readonly #listeners: ClientPlaces
  /** Of a collection: what its crawl tells. */
  readonly #hub: LiveHub | undefined
  readonly #stopping = new AbortController()
  #stopped: Promise<void> | undefined

  constructor(options: ServerOptions) {
    this.#options = options
    const limits = (this.#limits = { ...serverLimits, ...options.limits })
    const metrics = this.#metrics
    this.#searches = new Turnstile(limits.searches, limits.waitingSearches, () => metrics.refuse('too-many-searches'))
    this.#copies = new Turnstile(
      limits.copies,
      limits.waitingSearches,
      () => metrics.refuse('too-many-copies'),
      'stored copies',
    )
    this.#proxies = proxySet(options.proxies)
    this.#connections = new ClientPlaces({
      most: limits.maxConnections,
      trusted: options.proxies,
      onRefused: () => metrics.refuse('too-many-connections'),
    })
    this.#listeners = new ClientPlaces({
      most: limits.eventStreams,
      onRefused: () => metrics.refuse('too-many-streams'),
    })
    this.#hub = 'repository' in options ? new LiveHub(options.repository.crawl, quietSleep) : undefined
    this.#router = new Router(this.#routes())
    const settings = {
      maxHeaderSize: limits.maxHeaderBytes,
      requestTimeout: limits.requestTimeoutMs,
      headersTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.requestTimeoutMs),
      keepAliveTimeout: 5_000,
    }
    const answer = (request: IncomingMessage, response: ServerResponse): void => void this.#answer(request, response)
    const { tls } = options
    this.#http = tls === undefined ? createServer(settings, answer) : createTlsServer(tlsOf(tls, settings), answer)
    this.#http.timeout = limits.idleTimeoutMs
    this.#http.on('clientError', answerBrokenRequest)
    this.#connections.seatAllOf(this.#http)
  }

  get #scheme(): string {
    return this.#options.tls === undefined ? 'http' : 'https'
  }

  get routes(): readonly Route[] {
    return this.#router.routes
  }

  /** Returns where it listens. */
  async listen(options: ListenOptions = {}): Promise<AddressInfo> {
    const address = await listenAt(this.#http, options)
    this.#hub?.keep()
    return address
  }

  /** Take nothing new, end the event streams, let what runs finish, and close. Calling it twice is harmless. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async #stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()))
    this.#stopping.abort()
    this.#hub?.close()
    this.#http.closeIdleConnections()
    const limit = new AbortController()
    await Promise.race([closed, quietSleep(this.#limits.stopTimeoutMs, limit.signal)])
    limit.abort()
    this.#http.closeAllConnections()
    await closed
  }

  #routes(): Route[] {
    const options = this.#options
    const { pages, now } = options
    const [searches, hub] = [this.#searches, this.#hub]
    if ('whole' in options) {
      const { whole } = options
      return [
        ...wholeRoutes({ whole, searches, pages, now }),
        ...this.#serviceRoutes({ statistics: undefined, look: () => whole.status() }),
      ]
    }
    if ('several' in options) {
      const { several } = options
      return [
        ...severalRoutes({ several, searches, pages }),
        ...this.#serviceRoutes({ statistics: undefined, look: () => several.collections() }),
      ]
    }
    const { repository } = options
    return [
      ...pageRoutes({ repository, searches, copies: this.#copies, pages, roles: options.roles }),
      ...apiRoutes({ repository, searches, hub: hub!, listeners: this.#listeners }),
      ...controlRoutes(repository),
      ...this.#serviceRoutes({
        statistics: () => repository.statistics(),
        look: () => repository.counted(),
      }),
    ]
  }

  #serviceRoutes(served: Pick<Parameters<typeof serviceRoutes>[0], 'statistics' | 'look'>): Route[] {
    const [searches, hub, metrics] = [this.#searches, this.#hub, this.#metrics]
    const startedAt = this.#options.now()
    const gauges = (): Parameters<Metrics['text']>[0] => ({
      connections: this.#connections.held,
      searches: searches.inside,
      streams: hub?.listeners ?? 0,
      residentBytes: process.memoryUsage.rss(),
      startedAt,
    })
    const isStopping = (): boolean => this.#stopping.signal.aborted
    return serviceRoutes({ ...served, metrics, gauges, isStopping, routes: () => this.routes })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = performance.now()
    // A connection that breaks while we write is the client's affair.
    response.on('error', ignored)
    const visit: Visit = { request, response }
    let bytes = 0
    try {
      if (this.#stopping.signal.aborted) response.setHeader('Connection', 'close')
      const answer = await this.#found(visit)
      if ('run' in answer) return await this.#stream(visit, answer).finally(answer.over)
      bytes = await send(request, response, answer, policyOf(visit.route))
    } catch (error) {
      bytes = await this.#fail(visit, error)
    } finally {
      this.#note(visit, performance.now() - began, bytes)
    }
  }

  /** The answer, or a problem that is thrown. */
  async #found(visit: Visit): Promise<Answer> {
    const { request } = visit
    const facts = { method: request.method ?? '', header: headersOf(request) }
    if ((request.url ?? '').length > this.#limits.maxUrlChars) {
      throw new Problem('url-too-long', `A URL may have ${this.#limits.maxUrlChars} characters.`, {
        Connection: 'close',
      })
    }
    const host = checkedHost(facts, this.#options.hostNames ?? [])
    checkOrigin(facts, host)
    const url = targetOf(request, host)
    const { route, name } = this.#router.find(facts.method, url.pathname)
    visit.route = route
    if (route.method !== 'GET') checkToken(facts, this.#options.token)
    const parameters = readParameters(route.parameters, url.searchParams, route.audience === 'program')
    const body = route.takesBody === true ? await readBody(request) : undefined
    const client = clientAddress(request.socket.remoteAddress, facts.header('x-forwarded-for'), this.#proxies)
    const call = { parameters, name, body, base: `${this.#scheme}://${host}`, header: facts.header, client }
    return within(this.#limits.answerTimeoutMs, async () => route.answer(call))
  }

  async #stream({ request, response }: Visit, { type, run }: StreamAnswer): Promise<void> {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    response.on('error', () => gone.abort())
    // It may have gone while its answer was being found.
    if (response.destroyed) gone.abort()
    const signal = AbortSignal.any([gone.signal, this.#stopping.signal])
    response.writeHead(200, {
      ...securityHeaders(DATA_POLICY),
      'Cache-Control': 'no-store',
      'Content-Type': type,
      // Proxies that gather answers would hold events back.
      'X-Accel-Buffering': 'no',
      Connection: 'close',
    })
    response.flushHeaders()
    if (request.method !== 'HEAD') await run(response, signal)
    response.end()
  }

  /** Tell what went wrong. Never throws: there is nobody left to tell. */
  async #fail(visit: Visit, error: unknown): Promise<number> {
    const { request, response } = visit
    const problem = error instanceof Problem ? error : INTERNAL
    visit.problem = problem.kind
    if (problem === INTERNAL) this.#options.onError?.(error)
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return 0
    }
    try {
      return await send(request, response, this.#toldTo(visit, problem), policyOf(visit.route))
    } catch (unsent) {
      this.#options.onError?.(unsent)
      response.destroy()
      return 0
    }
  }

  /** As a page where a person asks, as JSON otherwise. */
  #toldTo({ request, route }: Visit, problem: Problem): WholeAnswer {
    const { status, headers, model } = problem
    const isPerson =
      route === undefined ? /\btext\/html\b/.test(request.headers.accept ?? '') : route.audience === 'person'
    if (isPerson) {
      try {
        const page = this.#options.pages.render('problem', model)
        return { ...html(page), status, headers, policy: PAGE_POLICY }
      } catch (error) {
        this.#options.onError?.(error)
      }
    }
    return { ...json(model, 'application/problem+json; charset=utf-8'), status, headers }
  }

  #note({ request, response, route, problem }: Visit, ms: number, bytes: number): void {
    const method = METHODS.has(request.method ?? '') ? request.method! : 'other'
    const path = route?.path ?? 'none'
    const status = response.statusCode
    this.#metrics.count(method, path, status)
    if (path !== '/api/v1/live') this.#metrics.time(path, ms / 1_000)
    this.#options.accessLog?.(accessLine(this.#options.now(), { method, route: path, status, ms, bytes, problem }))
  }
}

const ignored = (): void => undefined

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const INTERNAL = new Problem('internal', "This is a fault of the server's own; its log says more. Please report it.")

const policyOf = (route: Route | undefined): string => (route?.audience === 'person' ? PAGE_POLICY : DATA_POLICY)

/** One value a name; of a header that came twice, what Node makes of it. */
function headersOf({ headers }: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = ownValue(headers, name)
    return Array.isArray(value) ? value.join(', ') : value
  }
}

/** A path, or a whole URL (RFC 9112 §3.2); of both only path and query count, as the host was checked. */
function targetOf({ url }: IncomingMessage, host: string): URL {
  const target = url ?? ''
  const parsed = target.startsWith('/') ? URL.parse(`http://${host}${target}`) : URL.parse(target)
  if (parsed === null) throw new Problem('bad-request', 'The target of the request is not a URL.')
  return parsed
}

async function within<Value>(ms: number, work: () => Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate()), ms).unref()
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

const tooLate = (): Problem =>
  new Problem('not-ready', 'The answer took too long. Try again, or ask for less.', { 'Retry-After': '5' })

/** A sleep that an abort ends, without an error. */
async function quietSleep(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
