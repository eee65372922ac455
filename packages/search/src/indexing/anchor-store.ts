/**
 * AnchorStore: what other pages call a page, as far as their links were seen. For each page the four texts that most
 * links use are kept, counted as in Metwally's Space-Saving: a text that is new takes the place of the rarest one and
 * its count. So a page with a million links costs as much as one with five: 40 bytes, and each text once for all pages.
 *
 * A page is indexed with what is known of it then. It is worth doing again when the texts are others and the links have
 * doubled since, so no page is indexed more often than its links have doubled.
 *
 * What a link said once counts until the store is begun anew, from the links as they are then; `notes` say across that
 * with which texts each page was indexed.
 */
import { crc32 } from 'node:zlib'

const SLOTS = 4
/** Longer texts are no names. */
const MAX_CHARS = 120
/** Distinct texts over all pages; afterwards only known ones count. */
const MAX_TEXTS = 2_000_000

export class AnchorStore {
  readonly #numbers = new Map<string, number>()
  readonly #texts: string[] = ['']
  /** Of each text; the same in every store. */
  readonly #hashes: number[] = [0]
  /** Per page: numbers of texts (0 for none) and how often each was seen. */
  #slots = new Uint32Array(1_024 * SLOTS)
  #counts = new Uint32Array(1_024 * SLOTS)
  /** Links that were seen when the page was indexed, and what its texts were then. */
  #linksThen = new Uint32Array(1_024)
  #textsThen = new Uint32Array(1_024)
  #pages = 0

  /** A link to a page was seen. */
  add(page: number, anchor: string): void {
    const text = anchor.length > MAX_CHARS ? '' : anchor.trim()
    const number = text === '' ? 0 : this.#numberOf(text)
    if (number === 0) return
    this.#reach(page)
    const first = page * SLOTS
    let rarest = first
    for (let at = first; at < first + SLOTS; at++) {
      if (this.#slots[at] === number) {
        this.#counts[at] = (this.#counts[at] as number) + 1
        return
      }
      if ((this.#counts[at] as number) < (this.#counts[rarest] as number)) rarest = at
    }
    this.#slots[rarest] = number
    this.#counts[rarest] = (this.#counts[rarest] as number) + 1
  }

  /** What a page is called; in an order that depends on nothing else, so that an index made anew is the same. */
  textsOf(page: number): string[] {
    if (page >= this.#pages) return []
    const numbers = [...this.#slots.subarray(page * SLOTS, (page + 1) * SLOTS)].filter((number) => number !== 0)
    return numbers.map((number) => this.#texts[number] as string).toSorted()
  }

  /** The page is being indexed with what is known now. */
  noted(page: number): void {
    this.#reach(page)
    this.#linksThen[page] = this.#linksOf(page)
    this.#textsThen[page] = this.#textsHash(page)
  }

  /** Pages that are called otherwise than when they were indexed; with `all` also those of few new links. */
  *outdated(all: boolean): Generator<number> {
    for (let page = 0; page < this.#pages; page++) {
      if (this.#textsThen[page] === this.#textsHash(page)) continue
      if (all || this.#linksOf(page) >= 2 * (this.#linksThen[page] as number) + 1) yield page
    }
  }

  /** For each page a number that says with which texts it was indexed. */
  get notes(): Uint32Array {
    return this.#textsThen.slice(0, this.#pages)
  }

  /** Take over what an earlier store noted. Pages whose links say something else by now are outdated. */
  recall(notes: Uint32Array): void {
    if (notes.length > 0) this.#reach(notes.length - 1)
    this.#textsThen.set(notes)
    for (const [page, note] of notes.entries()) this.#linksThen[page] = note === 0 ? 0 : this.#linksOf(page)
  }

  #linksOf(page: number): number {
    let links = 0
    for (let at = page * SLOTS; at < (page + 1) * SLOTS; at++) links += this.#counts[at] as number
    return links
  }

  /** The same for the same texts in whatever order. */
  #textsHash(page: number): number {
    let hash = 0
    for (let at = page * SLOTS; at < (page + 1) * SLOTS; at++) hash ^= this.#hashes[this.#slots[at] as number] as number
    return hash >>> 0
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    if (this.#texts.length > MAX_TEXTS) return 0
    const number = this.#texts.push(text) - 1
    // Never 0, which stands for no text; and mixed, as sums of similar texts are similar.
    this.#hashes.push(Math.imul(crc32(text) || 1, 0x9e3779b1))
    this.#numbers.set(text, number)
    return number
  }

  #reach(page: number): void {
    if (page < this.#pages) return
    this.#pages = page + 1
    if (this.#pages <= this.#linksThen.length) return
    const room = Math.ceil(this.#pages * 1.5)
    this.#slots = enlarged(this.#slots, room * SLOTS)
    this.#counts = enlarged(this.#counts, room * SLOTS)
    this.#linksThen = enlarged(this.#linksThen, room)
    this.#textsThen = enlarged(this.#textsThen, room)
  }
}

function enlarged(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length)
  larger.set(array)
  return larger
}
