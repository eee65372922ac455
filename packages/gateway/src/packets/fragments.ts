/**
 * Fragments: packets that came in pieces, put together. Pieces come in any order, twice, or never. Those that contradict each
 * other are an attack (RFC 5722 for IPv6; evasion for IPv4): the packet is dropped. State is capped in packets, bytes and time.
 */
import type { PacketCounters } from './packet-counters.ts'

export interface FragmentLimits {
  readonly packets: number
  readonly bytes: number
  readonly waitMs: number
}

interface Place {
  readonly offset: number
  readonly isLast: boolean
}

interface Waiting {
  /** Addresses, then what they carry. */
  bytes: Uint8Array
  /** Which bytes are there. */
  seen: Uint8Array
  have: number
  /** Of what they carry; -1 while the last piece is missing. */
  total: number
  pieces: number
  readonly since: number
}

const LONGEST = 65_535

export class Fragments {
  readonly #limits: FragmentLimits
  readonly #counters: PacketCounters
  readonly #waiting = new Map<string, Waiting>()
  #bytes = 0

  constructor(counters: PacketCounters, limits: Partial<FragmentLimits> = {}) {
    this.#counters = counters
    this.#limits = { packets: 1_000, bytes: 16 << 20, waitMs: 30_000, ...limits }
  }

  /** Addresses and all that the packet carried, once the last piece is there. */
  add(
    packet: Uint8Array,
    addressesAt: number,
    addressBytes: number,
    id: number,
    protocol: number,
    vlan: number,
    { offset, isLast }: Place,
    from: number,
    end: number,
    at: number,
  ): Uint8Array | undefined {
    this.#counters.fragments++
    this.#forget(at)
    const length = end - from
    const isBad = length <= 0 || offset + length > LONGEST || (!isLast && length % 8 !== 0)
    if (isBad) return void this.#counters.lostFragments++
    const addresses = packet.subarray(addressesAt, addressesAt + addressBytes)
    const key = `${Buffer.from(addresses).toString('latin1')}${id}.${protocol}.${vlan}`
    const waiting = this.#waiting.get(key) ?? this.#begin(key, addresses, at)
    if (!this.#put(waiting, addressBytes + offset, packet.subarray(from, end), addressBytes)) return this.#drop(key)
    if (isLast) {
      if (waiting.total !== -1 && waiting.total !== offset + length) return this.#drop(key)
      waiting.total = offset + length
    }
    const isWhole = waiting.total !== -1 && waiting.have === waiting.total
    if (waiting.total !== -1 && waiting.have > waiting.total) return this.#drop(key)
    if (!isWhole) return undefined
    this.#delete(key, waiting)
    return waiting.bytes.subarray(0, addressBytes + waiting.total)
  }

  #begin(key: string, addresses: Uint8Array, since: number): Waiting {
    const bytes = new Uint8Array(addresses.length + 2_048)
    bytes.set(addresses)
    const waiting = { bytes, seen: new Uint8Array(bytes.length), have: 0, total: -1, pieces: 0, since }
    this.#waiting.set(key, waiting)
    this.#bytes += 2 * bytes.length
    return waiting
  }

  /** False when a byte is there already and is another one. */
  #put(waiting: Waiting, at: number, piece: Uint8Array, addressBytes: number): boolean {
    const end = at + piece.length
    if (waiting.total !== -1 && end - addressBytes > waiting.total) return false
    if (end > waiting.bytes.length) this.#grow(waiting, end)
    waiting.pieces++
    const { bytes, seen } = waiting
    for (let place = at; place < end; place++) {
      const byte = piece[place - at]!
      if (seen[place] === 1 && bytes[place] !== byte) return false
      if (seen[place] === 0) waiting.have++
      seen[place] = 1
      bytes[place] = byte
    }
    return true
  }

  #grow(waiting: Waiting, end: number): void {
    const length = Math.min(LONGEST + 32, Math.max(end, 2 * waiting.bytes.length))
    this.#bytes += 2 * (length - waiting.bytes.length)
    const [bytes, seen] = [new Uint8Array(length), new Uint8Array(length)]
    bytes.set(waiting.bytes)
    seen.set(waiting.seen)
    waiting.bytes = bytes
    waiting.seen = seen
  }

  /** The oldest first, while they are too old or too many. */
  #forget(now: number): void {
    const { packets, bytes, waitMs } = this.#limits
    for (const [key, waiting] of this.#waiting) {
      const isOver = this.#waiting.size > packets || this.#bytes > bytes || now - waiting.since > waitMs
      if (!isOver) return
      this.#drop(key)
    }
  }

  #drop(key: string): undefined {
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) return
    this.#counters.lostFragments += waiting.pieces
    this.#delete(key, waiting)
  }

  #delete(key: string, waiting: Waiting): void {
    this.#bytes -= 2 * waiting.bytes.length
    this.#waiting.delete(key)
  }
}
