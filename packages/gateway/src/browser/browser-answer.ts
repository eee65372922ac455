/**
 * BrowserAnswer: one answer, byte by byte, as Chromium takes it (net/http: `HttpStreamParser`): head, body, end. It is shown; or it
 * breaks off, and what came before is what there is to see; or there is nothing to show, and the browser says why; or it leads
 * elsewhere.
 *
 *   head ─▶ (interim: head) ─▶ length | pieces | close ─▶ over
 */
import { BodyBuffer } from '../http/body-buffer.ts'
import { responseFrame } from '../http/body-frame.ts'
import { headEnd, readResponseHead } from '../http/head.ts'
import type { MemoryBudget } from '../memory-budget.ts'
import type { BrowserDoubt } from './browser-doubts.ts'
import { BrowserChunks } from './browser-chunks.ts'
import { codingError } from './browser-coding.ts'
import type { CodingError } from './browser-coding.ts'
import {
  contentLength,
  DECIDES,
  isBodiless,
  isChunked,
  isInterim,
  isRedirect,
  MOST_HEAD_BYTES,
  readBrowserHead,
  simpleHead,
  statusLineStart,
} from './browser-head.ts'
import type { BrowserHead, HeadError } from './browser-head.ts'

export type BrowserOutcome = 'shown' | 'broken' | 'refused' | 'redirected'

/** Chromium's names of what went wrong, without `net::`. */
export type BrowserError =
  | HeadError
  | CodingError
  | 'ERR_RESPONSE_HEADERS_TOO_BIG'
  | 'ERR_EMPTY_RESPONSE'
  | 'ERR_UNEXPECTED_PROXY_AUTH'
  | 'ERR_INVALID_CHUNKED_ENCODING'
  | 'ERR_INCOMPLETE_CHUNKED_ENCODING'
  | 'ERR_CONTENT_LENGTH_MISMATCH'
  | 'ERR_CONNECTION_RESET'

/** `lost`: its end was not seen. */
export type StreamEnd = 'closed' | 'reset' | 'lost'

/** What was asked, as far as it matters to how its answer is read. */
export interface Asking {
  readonly method: string
  /** The codings that the request says it takes. */
  readonly accepted: string
  /** Its address has the port that HTTP has. */
  readonly isDefaultPort: boolean
}

export class BrowserAnswer {
  readonly body: BodyBuffer
  readonly doubts: Set<BrowserDoubt> = new Set()
  head: BrowserHead | undefined
  outcome: BrowserOutcome = 'shown'
  error: BrowserError | undefined
  isOver = false
  readonly #asking: Asking
  readonly #budget: MemoryBudget
  #phase: 'head' | 'length' | 'pieces' | 'close' = 'head'
  /** In a room that doubles: joining it anew for each packet would take the square of its length. */
  #room: Buffer = EMPTY
  #seen = 0
  #start = -1
  #hasInterim = false
  #left = 0
  readonly #chunks: BrowserChunks

  constructor(asking: Asking, budget: MemoryBudget, maxBodyBytes: number) {
    this.#asking = asking
    this.#budget = budget
    this.body = new BodyBuffer(maxBodyBytes, budget)
    this.#chunks = new BrowserChunks((bytes) => this.body.add(bytes))
  }

  /** Anything of it came. */
  get hasBegun(): boolean {
    return this.#phase !== 'head' || this.#seen > 0 || this.#hasInterim
  }

  /** How many of these bytes belong to it. */
  take(bytes: Uint8Array): number {
    let at = 0
    while (at < bytes.length && !this.isOver)
      at += this.#phase === 'head' ? this.#takeHead(bytes.subarray(at)) : this.#takeBody(bytes, at)
    return at
  }

