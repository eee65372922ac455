/** How the answers of one run are read: what its options say, as far as a reader cares. */
import { productTokenOf } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import type { ReadingOptions } from '@comity/ingest'
import { followedKinds } from '@comity/ingest'

export function readingOptions(options: CrawlOptions): ReadingOptions {
  const { userAgent, urlRules, maxDecodedBytes, gzipLevel, topic } = options
  const kinds = followedKinds(options)
  return { productToken: productTokenOf(userAgent), urlRules, maxDecodedBytes, kinds, gzipLevel, topic }
}
