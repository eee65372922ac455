/**
 * Dump fetch: one package, or one part of a file, whole. An answer that breaks off is gone on with from where it broke off
 * (RFC 9110 §14), as long as it is still the same file and each try brings something. Pure: answers in, what to ask next out.
 */
import { headerOf, parseContentRange } from '@comity/protocol'
import type { Exchange } from '@comity/ingest'
import { strongValidator } from '@comity/ingest'

export type FetchStep =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array; readonly requests: number }
  | { readonly kind: 'ask'; readonly headers: Readonly<Record<string, string>>; readonly maxBytes: number }
  | { readonly kind: 'failed'; readonly problem: string }

/** Of a file that is known already. */
export interface FilePart {
  readonly start: number
  /** One past its last byte. */
  readonly end: number
  /** Strong, so that it is a part of the same file; undefined when the site gave none. */
  readonly validator: string | undefined
}

/** Requests for one package. */
const MAX_TRIES = 8

export class DumpFetch {
  readonly #maxBytes: number
  readonly #part: FilePart | undefined
  #pieces: Uint8Array[] = []
  #size = 0
  #validator: string | undefined
  #tries = 0

  constructor(maxBytes: number, part?: FilePart) {
    this.#maxBytes = part === undefined ? maxBytes : Math.min(maxBytes, part.end - part.start)
    this.#part = part
    this.#validator = part?.validator
  }

  get bytes(): number {
    return this.#size
  }

  /** As much as may still come; a byte more shows that there is too much. */
  begin(): FetchStep & { kind: 'ask' } {
    // Packed already: another coding would only make parts of it mean something else.
    return {
      kind: 'ask',
      headers: { accept: 'application/zip, */*;q=0.5', 'accept-encoding': 'identity', ...this.#range() },
      maxBytes: this.#maxBytes - this.#size,
    }
  }

  answered(exchange: Exchange): FetchStep {
    this.#tries++
    if (exchange.kind === 'failed') return this.#again(exchange.message, false)
    const { head, body, truncated } = exchange
    const { status, headers } = head
    if (status === 200 && this.#part !== undefined) return { kind: 'failed', problem: 'it is another file by now' }
    if (status === 200) this.#startOver()
    else if (status !== 206 || !this.#continues(headerOf(headers, 'content-range')))
      return { kind: 'failed', problem: `status ${status}` }
    if ((headerOf(headers, 'content-encoding') ?? 'identity') !== 'identity')
      return { kind: 'failed', problem: 'it came in a coding that nobody asked for' }
    this.#pieces.push(body)
    this.#size += body.length
    this.#validator = strongValidator(headers, exchange.endedAt)
    if (truncated === 'length') return { kind: 'failed', problem: `it is larger than ${this.#maxBytes} bytes` }
    const isShort = this.#part !== undefined && this.#size < this.#part.end - this.#part.start
    if (truncated !== undefined || isShort) return this.#again('it broke off', body.length > 0)
    return { kind: 'whole', bytes: Buffer.concat(this.#pieces), requests: this.#tries }
  }

  #again(problem: string, hasGrown: boolean): FetchStep {
    // Without a strong validator nobody knows that the rest is of the same file (§13.1.5): all of it, once more.
    if (this.#validator === undefined) this.#startOver()
    const mayTry = this.#tries < (hasGrown ? MAX_TRIES : MAX_TRIES / 2)
    return mayTry ? this.begin() : { kind: 'failed', problem }
  }

  #range(): Record<string, string> {
    const at = (this.#part?.start ?? 0) + this.#size
    if (this.#part === undefined && at === 0) return {}
    const range = `bytes=${at}-${this.#part === undefined ? '' : this.#part.end - 1}`
    return this.#validator === undefined ? { range } : { range, 'if-range': this.#validator }
  }

  #continues(contentRange: string | undefined): boolean {
    const start = contentRange === undefined ? undefined : parseContentRange(contentRange)?.start
    if (this.#part !== undefined) return start === this.#part.start + this.#size
    return start === this.#size && this.#size > 0
  }

  #startOver(): void {
    this.#pieces = []
    this.#size = 0
    this.#validator = this.#part?.validator
  }
}
