/**
 * Forget plan: which WARC records go, and who inherits the bodies that other pages need.
 *
 * A body is stored once, with the page that brought it first; others refer to it. When that page is forgotten, the
 * earliest of the others becomes the heir: its revisit record becomes a response with the body, and the rest refer to
 * it from then on.
 */
import { siteOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { State } from '../rows/state.ts'
import type { CaptureRow, WarcPosition } from '../rows/rows.ts'

/** What is to be forgotten. */
export interface Leaving {
  readonly pages: ReadonlySet<number>
  readonly urls: ReadonlySet<string>
  /** Whole sites, by id and by origin. */
  readonly sites: ReadonlySet<number>
  readonly origins: ReadonlySet<string>
}

export interface Heir {
  /** Its revisit record, which is to become a response. */
  readonly record: WarcPosition
  /** Where the body stands now, in a record that goes. */
  readonly body: WarcPosition
  readonly page: number
  readonly at: Instant
  readonly digest: string
}

export interface ForgetPlan {
  readonly leaves: (url: string) => boolean
  readonly urlOf: (page: number) => string
  /** Records that go, by place; with the heir of the body they hold, if anybody needs it. */
  readonly gone: ReadonlyMap<number, Heir | undefined>
  /** Heirs by the place of their own record, and by the digest of the body. */
  readonly heirs: ReadonlyMap<number, Heir>
  readonly heirOf: ReadonlyMap<string, Heir>
  /** WARC files that must be rewritten. */
  readonly files: ReadonlySet<number>
}

/** One number for a record's place: 2⁴⁰ bytes a file and 2¹³ files fit a double. */
export const placeKey = ({ file, offset }: WarcPosition): number => file * 2 ** 40 + offset

export function planForgetting(state: State, leaving: Leaving, urlOf: (page: number) => string): ForgetPlan {
  const leaves = (url: string): boolean =>
    leaving.urls.has(url) || (leaving.origins.size > 0 && leaving.origins.has(siteOf(url)))
  const files = new Set<number>()
  const gone = new Map<number, Heir | undefined>()
  const drop = (position: WarcPosition | undefined): void => {
    if (position === undefined) return
    gone.set(placeKey(position), undefined)
    files.add(position.file)
  }
  for (const page of leaving.pages) {
    for (const { value } of state.captures.getRange({ start: [page, 0], end: [page, Number.MAX_SAFE_INTEGER] })) {
      drop(value.record)
    }
  }
  for (const { value } of state.bodies.getRange({})) if (leaves(value.url)) drop(value)
  for (const { key, value } of state.captures.getRange({})) {
    const [page, at] = key
    if (leaving.pages.has(page) || value.body === undefined || !gone.has(placeKey(value.body))) continue
    if (value.record !== undefined) files.add(value.record.file)
    const heir = heirFrom(page, at, value)
    const other = gone.get(placeKey(value.body))
    if (heir !== undefined && (other === undefined || heir.at < other.at)) gone.set(placeKey(value.body), heir)
  }
  const all = [...gone.values()].filter((heir) => heir !== undefined)
  const heirs = new Map(all.map((heir) => [placeKey(heir.record), heir]))
  const heirOf = new Map(all.map((heir) => [heir.digest, heir]))
  return { leaves, urlOf, gone, heirs, heirOf, files }
}

/** Only a revisit that had the same body can stand in; a 304 has no head that goes with one. */
function heirFrom(page: number, at: Instant, { record, body, status, digest }: CaptureRow): Heir | undefined {
  if (record === undefined || body === undefined || digest === undefined || status !== 200) return undefined
  return { record, body, page, at, digest }
}
