/**
 * Schemes: the ways a crawler can learn which pages of a site changed (002 §6.2, Table 6.1), each read as the crawler reads it. A
 * visit says which pages are new or changed since the visit before.
 *
 * robots.txt and where documents stand are known: whoever crawls at all has read them, whatever the scheme.
 */
import { newOffer } from '@comity/follow'
import type { ChangeOfferKind } from '@comity/follow'
import { ROBOTS_RDF } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { SiteCopy } from '../../cooperating/copy.ts'
import type { Asker } from '../../cooperating/http.ts'
import { SiteFollower } from '../../cooperating/site-follower.ts'
import type { FollowerParts } from '../../cooperating/site-follower.ts'
import type { Endpoint } from './server.ts'

/** Asks, and says which pages are new or changed since the time before, by path. */
type Visit = () => Promise<ReadonlySet<string>>

interface SchemeSite {
  readonly line: Asker
  readonly base: string
  readonly now: () => Instant
}

interface Scheme {
  readonly name: string
  readonly about: string
  readonly door: Endpoint
  /** What it tells of, when that is not every page. */
  readonly tells?: 'top'
  /** The first visit, and every one after it, by the same function: it remembers what it read. */
  start(site: SchemeSite): Visit
}

type Manner = Partial<Pick<FollowerParts, 'documentHeaders' | 'isUnconditional' | 'leavesOut'>>

const told =
  (kind: ChangeOfferKind, mannerOf: (base: string) => Manner = () => ({})): Scheme['start'] =>
  ({ line, base, now }) => {
    const sitemap = newOffer('sitemap', `${base}sitemap.xml`)
    const offers = kind === 'sitemap' ? [sitemap] : [kind, sitemap]
    const follower = new SiteFollower({ base, copy: new SiteCopy(), offers, ...mannerOf(base) })
    return async () => await follower.learn(line, kind, now())
  }

const PLAIN_HEADERS: HeaderList = [['accept', '*/*']]
/** WIRE fetches its file whole each time (002 §6.5.1): that the crawler does not is what claim 4 is about. */
const asWire = (): Manner => ({ documentHeaders: PLAIN_HEADERS, isUnconditional: true })
/** What the small part with the important pages is worth by itself (002 §6.5.3, claim 4). */
const topOnly = (base: string): Manner => ({ leavesOut: (url) => url !== `${base}${ROBOTS_RDF}` })

export const SCHEMES: readonly Scheme[] = [
  {
    name: 'robots.rdf as printed',
    about: 'Figure 6.5, plain, the whole file every time, as WIRE does',
    door: 'paper',
    start: told('robots-rdf', asWire),
  },
  {
    name: 'robots.rdf, valid',
    about: 'RSS 1.0, plain, the whole file every time',
    door: 'whole',
    start: told('robots-rdf', asWire),
  },
  {
    name: 'robots.rdf, packed',
    about: 'RSS 1.0 in one file, packed, only if modified',
    door: 'whole',
    start: told('robots-rdf'),
  },
  {
    name: 'robots.rdf by levels',
    about: 'the top levels in robots.rdf, the others in parts, each packed and only if modified',
    door: 'parts',
    start: told('robots-rdf'),
  },
  {
    name: 'robots.rdf, top only',
    about: 'its first part and no other: the pages near the home page',
    door: 'parts',
    tells: 'top',
    start: told('robots-rdf', topOnly),
  },
  {
    name: 'sitemap',
    about: 'index and parts; a part is asked for when the index says it changed',
    door: 'parts',
    start: told('sitemap'),
  },
  {
    name: 'metadata archives',
    about: '000 §3: the list of archives, then those with numbers not seen yet',
    door: 'parts',
    start: told('metadata-archive'),
  },
  {
    name: 'change list',
    about: 'ResourceSync: the part that is still open, then those that follow it; first the sitemap',
    door: 'parts',
    start: told('change-list'),
  },
  {
    name: 'filter',
    about: 'one question: what changed since this token?',
    door: 'parts',
    start: told('filter'),
  },
]
