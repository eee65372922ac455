/** The filters of a query, made ready for one segment: a test of a document that looks at its columns only. */
import type { FilterLists, QueryFilters } from './filter.ts'
import { isInLanguage, isOfSite, isOfType } from './filter.ts'
import type { Segment } from '../read/segment.ts'

const MINUTE = 60_000

export type DocumentTest = (doc: number) => boolean

export function documentFilter({ only, except, since }: QueryFilters, segment: Segment): DocumentTest {
  const tests = [...listTests(only, true, segment), ...listTests(except, false, segment)]
  if (since !== undefined) {
    const minute = Math.floor(since / MINUTE)
    tests.push((doc) => (segment.columns.minutes[doc] as number) >= minute)
  }
  const [first, second, ...rest] = tests
  if (first === undefined) return () => true
  if (second === undefined) return first
  return (doc) => first(doc) && second(doc) && rest.every((test) => test(doc))
}

function listTests({ sites, types, languages }: FilterLists, isWanted: boolean, segment: Segment): DocumentTest[] {
  const { directory, columns } = segment
  const tests: DocumentTest[] = []
  if (types.length > 0) {
    const passes = directory.types.map((type) => types.some((one) => isOfType(type, one)) === isWanted)
    tests.push((doc) => passes[columns.types[doc] as number] as boolean)
  }
  if (languages.length > 0) {
    const passes = directory.languages.map((tag) => languages.some((one) => isInLanguage(tag, one)) === isWanted)
    tests.push((doc) => passes[columns.languages[doc] as number] as boolean)
  }
  if (sites.length > 0) tests.push(siteTest(sites, isWanted, segment))
  return tests
}

/** Most sites are decided by their name; only where a path is asked for is the URL looked at. */
function siteTest(sites: FilterLists['sites'], isWanted: boolean, segment: Segment): DocumentTest {
  const { directory, columns } = segment
  const [whole, parts] = [
    sites.filter((one) => one.pathPrefix === undefined),
    sites.filter((one) => one.pathPrefix !== undefined),
  ]
  const isWhole = directory.sites.map((origin) => whole.some((one) => isOfSite(new URL(origin), one)))
  const isPart = directory.sites.map((origin) =>
    parts.some((one) => isOfSite(new URL(one.pathPrefix ?? '', origin), one)),
  )
  return (doc) => {
    const site = columns.sites[doc] as number
    const isIn =
      isWhole[site] === true || (isPart[site] === true && parts.some((one) => isOfSite(new URL(segment.url(doc)), one)))
    return isIn === isWanted
  }
}
