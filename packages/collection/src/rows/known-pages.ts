/** Known pages: every page a collection knows, in the order it was found, with its URL and what a visit brought. */
import type { Collection } from '../collection.ts'
import { NO_PARENT } from './page-texts.ts'
import type { PageRow } from './rows.ts'

export interface KnownPage {
  readonly page: number
  readonly site: number
  readonly url: string
  /** The page it was found on; undefined for a start page. */
  readonly parent: number | undefined
  /** Undefined before the first visit. */
  readonly row: PageRow | undefined
}

/** Two tables are read side by side, each once and in order; forgotten pages are left out. */
export function* knownPages(collection: Collection): Generator<KnownPage> {
  const rows = collection.pages()[Symbol.iterator]()
  let next = rows.next()
  for (const [page, { site, path, parent }] of collection.texts()) {
    while (next.done !== true && next.value.key < page) next = rows.next()
    if (path === '') continue
    const row = next.done !== true && next.value.key === page ? next.value.value : undefined
    const url = collection.origin(site) + path
    yield { page, site, url, parent: parent === NO_PARENT ? undefined : parent, row }
  }
}
