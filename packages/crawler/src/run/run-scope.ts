/**
 * The scope of one run: the rules of its options, the plug-in behind them, and what was forgotten stays out. What excluded a page
 * in an earlier run is judged anew when one of the rules has changed since.
 */
import { createHash } from 'node:crypto'

import { SIDE_EFFECT_RULES, siteOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { createScope } from '@comity/frontier'
import type { Scope, ScopeOptions } from '@comity/frontier'
import { maxDepthFor, withPlugin } from '../options.ts'
import type { CrawlOptions } from '../options.ts'

/** All of the options that is written down of a scope. What is not in it does not reach the scope, so nothing is left out of the digest. */
const scopeRules = (options: CrawlOptions): Omit<ScopeOptions, 'seeds' | 'maxDepthOf' | 'year'> => ({
  kind: options.scope,
  include: options.include,
  exclude: options.exclude,
  doNotCrawl: options.doNotCrawl,
  avoidSideEffects: options.avoidSideEffects,
})

/** Rules and start pages may name a page that is to be forgotten: only whether they are the same can be seen of it. */
export function scopeDigest(options: CrawlOptions, seeds: readonly string[]): string {
  const depths = [options.maxDepth, ...options.sites.map((site) => [site.host, site.origin, site.maxDepth])]
  const rules = [scopeRules(options), depths, SIDE_EFFECT_RULES, seeds]
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex')
}

export function runScope(
  options: CrawlOptions,
  seeds: readonly string[],
  forgotten: ReadonlySet<string>,
  startedAt: Instant,
): Scope {
  const maxDepthOf = (url: string): number => maxDepthFor(options, url)
  const year = new Date(startedAt).getUTCFullYear()
  const scope = withPlugin(createScope({ ...scopeRules(options), maxDepthOf, seeds, year }), options.hooks.scope)
  if (forgotten.size === 0) return scope
  return (url, found) => (forgotten.has(siteOf(url)) ? 'do-not-crawl' : scope(url, found))
}
