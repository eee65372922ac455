/**
 * Is the copy the site? Asked after every poll and every delivery. What changed here is told by the copy, what changed there
 * is known; all else was the same before and still is, so only those pages have to be looked at, and that both sides have as
 * many. `Sameness` is what counts as the same: the same bytes, or what an agent takes for the same page.
 */
import type { CopyNews } from '../../cooperating/copy.ts'

/** Whether a page with this content on the site is the one that is held with this digest. */
export type Sameness = (content: string, digest: string) => boolean

export class CopyCheck {
  readonly #name: string
  readonly #isSame: Sameness
  readonly #held = new Map<string, string>()
  #compared = 0

  constructor(name: string, isSame: Sameness) {
    this.#name = name
    this.#isSame = isSame
  }

  /** How often a page was looked at and found to be the site's. */
  get compared(): number {
    return this.#compared
  }

  note(news: CopyNews): void {
    for (const [path, digest] of news) {
      if (digest === undefined) this.#held.delete(path)
      else this.#held.set(path, digest)
    }
  }

  /** `touched` are all paths that changed on either side since the last time. Throws with the page that is wrong. */
  compare(site: ReadonlyMap<string, string>, touched: Iterable<string>): void {
    const paths = new Set(touched)
    for (const path of paths) if (!this.#isRight(path, site.get(path))) throw this.#wrong(path)
    if (this.#held.size !== site.size) throw this.#wrong([...site.keys()].find((path) => !this.#held.has(path)))
    this.#compared += paths.size
  }

  /** Every page, whatever changed. */
  compareAll(site: ReadonlyMap<string, string>): void {
    this.compare(site, [...site.keys(), ...this.#held.keys()])
  }

  #isRight(path: string, content: string | undefined): boolean {
    const digest = this.#held.get(path)
    return content === undefined || digest === undefined ? content === digest : this.#isSame(content, digest)
  }

  #wrong(path = 'something'): Error {
    return new Error(`${this.#name}: the copy is not the site: ${path} is wrong or missing`)
  }
}
