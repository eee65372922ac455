/**
 * A network of packets, simulated (001 §V): sites ask servers for pages; requests, pages, acknowledgements and index messages
 * share links with finite buffers.
 *
 *   request ──▶ server ──▶ window of packets ──▶ each acknowledged ──▶ complete at the last
 *      └── no progress for a timeout: what is not acknowledged goes again, from the first ── tries used up ──▶ given up
 *
 * A link sends packets in the order they come, so when one leaves is known when it joins: an event is a packet that arrives at
 * the next node, and there are no others but timeouts and new requests. A packet that finds less room in the buffer than it
 * needs is lost. Receivers take packets in order and drop others (go back N). A page counts when it is complete: of half a
 * page nobody has anything. Who gives up does so at both ends at once.
 *
 * Invariant: what is under way for an exchange that has ended is told by its generation and dropped where it arrives, having
 * taken its share of the links. An exchange has one timer in the queue as long as its number is taken.
 */
import { EventQueue } from './events.ts'
import { CLIENT, INDEX, NetworkMeasures } from './measures.ts'
import type { NetworkOutcome } from './measures.ts'
import { PacketTable } from './packets.ts'
import type { NetworkSettings } from './settings.ts'
import { indexSenders, requestSources } from './sources.ts'
import type { Exchange, IndexSender, NetworkLoad, RequestSource } from './sources.ts'
import type { Topology } from './topology.ts'

/** Parts of an exchange: packets of the answer from 0 on, the request, and the acknowledgement of all before n as ACK − n. */
const REQUEST = -1
const ACK = -2

/** Numbers of events: packets from 0 on; below are sources, and below those exchanges whose timer runs out. */
const FIRST_SOURCE = -1
const FIRST_EXCHANGE = -100_000

export function simulateNetwork(
  topology: Topology,
  load: NetworkLoad,
  settings: NetworkSettings,
  seed: number,
): NetworkOutcome {
  return new NetworkRun(topology, load, settings, seed).run()
}

class NetworkRun {
  readonly #topology: Topology
  readonly #settings: NetworkSettings
  readonly #events = new EventQueue()
  readonly #measures: NetworkMeasures
  readonly #sources: readonly RequestSource[]
  readonly #senders: readonly IndexSender[]
  readonly #overhead: number
  /** When each link has sent all that waits for it. */
  readonly #freeAt: Float64Array
  /** Requests that are open, by site. */
  readonly #open: Int32Array
  readonly #packets = new PacketTable()
  readonly #exchanges: Exchange[] = []
  readonly #free: number[] = []

  constructor(topology: Topology, load: NetworkLoad, settings: NetworkSettings, seed: number) {
    this.#topology = topology
    this.#settings = settings
    this.#measures = new NetworkMeasures(settings.warmUpTicks, settings.ticks)
    this.#sources = requestSources(topology, load, settings, seed)
    this.#senders = indexSenders(load, settings)
    this.#overhead = load.overhead
    this.#freeAt = new Float64Array(topology.linkTo.length)
    this.#open = new Int32Array(topology.nodes)
  }

  run(): NetworkOutcome {
    const events = this.#events
    const { ticks } = this.#settings
    this.#sources.forEach((source, at) => events.push(source.nextGap(), FIRST_SOURCE - at))
    this.#senders.forEach((sender, at) => events.push(sender.next(0), FIRST_SOURCE - this.#sources.length - at))
    let count = 0
    for (; events.size > 0; count++) {
      const event = events.pop()
      if (events.now >= ticks) break
      if (event >= 0) this.#arrive(event)
      else if (event <= FIRST_EXCHANGE) this.#timeOut(FIRST_EXCHANGE - event)
      else this.#begin(FIRST_SOURCE - event)
    }
    return this.#measures.outcome(count)
  }

  /** A source makes a request, or a router sends what it has indexed. */
  #begin(at: number): void {
    const { now } = this.#events
    const source = this.#sources[at]
    if (source === undefined) return this.#ship(this.#senders[at - this.#sources.length]!, FIRST_SOURCE - at)
    const { kind, outstanding } = source
    // Drawn whether it is refused or not: in all cases the same sites ask for the same.
    const { site, server, requestBits, responseBits } = source.draw()
    this.#events.push(now + source.nextGap(), FIRST_SOURCE - at)
    this.#measures.made(kind, now)
    if (this.#open[site]! >= outstanding) return
    this.#open[site]!++
    this.#ask({ kind, site, server, requestBits, responseBits })
  }

