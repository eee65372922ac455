/** Collection hints: what a hints file says, for the search of one collection: its pinned pages are looked up there. */
import { setImmediate as turn } from 'node:timers/promises'
import { contentVersion } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { Synonyms } from '@comity/index'
import type { PinnedPages, SearchHints } from '@comity/index'
import { canonicalUrl, essenceOf } from '@comity/protocol'
import type { HintsRead } from './hints-file.ts'

/** Pages looked at before others have their turn. */
const SLICE = 20_000
/** What was not there may be now. */
const AGAIN_MS = 60_000

export function collectionHints(read: HintsRead, current: () => Collection, now: () => number): SearchHints {
  const numbers = new PageNumbers(read, current, now)
  return {
    synonyms: new Synonyms(read.rules),
    pinned: async (question) => {
      const urls = read.pinned.get(question) ?? []
      const found = urls.length === 0 ? NONE : await numbers.found()
      const [pages, problems]: [PinnedPages['pages'][number][], string[]] = [[], []]
      for (const url of urls) {
        const page = found.get(url)
        const shown = page === undefined ? undefined : pinnedPage(current(), page, url)
        if (shown !== undefined) pages.push(shown)
        else problems.push(`The page pinned for this question is not held: ${url}`)
      }
      return { pages, problems }
    },
  }
}

const NONE: ReadonlyMap<string, number> = new Map()

/** As a search would find it; undefined for what a search would not. */
function pinnedPage(collection: Collection, page: number, wanted: string): PinnedPages['pages'][number] | undefined {
  const row = collection.page(page)
  const url = collection.url(page)
  // A number may have become another page's, when a collection took the place of this one.
  if (url === undefined || url !== canonicalUrl(wanted, undefined, collection.urlRules())) return undefined
  if (row === undefined || row.noindex === true || contentVersion(row) === undefined) return undefined
  return {
    key: page,
    url,
    site: collection.origin(row.site),
    type: essenceOf(row.type),
    language: row.language ?? 'und',
    at: row.changedAt ?? row.visitedAt,
    pinned: true,
  }
}

/** Which number the pinned addresses have: found by one look at all addresses, when it is first asked. */
class PageNumbers {
  readonly #read: HintsRead
  readonly #current: () => Collection
  readonly #now: () => number
  #looking: Promise<ReadonlyMap<string, number>> | undefined
  #isWhole = false
  #lookedAt = -Infinity

  constructor(read: HintsRead, current: () => Collection, now: () => number) {
    this.#read = read
    this.#current = current
    this.#now = now
  }

  found(): Promise<ReadonlyMap<string, number>> {
    if (this.#looking === undefined || (!this.#isWhole && this.#now() - this.#lookedAt >= AGAIN_MS)) {
      this.#lookedAt = this.#now()
      this.#looking = this.#look()
    }
    return this.#looking
  }

  async #look(): Promise<ReadonlyMap<string, number>> {
    const collection = this.#current()
    const wanted = new Map<string, string[]>()
    for (const urls of this.#read.pinned.values())
      for (const url of urls) {
        const canonical = canonicalUrl(url, undefined, collection.urlRules())
        if (canonical !== undefined) wanted.set(canonical, [...(wanted.get(canonical) ?? []), url])
      }
    const paths = new Set([...wanted.keys()].map((url) => url.slice(new URL(url).origin.length)))
    const found = new Map<string, number>()
    let looked = 0
    for (const [page, { site, path }] of collection.texts()) {
      if (paths.has(path)) for (const url of wanted.get(collection.origin(site) + path) ?? []) found.set(url, page)
      if (++looked % SLICE === 0) await turn()
    }
    this.#isWhole = found.size === [...wanted.values()].flat().length
    return found
  }
}
