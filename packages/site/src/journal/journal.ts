/**
 * Journal: what changed on a site, in the order it was noticed. Everything the site tells a crawler comes out of it.
 *
 * Each change has a number, one more than the last, for ever: a crawler that remembers the number of the last change it
 * saw can be told exactly what came after. Old changes are dropped when the journal is compacted; what is then left of a
 * page is its last change, and of a deleted one its tombstone until that is dropped too. Whoever asks for changes after a
 * number that is no longer covered has to begin anew, and is told so.
 *
 * Only what may be public is in a journal: whoever records decides (`privacy/privacy.ts`).
 */
import type { ChangeKind, Instant } from '@comity/protocol'

/** What a page is, as far as a crawler may know. */
export interface JournaledPage {
  /** Path and query, from the first slash on, as in a request line. */
  readonly path: string
  /** When its content last changed. */
  readonly modifiedAt: Instant
  /** `sha-256:` and 64 hexadecimal digits over the body without content coding. */
  readonly digest: string
  readonly bytes: number
  /** Media type without parameters, in lower case. */
  readonly type: string
  /** Share of the site's own attention, 0 to 1, as its owner counts it: hits, links, or nothing at all. */
  readonly importance?: number | undefined
  /**
   * Parts that differ in every answer were masked before the digest was taken (`sources/answer-digest.ts`). It still tells
   * whether the page changed, but nobody else can check it: publish no digest for such a page, and only a weak ETag.
   */
  readonly masked?: boolean | undefined
}

/** One change. A deleted page carries the state it had. */
export interface Change extends JournaledPage {
  readonly number: number
  readonly change: ChangeKind
  /** When it was noticed, by the site's clock; never less than the change before. */
  readonly at: Instant
}

/** What somebody noticed: the page as it is now, or that it is gone. */
export type Observation =
  | { readonly path: string; readonly gone: true }
  | (JournaledPage & {
      /** The bytes themselves, when earlier versions are to be kept for differences. */
      readonly body?: Uint8Array | undefined
    })

/** The pages of a site as they are now. */
interface JournalPages {
  readonly pageCount: number
  page(path: string): JournaledPage | undefined
  /** All pages that are there now, by path. */
  pages(): Iterable<JournaledPage>
  /** A body that a page has or had, by its digest, while the budget for earlier versions lasts. */
  version(digest: string): Uint8Array | undefined
}

/** The pages of a site, and how they came to be so: each change has a number. */
export interface Journal extends JournalPages {
  /**
   * Made at random with the journal. Numbers count from 1 again in a journal that was begun anew, so whoever hands one
   * out to be shown again later hands out the name too.
   */
  readonly id: string
  /** Number of the newest change; 0 when there was none. */
  readonly last: number
  /** Changes after this number are all here; 0 when nothing was ever dropped. */
  readonly since: number
  /** Number of the last change of a page, also of one that is gone, for as long as that is remembered. */
  numberOf(path: string): number | undefined
  /** Pages that are gone, in the order they went, for as long as that is remembered. */
  tombstones(): Iterable<Change>
  /** The changes after a number, oldest first; undefined when some of them were dropped, or it was never given. */
  changesAfter(number: number, limit?: number): readonly Change[] | undefined
  /**
   * Write down what is different from before; what is the same as before costs nothing and is not written. Resolves when
   * it is durable; nobody sees it earlier. Another importance alone is no change: it is taken over without a number, and
   * a crash may lose it.
   */
  record(observations: Iterable<Observation>, at: Instant): Promise<readonly Change[]>
}
