/** Tally: what one answer stands for, counted while it is made. */
import type { BundledPage } from './page-bundle.ts'

export class Tally {
  pages = 0
  pageBytes = 0

  /** A page that was sent, said to be unchanged or gone; one that was refused does not count. */
  add(told: BundledPage | 'unchanged' | 'refused'): void {
    if (told === 'refused') return
    this.pages++
    if (typeof told === 'object' && 'page' in told) this.pageBytes += told.page.bytes
  }

  addMany(pages: number): void {
    this.pages += pages
  }
}
