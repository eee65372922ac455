/**
 * When pages changed, as far as it can be known, and whether a page had changed between two visits of one crawler:
 *
 *   journal   the site's own record of every change decides, for the time that it covers
 *   mtime     both visits after the file was last modified: unchanged; the modification between them: changed
 *   bytes     answers of the same length to the same crawler are taken for the same page
 *
 * Without a journal, changes are the fewest that explain what was seen: each crawler that found a page changed has an interval
 * in which it did, and one change explains all intervals that have a moment in common.
 *
 * Invariant: at most `MAX_PAGES` pages and `MAX_INSTANTS` changes of each are held.
 */
import type { Instant } from '@comity/protocol'
import type { SiteKnowledge } from './knowledge.ts'

export type Evidence = 'journal' | 'mtime' | 'bytes'

export interface ChangeVerdict {
  readonly hasChanged: boolean
  readonly by: Evidence
}

/** One fetch of a page by one crawler: when, and how many bytes came; undefined bytes for a 304. */
export interface PageVisit {
  readonly at: Instant
  readonly bytes: number | undefined
}

const MAX_PAGES = 500_000
const MAX_INSTANTS = 64

export class ChangeCount {
  readonly #site: SiteKnowledge | undefined
  readonly #seen = new Map<string, Instant[]>()
  #forgotten = 0

  constructor(site: SiteKnowledge | undefined) {
    this.#site = site
  }

  /** Changes that there was no room to hold. */
  get forgotten(): number {
    return this.#forgotten
  }

  /** Visits come in the order of time. */
  between(path: string, earlier: PageVisit, now: PageVisit): ChangeVerdict {
    const verdict = this.#verdict(path, earlier, now)
    if (verdict.hasChanged && verdict.by !== 'journal')
      this.#note(path, earlier.at, verdict.by === 'mtime' ? this.#modified(path)! : now.at)
    return verdict
  }

  /** Of one page, rising; those of the journal where it has them. */
  of(path: string): readonly Instant[] {
    const told = this.#site?.changesOf(path) ?? []
    const seen = this.#seen.get(path) ?? []
    const since = this.#site?.changesSince ?? Infinity
    return [...seen.filter((at) => at < since), ...told]
  }

  #verdict(path: string, earlier: PageVisit, now: PageVisit): ChangeVerdict {
    const site = this.#site
    if (site !== undefined && site.changesSince <= earlier.at) {
      const hasChanged = site.changesOf(path).some((at) => at > earlier.at && at <= now.at)
      return { hasChanged, by: 'journal' }
    }
    const modified = this.#modified(path)
    if (modified !== undefined && modified <= now.at) return { hasChanged: modified > earlier.at, by: 'mtime' }
    // A 304 is the server's own word for it.
    const isSame = now.bytes === undefined || earlier.bytes === undefined || now.bytes === earlier.bytes
    return { hasChanged: !isSame, by: 'bytes' }
  }

  #modified(path: string): Instant | undefined {
    return this.#site?.page(path)?.modifiedAt
  }

  #note(path: string, after: Instant, at: Instant): void {
    const seen = this.#seen.get(path)
    if (seen === undefined) {
      if (this.#seen.size < MAX_PAGES) this.#seen.set(path, [at])
      else this.#forgotten++
    } else if (!seen.some((one) => one > after && one <= at)) {
      if (seen.length < MAX_INSTANTS) seen.push(at)
      else this.#forgotten++
    }
  }
}
