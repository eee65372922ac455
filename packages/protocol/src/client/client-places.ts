/**
 * ClientPlaces: places that clients keep for as long as they like (connections, streams), so that none of them can keep all
 * (`client/fair-share.ts`). Who has none yet gets the last one. A client is a network (`client/client-network.ts`); where nobody knows who it is,
 * or a proxy in front of us is trusted to share by itself, a place is one of all and of nobody's share.
 *
 * Whoever is turned away is told to `onRefused`, so that it is counted where its operator looks. Deterministic, O(1).
 */
import { clientNetwork } from './client-network.ts'
import { FairShare } from './fair-share.ts'
import { plainAddress, proxySet } from './forwarded-client.ts'
import type { Proxies } from './forwarded-client.ts'

export interface PlaceTerms {
  readonly most: number
  /** Of what is free, so many times as much may be one client's; see `FairShare`. */
  readonly share?: number | undefined
  readonly mostOfOne?: number | undefined
  /** Addresses of proxies in front of us. */
  readonly trusted?: readonly string[] | undefined
  readonly onRefused?: (() => void) | undefined
}

/** As much of a connection as has to be known. */
interface Connected {
  readonly remoteAddress?: string | undefined
  destroy(): unknown
  once(event: 'close', heard: () => void): unknown
}

/** As much of a server of Node's. */
export interface ConnectionServer {
  maxConnections: number
  prependListener(event: 'connection', heard: (socket: Connected) => void): unknown
  on(event: 'drop', heard: () => void): unknown
}

/** One client alone gets three quarters: for servers that stand behind another one as often as not, as all of its visitors are one. */
export const CLIENT_SHARE = 3

/** Whom nobody knows: no address is like that. */
const UNKNOWN = ''

export class ClientPlaces {
  readonly #terms: PlaceTerms
  readonly #places: FairShare
  readonly #trusted: Proxies

  constructor(terms: PlaceTerms) {
    this.#terms = terms
    this.#trusted = proxySet(terms.trusted)
    this.#places = new FairShare(terms.most, terms.share)
  }

  get held(): number {
    return this.#places.used
  }

  /** Whether there is a place for a client. */
  admits(address: string | undefined): boolean {
    if (this.#hasPlace(this.#clientOf(address))) return true
    this.#terms.onRefused?.()
    return false
  }

  /** A place, and how to leave it, once; undefined when there is none. */
  take(address: string | undefined): (() => void) | undefined {
    return this.admits(address) ? this.keep(address) : undefined
  }

  /** The same, whether there is one or not: who is here already stays. */
  keep(address: string | undefined): () => void {
    const client = this.#clientOf(address)
    this.#places.add(client, 1)
    return () => this.#places.give(client, 1)
  }

  /** Lets a connection in until it closes, or ends it without a word, as those are who find none left. */
  seat(socket: Connected): boolean {
    const leave = this.take(socket.remoteAddress)
    if (leave === undefined) socket.destroy()
    else socket.once('close', leave)
    return leave !== undefined
  }

  /** Every connection of a server takes a place. */
  seatAllOf(server: ConnectionServer): void {
    server.maxConnections = this.#terms.most
    server.prependListener('connection', (socket) => void this.seat(socket))
    server.on('drop', () => this.#terms.onRefused?.())
  }

  #clientOf(address: string | undefined): string {
    if (this.#trusted.has(plainAddress(address ?? UNKNOWN) ?? UNKNOWN)) return UNKNOWN
    return clientNetwork(address ?? UNKNOWN)
  }

  #hasPlace(client: string): boolean {
    const held = this.#places.heldBy(client)
    if (this.#places.free < 1) return false
    if (client === UNKNOWN || held === 0) return true
    return held < (this.#terms.mostOfOne ?? Infinity) && this.#places.wouldTake(client, 1) === 'taken'
  }
}
