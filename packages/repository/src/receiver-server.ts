/** ReceiverServer: the receiver on a listener of its own, which may be open to the Internet: the collection's pages are not. */
import { createServer } from 'node:http'
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { answerBrokenRequest } from './broken-request.ts'
import { clientAddress } from './client-address.ts'
import { listenAt } from './listen-at.ts'
import type { ListenOptions } from './listen-at.ts'
import type { ReceiverLimits } from './receiver-limits.ts'

const IDLE_EVERY_MS = 50

export class ReceiverServer implements AsyncDisposable {
  readonly #http: HttpServer
  readonly #stopTimeoutMs: number
  readonly #connections = new Map<string, number>()
  #isStopping = false
  #stopped: Promise<void> | undefined

  constructor(
    limits: ReceiverLimits,
    handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
    proxies: readonly string[] = [],
  ) {
    this.#stopTimeoutMs = limits.stopTimeoutMs
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
    this.#http.maxConnections = limits.maxConnections
    this.#http.timeout = limits.idleTimeoutMs
    this.#http.on('clientError', answerBrokenRequest)
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

  /** Whoever holds all connections and sends nothing on them would keep everybody else out. */
  #count(socket: Socket, most: number, proxies: readonly string[]): void {
    const client = clientAddress(socket.remoteAddress, undefined, [])
    if (proxies.includes(client)) return
    const open = (this.#connections.get(client) ?? 0) + 1
    if (open > most) {
      socket.destroy()
      return
    }
    this.#connections.set(client, open)
    socket.once('close', () => {
      const left = (this.#connections.get(client) ?? 1) - 1
      if (left > 0) this.#connections.set(client, left)
      else this.#connections.delete(client)
    })
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
