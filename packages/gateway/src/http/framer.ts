/**
 * HttpFramer: one direction of a connection cut into messages. It is told of holes: one inside a body whose length is known
 * costs that body alone; one that swallows the end of a message costs everything until a message begins again at the beginning
 * of a packet, and whoever pairs the messages is told that some may be missing.
 */
import { BodyBuffer } from './body-buffer.ts'
import type { BodyFrame } from './body-frame.ts'
import { ChunkedBody } from './chunked-body.ts'
import { beginsMessage, mayBegin } from './message-start.ts'
import { headEnd, isSimpleRequest, oddHeadEnd, readRequestHead, readResponseHead, simpleResponse } from './head.ts'
import type { RequestHead, ResponseHead } from './head.ts'
import type { MemoryBudget } from '../memory-budget.ts'

export interface Framed<Kind> {
  readonly head: Kind
  /** Of its first byte, and of the first of its body. */
  readonly start: number
  readonly bodyStart: number
  /** How far the sender had received the other direction when it began. */
  readonly ack: number
  readonly at: number
  readonly frame: BodyFrame
  readonly body: BodyBuffer
  /** Behind its last byte, once it has ended. */
  end: number
  endedAt: number
  hasHole: boolean
  hasDoubt: boolean
  /** Bytes of it came twice and differ. */
  hasConflict: boolean
  /** It ended where its frame says. */
  isWhole: boolean
}

/** Messages may be missing from here on, until one is found again. */
export interface Loss {
  readonly from: number
  /**
   * What was lost begins with a message; or is the rest of one that was told of, and perhaps more; or it is no loss: what came
   * is none of HTTP's.
   */
  readonly what: 'message' | 'rest' | 'sense'
  /** The first bytes of the message, when they were seen. */
  readonly begin: string
}

interface FramerEvents<Kind> {
  /** A head is there: where does its body end, and how much of it is wanted? `opaque`: no more messages come this way. */
  head(message: Omit<Framed<Kind>, 'frame' | 'body'>): Framing
  /** The message of the last head has ended. */
  ended(message: Framed<Kind>): void
  lost(loss: Loss): void
  /** Whether a message without a head may come now: the answer to a request of the first HTTP. */
  isSimple?(): boolean
}

export type Framing =
  | { readonly frame: BodyFrame; readonly maxBodyBytes: number; readonly isGuess?: boolean | undefined }
  | 'opaque'

const MAX_HEAD_BYTES = 128 << 10

type Head = RequestHead | ResponseHead
type State = 'idle' | 'head' | 'body' | 'lost' | 'opaque'

export class HttpFramer<Kind extends Head> {
  readonly #role: Kind['kind']
  readonly #events: FramerEvents<Kind>
  readonly #budget: MemoryBudget
  #state: State = 'idle'
  /** What came of a head, in a room that doubles: joining it anew for each packet would take the square of its length. */
  #room: Buffer = EMPTY
  #head: Buffer = EMPTY
  #start = 0
  #ack = 0
  #at = 0
  #message: Framed<Kind> | undefined
  #left = 0
  #chunked: ChunkedBody | undefined
  /** The frame was made without knowing what was asked. */
  #isGuess = false
  /** Behind the last byte that was handed in, or told as missing. */
  #next: number = NaN

  constructor(role: Kind['kind'], events: FramerEvents<Kind>, budget: MemoryBudget) {
    this.#role = role
    this.#events = events
    this.#budget = budget
  }

  get isOpaque(): boolean {
    return this.#state === 'opaque'
  }
  get next(): number {
    return this.#next
  }
  /** The message under way. */
  get current(): Framed<Kind> | undefined {
    return this.#message
  }

