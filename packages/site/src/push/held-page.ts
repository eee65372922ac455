/**
 * Held page: what a subscriber is known to have of a page, since it took it. It is what the next difference is from, and says
 * what need not be told again when all pages are gone through.
 *
 * That the page is as it was then is not enough for that: it may have been another in between, and whoever crawls may have
 * come by and would keep what it found. So it is told again unless nothing at all happened to it since.
 */
import type { Change, Journal } from '../journal/journal.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { PushedWarc } from './pushed-warc.ts'

export interface HeldPage {
  readonly path: string
  /** None when it has nothing of it, or nobody knows. */
  readonly digest?: string | undefined
  /** The change by which it was told; without it, it may have changed since. */
  readonly mark?: string | undefined
  /** Differences since it was last sent whole. */
  readonly deltas: number
}

/** What a subscriber is known to hold of a page. */
export type HeldBy = (id: string, path: string) => HeldPage | undefined

interface Known {
  readonly view: PublicView
  /** By one subscriber. */
  readonly heldOf: (path: string) => HeldPage | undefined
}

/** Of one change among those of all journals. */
const markOf = ({ id }: Journal, { number }: Change): string => `${id} ${number}`

/** Those of some changes that may be told and have not been. */
export function untold(changes: readonly Change[], { view, heldOf }: Known): readonly Change[] {
  return changes.filter(
    (change) => view.isPublic(change.path) && heldOf(change.path)?.mark !== markOf(view.journal, change),
  )
}

/** What a subscriber holds of the pages in a file once it took it. */
export function heldAfter(pages: PushedWarc['pages'], { view, heldOf }: Known): readonly HeldPage[] {
  return pages.map(({ change, status }) => {
    const { path, digest } = change
    if (status !== 200 && status !== 226) return { path, deltas: 0 }
    const deltas = status === 226 ? (heldOf(path)?.deltas ?? 0) + 1 : 0
    return { path, digest, mark: markOf(view.journal, change), deltas }
  })
}
