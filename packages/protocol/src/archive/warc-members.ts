/**
 * WARC members: walks the gzip members of a .warc.gz, and finds the next good one after a damaged one.
 *
 * Feed it bytes; it holds what it needs to see one member whole. Looking for good members behind damaged ones costs
 * time that a hostile file could make endless, so that work has a budget.
 */
import { constants, inflateRawSync } from 'node:zlib'
import { ByteQueue } from '../http/byte-queue.ts'
import { GZIP_MEMBER_HEAD } from '../coding/packing.ts'
import { gzipHeaderEnd, readMember, readTornMember } from './gzip-members.ts'

export type MemberStep =
  | { readonly kind: 'member'; readonly data: Uint8Array; readonly offset: number; readonly length: number }
  /** More than `maxBytes`, or not yet whole in so many: stream it from `takeRest()`, or `skip()` it. */
  | { readonly kind: 'large'; readonly offset: number }
  /** The file ends inside it; `data` is what could be read, unverified. */
  | { readonly kind: 'torn'; readonly data: Uint8Array; readonly offset: number }
  | { readonly kind: 'bad'; readonly offset: number; readonly message: string }
  | { readonly kind: 'gave-up'; readonly offset: number }

export class MemberWalk {
  readonly #maxBytes: number
  readonly #held: ByteQueue = new ByteQueue()
  /** Offset in the file of the first byte held. */
  #offset = 0
  #wanted = 1
  #ended = false
  #lost = false
  #wasted = 0

  constructor(maxBytes: number, offset = 0) {
    this.#maxBytes = maxBytes
    this.#offset = offset
  }

  feed(bytes: Uint8Array): void {
    this.#held.push(bytes)
  }

  end(): void {
    this.#ended = true
  }

  get ended(): boolean {
    return this.#ended
  }

  /** The next member or what is wrong with it; undefined when more bytes are needed, or none are left. Last: gave-up. */
  next(): MemberStep | undefined {
    if (this.#held.size < this.#wanted && !this.#ended) return undefined
    if (this.#lost && !this.#findNext()) return this.#exhausted() ? this.#giveUp() : undefined
    if (this.#held.size === 0) return undefined
    const bytes = this.#held.bytes()
    const offset = this.#offset
    const result = readMember(bytes, 0, this.#maxBytes)
    if (result.kind === 'short') return this.#short(bytes)
    if (result.kind === 'too-large') return { kind: 'large', offset }
    if (result.kind === 'bad') {
      this.skip(result.tried)
      return { kind: 'bad', offset, message: result.message }
    }
    this.#drop(result.end)
    return { kind: 'member', data: result.data, offset, length: result.end }
  }

  /** Leave the member at hand out and look for the next one behind its first byte. */
  skip(tried: number = this.#maxBytes): void {
    this.#wasted += tried
    this.#lost = true
    this.#drop(1)
  }

  /** Hand over all bytes held, from the member at hand on; `resume` gives back those behind it. */
  takeRest(): Uint8Array {
    const bytes = this.#held.bytes()
    this.#drop(bytes.length)
    return bytes
  }

  resume(bytes: Uint8Array, offset: number, lost: boolean): void {
    this.#offset = offset
    this.#lost = lost
    this.feed(bytes)
  }

  #short(bytes: Uint8Array): MemberStep | undefined {
    if (!this.#ended && bytes.length < this.#maxBytes) {
      // Twice as much before the next try: a large member is inflated a few times, not once a chunk.
      this.#wanted = bytes.length * 2
      return undefined
    }
    if (!this.#ended) return { kind: 'large', offset: this.#offset }
    const offset = this.#offset
    // A damaged member may seem to run to the end of the file; good ones may yet stand behind it.
    this.skip(bytes.length)
    return { kind: 'torn', data: readTornMember(bytes, 0, this.#maxBytes), offset }
  }

  /** Move to the next place where a gzip member begins and inside it a WARC record. */
  #findNext(): boolean {
    const bytes = this.#held.bytes()
    for (let at = bytes.indexOf(MAGIC); at >= 0 && !this.#exhausted(); at = bytes.indexOf(MAGIC, at + 1)) {
      if (bytes.length - at < PROBE_BYTES && !this.#ended) {
        this.#drop(at)
        this.#wanted = PROBE_BYTES
        return false
      }
      this.#wasted += PROBE_COST
      if (!holdsRecord(bytes.subarray(at, at + PROBE_BYTES))) continue
      this.#drop(at)
      this.#lost = false
      return true
    }
    this.#drop(Math.max(0, this.#held.size - (this.#ended ? 0 : MAGIC.length - 1)))
    this.#wanted = PROBE_BYTES
    return false
  }

  #exhausted(): boolean {
    return this.#wasted > WASTE_BYTES + this.#offset
  }

  #giveUp(): MemberStep {
    const offset = this.#offset
    this.#drop(this.#held.size)
    return { kind: 'gave-up', offset }
  }

  #drop(count: number): void {
    this.#held.drop(count)
    this.#offset += count
    this.#wanted = 1
  }
}

/** Where in these bytes a gzip member begins and inside it a WARC record; what begins in the last few is left to the next look. */
export function findMember(bytes: Buffer): number | undefined {
  for (let at = bytes.indexOf(MAGIC); at >= 0 && at + PROBE_BYTES <= bytes.length; at = bytes.indexOf(MAGIC, at + 1)) {
    if (holdsRecord(bytes.subarray(at, at + PROBE_BYTES))) return at
  }
  return undefined
}

const MAGIC = Buffer.from(GZIP_MEMBER_HEAD)
/** Enough to inflate the first line of a record, extra fields included. */
export const PROBE_BYTES = 1_024
/** A probe takes about as long as inflating this much. */
const PROBE_COST = 8_192
/** About three seconds of inflating in vain, and as much again as the file is long. */
const WASTE_BYTES = 1 << 30

function holdsRecord(bytes: Uint8Array): boolean {
  const header = gzipHeaderEnd(bytes, 0)
  if (typeof header === 'string') return false
  try {
    const data = inflateRawSync(bytes.subarray(header), { finishFlush: constants.Z_SYNC_FLUSH })
    return data.toString('latin1', 0, 5).toUpperCase() === 'WARC/'
  } catch {
    // Not deflate data: the three bytes stood there by chance.
    return false
  }
}
