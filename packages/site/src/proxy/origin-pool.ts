/**
 * OriginPool: connections to the origin, kept between requests. Last used, first taken: the others grow old and are closed. Who
 * finds all of them taken waits in line; who finds the line full is told so.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { OriginConnection } from './origin-connection.ts'
import type { Answerer, Asker } from './asker.ts'
import type { OriginHome } from './origin-connection.ts'
import type { ProxyOptions } from './proxy-options.ts'
import { refusal } from './refusal.ts'

export class OriginPool implements OriginHome, Answerer {
  readonly options: ProxyOptions
  now = 0
  readonly #url: URL
  readonly #all = new Set<OriginConnection>()
  readonly #idle: OriginConnection[] = []
  readonly #waiting = new Set<Asker>()
  #isClosed = false

  constructor(options: ProxyOptions) {
    this.options = options
    this.#url = new URL(options.origin)
  }

  get size(): { readonly connections: number; readonly idle: number; readonly waiting: number } {
    return { connections: this.#all.size, idle: this.#idle.length, waiting: this.#waiting.size }
  }

  take(asker: Asker): void {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle.ask(asker)
    if (this.#all.size < this.options.limits.maxOriginConnections) return this.#open().ask(asker)
    if (this.#waiting.size >= this.options.limits.maxWaiting)
      return asker.onFailure(refusal('too-busy', 'The site has more to do than it can: try again in a moment.'))
    this.#waiting.add(asker)
  }

  leave(asker: Asker): void {
    this.#waiting.delete(asker)
  }

  onIdle(origin: OriginConnection): void {
    if (this.#isClosed) return origin.destroy()
    const next = this.#next()
    if (next !== undefined) origin.ask(next)
    else this.#idle.push(origin)
  }

  onGone(origin: OriginConnection, repeat: Asker | undefined): void {
    this.#all.delete(origin)
    const at = this.#idle.indexOf(origin)
    if (at !== -1) this.#idle.splice(at, 1)
    // What is repeated goes on a connection of its own: the others that were kept may be as old.
    const asker = repeat ?? (this.#all.size < this.options.limits.maxOriginConnections ? this.#next() : undefined)
    if (asker !== undefined) this.#open().ask(asker)
  }

  sweep(now: number): void {
    this.now = now
    for (const origin of this.#all) origin.sweep(now)
  }

  /** Those that are in use end with their exchange. */
  close(): void {
    this.#isClosed = true
    for (let origin = this.#idle.pop(); origin !== undefined; origin = this.#idle.pop()) origin.destroy()
  }

  /** Those that are left, too. */
  end(): void {
    this.#waiting.clear()
    for (const origin of this.#all) origin.giveUp()
  }

  #next(): Asker | undefined {
    for (const asker of this.#waiting) {
      this.#waiting.delete(asker)
      return asker
    }
    return undefined
  }

  #open(): OriginConnection {
    const isTls = this.#url.protocol === 'https:'
    const origin = new OriginConnection(this.#connect(isTls), isTls ? 'secureConnect' : 'connect', this)
    this.#all.add(origin)
    return origin
  }

  #connect(isTls: boolean): Socket {
    const host = this.#url.hostname.replace(/^\[|\]$/g, '')
    const port = Number(this.#url.port) || (isTls ? 443 : 80)
    if (!isTls) return connect({ host, port, noDelay: true })
    const isName = !/^[\d.]+$|:/.test(host)
    const named = isName ? { servername: host } : {}
    const socket = connectTls({ host, port, ALPNProtocols: ['http/1.1'], ...named, ...this.options.originTls })
    socket.setNoDelay(true)
    return socket
  }
}
