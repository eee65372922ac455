/**
 * Leftovers: bytes that nobody needs any more, given back at once. What lies outside a thread's heap weighs little with its
 * collector, which lets some sixty megabytes of it lie around in every thread before it looks.
 */
import { Session } from 'node:inspector'
import { getHeapStatistics } from 'node:v8'

/** Fewer are not worth the trouble: to give a kilobyte back takes a third of a microsecond, and leaving it to the collector one. */
const MIN_BYTES = 1 << 10
/** What may lie around in a thread that reads documents. */
const MAX_LEFT_BYTES = 16 << 20

/** Nobody may touch them again. What is part of something larger is left alone. */
export function release(bytes: Uint8Array | Uint32Array): void {
  const { buffer, byteLength } = bytes
  if (byteLength < MIN_BYTES || byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return
  buffer.transfer(0)
}

/** For a thread that unpacks what strangers send, between two documents: most of what it made is no longer needed. */
export class Leftovers {
  readonly #session = new Session()
  /** What was still needed when it was last looked at. */
  #needed = 0

  constructor() {
    this.#session.connect()
  }

  /** Only where there is much of it, as it takes some ten milliseconds. */
  async clear(): Promise<void> {
    if (getHeapStatistics().external_memory - this.#needed < MAX_LEFT_BYTES) return
    await new Promise<void>((resolve) => this.#session.post('HeapProfiler.collectGarbage', () => resolve()))
    this.#needed = getHeapStatistics().external_memory
  }
}
