/**
 * Schemes: the ways in which a site can be asked, gathered into the few that people tell apart. Plain JavaScript, as the
 * server writes them into pages and the browser into moving plots.
 */

/** In the order of their colours. What is asked besides these, robots.txt say, is `other`. */
export const SCHEME_GROUPS = [
  { name: 'whole pages', schemes: ['page'] },
  { name: 'not modified', schemes: ['not-modified'] },
  { name: 'differences', schemes: ['difference', 'dictionary'] },
  { name: 'many at once', schemes: ['batch', 'dump', 'filter-pages', 'gateway'] },
  {
    name: 'what changed?',
    schemes: ['filter', 'change-list', 'metadata-archive', 'robots-rdf', 'sitemap', 'feed', 'search'],
  },
]

/** Requests so far by group; the last number is that of all others. */
export function requestsByGroup({ schemes, requests }) {
  const counts = SCHEME_GROUPS.map((group) =>
    group.schemes.reduce((sum, name) => sum + (Object.hasOwn(schemes, name) ? schemes[name].requests : 0), 0),
  )
  const known = counts.reduce((sum, count) => sum + count, 0)
  return [...counts, Math.max(0, requests - known)]
}

export const GROUP_NAMES = [...SCHEME_GROUPS.map(({ name }) => name), 'other']

/** The share of visits that found nothing new. */
export const needlessShare = ({ needless, requests }) => (requests > 0 ? needless / requests : 0)
