/**
 * OriginPool: connections to the origin, kept between requests. Last used, first taken: the others grow old and are closed. Who
 * finds all of them taken waits in line; who finds the line full is told so.
 *
 * Nobody has all of them, nor the whole line: a client alone gets three quarters, and the more is taken, the less may be taken in
 * addition (`client/fair-share.ts` of the protocol). For slow bodies and slow answers cost a client next to nothing, and take a connection
 * each. Who waits is heard in turn, client by client.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { CLIENT_SHARE, clientNetwork, FairLine, FairShare } from '@comity/protocol'
import { OriginConnection } from './origin-connection.ts'
import { PIECE_BYTES } from './asker.ts'
import type { Answerer, Asker } from './asker.ts'
import type { OriginHome } from './origin-connection.ts'
import type { ProxyOptions } from './proxy-options.ts'
import { refusal } from './refusal.ts'

/** Whom an asker counts for: where a proxy of ours stands in front, it says who is behind it. */
const clientOf = ({ request, place }: Asker): string => clientNetwork(request.said?.address ?? place.address)

export class OriginPool implements OriginHome, Answerer {
  readonly options: ProxyOptions
  now = 0
  readonly #url: URL
  readonly #all = new Set<OriginConnection>()
  readonly #idle: OriginConnection[] = []
  /** Connections that answer somebody, by client, and whom each of them answers. */
  readonly #taken: FairShare
  readonly #takers = new Map<OriginConnection, string>()
  readonly #line: FairLine<Asker>
  /** In which all answers are read, piece by piece: nobody keeps it longer than a piece is handled. */
  readonly #room = Buffer.allocUnsafeSlow(PIECE_BYTES)
  #isClosed = false

  constructor(options: ProxyOptions) {
    this.options = options
    this.#url = new URL(options.origin)
    this.#taken = new FairShare(options.limits.maxOriginConnections, CLIENT_SHARE)
    this.#line = new FairLine(options.limits.maxWaiting, CLIENT_SHARE)
  }

  get size(): { readonly connections: number; readonly idle: number; readonly waiting: number } {
    return { connections: this.#all.size, idle: this.#idle.length, waiting: this.#line.size }
  }

  take(asker: Asker): void {
    const client = clientOf(asker)
    if (this.#taken.take(client, 1) === 'taken') return this.#ask(this.#idle.pop() ?? this.#open(), asker, client)
    if (!this.#line.join(client, asker))
      asker.onFailure(refusal('too-busy', 'The site has more to do than it can: try again in a moment.'))
  }

  leave(asker: Asker): void {
    this.#line.leave(clientOf(asker), asker)
  }

  onIdle(origin: OriginConnection): void {
    this.#release(origin)
    if (this.#isClosed) return origin.destroy()
    const next = this.#next()
    if (next !== undefined) this.#ask(origin, ...next)
    else this.#idle.push(origin)
  }

  onGone(origin: OriginConnection, repeat: Asker | undefined): void {
    this.#all.delete(origin)
    const at = this.#idle.indexOf(origin)
    if (at !== -1) this.#idle.splice(at, 1)
    this.#release(origin)
    // What is repeated goes on a connection of its own: the others that were kept may be as old.
    if (repeat !== undefined) {
      this.#taken.add(clientOf(repeat), 1)
      return this.#ask(this.#open(), repeat, clientOf(repeat))
    }
    const next = this.#all.size < this.options.limits.maxOriginConnections ? this.#next() : undefined
    if (next !== undefined) this.#ask(this.#open(), ...next)
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
    this.#line.clear()
    for (const origin of this.#all) origin.giveUp()
  }

  #ask(origin: OriginConnection, asker: Asker, client: string): void {
    this.#takers.set(origin, client)
    origin.ask(asker)
  }

  /** It answers nobody any more. */
  #release(origin: OriginConnection): void {
    const client = this.#takers.get(origin)
    if (client !== undefined) this.#taken.give(client, 1)
    this.#takers.delete(origin)
  }

  /** Who is heard now, and has its share already. */
  #next(): [asker: Asker, client: string] | undefined {
    // Who goes has its share with it.
    const next = this.#line.next((client) => this.#taken.take(client, 1) === 'taken')
    return next === undefined ? undefined : [next.item, next.client]
  }

  #open(): OriginConnection {
    const isTls = this.#url.protocol === 'https:'
    const origin: OriginConnection = new OriginConnection(
      this.#connect(isTls, (bytes) => origin.receive(bytes)),
      isTls ? 'secureConnect' : 'connect',
      this,
    )
    this.#all.add(origin)
    return origin
  }

  /** `receive`: whether more may come now. */
  #connect(isTls: boolean, receive: (bytes: Buffer) => boolean): Socket {
    const host = this.#url.hostname.replace(/^\[|\]$/g, '')
    const port = Number(this.#url.port) || (isTls ? 443 : 80)
    if (!isTls) {
      const room = this.#room
      const onread = {
        buffer: room,
        callback: (bytes: number): boolean => receive(bytes === room.length ? room : room.subarray(0, bytes)),
      }
      return connect({ host, port, noDelay: true, onread })
    }
    const isName = !/^[\d.]+$|:/.test(host)
    const named = isName ? { servername: host } : {}
    const socket = connectTls({ host, port, ALPNProtocols: ['http/1.1'], ...named, ...this.options.originTls })
    socket.setNoDelay(true)
    socket.on('data', receive)
    return socket
  }
}
