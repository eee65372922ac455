/**
 * NamedPages: which pages a complete list of a site's names, document by document, from look to look. A page that it named
 * and names nowhere any more is missing: a claim of the site's that the page is gone, made by saying nothing.
 *
 *   read      a document, from its beginning or from where it was left; counts once it was read to its end
 *   missing   what no document names that one named before; asked when all of the list is known
 *
 * A page may move from one document to another, and a poll may break off in between, so what a document has lost is kept
 * until a whole look has not found it elsewhere. Pages are the numbers of the collection, one or two bytes each.
 */
export type NamedRow = Readonly<Record<string, Uint8Array>>

/** Pages of one list; of a longer one nobody notices what is missing. */
const MAX_PAGES = 1_000_000
/** No document has this name. */
const LOST = ''

export class NamedPages {
  readonly #named: Map<string, Uint8Array>
  readonly #reading = new Map<string, { readonly pages: Set<number>; readonly gone: Set<number> }>()

  constructor(row: NamedRow = {}) {
    this.#named = new Map(Object.entries(row))
  }

  /** Whether a document is known to name pages: an index names none. */
  has(document: string): boolean {
    return (this.#named.get(document)?.length ?? 0) > 0
  }

  /** A document is being read: all of it, or what has been added to it (`isMore`). */
  begin(document: string, isMore = false): void {
    const before = isMore ? decodePages(this.#named.get(document) ?? NONE) : []
    this.#reading.set(document, { pages: new Set(before), gone: new Set() })
  }

  /** A page stands in it, or is said in it to be gone: then it is not missing, but told of. */
  name(document: string, page: number, isGone = false): void {
    const reading = this.#reading.get(document)
    const [to, from] = isGone ? [reading?.gone, reading?.pages] : [reading?.pages, reading?.gone]
    to?.add(page)
    from?.delete(page)
  }

  /** It turned out to be no part of a complete list: what it named, and what is lost perhaps because of it, says nothing. */
  forget(document: string): void {
    this.#reading.delete(document)
    if (this.#named.delete(document)) this.#named.delete(LOST)
  }

  /** It was read to its end. */
  end(document: string): void {
    const reading = this.#reading.get(document)
    if (reading === undefined) return
    this.#reading.delete(document)
    const { pages, gone } = reading
    const before = decodePages(this.#named.get(document) ?? NONE)
    this.#lose(before.filter((page) => !pages.has(page) && !gone.has(page)))
    this.#named.set(document, encodePages(pages))
  }

  /** All of the list is known, as it is now. `documents`: what it consists of; all that are known when not given. */
  missing(documents?: readonly string[]): readonly number[] {
    const kept = new Set(documents)
    for (const document of documents === undefined ? [] : [...this.#named.keys()]) {
      if (document === LOST || kept.has(document)) continue
      this.#lose(decodePages(this.#named.get(document)!))
      this.#named.delete(document)
    }
    const lost = new Set(decodePages(this.#named.get(LOST) ?? NONE))
    // A list that names nothing says nothing, whatever emptied it: what is lost waits for one that does.
    if (![...this.#named.keys()].some((document) => document !== LOST && this.has(document))) return []
    this.#named.delete(LOST)
    if (lost.size === 0) return []
    for (const bytes of this.#named.values()) for (const page of decodePages(bytes)) lost.delete(page)
    return [...lost]
  }

  /** Undefined when there is nothing to remember, or too much. */
  row(): NamedRow | undefined {
    let pages = 0
    for (const bytes of this.#named.values()) pages += bytes.length
    return pages === 0 || pages > MAX_PAGES * 2 ? undefined : Object.fromEntries(this.#named)
  }

  #lose(pages: readonly number[]): void {
    if (pages.length === 0) return
    this.#named.set(LOST, encodePages(new Set([...decodePages(this.#named.get(LOST) ?? NONE), ...pages])))
  }
}

const NONE = new Uint8Array(0)

/** In rising order, each as its distance from the one before, seven bits a byte, the lowest first. */
export function encodePages(pages: ReadonlySet<number>): Uint8Array {
  const bytes: number[] = []
  let before = 0
  for (const page of [...pages].toSorted((a, b) => a - b)) {
    for (let rest = page - before; ; rest = Math.floor(rest / 128)) {
      bytes.push((rest % 128) | (rest >= 128 ? 128 : 0))
      if (rest < 128) break
    }
    before = page
  }
  return Uint8Array.from(bytes)
}

/** Whatever the bytes are, numbers of pages; what cannot be one is left out. */
export function decodePages(bytes: Uint8Array): number[] {
  const pages: number[] = []
  let [page, value, scale] = [0, 0, 1]
  for (const byte of bytes) {
    value += (byte % 128) * scale
    scale *= 128
    if (byte >= 128) continue
    page += value
    if (page > MAX_PAGE) break
    pages.push(page)
    ;[value, scale] = [0, 1]
  }
  return pages
}

const MAX_PAGE = 0xffff_ffff
