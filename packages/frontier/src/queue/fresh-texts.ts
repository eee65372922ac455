/** FreshTexts: the texts of pages that no store has yet: of batches on their way to disk, and of the next batch. */
import type { BatchPageText } from './frontier-batch.ts'

export interface TextRun {
  /** Id of the page that the first text belongs to. */
  readonly first: number
  readonly texts: BatchPageText[]
}

export class FreshTexts {
  #open: TextRun
  /** Drained and not yet stored, oldest first. */
  readonly #onTheirWay: TextRun[] = []

  constructor(first: number) {
    this.#open = { first, texts: [] }
  }

  add(site: number, path: string, parent: number): void {
    this.#open.texts.push(new FreshText(site, path, parent))
  }

  get(page: number): BatchPageText | undefined {
    if (page >= this.#open.first) return this.#open.texts[page - this.#open.first]
    const run = this.#onTheirWay.findLast(({ first }) => first <= page)
    return run?.texts[page - run.first]
  }

  drain(): TextRun {
    const drained = this.#open
    this.#onTheirWay.push(drained)
    this.#open = { first: drained.first + drained.texts.length, texts: [] }
    return drained
  }

  /** The oldest drained ones are stored. */
  stored(): void {
    this.#onTheirWay.shift()
  }
}

/**
 * A class, not a literal: V8 comes to allocate a literal that survived its first collections among the old objects, where
 * each keeps its URL alive until the next full collection: 100 to 200 MB more at ten million URLs, and slower.
 */
class FreshText implements BatchPageText {
  readonly site: number
  readonly path: string
  readonly parent: number
  constructor(site: number, path: string, parent: number) {
    this.site = site
    this.path = path
    this.parent = parent
  }
}
