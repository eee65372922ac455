/** Tally: what one answer stands for, counted while it is made. */
import type { BundledPage } from './serve/page-bundle.ts'
import type { JournaledPage } from './journal/journal.ts'

/** A page that the asker holds as it is. */
export interface Unchanged {
  readonly unchanged: JournaledPage
}

export class Tally {
  pages = 0
  pageBytes = 0

  /** A page that was sent, said to be unchanged or gone; one that was refused does not count. */
  add(told: BundledPage | Unchanged | 'refused'): void {
    if (told === 'refused') return
    if ('unchanged' in told) this.addMany(1, told.unchanged.bytes)
    else this.addMany(1, 'page' in told ? told.page.bytes : 0)
  }

  addMany(pages: number, pageBytes = 0): void {
    this.pages += pages
    this.pageBytes += pageBytes
  }
}
