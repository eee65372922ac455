/** Scheme words: the ways of asking a site and the channels it tells of changes over, as people read them. */

/** As `watch/watch-figures.ts` of the crawler counts them: first how pages came, then what was asked besides pages. */
export const SCHEMES: readonly (readonly [name: string, words: string])[] = [
  ['page', 'a whole page for a request'],
  ['not-modified', 'asked only if modified, and it was not'],
  ['difference', 'only what changed since our copy'],
  ['dictionary', 'compressed against what we hold'],
  ['batch', 'many pages in one request'],
  ['dump', "pages out of the site's own packages"],
  ['gateway', 'seen by a gateway as somebody read it: no request'],
  ['filter-pages', 'what changed since we last asked, with the pages'],
  ['search', 'what does the site offer?'],
  ['filter', 'what changed since we last asked?'],
  ['change-list', 'list of changes'],
  ['metadata-archive', 'archives of dates and sizes'],
  ['robots-rdf', 'robots.rdf: all pages with their dates'],
  ['sitemap', 'sitemap: all pages, some with dates'],
  ['feed', 'feeds: the newest pages'],
]

export const CHANNELS: readonly (readonly [name: string, words: string])[] = [
  ['filter', "the site's filter told of it"],
  ['change-list', 'it stood in a list of changes'],
  ['metadata-archive', 'an archive had another date or size'],
  ['robots-rdf', 'robots.rdf had another date'],
  ['sitemap', 'the sitemap had another date'],
  ['feed', 'it stood in a feed'],
  ['expires', 'it said itself how long it would last'],
  ['indexnow', 'the site called (IndexNow)'],
  ['websub', 'the site called (WebSub)'],
  ['gateway', 'a gateway told of it'],
]
