/**
 * Capture sample: what a capture makes of conversations that are known. It loses packets, sees them twice, turned round or cut,
 * in fragments, in one direction alone, from the middle on, by clocks that go back. What must come out of it is known.
 */
import type { SampleConversation, SamplePacket } from './conversation-sample.ts'
import { makeConversation } from './conversation-sample.ts'
import { ethernetFrame, fragmentsOf, pcapFile } from './packet-sample.ts'
import type { Sums, Wire } from './packet-sample.ts'

interface CaptureOptions {
  /** Share of packets that the capture loses, turns round with a later one, or sees twice. */
  readonly lost: number
  readonly turned: number
  readonly doubled: number
  /** Share of the packets that come as fragments of IP, and of those that are cut by the capture. */
  readonly fragmented: number
  readonly cut: number
  /** The capture begins after so many packets. */
  readonly late: number
  /** Only what this side sends is seen. */
  readonly only: 0 | 1 | undefined
  /** Clocks are this far apart, at most. */
  readonly clockMs: number
}

export interface CaptureSample {
  readonly capture: Uint8Array
  /** What was answered, by URL. */
  readonly truth: ReadonlyMap<string, { readonly body: Uint8Array; readonly status: number }>
  /** All that must come out when nothing was lost. */
  readonly finished: ReadonlySet<string>
  readonly isLossy: boolean
  /** What was chosen, to be shown when a test fails. */
  readonly options: object
}

/** A capture of one of all kinds, by chance. */
export function makeCapture(random: () => number, name: string): CaptureSample {
  const isLossy = random() < 0.5
  const options = captureOptions(random, isLossy)
  const shared = conversationOptions(random, isLossy)
  const several = random() < 0.3 ? 1 + Math.floor(random() * 3) : 1
  const reuse = random() < 0.15 ? 2 : 1
  const conversations: SampleConversation[] = []
  const streams: SamplePacket[][] = []
  for (let each = 0; each < several; each++) {
    const clientPort = 1_024 + Math.floor(random() * 60_000)
    let at = 1_700_000_000_000 + random() * 100
    const stream: SamplePacket[] = []
    const base = [firstNumber(random), firstNumber(random)]
    for (let again = 0; again < reuse; again++) {
      // As senders do it (RFC 6528): further on than anything the connection before it can have sent.
      const openings = base.map((first) => (first + again * (2 ** 20 + Math.floor(random() * 2 ** 28))) >>> 0)
      const made = makeConversation(
        random,
        { ...shared, clientPort, name: `${name}.${each}.${again}`, openings: [openings[0]!, openings[1]!] },
        at,
      )
      conversations.push(made)
      stream.push(...made.packets)
      at = made.lastAt + random() * 20
    }
    streams.push(stream)
  }
  // The same addresses in several virtual networks are several connections.
  const hasTags = random() < 0.2
  const packets = hasTags ? streams.flatMap((stream, tag) => inNetwork(stream, tag + 1)) : streams.flat()
  const wires = captured(
    packets.toSorted((a, b) => a.at - b.at),
    random,
    options,
    hasTags,
  )
  const truth = new Map(
    conversations.flatMap(({ exchanges }) =>
      exchanges.map(({ url, body, status }) => [url, { body, status }] as const),
    ),
  )
  const finished = new Set<string>()
  for (const conversation of conversations) for (const url of conversation.finished) finished.add(url)
  const capture = pcapFile(wires, { linkType: hasTags ? 1 : 101 })
  return { capture, truth, finished, isLossy, options: { ...options, ...shared, several, reuse, hasTags } }
}

/** Near the end of all numbers now and then, where they wrap. */
const firstNumber = (random: () => number): number =>
  random() < 0.3 ? 2 ** 32 - 1 - Math.floor(random() * 20_000) : Math.floor(random() * 2 ** 32)

