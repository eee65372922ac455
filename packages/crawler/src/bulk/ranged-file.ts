/**
 * RangedFile: a large file of a site's, read in parts (RFC 9110 §14): its end first, where a ZIP says what is in it, then what
 * is wanted. A site that knows no parts and sends all of it has sent it, as long as it is not too much.
 *
 * Parts are questions, and between two of them the site is asked nothing else: whoever brings an answer waits until the
 * next part is asked for, or the file is closed.
 */
import { headerOf, parseContentRange } from '@comity/protocol'
import type { ByteSource } from '@comity/protocol'
import type { Exchange, Head } from '@comity/ingest'
import { fetchPackage } from './package-fetch.ts'
import { MAX_PACKAGE_BYTES } from '@comity/follow'
import type { Questions } from '@comity/follow'
import { strongValidator } from '@comity/ingest'

interface RangedFileParts {
  readonly questions: Questions
  readonly site: number
  readonly path: string
}

/** Why a file cannot be read on: the site's doing. */
export class FileUnreadable extends Error {
  override readonly name: string = 'FileUnreadable'
}

/** Holds the directory of most files, and their index. */
const TAIL_BYTES = 128 << 10
/** Something small is asked for: what stands behind it most likely comes next. */
const LEAST_PART = 16 << 10
const MAX_REQUESTS = 2_000

interface Block {
  readonly start: number
  readonly bytes: Uint8Array
}

export class RangedFile implements ByteSource {
  readonly #parts: RangedFileParts
  #size = 0
  #address = ''
  #validator: string | undefined
  #tail: Block = { start: 0, bytes: new Uint8Array(0) }
  #block: Block = this.#tail
  #spent = { requests: 0, bytes: 0 }
  /** Resolves when whoever reads has asked for something more, or is done. */
  #goesOn = Promise.withResolvers<void>()

  constructor(parts: RangedFileParts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#size
  }
  /** Of the site, as it was connected to. */
  get address(): string {
    return this.#address
  }
  get spent(): { readonly requests: number; readonly bytes: number } {
    return this.#spent
  }

  /** Its end. Throws `FileUnreadable`, as everything that reads does. */
  async open(): Promise<void> {
    const exchange = await this.#ask()
    if (exchange.kind === 'failed') throw new FileUnreadable(exchange.message)
    const { head, body, truncated, declined } = exchange
    if (declined) throw new FileUnreadable(`it is larger than ${MAX_PACKAGE_BYTES} bytes, and cannot be had in parts`)
    if (head.status !== 200 && head.status !== 206) throw new FileUnreadable(`status ${head.status}`)
    if (truncated !== undefined) throw new FileUnreadable('it broke off')
    const range = head.status === 206 ? parseContentRange(headerOf(head.headers, 'content-range') ?? '') : undefined
    const [start, size] = head.status === 200 ? [0, body.length] : [range?.start ?? -1, range?.size ?? -1]
    if (start < 0 || start + body.length !== size) throw new FileUnreadable('its end cannot be had')
    this.#size = size
    this.#tail = this.#block = { start, bytes: body }
    this.#validator = strongValidator(head.headers, exchange.endedAt)
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const end = Math.min(this.#size, offset + length)
    if (offset >= end) return new Uint8Array(0)
    const held = [this.#tail, this.#block].find((block) => holds(block, offset, end))
    if (held === undefined) await this.load(offset, Math.min(this.#size, Math.max(end, offset + LEAST_PART)))
    const { start, bytes } = held ?? this.#block
    return bytes.subarray(offset - start, end - start)
  }

  /** In one request, what is read next. */
  async load(start: number, end: number): Promise<void> {
    if ([this.#tail, this.#block].some((block) => holds(block, start, end))) return
    if (end - start > MAX_PACKAGE_BYTES) throw new FileUnreadable('a part of it is too large')
    if (this.#spent.requests >= MAX_REQUESTS) throw new FileUnreadable('it takes too many requests')
    const { questions, site, path } = this.#parts
    const part = { start, end, validator: this.#validator }
    const bytes = await new Promise<Uint8Array>((resolve, reject) => {
      fetchPackage(questions, { site, path, part }, (fetched, spent) => {
        this.#count(spent)
        const waiting = this.#wait()
        if (fetched.kind === 'whole') resolve(fetched.bytes)
        else reject(new FileUnreadable(fetched.problem))
        return waiting
      })
      this.#goesOn.resolve()
    })
    this.#block = { start, bytes }
  }

  /** Nothing more is read; with an error of ours, whoever brought the last answer hears of it. */
  close(error?: unknown): void {
    if (error === undefined) this.#goesOn.resolve()
    else this.#goesOn.reject(error)
  }

  async #ask(): Promise<Exchange> {
    const { questions, site, path } = this.#parts
    const headers = { accept: '*/*', 'accept-encoding': 'identity', range: `bytes=-${TAIL_BYTES}` }
    return await new Promise<Exchange>((resolve) => {
      questions.ask({
        site,
        path,
        headers,
        maxBodyBytes: MAX_PACKAGE_BYTES,
        wants: isPartOrSmall,
        answered: (exchange, address) => {
          this.#address = address
          this.#count({ requests: 1, bytes: exchange.kind === 'answered' ? exchange.body.length : 0 })
          const waiting = this.#wait()
          resolve(exchange)
          return waiting
        },
      })
    })
  }

  #wait(): Promise<void> {
    this.#goesOn = Promise.withResolvers<void>()
    return this.#goesOn.promise
  }

  #count({ requests, bytes }: { readonly requests: number; readonly bytes: number }): void {
    this.#spent = { requests: this.#spent.requests + requests, bytes: this.#spent.bytes + bytes }
  }
}

function isPartOrSmall({ status, headers }: Head): boolean {
  return status !== 200 || Number(headerOf(headers, 'content-length') ?? 0) <= MAX_PACKAGE_BYTES
}

const holds = ({ start, bytes }: Block, from: number, to: number): boolean =>
  from >= start && to <= start + bytes.length
