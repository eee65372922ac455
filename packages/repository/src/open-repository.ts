/**
 * A collection's repository with its real parts: the collection followed, the survey on a thread of its own, the crawl
 * through its socket. Only the search is given, as whoever opens it decides what it costs.
 */
import { FollowedCollection } from '@comity/collection'
import type { Instant } from '@comity/protocol'
import { CrawlLinePort } from './model/crawl-line-port.ts'
import type { SearchPort } from './ports.ts'
import { Repository } from './repository.ts'
import { SurveyThread } from './model/survey-thread.ts'
import { withTruth } from './model/truth-port.ts'
import type { Truth } from './model/truth-port.ts'

export interface OpenedRepository extends AsyncDisposable {
  readonly repository: Repository
}

export interface OpenOptions {
  /** Made for the collection; disposed of with the repository when it can be. */
  readonly search: (collection: FollowedCollection) => SearchPort & Partial<AsyncDisposable>
  readonly now: () => Instant
  /** Of a demonstration. */
  readonly truth?: Truth | undefined
  /** Path of the file that says which programs gateways are to run. */
  readonly programs?: string | undefined
}

/** Throws a `CollectionError` when there is no collection at `dir`. */
export function openRepository(
  dir: string,
  { search: makeSearch, now, truth, programs }: OpenOptions,
): OpenedRepository {
  const collection = new FollowedCollection(dir, now)
  const search = makeSearch(collection)
  const survey = new SurveyThread({ dir })
  const crawl = new CrawlLinePort(dir)
  return {
    repository: new Repository({
      collection,
      survey,
      search,
      crawl: truth === undefined ? crawl : withTruth(crawl, truth),
      now,
      programs,
    }),
    [Symbol.asyncDispose]: async () => {
      crawl[Symbol.dispose]()
      await survey[Symbol.asyncDispose]()
      await search[Symbol.asyncDispose]?.()
      await collection[Symbol.asyncDispose]()
    },
  }
}
