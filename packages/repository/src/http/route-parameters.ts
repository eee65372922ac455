/** Parameters that several routes have, so that they mean the same everywhere. */
import { MAX_OFFSET, MAX_RESULTS, RANKINGS } from '@comity/index'
import type { RankName } from '@comity/index'
import { MAX_QUERY_CHARS, MAX_SITES, MAX_SITE_OFFSET, MAX_URL_PARAMETER_CHARS } from '../limits.ts'
import type { Parameter, Parameters } from './parameter.ts'
import { SITE_CHOICES, SITE_SORTS } from '../ports.ts'
import type { SiteChoice, SitesQuery, SiteSort, Stretch, SuggestedPage } from '../ports.ts'
import { Problem } from '@comity/receiver'
import type { PageName } from '../repository.ts'
import { json } from './route.ts'
import type { Answer, Route } from './route.ts'

const MAX_KEY = 0xffff_ffff
const MAX_INSTANT = 8.64e15

export const SEARCH_PARAMETERS: readonly Parameter[] = [
  { name: 'q', kind: 'text', maxLength: MAX_QUERY_CHARS },
  { name: 'rank', kind: 'choice', choices: Object.keys(RANKINGS), fallback: 'default' },
  { name: 'limit', kind: 'integer', min: 1, max: MAX_RESULTS, fallback: 10 },
  { name: 'offset', kind: 'integer', min: 0, max: MAX_OFFSET, fallback: 0 },
  { name: 'unfolded', kind: 'flag' },
]

const required = (table: readonly Parameter[], name: string): readonly Parameter[] =>
  table.map((parameter) => (parameter.name === name ? { ...parameter, isRequired: true } : parameter))

/** For programs, which ask nothing for nothing. */
export const SEARCH_QUESTION: readonly Parameter[] = required(SEARCH_PARAMETERS, 'q')

interface SearchQuestion {
  readonly query: string
  readonly rank: RankName
  readonly limit: number
  readonly offset: number
  readonly unfolded: boolean
}

export const searchQuestion = (given: Parameters): SearchQuestion => ({
  query: given.text('q'),
  rank: given.text('rank') as RankName,
  limit: given.number('limit'),
  offset: given.number('offset'),
  unfolded: given.flag('unfolded'),
})

export const PAGE_PARAMETERS: readonly Parameter[] = [
  { name: 'url', kind: 'text', maxLength: MAX_URL_PARAMETER_CHARS },
  { name: 'key', kind: 'integer', min: 0, max: MAX_KEY },
]

/** Exactly one of the two. */
export function pageName(given: Parameters): PageName {
  if (given.has('url') === given.has('key')) {
    throw new Problem('bad-parameter', 'Name the page by url or by key: one of them, and not both.')
  }
  return given.has('key') ? { key: given.number('key') } : { url: given.text('url') }
}

export const DIFFERENCE_PARAMETERS: readonly Parameter[] = [
  { name: 'key', kind: 'integer', min: 0, max: MAX_KEY, isRequired: true },
  { name: 'from', kind: 'integer', min: 0, max: MAX_INSTANT, isRequired: true },
  { name: 'to', kind: 'integer', min: 0, max: MAX_INSTANT, isRequired: true },
]

export const VIEW_PARAMETERS: readonly Parameter[] = [
  { name: 'key', kind: 'integer', min: 0, max: MAX_KEY, isRequired: true },
  { name: 'at', kind: 'integer', min: 0, max: MAX_INSTANT },
]

export const COPY_PARAMETERS: readonly Parameter[] = [
  ...PAGE_PARAMETERS,
  { name: 'near', kind: 'integer', min: 0, max: MAX_INSTANT },
]

export const SITE_PARAMETERS: readonly Parameter[] = [
  { name: 'origin', kind: 'text', maxLength: MAX_URL_PARAMETER_CHARS, isRequired: true },
]

/** People look at what was visited, unless they ask; programs that asked before there was a choice go on getting all. */
const choice = (fallback: SiteChoice): Parameter => ({ name: 'show', kind: 'choice', choices: SITE_CHOICES, fallback })

export const GRAPH_PAGE_PARAMETERS: readonly Parameter[] = [choice('visited')]
export const GRAPH_PARAMETERS: readonly Parameter[] = [choice('all')]

export const siteChoice = (given: Parameters): SiteChoice => given.text('show') as SiteChoice

const SITES_ORDER: readonly Parameter[] = [
  { name: 'sort', kind: 'choice', choices: SITE_SORTS, fallback: 'importance' },
  { name: 'limit', kind: 'integer', min: 1, max: MAX_SITES, fallback: 50 },
  { name: 'offset', kind: 'integer', min: 0, max: MAX_SITE_OFFSET, fallback: 0 },
]

export const SITES_PAGE_PARAMETERS: readonly Parameter[] = [choice('visited'), ...SITES_ORDER]
export const SITES_PARAMETERS: readonly Parameter[] = [choice('all'), ...SITES_ORDER]

export const FRESHNESS_PARAMETERS: readonly Parameter[] = [
  { name: 'limit', kind: 'integer', min: 1, max: MAX_SITES, fallback: 50 },
  { name: 'offset', kind: 'integer', min: 0, max: MAX_SITE_OFFSET, fallback: 0 },
]

export const stretch = (given: Parameters): Stretch => ({
  limit: given.number('limit'),
  offset: given.number('offset'),
})

export const sitesQuery = (given: Parameters): SitesQuery => ({
  show: siteChoice(given),
  sort: given.text('sort') as SiteSort,
  limit: given.number('limit'),
  offset: given.number('offset'),
})

export const SUGGEST_PARAMETERS: readonly Parameter[] = [
  { name: 'q', kind: 'text', maxLength: MAX_QUERY_CHARS, isRequired: true },
  { name: 'format', kind: 'choice', choices: ['object', 'opensearch'], fallback: 'object' },
]

/** Browsers want the array of OpenSearch Suggestions 1.1; our own pages and most programs want names. */
export function suggested(parameters: Parameters, pages: readonly SuggestedPage[]): Answer {
  const suggestions = pages.map(({ title }) => title)
  const query = parameters.text('q')
  return parameters.text('format') === 'opensearch'
    ? json([query, suggestions], 'application/x-suggestions+json; charset=utf-8')
    : json({ query, suggestions, pages })
}

export function apiRoute(path: string, parameters: Route['parameters'], answer: Route['answer']): Route {
  return { method: 'GET', path: `/api/v1/${path}`, audience: 'program', parameters, answer }
}
