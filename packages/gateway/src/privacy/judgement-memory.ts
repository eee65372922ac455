/**
 * JudgementMemory: what a program said of a page counts for a minute. A page that everybody reads at once is judged once, and
 * one that is left out is not judged anew for every reader; one that a program fails on fails once, and not so often that
 * the program is taken away.
 */
import type { Instant } from '@comity/protocol'
import type { Judgement } from '../node/gateway-program.ts'
import type { SeenPage } from '../node/page-words.ts'

interface Remembered {
  readonly judgement: Promise<Judgement>
  readonly at: Instant
}

const KEPT_MS = 60_000
const MAX_PAGES = 10_000

export class JudgementMemory {
  readonly #pages = new Map<string, Remembered>()

  /** As it was judged, or as `judge` has it now. Time is that of what passes. */
  of(page: SeenPage, judge: (page: SeenPage) => Promise<Judgement>): Promise<Judgement> {
    const key = `${page.digest} ${page.url}`
    const known = this.#pages.get(key)
    if (known !== undefined && page.at - known.at < KEPT_MS) return known.judgement
    const judgement = judge(page)
    // Those that were judged last are the last of the map.
    this.#pages.delete(key)
    this.#pages.set(key, { judgement, at: page.at })
    if (this.#pages.size > MAX_PAGES) this.#pages.delete(this.#pages.keys().next().value!)
    judgement.then(
      (judged) => this.#judged(key, judgement, judged),
      // Whoever asked is told of the fault; it is no judgement that counts for others.
      () => this.#pages.delete(key),
    )
    return judgement
  }

  /** What is shipped is in the table of pages from now on; what found no place may find one. */
  #judged(key: string, judgement: Promise<Judgement>, judged: Judgement): void {
    const isKept = judged.kind === 'skip' && judged.reason !== 'busy'
    if (!isKept && this.#pages.get(key)?.judgement === judgement) this.#pages.delete(key)
  }
}
