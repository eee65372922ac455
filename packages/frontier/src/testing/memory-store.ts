/**
 * MemoryStore: a frontier's batches in memory. It says what a store has to do, and stands in for one in tests and
 * examples; `collection` does the same on disk.
 */
import type { FrontierBatch, FrontierSource, BatchPageText } from '../queue/frontier-batch.ts'
import type { SiteRow } from '../queue/site.ts'

export class MemoryStore implements FrontierSource {
  readonly #pageLog: Uint8Array[] = []
  readonly #texts: BatchPageText[] = []
  readonly #sites = new Map<number, SiteRow>()
  readonly #addresses = new Map<string, number>()

  /** Keep one batch, whole. Batches come in the order they were drained; later rows replace earlier ones. */
  store({ pageLog, first, texts, sites, addresses }: FrontierBatch): void {
    this.#pageLog.push(pageLog.slice())
    for (const [i, text] of texts.entries()) this.#texts[first + i] = text
    for (const [site, row] of sites) this.#sites.set(site, row)
    for (const [address, readyAt] of addresses) this.#addresses.set(address, readyAt)
  }

  textOf(page: number): BatchPageText {
    const text = this.#texts[page]
    if (text === undefined) throw new RangeError(`page ${page} was never stored`)
    return text
  }

  pageLog(): Iterable<Uint8Array> {
    return this.#pageLog
  }

  /** By id: a frontier gives ids in the order in which it meets sites. */
  sites(): Iterable<readonly [site: number, row: SiteRow]> {
    return [...this.#sites].toSorted(([a], [b]) => a - b)
  }

  addresses(): Iterable<readonly [address: string, readyAt: number]> {
    return this.#addresses
  }
}