function conversationOptions(random: () => number, isLossy: boolean) {
  const share = (most: number): number => (random() < 0.5 ? 0 : random() * most)
  const sums: Sums[] = ['right', 'left', 'wrong']
  const isClean = random() < 0.7
  const sumOf = (): Sums => (isClean ? 'right' : sums[Math.floor(random() * 3)]!)
  const depth = random() < 0.6 ? 1 : 2 + Math.floor(random() * 4)
  return {
    exchanges: 1 + Math.floor(random() * 8),
    depth,
    segment: random() < 0.2 ? 20 : 200 + Math.floor(random() * 1_260),
    resent: share(0.3),
    forged: random() < 0.2 ? random() * 0.1 : 0,
    // What is damaged shows by its sums alone.
    damaged: isClean && random() < 0.3 ? random() * 0.1 : 0,
    // Who asks again while a request has been waiting this long is not to be told from one who was answered.
    thinkMs: random() < 0.7 ? 1 : depth === 1 ? 8_000 : 400,
    reset: random() < 0.1 ? (random() < 0.5 ? (0 as const) : (1 as const)) : undefined,
    end: random() < 0.8 ? ('close' as const) : random() < 0.5 ? ('half-close' as const) : ('none' as const),
    isV6: random() < 0.2,
    hasStamps: random() < 0.5,
    isFast: random() < 0.05,
    probes: depth === 1 && random() < 0.2,
    sums: [sumOf(), sumOf()] as const,
    isLossy,
  }
}

function captureOptions(random: () => number, isLossy: boolean): CaptureOptions {
  const share = (most: number): number => (random() < 0.5 ? 0 : random() * most)
  return {
    turned: share(0.2),
    doubled: share(0.2),
    fragmented: share(0.2),
    lost: isLossy ? share(0.1) : 0,
    cut: isLossy ? share(0.1) : 0,
    late: isLossy && random() < 0.3 ? Math.floor(random() * 20) : 0,
    only: isLossy && random() < 0.1 ? (random() < 0.5 ? 0 : 1) : undefined,
    clockMs: random() < 0.7 ? 0 : random() * 20,
  }
}

function captured(
  packets: readonly SamplePacket[],
  random: () => number,
  options: CaptureOptions,
  isEthernet: boolean,
): Wire[] {
  const seen: Wire[] = []
  /** Packets of a group are lost together. */
  const dispositions = new Map<number, boolean>()
  for (const [index, { at, bytes, group }] of packets.slice(options.late).entries()) {
    const isLost = random() < options.lost || (options.only !== undefined && sideOf(bytes, isEthernet) !== options.only)
    const disposition = group === undefined ? isLost : (dispositions.get(group) ?? isLost)
    if (group !== undefined) dispositions.set(group, disposition)
    if (disposition) continue
    const mayBreak = group === undefined && !isEthernet
    const size = 8 * (1 + Math.floor(random() * 100))
    const pieces = mayBreak && random() < options.fragmented ? fragmentsOf(bytes, size, index & 0xffff) : [bytes]
    if (pieces.length > 1 && random() < 0.5) pieces.reverse()
    for (const piece of pieces) {
      if (pieces.length > 1 && random() < options.lost) continue
      const isCut = group === undefined && random() < options.cut
      const header = isEthernet ? 100 : 60
      const kept =
        isCut && piece.length > header
          ? piece.subarray(0, header + Math.floor(random() * (piece.length - header)))
          : piece
      const wire = { at: at + (random() - 0.5) * options.clockMs, bytes: kept, length: piece.length }
      seen.push(wire)
      if (random() < options.doubled) seen.push(wire)
    }
  }
  for (let at = 0; at + 1 < seen.length; at++) {
    if (random() >= options.turned) continue
    const other = Math.min(seen.length - 1, at + 1 + Math.floor(random() * 4))
    if (Math.abs(seen[at]!.at - seen[other]!.at) > MOST_APART_MS) continue
    ;[seen[at], seen[other]] = [seen[other]!, seen[at]!]
  }
  return seen
}

/** Packets that are further apart are not turned round by any capture. */
const MOST_APART_MS = 30

/** By the last byte of its sender's address. */
function sideOf(bytes: Uint8Array, isEthernet: boolean): 0 | 1 {
  const at = isEthernet ? 18 : 0
  const isV6 = bytes[at]! >> 4 === 6
  return bytes[at + (isV6 ? 23 : 15)] === 1 ? 0 : 1
}

const inNetwork = (packets: readonly SamplePacket[], tag: number): SamplePacket[] =>
  packets.map((packet) => ({ ...packet, bytes: ethernetFrame(packet.bytes, [tag]) }))
