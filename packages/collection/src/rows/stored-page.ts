/** Stored page: all that a collection knows about one page. */
import type { Instant } from '@comity/protocol'
import type { Collection } from '../collection.ts'
import { NO_PARENT } from './page-texts.ts'
import type { CaptureRow, PageRow, RobotsRow } from './rows.ts'

export interface StoredPage {
  readonly page: number
  /** Undefined when it was forgotten. */
  readonly url: string | undefined
  readonly origin: string
  /** Where it was found first; undefined for a start page. */
  readonly foundOn: { readonly page: number; readonly url: string | undefined } | undefined
  /** Undefined before the first visit. */
  readonly row: PageRow | undefined
  /** Every observation, oldest first. */
  readonly captures: readonly (CaptureRow & { readonly at: Instant })[]
  readonly linksOut: readonly { readonly page: number; readonly url: string | undefined; readonly anchor: string }[]
  readonly nearDuplicateOf: string | undefined
  readonly robots: RobotsRow | undefined
}

/** Costs a few look-ups, and one for each link. Who links to the page costs more: `collection.linksIn`. */
export function storedPage(collection: Collection, page: number): StoredPage {
  const { site, parent } = collection.text(page)
  const row = collection.page(page)
  return {
    page,
    url: collection.url(page),
    origin: collection.origin(site),
    foundOn: parent === NO_PARENT ? undefined : { page: parent, url: collection.url(parent) },
    row,
    captures: Array.from(collection.captures(page), ({ key: [, at], value }) => ({ ...value, at })),
    linksOut: collection.links(page).map(({ to, anchor }) => ({ page: to, url: collection.url(to), anchor })),
    nearDuplicateOf: row?.nearDuplicateOf === undefined ? undefined : collection.url(row.nearDuplicateOf),
    robots: collection.robots(site),
  }
}
