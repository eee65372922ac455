/**
 * Dump fetch: one package, whole. An answer that breaks off is gone on with from where it broke off (RFC 9110 §14), as long
 * as it is still the same file and each try brings something. Pure: answers in, what to ask next out.
 */
import { headerOf, parseContentRange } from '@comity/protocol'
import type { Exchange } from './exchange.ts'

export type FetchStep =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array; readonly requests: number }
  | { readonly kind: 'ask'; readonly headers: Readonly<Record<string, string>>; readonly maxBytes: number }
  | { readonly kind: 'failed'; readonly problem: string }

/** Requests for one package. */
const MAX_TRIES = 8

export class DumpFetch {
  readonly #maxBytes: number
  #pieces: Uint8Array[] = []
  #size = 0
  #validator: string | undefined
  #tries = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#size
  }

  /** As much as may still come; a byte more shows that there is too much. */
  begin(): FetchStep & { kind: 'ask' } {
    const range = this.#size === 0 ? {} : { range: `bytes=${this.#size}-`, 'if-range': this.#validator! }
    // Packed already: another coding would only make parts of it mean something else.
    return {
      kind: 'ask',
      headers: { accept: 'application/zip', 'accept-encoding': 'identity', ...range },
      maxBytes: this.#maxBytes - this.#size,
    }
  }

  answered(exchange: Exchange): FetchStep {
    this.#tries++
    if (exchange.kind === 'failed') return this.#again(exchange.message, false)
    const { head, body, truncated } = exchange
    const { status, headers } = head
    if (status === 200) this.#startOver()
    else if (status !== 206 || !this.#continues(headerOf(headers, 'content-range')))
      return { kind: 'failed', problem: `status ${status}` }
    if ((headerOf(headers, 'content-encoding') ?? 'identity') !== 'identity')
      return { kind: 'failed', problem: 'it came in a coding that nobody asked for' }
    this.#pieces.push(body)
    this.#size += body.length
    this.#validator = strongValidator(headerOf(headers, 'etag'), headerOf(headers, 'last-modified'))
    if (truncated === 'length') return { kind: 'failed', problem: `it is larger than ${this.#maxBytes} bytes` }
    if (truncated !== undefined) return this.#again('it broke off', body.length > 0)
    return { kind: 'whole', bytes: Buffer.concat(this.#pieces), requests: this.#tries }
  }

  #again(problem: string, hasGrown: boolean): FetchStep {
    // Without a strong validator nobody knows that the rest is of the same file (§13.1.5): all of it, once more.
    if (this.#validator === undefined) this.#startOver()
    const mayTry = this.#tries < (hasGrown ? MAX_TRIES : MAX_TRIES / 2)
    return mayTry ? this.begin() : { kind: 'failed', problem }
  }

  #continues(contentRange: string | undefined): boolean {
    return contentRange !== undefined && parseContentRange(contentRange)?.start === this.#size && this.#size > 0
  }

  #startOver(): void {
    this.#pieces = []
    this.#size = 0
    this.#validator = undefined
  }
}

function strongValidator(etag: string | undefined, lastModified: string | undefined): string | undefined {
  if (etag !== undefined && etag.length <= 200) return etag.startsWith('W/') ? undefined : etag
  return lastModified?.slice(0, 100)
}