  #ship(sender: IndexSender, event: number): void {
    const { now } = this.#events
    if (sender.takeMessage(now)) {
      this.#measures.made(INDEX, now)
      const { indexBits, ackBits } = this.#settings
      this.#ask({
        kind: INDEX,
        site: sender.gateway,
        server: this.#topology.repository,
        requestBits: indexBits,
        responseBits: ackBits,
      })
    }
    this.#events.push(sender.next(now), event)
  }

  #ask(wanted: Pick<Exchange, 'kind' | 'site' | 'server' | 'requestBits' | 'responseBits'>): void {
    const { now } = this.#events
    const { packetBits, timeoutTicks } = this.#settings
    const number = this.#free.pop() ?? this.#exchanges.length
    const exchange: Exchange = {
      ...wanted,
      number,
      generation: (this.#exchanges[number]?.generation ?? 0) + 1,
      packets: Math.max(1, Math.ceil(wanted.responseBits / packetBits)),
      startedAt: now,
      deadline: now + timeoutTicks,
      tries: 0,
      isBegun: false,
      isOver: false,
      acknowledged: 0,
      next: 0,
      sentTo: 0,
      expected: 0,
    }
    this.#exchanges[number] = exchange
    this.#events.push(exchange.deadline, FIRST_EXCHANGE - number)
    this.#send(exchange, REQUEST)
  }

  #send(exchange: Exchange, part: number): void {
    const packets = this.#packets
    const packet = packets.take()
    const isBack = part >= 0
    packets.exchange[packet] = exchange.number
    packets.generation[packet] = exchange.generation
    packets.part[packet] = part
    packets.bits[packet] = this.#bitsOf(exchange, part)
    packets.at[packet] = isBack ? exchange.server : exchange.site
    packets.goal[packet] = isBack ? exchange.site : exchange.server
    this.#measures.sent++
    this.#forward(packet)
  }

  #bitsOf({ requestBits, responseBits, packets }: Exchange, part: number): number {
    const { packetBits, ackBits } = this.#settings
    if (part === REQUEST) return requestBits
    if (part <= ACK) return ackBits
    return part < packets - 1 ? packetBits : responseBits - part * packetBits
  }

  /** To the next node, when the link has sent all before it; lost when the buffer has no room. */
  #forward(packet: number): void {
    const { nodes, route, linkRate, linkTo } = this.#topology
    const { bufferTicks, linkTicks } = this.#settings
    const { at, goal, bits } = this.#packets
    const { now } = this.#events
    const link = route[at[packet]! * nodes + goal[packet]!]!
    const sentAt = Math.max(now, this.#freeAt[link]!) + bits[packet]! / linkRate[link]!
    if (sentAt - now > bufferTicks) {
      this.#measures.lost++
      this.#packets.drop(packet)
      return
    }
    this.#freeAt[link] = sentAt
    at[packet] = linkTo[link]!
    this.#events.push(sentAt + linkTicks, packet)
  }

  #arrive(packet: number): void {
    const packets = this.#packets
    if (packets.at[packet] !== packets.goal[packet]) return this.#forward(packet)
    const exchange = this.#exchanges[packets.exchange[packet]!]!
    const part = packets.part[packet]!
    const isLate = exchange.isOver || exchange.generation !== packets.generation[packet]
    packets.drop(packet)
    if (isLate) return
    if (part >= 0) this.#receive(exchange, part)
    else if (part === REQUEST) this.#serve(exchange)
    else this.#acknowledge(exchange, ACK - part)
  }

  #serve(exchange: Exchange): void {
    if (exchange.isBegun) return
    exchange.isBegun = true
    this.#progress(exchange)
  }

  #receive(exchange: Exchange, part: number): void {
    if (part === exchange.expected) exchange.expected++
    if (exchange.expected === exchange.packets) this.#complete(exchange)
    else this.#send(exchange, ACK - exchange.expected)
  }

  #acknowledge(exchange: Exchange, count: number): void {
    if (count <= exchange.acknowledged) return
    exchange.acknowledged = count
    exchange.next = Math.max(exchange.next, count)
    this.#progress(exchange)
  }

  #progress(exchange: Exchange): void {
    exchange.tries = 0
    exchange.deadline = this.#events.now + this.#settings.timeoutTicks
    this.#sendWindow(exchange)
  }

  #sendWindow(exchange: Exchange): void {
    const end = Math.min(exchange.packets, exchange.acknowledged + this.#settings.window)
    for (; exchange.next < end; exchange.next++) {
      if (exchange.next < exchange.sentTo) this.#measures.again++
      else exchange.sentTo = exchange.next + 1
      this.#send(exchange, exchange.next)
    }
  }

  #timeOut(number: number): void {
    const exchange = this.#exchanges[number]!
    const { now } = this.#events
    if (exchange.isOver) {
      this.#free.push(number)
      return
    }
    if (exchange.deadline <= now) this.#tryAgain(exchange)
    // A deadline moves with every packet; its event follows only when it is over.
    this.#events.push(Math.max(exchange.deadline, now), FIRST_EXCHANGE - number)
  }

  #tryAgain(exchange: Exchange): void {
    const { tries, backoff, timeoutTicks } = this.#settings
    exchange.tries++
    if (exchange.tries > tries) return this.#end(exchange)
    exchange.deadline = this.#events.now + timeoutTicks * backoff ** exchange.tries
    if (exchange.isBegun) {
      exchange.next = exchange.acknowledged
      this.#sendWindow(exchange)
    } else {
      this.#measures.again++
      this.#send(exchange, REQUEST)
    }
  }

  #complete(exchange: Exchange): void {
    const { kind, site, server, requestBits, responseBits, startedAt } = exchange
    const { gatewayOf } = this.#topology
    this.#measures.completed(kind, kind === INDEX ? requestBits : responseBits, startedAt, this.#events.now)
    // For requests from outside of its stub only (001 §IV).
    if (kind === CLIENT && gatewayOf[site] !== gatewayOf[server]) {
      const sender = this.#senders.find(({ gateway }) => gateway === gatewayOf[server])
      sender?.gather(responseBits * this.#overhead)
    }
    this.#end(exchange)
  }

  #end(exchange: Exchange): void {
    exchange.isOver = true
    if (exchange.kind !== INDEX) this.#open[exchange.site]!--
  }
}
