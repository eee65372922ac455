/**
 * Kept URL rules: what makes two URLs one page of a collection. Its keys were made by them, so whoever asks for a page, adds one or
 * forgets one goes by them, whatever a run says or a later version holds right.
 *
 *   fact `urlRules`   rules
 *   there             those
 *   missing           no site is known yet: today's; else those of before rules were kept (version 1)
 *
 * A run may state others as long as they say the same of every site that is known. Such rules are kept from then on.
 */
import { isDeepStrictEqual } from 'node:util'
import { defaultUrlRules, firstUrlRules, hasSameUrlRules } from '@comity/protocol'
import type { UrlRules } from '@comity/protocol'
import { urlRulesFormat, urlRulesOther } from '../errors.ts'
import { FACTS, factOf } from './facts.ts'
import type { State } from './state.ts'

/** Whoever wrote the fact may be of a later time. */
const KNOWN: ReadonlySet<UrlRules['version']> = new Set([1, 2, 3])

/** Those in force when somebody states `stated`. Throws by name when these would give a page that is known another name. */
export function urlRulesOf(state: State, dir: string, stated?: UrlRules): UrlRules {
  const kept = factOf(state, FACTS.urlRules)
  if (kept !== undefined && !KNOWN.has(kept.version)) throw urlRulesFormat(dir, kept.version, defaultUrlRules.version)
  if (!isBegun(state)) return stated ?? kept ?? defaultUrlRules
  if (stated === undefined) return kept ?? firstUrlRules
  return agreed(state, dir, kept, stated)
}

/** What opening for writing has to note down, if anything. */
export function urlRulesToKeep(state: State, dir: string, stated: UrlRules | undefined): UrlRules | undefined {
  const rules = urlRulesOf(state, dir, stated)
  return stated === undefined && isBegun(state) ? undefined : rules
}

function agreed(state: State, dir: string, kept: UrlRules | undefined, stated: UrlRules): UrlRules {
  const wanted = { ...stated, version: (kept ?? firstUrlRules).version }
  // Before rules were kept each run stated those of all sites anew, and nobody those of one.
  const before = kept ?? { ...wanted, sites: [] }
  if (isDeepStrictEqual(wanted, kept)) return wanted
  for (const { value: site } of state.sites.getRange({}))
    if (!hasSameUrlRules(before, wanted, site.origin)) throw urlRulesOther(dir, site.origin)
  // A page with a longer URL than this run takes is still there to be asked for.
  return { ...wanted, maxLength: Math.max(before.maxLength, wanted.maxLength) }
}

/** A site is known with its first page. */
function isBegun({ sites }: State): boolean {
  for (const _ of sites.getKeys({ limit: 1 })) return true
  return false
}
