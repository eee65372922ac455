/** What a collection holds, by URL: each page's state, its row and its links, read back by the code that crawls. */
import { Collection } from '@comity/collection'
import type { PageRow } from '@comity/collection'
import { Frontier, orderNamed, EXCLUDED, PAGE_STATES, politeDefaults, reasonNamed } from '@comity/frontier'
import type { ExclusionReason, PageState, SiteRow } from '@comity/frontier'

export interface HeldPage {
  readonly url: string
  readonly state: PageState
  /** Set for pages that are known and left alone. */
  readonly excludedFor?: ExclusionReason
  readonly row: PageRow | undefined
  /** Targets, each once, in no order. */
  readonly links: readonly string[]
}

export async function holdingsOf(dir: string): Promise<Map<string, HeldPage>> {
  await using collection = Collection.openReadOnly(dir)
  const frontier = restored(collection)
  const held = new Map<string, HeldPage>()
  for (let page = 0; page < frontier.pages.count; page++) {
    const url = frontier.urlOf(page)
    const code = frontier.pages.stateOf(page)
    const links = collection.links(page).map(({ to }) => frontier.urlOf(to))
    const why = code === EXCLUDED ? { excludedFor: reasonNamed(frontier.pages.triesOf(page)) } : {}
    held.set(url, { url, state: PAGE_STATES[code]!, ...why, row: collection.page(page), links })
  }
  return held
}

/** A frontier as the collection's last run left it. */
export function restored(collection: Collection): Frontier {
  const frontier = new Frontier({
    order: orderNamed('depth'),
    politenessOf: () => politeDefaults,
    budgetOf: () => ({ maxPages: Infinity, maxBytes: Infinity, maxKnown: Infinity }),
    maxTries: 1,
    random: () => 0,
    gates: true,
    textOf: (page) => collection.text(page),
  })
  const source = {
    pageLog: () => collection.pageLog(),
    sites: () => collection.sites<SiteRow>(),
    addresses: () => collection.addresses(),
  }
  frontier.restore(source, 0, true)
  return frontier
}
