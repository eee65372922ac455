/** ReceiverServer: the receiver on a listener of its own, which may be open to the Internet: the collection's pages are not. */
import { createServer } from 'node:http'
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { answerBrokenRequest } from './http/broken-request.ts'
import { clientNetwork, ClientPlaces, plainAddress, proxySet } from '@comity/protocol'
import { listenAt } from './http/listen-at.ts'
import type { ListenOptions } from './http/listen-at.ts'
import type { PushRefusalKind } from './admit/push-refusal.ts'
import type { ReceiverLimits } from './limits.ts'

const IDLE_EVERY_MS = 50

export class ReceiverServer implements AsyncDisposable {
  readonly #http: HttpServer
  readonly #stopTimeoutMs: number
  #isStopping = false
  #stopped: Promise<void> | undefined

  constructor(
    limits: ReceiverLimits,
    handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
    {
      onBroken = () => undefined,
      onTurnedAway,
      proxies = [],
    }: {
      /** Told of what never became a request: broken, or too slow. */
      readonly onBroken?: (client: string, why: PushRefusalKind) => void
      /** Told of each connection that found no place. */
      readonly onTurnedAway?: () => void
      readonly proxies?: readonly string[] | undefined
    } = {},
  ) {
    this.#stopTimeoutMs = limits.stopTimeoutMs
    const trusted = proxySet(proxies)
    this.#http = createServer({
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
      keepAliveTimeout: 5_000,
    })
    const answer = (request: IncomingMessage, response: ServerResponse): void => void handle(request, response)
    this.#http.on('request', answer)
    // Leave to send a body is given where the body is read, so that whoever waits for it need not send one in vain.
    this.#http.on('checkContinue', answer)
    this.#http.maxHeadersCount = limits.maxHeaders
    this.#http.timeout = limits.idleTimeoutMs
    this.#http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const client = clientNetwork(socket.remoteAddress ?? '')
      const isProxy = trusted.has(plainAddress(socket.remoteAddress ?? '') ?? '')
      // Who has gone has done nothing wrong, and what a proxy sends is somebody's behind it.
      if (error.code !== 'ECONNRESET' && !isProxy) onBroken(client, whyBroken(error))
      answerBrokenRequest(error, socket)
    })
    // Whoever holds all connections and sends nothing on them would keep everybody else out; so would a few who do so together.
    const connections = new ClientPlaces({
      most: limits.maxConnections,
      mostOfOne: limits.connectionsPerAddress,
      trusted: proxies,
      onRefused: onTurnedAway,
    })
    connections.seatAllOf(this.#http)
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Returns where it listens. */
  async listen(options: ListenOptions = {}): Promise<AddressInfo> {
    return await listenAt(this.#http, options)
  }

  /** Take nothing new, let what comes in finish, and close. Calling it twice is harmless. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop())
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async #stop(): Promise<void> {
    this.#isStopping = true
    if (!this.#http.listening) return
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()))
    // Those that are answered meanwhile stay open for the next request, which nobody would answer.
    const idle = setInterval(() => this.#http.closeIdleConnections(), IDLE_EVERY_MS)
    this.#http.closeIdleConnections()
    const late = setTimeout(() => this.#http.closeAllConnections(), this.#stopTimeoutMs)
    await closed
    clearInterval(idle)
    clearTimeout(late)
  }
}

function whyBroken({ code }: NodeJS.ErrnoException): PushRefusalKind {
  if (code === 'HPE_HEADER_OVERFLOW') return 'head-too-large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'too-slow' : 'malformed'
}
