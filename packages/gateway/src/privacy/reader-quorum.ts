/**
 * ReaderQuorum: whether so many different readers were given the same bytes at the same address. By it the gate lets a page pass
 * that was asked for with a cookie, or whose address looks like a secret, and believes a 403 that takes a page out of the index:
 * one reader alone may be shut out. Whoever comes with the same cookie from elsewhere is the same reader, and so is whoever comes from the same
 * place with another: somebody who reads their own page at home, at work and on the way is one. Readers are kept as
 * hashes with a salt that nobody ever sees, in memory, for a while: nothing of them is on any disk, and nothing can be found out from
 * what is here but that there were several.
 */
import { hash } from 'node:crypto'

interface QuorumLimits {
  /** Different readers that make a page everybody's. */
  readonly readers: number
  /** Pages that are watched at a time; the oldest goes. */
  readonly pages: number
}

/** Of one page: somebody whose address changes with each request must not fill the memory. */
const MOST_MARKS = 64

const quorumLimits: QuorumLimits = { readers: 3, pages: 100_000 }

interface Seen {
  readonly digest: string
  /** Marks of their places and cookies. */
  readonly marks: Set<string>
  readers: number
}

/** `network`: the part of an address that its holder cannot choose. `cookie`: empty for none. */
export interface Reader {
  readonly network: string
  readonly cookie: string
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

  /** Different ones that make a page everybody's. */
  get readers(): number {
    return this.#limits.readers
  }

  get size(): number {
    return this.#pages.size
  }

  /** A reader got this page with these bytes. True when enough have. Other bytes than before begin anew. */
  seen(url: string, body: Uint8Array, reader: Reader): boolean {
    const digest = hash('sha256', body, 'base64url').slice(0, 22)
    const known = this.#pages.get(url)
    const page = known?.digest === digest ? known : { digest, marks: new Set<string>(), readers: 0 }
    this.#pages.delete(url)
    this.#pages.set(url, page)
    if (this.#pages.size > this.#limits.pages) this.#pages.delete(this.#pages.keys().next().value!)
    if (page.readers < this.#limits.readers) this.#count(page, reader)
    return page.readers >= this.#limits.readers
  }

  #count(page: Seen, { network, cookie }: Reader): void {
    const marks = [this.#mark(`n${network}`), ...(cookie === '' ? [] : [this.#mark(`c${cookie}`)])]
    if (!marks.some((mark) => page.marks.has(mark))) page.readers++
    for (const mark of marks) if (page.marks.size < MOST_MARKS) page.marks.add(mark)
  }

  #mark(text: string): string {
    return hash('sha256', `${this.#salt}${text}`, 'base64url').slice(0, 16)
  }
}
