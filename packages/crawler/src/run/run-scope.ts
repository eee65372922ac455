/** The scope of one run: the rules of its options, the plug-in behind them, and what was forgotten stays out. */
import { siteOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { createScope } from '@comity/frontier'
import type { Scope } from '@comity/frontier'
import { maxDepthFor, withPlugin } from '../options.ts'
import type { CrawlOptions } from '../options.ts'

export function runScope(
  options: CrawlOptions,
  seeds: readonly string[],
  forgotten: ReadonlySet<string>,
  startedAt: Instant,
): Scope {
  const { include, exclude, doNotCrawl, avoidSideEffects, hooks } = options
  const maxDepthOf = (url: string): number => maxDepthFor(options, url)
  const year = new Date(startedAt).getUTCFullYear()
  const rules = { include, exclude, doNotCrawl, maxDepthOf, avoidSideEffects, year }
  const scope = withPlugin(createScope({ ...rules, kind: options.scope, seeds }), hooks.scope)
  if (forgotten.size === 0) return scope
  return (url, found) => (forgotten.has(siteOf(url)) ? 'do-not-crawl' : scope(url, found))
}
