/** Tally: what one answer stands for, counted while it is made. */
import { conventionalBytes } from './conventional-bytes.ts'
import type { BundledPage } from './serve/page-bundle.ts'
import type { JournaledPage } from './journal/journal.ts'

/** A page that the asker holds as it is. */
export interface Unchanged {
  readonly unchanged: JournaledPage
}

export class Tally {
  pages = 0
  pageBytes = 0
  readonly #isPacked: boolean

  /** `isPacked`: pages would go out to this asker with a content coding. */
  constructor(isPacked: boolean) {
    this.#isPacked = isPacked
  }

  /** A page that was sent, said to be unchanged or gone; one that was refused does not count. */
  add(told: BundledPage | Unchanged | 'refused'): void {
    if (told === 'refused') return
    const page = 'unchanged' in told ? told.unchanged : 'page' in told ? told.page : undefined
    this.addMany(1, page === undefined ? 0 : conventionalBytes(page, this.#isPacked))
  }

  addMany(pages: number, pageBytes = 0): void {
    this.pages += pages
    this.pageBytes += pageBytes
  }
}
