/**
 * Stated URL rules: what a run says of what makes two URLs one page. Where it says nothing its collection's own hold, and where it
 * says something a collection that is begun may refuse (`kept-url-rules.ts` of collection).
 */
import { defaultUrlRules, urlRuleLimits } from '@comity/protocol'
import type { SiteUrlRules, UrlRules } from '@comity/protocol'
import { FACTS } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { optionInvalid } from '../errors.ts'
import type { CrawlOptions } from '../options.ts'

type UrlSettings = Partial<Pick<CrawlOptions, 'urlRules' | 'sites'>>

/** Undefined when nothing is said, neither of all sites nor of one. Throws by name for what no collection could keep. */
export function statedUrlRules({ urlRules, sites = [] }: UrlSettings): UrlRules | undefined {
  const own = sites.flatMap(({ host, origin, dropParameters, keepParameters, dropSessionIds }): SiteUrlRules[] => {
    const said = defined({ dropParameters, keepParameters, dropSessionIds })
    return Object.keys(said).length === 0 ? [] : [{ ...defined({ host, origin }), ...said }]
  })
  if (urlRules === undefined && own.length === 0) return undefined
  const rules = urlRules ?? defaultUrlRules
  const stated = own.length === 0 ? rules : { ...rules, sites: [...own, ...rules.sites] }
  if (!FACTS.urlRules.isOne(stated)) throw rulesInvalid()
  return stated
}

const rulesInvalid = (): Error =>
  optionInvalid(
    `URL rules name query parameters, as a URL has them, at most ${urlRuleLimits.names} in a list, say something of at most ` +
      `${urlRuleLimits.sites} sites, and have a whole number for the longest URL.`,
  )

/** Those of a run: of its collection, and no longer URLs than it states. */
export function runUrlRules(collection: Collection, { urlRules }: UrlSettings): UrlRules {
  const kept = collection.urlRules()
  return urlRules === undefined ? kept : { ...kept, maxLength: urlRules.maxLength }
}

function defined<Value>(fields: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- those that are undefined are left out.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<string, Value>
}
