/**
 * TShark check, for tests: what TShark exports of a capture, held against what we rebuild of it, object by object. Objects are
 * compared by their bytes, content codings off; each that one of the two has alone gets a reason with a name.
 */
import { decodeBody } from '@comity/protocol'
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { requestFrame } from '../http/body-frame.ts'
import { CaptureReader } from '../packets/capture-reader.ts'
import type { Direction, Flow, FlowEnd, StreamSink } from '../flows/flow.ts'
import { FlowTable } from '../flows/flow-table.ts'
import { HttpConversation } from '../http/conversation.ts'
import { HttpFramer } from '../http/framer.ts'
import type { RequestHead } from '../http/head.ts'
import { MemoryBudget } from '../memory-budget.ts'
import { PacketDecoder } from '../packets/packet-decoder.ts'
import { codingOf } from '../http/observed-exchange.ts'
import type { ObservedExchange } from '../http/observed-exchange.ts'

/** What TShark alone has: it was sent by a client; there is nothing in it; it is a piece of a body that we have whole. */
interface TheirObject {
  readonly kind: 'client' | 'empty' | 'piece' | 'other'
  readonly bytes: Buffer
}

interface TsharkComparison {
  /** Objects that both have; of those, the ones that we call whole. */
  readonly agreed: number
  readonly agreedWhole: number
  readonly theirs: readonly TheirObject[]
  /** What we alone have; `kind` is how its decoding ended. */
  readonly ours: readonly { readonly observed: ObservedExchange; readonly kind: string }[]
}

/** As TShark 4.0 exports them: what is out of order is put in order only on request, and then a hole ends all. So both are asked. */
const ORDERS = [[], ['-o', 'tcp.reassemble_out_of_order:TRUE']]

export function tsharkObjects(path: string): Buffer[] {
  const objects = new Map<string, Buffer[]>()
  for (const order of ORDERS) {
    const folder = mkdtempSync(join(tmpdir(), 'comity-tshark-'))
    try {
      execFileSync('tshark', ['-Q', '-n', '-r', path, ...order, '--export-objects', `http,${folder}`], {
        stdio: 'ignore',
      })
    } catch {
      // A capture that is cut makes it complain after it has exported what it has.
    }
    const seen = new Map<string, Buffer[]>()
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name))
      const key = digestOf(bytes)
      seen.set(key, [...(seen.get(key) ?? []), bytes])
    }
    for (const [key, all] of seen) if (all.length > (objects.get(key)?.length ?? 0)) objects.set(key, all)
    rmSync(folder, { recursive: true })
  }
  return [...objects.values()].flat()
}

export function readCapture(path: string): Uint8Array {
  const bytes = readFileSync(path)
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

export function compareWithTshark(capture: Uint8Array, theirs: readonly Buffer[]): TsharkComparison {
  const { exchanges, sent, asked } = rebuild(capture)
  const ours = exchanges.flatMap((observed) => {
    if (observed.response === undefined || observed.body.length === 0) return []
    const decoded = decodeBody(observed.body, codingOf(observed.response), { maxBytes: 1 << 26 })
    const digests = ['body' in decoded ? digestOf(decoded.body) : '', digestOf(observed.body)]
    return [{ observed, kind: decoded.kind, digests, isTaken: false }]
  })
  const alone: TheirObject[] = []
  let [agreed, agreedWhole] = [0, 0]
  for (const bytes of theirs) {
    const digest = digestOf(bytes)
    const same = ours.find(({ digests, isTaken }) => !isTaken && digests.includes(digest))
    if (same !== undefined) {
      same.isTaken = true
      agreed++
      if (same.observed.verdict === 'whole') agreedWhole++
    } else if (bytes.length === 0) alone.push({ kind: 'empty', bytes })
    else if (asked.has(digest) || sent.some((stream) => stream.includes(bytes))) alone.push({ kind: 'client', bytes })
    else if (ours.some(({ observed }) => isPiece(bytes, observed.body))) {
      alone.push({ kind: 'piece', bytes })
    } else alone.push({ kind: 'other', bytes })
  }
  return { agreed, agreedWhole, theirs: alone, ours: ours.filter(({ isTaken }) => !isTaken) }
}

interface Rebuilt {
  readonly exchanges: readonly ObservedExchange[]
  /** All that clients sent, a connection each, and what the bodies of their requests come to. */
  readonly sent: readonly Buffer[]
  readonly asked: ReadonlySet<string>
}

function rebuild(capture: Uint8Array): Rebuilt {
  const exchanges: ObservedExchange[] = []
  const conversation = new HttpConversation({ observed: (observed) => void exchanges.push(observed) })
  const listener = new ClientListener(conversation)
  const flows = new FlowTable(listener)
  const reader = new CaptureReader(new PacketDecoder(flows))
  reader.write(capture)
  reader.end()
  flows.finish()
  return { exchanges, sent: [...listener.sent.values()].map((pieces) => Buffer.concat(pieces)), asked: listener.asked }
}

/** Listens to what clients send, beside the conversation. */
class ClientListener implements StreamSink {
  readonly sent = new Map<number, Uint8Array[]>()
  readonly asked = new Set<string>()
  readonly #conversation: HttpConversation
  readonly #framers = new Map<number, HttpFramer<RequestHead>>()

  constructor(conversation: HttpConversation) {
    this.#conversation = conversation
  }

  data(flow: Flow, direction: Direction, bytes: Uint8Array, offset: number, ack: number, at: number): void {
    this.#conversation.data(flow, direction, bytes, offset, ack, at)
    const key = 2 * flow.id + direction
    if (flow.client === 1 - direction) return
    this.sent.set(key, [...(this.sent.get(key) ?? []), Uint8Array.from(bytes)])
    const framer = this.#framers.get(key) ?? this.#framer()
    this.#framers.set(key, framer)
    framer.data(bytes, offset, ack, at)
  }

  gap(flow: Flow, direction: Direction, offset: number, length: number, at: number): void {
    this.#conversation.gap(flow, direction, offset, length, at)
    this.#framers.get(2 * flow.id + direction)?.gap(offset, length, at)
  }

  conflict(flow: Flow, direction: Direction, from: number): void {
    this.#conversation.conflict(flow, direction, from)
  }

  end(flow: Flow, direction: Direction | 2, how: FlowEnd, at: number): void {
    this.#conversation.end(flow, direction, how, at)
    for (const each of [0, 1]) {
      if (direction === 2 || direction === each) this.#framers.get(2 * flow.id + each)?.close(how === 'closed', at)
    }
  }

  finish(): void {
    this.#conversation.finish()
  }

  #framer(): HttpFramer<RequestHead> {
    return new HttpFramer<RequestHead>(
      'request',
      {
        head: ({ head }) => ({ frame: requestFrame(head), maxBodyBytes: 1 << 26 }),
        ended: ({ body, head }) => {
          this.asked.add(digestOf(body.bytes()))
          const coding = head.headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
          const decoded = decodeBody(body.bytes(), coding, { maxBytes: 1 << 26 })
          if ('body' in decoded) this.asked.add(digestOf(decoded.body))
        },
        lost: () => undefined,
      },
      new MemoryBudget(Infinity),
    )
  }
}

const digestOf = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

/** Shorter ones may be there by chance. */
const isPiece = (bytes: Buffer, body: Uint8Array): boolean =>
  bytes.length > 100 &&
  bytes.length < body.length &&
  Buffer.from(body.buffer, body.byteOffset, body.length).includes(bytes)
