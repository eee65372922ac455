/**
 * Tunnel: two connections that have become one, after 101: a WebSocket, or whatever was agreed on. Bytes pass untouched, at the
 * pace of who takes them; the end of one is the end of the other.
 */
import type { Socket } from 'node:net'
import type { ProxyGuest } from './proxy-context.ts'

interface TunnelPlace {
  readonly guests: Set<ProxyGuest>
  readonly pool: { readonly now: number }
  readonly idleMs: number
}

export class Tunnel implements ProxyGuest {
  readonly #client: Socket
  readonly #origin: Socket
  readonly #place: TunnelPlace
  #at: number

  constructor(client: Socket, origin: Socket, place: TunnelPlace) {
    this.#client = client
    this.#origin = origin
    this.#place = place
    this.#at = place.pool.now
  }

  /** What each of them had said already. */
  begin(fromClient: Buffer | undefined, fromOrigin: Buffer): void {
    const [client, origin] = [this.#client, this.#origin]
    this.#place.guests.add(this)
    for (const socket of [client, origin]) {
      socket.on('data', () => void (this.#at = this.#place.pool.now))
      socket.on('error', () => this.destroy())
      // Who ended in peace has ended the other by the pipe, which still has something to say perhaps.
      socket.on('close', () => (socket.readableEnded ? this.#closed() : this.destroy()))
    }
    if (fromClient !== undefined) origin.write(fromClient)
    if (fromOrigin.length > 0) client.write(fromOrigin)
    client.pipe(origin)
    origin.pipe(client)
  }

  sweep(now: number): void {
    if (now - this.#at > this.#place.idleMs) this.destroy()
  }

  /** Nobody outside can say when it has said all: a stop ends it. */
  close(): void {
    this.destroy()
  }

  #closed(): void {
    if (this.#client.destroyed && this.#origin.destroyed) this.#place.guests.delete(this)
  }

  destroy(): void {
    this.#place.guests.delete(this)
    this.#client.destroy()
    this.#origin.destroy()
  }
}
