/**
 * TextCache: blocks of page texts that were read lately, some 2 MB of them. A crawl asks for the text of every page it
 * takes, and pages near each other are asked for at about the same time, whatever the order.
 */
import { BLOCK_PAGES, textAt } from './page-texts.ts'
import type { PageText } from './page-texts.ts'

interface TextBlock {
  /** Key of the block: the id of its first page plus 1. */
  readonly first: number
  readonly bytes: Uint8Array
}

const MAX_BLOCKS = 128

export class TextCache {
  /** By the run of ids a page is in: blocks are as long as these, or shorter. Oldest first. */
  readonly #blocks = new Map<number, TextBlock>()

  find(page: number): PageText | undefined {
    const block = this.#blocks.get(runOf(page))
    return block === undefined ? undefined : textAt(block.bytes, page + 1 - block.first)
  }

  /** The block that `page` is in. */
  keep(page: number, block: TextBlock): void {
    this.#blocks.set(runOf(page), block)
    if (this.#blocks.size <= MAX_BLOCKS) return
    const [oldest] = this.#blocks.keys()
    this.#blocks.delete(oldest!)
  }
}

const runOf = (page: number): number => Math.floor(page / BLOCK_PAGES)
