/**
 * ReaderQuorum: whether a page that was asked for with cookies is the same for everybody: the same bytes were seen by so many
 * different readers. Readers are kept as hashes with a salt that nobody ever sees, in memory, for a while: nothing of them is
 * on any disk, and nothing can be found out from what is here but that there were several.
 */
import { hash } from 'node:crypto'

export interface QuorumLimits {
  /** Different readers that make a page everybody's. */
  readonly readers: number
  /** Pages that are watched at a time; the oldest goes. */
  readonly pages: number
}

export const quorumLimits: QuorumLimits = { readers: 3, pages: 100_000 }

interface Seen {
  readonly digest: string
  readonly readers: Set<string>
}

export class ReaderQuorum {
  readonly #limits: QuorumLimits
  readonly #salt: string
  /** By URL, the one that was seen longest ago first. */
  readonly #pages = new Map<string, Seen>()

  /** `salt`: bytes that nobody can guess, made anew for each process. */
  constructor(salt: Uint8Array, limits: Partial<QuorumLimits> = {}) {
    this.#salt = Buffer.from(salt).toString('hex')
    this.#limits = { ...quorumLimits, ...limits }
  }

  get size(): number {
    return this.#pages.size
  }

  /** A reader got this page with these bytes. True when enough have. Other bytes than before begin anew. */
  seen(url: string, body: Uint8Array, reader: string): boolean {
    const digest = hash('sha256', body, 'base64url').slice(0, 22)
    const known = this.#pages.get(url)
    const page = known?.digest === digest ? known : { digest, readers: new Set<string>() }
    this.#pages.delete(url)
    this.#pages.set(url, page)
    if (this.#pages.size > this.#limits.pages) this.#pages.delete(this.#pages.keys().next().value!)
    if (page.readers.size < this.#limits.readers) page.readers.add(this.#mark(reader))
    return page.readers.size >= this.#limits.readers
  }

  #mark(reader: string): string {
    return hash('sha256', `${this.#salt}${reader}`, 'base64url').slice(0, 16)
  }
}
