/** The search of a repository: the index of its collection, with what pages say from its archive. */
import type { FollowedCollection } from '@comity/collection'
import { collectionHints, openSearch } from '@comity/search'
import type { HintsRead } from '@comity/search'
import { AnswerRenewal } from './answer-renewal.ts'
import type { SearchPort, SuggestedPage } from '../ports.ts'
import type { SearchResult } from '@comity/index'

interface SearchPortOptions {
  /** Memory for parts of the index that were read lately. */
  readonly cacheBytes?: number | undefined
  /** Synonyms and pinned pages. */
  readonly hints?: HintsRead | undefined
}

/**
 * How old an answer may be. A crawl names new pages in the index at the latest 300 ms after it read them back, so they are
 * still found within a second of being acknowledged.
 */
const MAX_AGE_MS = 300

export function collectionSearchPort(
  followed: FollowedCollection,
  { cacheBytes = 128 << 20, hints }: SearchPortOptions = {},
): SearchPort & AsyncDisposable {
  const search = openSearch(followed.dir, () => followed.current, {
    cacheBytes,
    maxAgeMs: MAX_AGE_MS,
    hints: hints && collectionHints(hints, () => followed.current, Date.now),
  })
  const { engine } = search
  const renewal = new AnswerRenewal((pause) => engine.renew(pause))
  return {
    search: (request) => {
      renewal.wake()
      return engine.search(request)
    },
    suggest: async (typed, limit) => {
      const asked = titleQuery(typed)
      const inTitles = asked === undefined ? [] : (await engine.search({ query: asked, limit: limit * 4 })).results
      const named = pagesCalled(inTitles, typed)
      if (named.length > 0) return named.slice(0, limit)
      const { results } = await engine.search({ query: isOpen(typed) ? `${typed}*` : typed, limit: limit * 2 })
      return pagesCalled(results, '').slice(0, limit)
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

const isOpen = (typed: string): boolean => /[\p{L}\p{N}]$/u.test(typed)

/** All its words in the title, the last as far as it is typed. Undefined for what is more than words. */
function titleQuery(typed: string): string | undefined {
  const words = typed.trim().split(/\s+/)
  if (!/^[\p{L}\p{N}\p{M}\s]+$/u.test(typed)) return undefined
  return words.map((word, i) => `title:${word}${i === words.length - 1 && isOpen(typed) ? '*' : ''}`).join(' ')
}

/** Each title once. A word of one letter is too short to be searched for, so that it begins a word is seen here. */
function pagesCalled(results: readonly SearchResult[], typed: string): SuggestedPage[] {
  const last = typed.trim().split(/\s+/).at(-1)!.toLowerCase()
  const byTitle = new Map<string, SuggestedPage>()
  for (const { title, url } of results) {
    const words = title.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
    if (title !== '' && !byTitle.has(title) && words.some((word) => word.startsWith(last)))
      byTitle.set(title, { title, url })
  }
  return [...byTitle.values()]
}
