/**
 * LinkGraph: who links to whom, as far as a crawl has seen, in memory and compact: four bytes a link and eight a page.
 *
 * Lists lie one after the other in blocks, so that growing copies nothing. A page that is visited again gets a new
 * list, and the old one is garbage until half of the words are: then everything is copied once.
 */
import { grown } from '../queue/grown.ts'

const BLOCK_BITS = 20
const BLOCK = 1 << BLOCK_BITS
const MASK = BLOCK - 1

/** A list must fit into a block. No page of a person's has as many links; one that does is heard up to here. */
export const MAX_LINKS: number = BLOCK

export class LinkGraph {
  /** Where a page's list begins, counted over all blocks, and how long it is. */
  #start: Uint32Array = new Uint32Array(1_024)
  #length: Uint32Array = new Uint32Array(1_024)
  #blocks: Uint32Array[] = []
  #end = 0
  #garbage = 0
  #links = 0

  /** Links of all pages. */
  get links(): number {
    return this.#links
  }

  /** How many links a page has; 0 for one whose links nobody has told. */
  countOf(page: number): number {
    return this.#length[page] ?? 0
  }

  /** The same without an object: the block a page's list lies in, and where in it. For whoever reads millions. */
  blockOf(page: number): Uint32Array {
    return this.#blocks[this.#start[page]! >>> BLOCK_BITS]!
  }
  offsetOf(page: number): number {
    return this.#start[page]! & MASK
  }

  /** The links of a page. The array is a view: it holds until the next `set`. */
  linksOf(page: number): Uint32Array {
    const length = this.countOf(page)
    if (length === 0) return NO_LINKS
    const start = this.#start[page]!
    return this.#blocks[start >>> BLOCK_BITS]!.subarray(start & MASK, (start & MASK) + length)
  }

  set(page: number, links: ArrayLike<number>): void {
    this.#reach(page + 1)
    const length = Math.min(links.length, MAX_LINKS)
    this.#garbage += this.countOf(page)
    this.#links += length - this.countOf(page)
    if (this.#garbage > this.#links + BLOCK) this.#compact(page)
    this.#start[page] = this.#append(links, length)
    this.#length[page] = length
  }

  #append(links: ArrayLike<number>, length: number): number {
    if ((this.#end & MASK) + length > BLOCK || this.#end === this.#blocks.length << BLOCK_BITS) {
      this.#end = this.#blocks.length << BLOCK_BITS
      this.#blocks.push(new Uint32Array(BLOCK))
    }
    const start = this.#end
    const block = this.#blocks[start >>> BLOCK_BITS]!
    for (let i = 0; i < length; i++) block[(start & MASK) + i] = links[i]!
    this.#end += length
    return start
  }

  /** All lists into new blocks, except that of `gone`. */
  #compact(gone: number): void {
    const blocks = this.#blocks
    this.#blocks = []
    this.#end = 0
    this.#garbage = 0
    for (let page = 0; page < this.#length.length; page++) {
      const length = page === gone ? 0 : this.#length[page]!
      if (length === 0) continue
      const start = this.#start[page]!
      const old = blocks[start >>> BLOCK_BITS]!
      this.#start[page] = this.#append(old.subarray(start & MASK, (start & MASK) + length), length)
    }
  }

  #reach(count: number): void {
    this.#start = grown(this.#start, count)
    this.#length = grown(this.#length, count)
  }
}

const NO_LINKS = new Uint32Array(0)
