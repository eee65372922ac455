/** The search of a repository: the index of its collection, with what pages say from its archive. */
import { openSearch } from '@comity/crawler'
import type { FollowedCollection } from './followed-collection.ts'
import type { SearchPort } from './ports.ts'

export interface SearchPortOptions {
  /** Memory for parts of the index that were read lately. */
  readonly cacheBytes?: number | undefined
}

export function collectionSearchPort(
  followed: FollowedCollection,
  { cacheBytes = 128 << 20 }: SearchPortOptions = {},
): SearchPort & AsyncDisposable {
  const search = openSearch(followed.dir, () => followed.current, { cacheBytes })
  const { engine } = search
  return {
    search: (request) => engine.search(request),
    /** Titles of pages that have what was typed so far: words people can read, where the index has only stems. */
    suggest: async (typed, limit) => {
      const isOpen = /[\p{L}\p{N}]$/u.test(typed)
      const { results } = await engine.search({ query: isOpen ? `${typed}*` : typed, limit: limit * 2 })
      return [...new Set(results.map(({ title }) => title).filter((title) => title !== ''))].slice(0, limit)
    },
    statistics: () => {
      const { documents, segments, bytes, refused } = engine.view
      return { documents, segments: segments.length, bytes, refused: refused.map(({ message }) => message) }
    },
    [Symbol.asyncDispose]: () => search[Symbol.asyncDispose](),
  }
}
