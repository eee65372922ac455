/** The filters of a query for pages that need not be in an index: `site:` `type:` `lang:` `since:`, as search reads them. */
import type { Instant } from '@comity/protocol'
import { isInLanguage, isOfSite, isOfType } from './filter.ts'
import type { FilterLists, QueryFilters } from './filter.ts'
import { parseQuery } from './parser.ts'

export interface FilteredPage {
  readonly url: string
  /** A bare media type, in lower case. */
  readonly type: string
  /** Empty where nobody knows. */
  readonly language: string
  readonly firstSeenAt: Instant
}

const ANY_WORD = 'any'

export type PageTest = (page: FilteredPage) => boolean

/** Throws nothing: what is no filter comes back as a sentence that says so. */
export function pageFilter(text: string, now: Instant): PageTest | string {
  // With a word behind it, so that it may well be said only which pages are not meant.
  const { tree, filters, problems } = parseQuery(`${text} ${ANY_WORD}`, now)
  if (problems[0] !== undefined) return problems[0].message
  if (tree?.kind !== 'word' || tree.text !== ANY_WORD)
    return 'Only filters can stand here: site: type: lang: since:, each also with a minus before it.'
  return testOf(filters)
}

function testOf({ only, except, since = 0 }: QueryFilters): PageTest {
  const isWanted = listTest(only, true)
  const isUnwanted = listTest(except, false)
  return (page) => page.firstSeenAt >= since && isWanted(page) && !isUnwanted(page)
}

/** Whether a page is one of each list; `whenEmpty` where nothing is asked. Of what is excepted one list is enough. */
function listTest({ sites, types, languages }: FilterLists, whenEmpty: boolean): PageTest {
  const tests: PageTest[] = []
  if (sites.length > 0) tests.push(({ url }) => sites.some((site) => isOfSite(new URL(url), site)))
  if (types.length > 0) tests.push(({ type }) => types.some((one) => isOfType(type, one)))
  if (languages.length > 0) tests.push(({ language }) => languages.some((one) => isInLanguage(language, one)))
  return (page) => (whenEmpty ? tests.every((test) => test(page)) : tests.some((test) => test(page)))
}
