/**
 * Schemes: the ways a crawler can learn which pages of a site changed (002 §6.2, Table 6.1). A visit asks for what the
 * scheme takes and says which pages are new or changed since the visit before. Documents are asked for only if modified,
 * unless the scheme is WIRE's, which fetches its file whole each time.
 *
 * robots.txt and where documents stand are known: whoever crawls at all has read them, whatever the scheme.
 */
import { Documents, archiveReader, changeListReader, filterReader, rdfReader, sitemapReader } from './readers.ts'
import type { SchemeSite, Visit } from './readers.ts'
import type { Endpoint } from './server.ts'

export interface Scheme {
  readonly name: string
  readonly about: string
  readonly door: Endpoint
  /** What it tells of, when that is not every page. */
  readonly tells?: 'top'
  /** The first visit, and every one after it, by the same function: it remembers what it read. */
  start(site: SchemeSite): Visit
}

export const SCHEMES: readonly Scheme[] = [
  {
    name: 'robots.rdf as printed',
    about: 'Figure 6.5, plain, the whole file every time, as WIRE does',
    door: 'paper',
    start: (site) => rdfReader(new Documents(site, { isPacked: false, isConditional: false }), { withParts: false }),
  },
  {
    name: 'robots.rdf, valid',
    about: 'RSS 1.0, plain, the whole file every time',
    door: 'whole',
    start: (site) => rdfReader(new Documents(site, { isPacked: false, isConditional: false }), { withParts: false }),
  },
  {
    name: 'robots.rdf, packed',
    about: 'RSS 1.0 in one file, packed, only if modified',
    door: 'whole',
    start: (site) => rdfReader(new Documents(site), { withParts: false }),
  },
  {
    name: 'robots.rdf by levels',
    about: 'the top levels in robots.rdf, the others in parts, each packed and only if modified',
    door: 'parts',
    start: (site) => rdfReader(new Documents(site), { withParts: true }),
  },
  {
    name: 'robots.rdf, top only',
    about: 'its first part and no other: the pages near the home page',
    door: 'parts',
    tells: 'top',
    start: (site) => rdfReader(new Documents(site), { withParts: false }),
  },
  {
    name: 'sitemap',
    about: 'index and parts; a part is asked for when the index says it changed',
    door: 'parts',
    start: (site) => sitemapReader(new Documents(site)),
  },
  {
    name: 'metadata archives',
    about: '000 §3: the list of archives, then those with numbers not seen yet',
    door: 'parts',
    start: (site) => archiveReader(new Documents(site)),
  },
  {
    name: 'change list',
    about: 'ResourceSync: the part that is still open, then those that follow it; first the sitemap',
    door: 'parts',
    start: (site) => changeListReader(new Documents(site)),
  },
  {
    name: 'filter',
    about: 'one question: what changed since this token?',
    door: 'parts',
    start: (site) => filterReader(site),
  },
]
