/** ReceiverServer: the receiver on a listener of its own, which may be open to the Internet: the collection's pages are not. */
import { createServer } from 'node:http'
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { answerBrokenRequest } from './broken-request.ts'
import { clientAddress } from './client-address.ts'
import { FairShare } from '@comity/protocol'
import { listenAt } from './listen-at.ts'
import type { ListenOptions } from './listen-at.ts'
import type { ReceiverLimits } from './receiver-limits.ts'

const IDLE_EVERY_MS = 50

export class ReceiverServer implements AsyncDisposable {
  readonly #http: HttpServer
  readonly #stopTimeoutMs: number
  readonly #connections: FairShare
  #isStopping = false
  #stopped: Promise<void> | undefined

  constructor(
    limits: ReceiverLimits,
    handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
    /** Told of what never became a request: broken, or too slow. */
    onBroken: (client: string) => void = () => undefined,
    proxies: readonly string[] = [],
  ) {
    this.#stopTimeoutMs = limits.stopTimeoutMs
    this.#connections = new FairShare(limits.maxConnections)
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
    this.#http.maxConnections = limits.maxConnections
    this.#http.timeout = limits.idleTimeoutMs
    this.#http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const client = clientAddress(socket.remoteAddress, undefined, [])
      // Who has gone has done nothing wrong, and what a proxy sends is somebody's behind it.
      if (error.code !== 'ECONNRESET' && !proxies.includes(client)) onBroken(client)
      answerBrokenRequest(error, socket)
    })
    this.#http.on('connection', (socket: Socket) => this.#count(socket, limits.connectionsPerAddress, proxies))
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

  /** Whoever holds all connections and sends nothing on them would keep everybody else out; so would a few who do so together. */
  #count(socket: Socket, most: number, proxies: readonly string[]): void {
    const client = clientAddress(socket.remoteAddress, undefined, [])
    if (proxies.includes(client)) return
    const isOver = this.#connections.heldBy(client) >= most || this.#connections.take(client, 1) !== 'taken'
    if (isOver) socket.destroy()
    else socket.once('close', () => this.#connections.give(client, 1))
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