  data(bytes: Uint8Array, offset: number, ack: number, at: number): void {
    this.#next = offset + bytes.length
    if (this.#state === 'opaque') return
    if (this.#state === 'lost') {
      if (!beginsMessage(bytes, this.#role)) return
      this.#state = 'idle'
    }
    let from = 0
    while (from < bytes.length) {
      const used = this.#step(bytes, from, offset, ack, at)
      if (used === 0) return
      from += used
    }
  }

  gap(offset: number, length: number, at: number): void {
    this.#next = offset + length
    const message = this.#message
    if (this.#state === 'opaque' || this.#state === 'lost') return
    if (this.#state === 'idle') return this.#lose({ from: offset, what: 'message', begin: '' }, at)
    if (this.#state === 'head' || message === undefined) return this.#loseHead('message', at)
    message.hasHole = true
    const { kind } = message.frame
    if (kind === 'close' || kind === 'odd') return
    if (kind === 'length') {
      if (length > this.#left) return this.#lose({ from: offset, what: 'rest', begin: '' }, at)
      this.#left -= length
      if (this.#left === 0) this.#end(offset + length, at, true)
      return
    }
    this.#chunked!.gap(length)
    if (this.#chunked!.state === 'lost') this.#lose({ from: offset, what: 'rest', begin: '' }, at)
  }

  /** Nothing more comes. `isClean`: the sender said so itself. */
  close(isClean: boolean, at: number): void {
    if (this.#state === 'head' && this.#role === 'response') this.#oddHead(at)
    const message = this.#message
    if (this.#state === 'body' && message !== undefined) {
      const { kind } = message.frame
      this.#end(this.#next, at, isClean && (kind === 'close' || kind === 'odd'))
    }
    this.#dropHead()
    if (this.#state !== 'opaque') this.#state = 'lost'
  }

  /** What comes next may begin a message, whatever is under way here: it was cut by guess. */
  restart(at: number): void {
    if (this.#state === 'opaque') return
    if (this.#message !== undefined) this.#end(this.#next, at, false)
    this.#dropHead()
    this.#state = 'idle'
  }

  /** What follows is none of HTTP/1's. */
  makeOpaque(): void {
    this.#dropHead()
    this.#message?.body.release()
    this.#message = undefined
    this.#state = 'opaque'
  }

  #step(bytes: Uint8Array, from: number, offset: number, ack: number, at: number): number {
    if (this.#state === 'body') return this.#body(bytes, from, offset, at)
    if (this.#state === 'idle') {
      // Empty lines between messages (RFC 9112 §2.2).
      let skip = from
      while (skip < bytes.length && (bytes[skip] === 13 || bytes[skip] === 10)) skip++
      if (skip > from) return skip - from
      this.#start = offset + from
      this.#ack = ack
      this.#at = at
      this.#state = 'head'
    }
    return this.#state === 'head' ? this.#heads(bytes, from, offset, at) : 0
  }

  /** Bytes until the head is whole. */
  #heads(bytes: Uint8Array, from: number, offset: number, at: number): number {
    const fresh = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from)
    const before = this.#head.length
    const all = before === 0 ? fresh : this.#joined(fresh)
    if (before < SHOWS && !mayBegin(all, this.#role)) {
      if (this.#events.isSimple?.() === true) {
        this.#simple(at)
        return this.#message === undefined ? 0 : this.#body(bytes, from, offset, at)
      }
      this.#loseHead('sense', at)
      return 0
    }
    const end = this.#endOf(all, before)
    if (end === -1) {
      const isTooLong = all.length > MAX_HEAD_BYTES
      if (isTooLong || !this.#budget.take(all.length - before)) this.#loseHead(isTooLong ? 'sense' : 'message', at)
      else this.#head = before === 0 ? this.#joined(fresh) : all
      return this.#state === 'head' ? fresh.length : 0
    }
    const head = this.#read(all.toString('latin1', 0, end))
    if (head === undefined) {
      this.#loseHead('sense', at)
      return 0
    }
    this.#dropHead()
    this.#begin(head, end, at)
    return this.#state === 'opaque' ? 0 : end - before
  }

  /** The head and what follows on it. What is behind the head in its room is nobody's yet. */
  #joined(fresh: Buffer): Buffer {
    const [before, length] = [this.#head.length, this.#head.length + fresh.length]
    if (length > this.#room.length) {
      const room = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#room.length))
      this.#head.copy(room)
      this.#room = room
    }
    this.#room.set(fresh, before)
    return this.#room.subarray(0, length)
  }

  #endOf(all: Buffer, before: number): number {
    if (this.#role === 'request') {
      // Its first line is looked at once, when it ends.
      const feed = all.indexOf(10, before)
      const isShort = feed !== -1 && feed < 4_096 && (before === 0 || all.lastIndexOf(10, before - 1) === -1)
      if (isShort && isSimpleRequest(all.toString('latin1', 0, feed + 1))) return feed + 1
    }
    return headEnd(all, Math.max(0, before - 3))
  }

  #read(text: string): Kind | undefined {
    return (this.#role === 'request' ? readRequestHead(text) : readResponseHead(text)) as Kind | undefined
  }

  /** Everything is body. */
  #simple(at: number): void {
    const before = this.#head
    this.#dropHead()
    this.#begin(simpleResponse() as Kind, 0, at)
    this.#message?.body.add(before)
  }

  /** The connection ended before the head did, as its rules have it. */
  #oddHead(at: number): void {
    const all = this.#head
    const end = oddHeadEnd(all)
    const head = end === -1 ? undefined : this.#read(all.toString('latin1', 0, end))
    if (head === undefined) return
    this.#dropHead()
    this.#begin({ ...head, doubts: [...head.doubts, 'odd-end'] }, end, at)
    if (this.#state === 'body') this.#body(all.subarray(end), 0, this.#start + end, at)
  }

  #begin(head: Kind, length: number, at: number): void {
    const bodyStart = this.#start + length
    const begun = {
      head,
      start: this.#start,
      bodyStart,
      ack: this.#ack,
      at: this.#at,
      end: NaN,
      endedAt: at,
      hasHole: false,
      hasDoubt: head.doubts.length > 0,
      hasConflict: false,
      isWhole: false,
    }
    const framing = this.#events.head(begun)
    if (framing === 'opaque') return this.makeOpaque()
    const { frame, maxBodyBytes, isGuess = false } = framing
    const expected = frame.kind === 'length' ? frame.length : 0
    const message = { ...begun, frame, body: new BodyBuffer(maxBodyBytes, this.#budget, expected) }
    if (frame.doubt !== undefined) message.hasDoubt = true
    this.#message = message
    this.#state = 'body'
    this.#isGuess = isGuess
    this.#left = expected
    this.#chunked = frame.kind === 'chunked' ? new ChunkedBody((bytes) => message.body.add(bytes)) : undefined
    const isEmpty = frame.kind === 'none' || (frame.kind === 'length' && frame.length === 0)
    if (isEmpty) this.#end(bodyStart, at, true)
  }

  #body(bytes: Uint8Array, from: number, offset: number, at: number): number {
    const message = this.#message!
    if (this.#isGuess) {
      this.#isGuess = false
      // What was asked may have been HEAD: then this is not its body, but the next answer.
      const rest = bytes.subarray(from)
      if (message.frame.kind !== 'none' && beginsMessage(rest, 'response')) {
        this.#lose({ from: offset + from, what: 'rest', begin: '' }, at)
        return 0
      }
    }
    if (this.#chunked !== undefined) {
      const used = this.#chunked.take(bytes, from)
      if (this.#chunked.hasDoubt) message.hasDoubt = true
      if (this.#chunked.state === 'ended') this.#end(offset + from + used, at, true)
      else if (this.#chunked.state === 'lost') {
        message.hasDoubt = true
        this.#lose({ from: offset + from + used, what: 'sense', begin: '' }, at)
        return 0
      }
      return used
    }
    const isCounted = message.frame.kind === 'length'
    const end = isCounted ? Math.min(bytes.length, from + this.#left) : bytes.length
    message.body.add(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end))
    this.#left -= end - from
    if (isCounted && this.#left === 0) this.#end(offset + end, at, true)
    return end - from
  }

  #end(offset: number, at: number, isWhole: boolean): void {
    const message = this.#message!
    this.#message = undefined
    this.#chunked = undefined
    this.#state = 'idle'
    message.end = offset
    message.endedAt = at
    message.isWhole = isWhole && !message.hasHole
    try {
      this.#events.ended(message)
    } finally {
      message.body.release()
    }
  }

  #loseHead(what: Loss['what'], at: number): void {
    const begin = this.#head.toString('latin1', 0, 16)
    this.#lose({ from: this.#start, what, begin }, at)
  }

  #lose(loss: Loss, at: number): void {
    if (this.#message !== undefined) this.#end(this.#next, at, false)
    this.#dropHead()
    this.#state = 'lost'
    this.#events.lost(loss)
  }

  #dropHead(): void {
    this.#budget.give(this.#head.length)
    this.#head = EMPTY
    this.#room = EMPTY
  }
}

const EMPTY: Buffer = Buffer.alloc(0)
/** So many bytes show whether a head can begin so. */
const SHOWS = 16