  /** Nothing more comes. */
  close(how: StreamEnd): void {
    if (this.isOver) return
    if (this.#phase === 'head') this.#closeHead(how)
    else if (how === 'lost') this.#end('broken', undefined, 'unfinished')
    else if (how === 'reset') this.#end('broken', 'ERR_CONNECTION_RESET', 'cut-short')
    else if (this.#phase === 'close') this.#end('shown')
    else
      this.#end(
        'broken',
        this.#phase === 'pieces' ? 'ERR_INCOMPLETE_CHUNKED_ENCODING' : 'ERR_CONTENT_LENGTH_MISMATCH',
        'cut-short',
      )
  }

  /** It is somebody else's now, or nobody's. */
  release(): void {
    this.body.release()
    this.#dropHead()
  }

  #takeHead(bytes: Uint8Array): number {
    const before = this.#seen
    const fresh = bytes.subarray(0, MOST_HEAD_BYTES - before)
    if (!this.#join(fresh)) return this.#drop(bytes.length)
    const all = this.#room.subarray(0, this.#seen)
    if (this.#start === -1) this.#start = statusLineStart(all)
    if (this.#start === -1) {
      if (all.length >= DECIDES) this.#simple(all)
      return fresh.length
    }
    const end = headEnd(all, Math.max(this.#start, before - 3))
    if (end !== -1) {
      this.#begin(all.toString('latin1', 0, end))
      return end - before
    }
    if (all.length >= MOST_HEAD_BYTES) this.#end('refused', 'ERR_RESPONSE_HEADERS_TOO_BIG')
    return fresh.length
  }

  /** There was no room for it: nobody knows what it would have been. */
  #drop(length: number): number {
    this.body.isRefused = true
    this.#end('broken', undefined, 'unfinished')
    return length
  }

  #begin(text: string): void {
    this.#dropHead()
    const head = readBrowserHead(text)
    if (typeof head === 'string') return this.#end('refused', head, 'odd-character')
    this.#doubtHead(text)
    if (isInterim(head.status)) {
      this.#hasInterim = true
      if (head.status === 101) this.doubts.add('switching')
      return
    }
    this.head = head
    if (this.#isSettled(head)) return
    if (isBodiless(head, this.#asking.method)) return this.#end('shown')
    const length = isChunked(head) ? -1 : contentLength(head)
    this.#phase = isChunked(head) ? 'pieces' : length === -1 ? 'close' : 'length'
    this.#left = length
    if (length === 0) this.#end('shown')
  }

  /** What its head says is all there is to it. */
  #isSettled(head: BrowserHead): boolean {
    const error = head.status === 407 ? 'ERR_UNEXPECTED_PROXY_AUTH' : codingError(head, this.#asking.accepted)
    if (isRedirect(head)) this.#end('redirected')
    else if (error !== undefined) this.#end('refused', error)
    return this.isOver
  }

  /** What strict readers have against it. */
  #doubtHead(text: string): void {
    const strict = readResponseHead(text)
    if (strict === undefined) return void this.doubts.add('leading-bytes')
    for (const doubt of strict.doubts) this.doubts.add(doubt)
    const { doubt } = responseFrame(strict, this.#asking.method)
    if (doubt !== undefined) this.doubts.add(doubt)
  }

  /** A page of the first HTTP: everything is body, where anybody may send such a one. */
  #simple(all: Buffer): void {
    const isRadio = all.toString('latin1', 0, 3).toLowerCase() === 'icy'
    if (this.#hasInterim || !(this.#asking.isDefaultPort || isRadio)) {
      return this.#end('refused', 'ERR_INVALID_HTTP_RESPONSE', 'odd-version')
    }
    this.doubts.add('odd-version')
    this.head = simpleHead()
    this.#phase = 'close'
    this.body.add(all)
    this.#dropHead()
  }

  #takeBody(bytes: Uint8Array, from: number): number {
    if (this.#phase === 'pieces') {
      const used = this.#chunks.take(bytes, from)
      if (this.#chunks.isOdd) this.doubts.add('odd-pieces')
      if (this.#chunks.state === 'ended') this.#end('shown')
      else if (this.#chunks.state === 'damaged') this.#end('broken', 'ERR_INVALID_CHUNKED_ENCODING', 'odd-pieces')
      return used
    }
    const end = this.#phase === 'length' ? Math.min(bytes.length, from + this.#left) : bytes.length
    this.body.add(bytes.subarray(from, end))
    this.#left -= end - from
    if (this.#phase === 'length' && this.#left === 0) this.#end('shown')
    return end - from
  }

  #closeHead(how: StreamEnd): void {
    const all = this.#room.subarray(0, this.#seen)
    if (how === 'lost') return this.#end('broken', undefined, 'unfinished')
    if (how === 'reset') return this.#end('refused', 'ERR_CONNECTION_RESET', 'cut-short')
    if (all.length === 0) return this.#end('refused', 'ERR_EMPTY_RESPONSE')
    if (this.#start === -1) {
      this.#simple(all)
      if (!this.isOver) this.#end('shown')
      return
    }
    const head = readBrowserHead(all.toString('latin1'))
    if (typeof head === 'string') return this.#end('refused', head, 'odd-character')
    this.doubts.add('odd-end')
    this.head = isInterim(head.status) ? { ...head, status: 200 } : head
    if (!this.#isSettled(head)) this.#end('shown')
  }

  #end(outcome: BrowserOutcome, error?: BrowserError, doubt?: BrowserDoubt): void {
    this.outcome = outcome
    this.error = error
    if (doubt !== undefined) this.doubts.add(doubt)
    this.isOver = true
    this.#dropHead()
  }

  #join(fresh: Uint8Array): boolean {
    const length = this.#seen + fresh.length
    if (length > this.#room.length) {
      const size = Math.max(length, 2 * this.#room.length, LEAST_ROOM)
      if (!this.#budget.take(size - this.#room.length)) return false
      const room = Buffer.allocUnsafeSlow(size)
      room.set(this.#room.subarray(0, this.#seen))
      this.#room = room
    }
    this.#room.set(fresh, this.#seen)
    this.#seen = length
    return true
  }

  #dropHead(): void {
    this.#budget.give(this.#room.length)
    this.#room = EMPTY
    this.#seen = 0
    this.#start = -1
  }
}

const EMPTY: Buffer = Buffer.alloc(0)
const LEAST_ROOM = 1_024
