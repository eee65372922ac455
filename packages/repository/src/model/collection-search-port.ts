/** The search of a repository: the index of its collection, with what pages say from its archive. */
import { openSearch } from '@comity/search'
import { AnswerRenewal } from './answer-renewal.ts'
import type { FollowedCollection } from './followed-collection.ts'
import type { SearchPort } from '../ports.ts'

interface SearchPortOptions {
  /** Memory for parts of the index that were read lately. */
  readonly cacheBytes?: number | undefined
}

/**
 * How old an answer may be. A crawl names new pages in the index at the latest 300 ms after it read them back, so they are
 * still found within a second of being acknowledged.
 */
const MAX_AGE_MS = 300

export function collectionSearchPort(
  followed: FollowedCollection,
  { cacheBytes = 128 << 20 }: SearchPortOptions = {},
): SearchPort & AsyncDisposable {
  const search = openSearch(followed.dir, () => followed.current, { cacheBytes, maxAgeMs: MAX_AGE_MS })
  const { engine } = search
  const renewal = new AnswerRenewal((pause) => engine.renew(pause))
  return {
    search: (request) => {
      renewal.wake()
      return engine.search(request)
    },
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
    [Symbol.asyncDispose]: async () => {
      await renewal[Symbol.asyncDispose]()
      await search[Symbol.asyncDispose]()
    },
  }
}
