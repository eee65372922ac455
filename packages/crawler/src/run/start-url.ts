/** Start URL: what somebody wrote as the address of a start page, as a crawl knows it. A password in it is no part of that. */
import { canonicalUrl } from '@comity/protocol'
import type { UrlRules } from '@comity/protocol'
import { crawlOptions, requireContact } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import { seedHasPassword, seedInvalid } from '../errors.ts'

/** Those of a call, which is refused as the crawl itself would be: what is wrong is told before anybody is asked anything. */
export function startUrlsOf(given: Partial<CrawlOptions>): string[] {
  const options = crawlOptions(given)
  const seeds = startUrls(options.seeds, options.urlRules)
  requireContact({ ...options, seeds })
  return seeds
}

export function startUrls(texts: readonly string[], rules: UrlRules): string[] {
  return texts.map((text) => startUrl(text, rules))
}

/** Throws by name for what is no address of the Web, and for one that holds a user name or a password. */
export function startUrl(text: string, rules: UrlRules): string {
  // Also where the rest makes no address: the complaint must not quote it.
  if (/^[a-z]*:?[/\\]*[^/\\?#]*@/i.test(text.trimStart())) throw seedHasPassword()
  const url = canonicalUrl(text, undefined, rules)
  if (url === undefined) throw seedInvalid(text)
  return url
}
