/**
 * The pulled schemes of 002 Table 6.2, each in the forms that our sites and crawler have. How a form keeps a copy is one
 * function of a line to the site, and what it does is what the crawler does (`cooperating/site-follower.ts`).
 */
import type { HeldOptions, OfferKind, ChangeOfferKind } from '@comity/follow'
import type { HeaderList, Instant } from '@comity/protocol'
import type { SiteCopy } from '../../cooperating/copy.ts'
import { SiteFollower } from '../../cooperating/site-follower.ts'
import type { FollowerParts } from '../../cooperating/site-follower.ts'
import type { Asker, LineKind } from '../../cooperating/http.ts'
import { NO_COOPERATION, SERVED } from '../../cooperating/rows.ts'
import type { SchemeRow } from '../../cooperating/rows.ts'
import { SITE_BASE } from '../../cooperating/server.ts'
import type { SiteEndpoint } from '../../cooperating/server.ts'

/**
 * Bring the copy up to date. `listed` are the pages that there are, for schemes that cannot find out by themselves; for who
 * `knows`, those that changed since the last poll, gone ones too. `now` is by the site's clock.
 */
export type Poll = (line: Asker, listed: readonly string[], now: Instant) => Promise<void>

/** What every form of a scheme has. */
export interface FormFacts {
  /** Small letters and hyphens. */
  readonly id: string
  readonly name: string
  readonly about: string
  readonly row: SchemeRow
  readonly site: SiteEndpoint
  /** It comes out much like another form of its scheme, and is run when it is asked for. */
  readonly isSeldom?: true
  /** The paper's own form of its scheme: the one that is tried on made sites. */
  readonly isPapers?: true
  /** All pages are packed, each time: above some size that is reckoned. */
  readonly isEntire?: true
  /** It stands for those that tell, in a second run with a shorter period. */
  readonly isOften?: true
  /** How long pages stay stale under it is drawn. */
  readonly isStaleShown?: true
}

export interface PulledForm extends FormFacts {
  readonly kind: 'pulled'
  readonly line: LineKind
  /** It says itself what is new and what changed, so that a poll of it costs little. */
  readonly tells: boolean
  /** Which pages changed is known for nothing: no scheme, but what schemes are compared with. */
  readonly knows?: true
  readonly start: (copy: SiteCopy) => Poll
}

const PLAIN: SiteEndpoint = { door: 'plain' }
const HELPING: SiteEndpoint = { door: 'helping' }
/** Of the pages in one part; the site of the tests has then about a hundred. */
const SMALL_PART_BYTES = 2 ** 18
const GZIP: HeaderList = [['accept-encoding', 'gzip']]

type Start = PulledForm['start']

const followed =
  (parts: Omit<FollowerParts, 'base' | 'copy'>, poll: (follower: SiteFollower) => Poll): Start =>
  (copy) =>
    poll(new SiteFollower({ ...parts, base: SITE_BASE, copy }))

/** Every page that is known, and those that are new. Nobody says which have changed. */
const each = (isConditional: boolean, pageHeaders: HeaderList = []): Start =>
  followed({ pageHeaders }, (follower) => async (line, listed, now) => {
    const paths = new Set([...listed, ...follower.copy.pages.keys()])
    for (const path of paths) await follower.visit(line, path, now, { isConditional })
  })

/** Somebody tells; what is new or another one is fetched. */
const told = (
  kind: ChangeOfferKind,
  differences: HeldOptions['differences'] = 'none',
  more: Pick<FollowerParts, 'brings'> & { readonly also?: readonly OfferKind[] } = {},
): Start =>
  followed({ offers: [kind, ...(more.also ?? [])], differences, ...more }, (follower) => async (line, _, now) => {
    await follower.follow(line, kind, now)
  })

const dumped = (isConditional: boolean): Start =>
  followed({ offers: ['dump'] }, (follower) => async (line, _, now) => await follower.dump(line, isConditional, now))

const plain = (facts: Omit<PulledForm, 'kind' | 'site' | 'tells'> & Partial<Pick<PulledForm, 'site'>>): PulledForm => ({
  kind: 'pulled',
  site: PLAIN,
  tells: false,
  ...facts,
})

const helped = (facts: Omit<PulledForm, 'kind' | 'line' | 'site'> & Partial<Pick<PulledForm, 'site'>>): PulledForm => ({
  kind: 'pulled',
  site: HELPING,
  line: 'kept',
  ...facts,
})

/** What all are compared with: GET of every page, which is what nobody's help leaves. */
export const BASE_FORM = 'none'
/** And what they are compared with once more: GET of just those pages that changed, as if help cost nothing. */
export const KNOWING_FORM = 'none-knowing'
/** No cooperation over one connection. */
export const KEPT_FORM = 'keep-alive'

export const PULLED_FORMS: readonly PulledForm[] = [
  plain({
    id: BASE_FORM,
    name: 'no cooperation',
    about: 'GET every page, a connection each',
    row: NO_COOPERATION,
    line: 'each',
    isPapers: true,
    start: each(false),
  }),
  plain({
    id: 'none-gzip',
    name: 'no cooperation, gzip',
    about: 'the same, pages packed',
    row: NO_COOPERATION,
    line: 'each',
    start: each(false, GZIP),
  }),
  plain({
    id: KNOWING_FORM,
    name: 'only what changed',
    about: 'GET of the pages that changed, known for nothing',
    row: NO_COOPERATION,
    line: 'each',
    knows: true,
    isPapers: true,
    start: followed({}, (follower) => async (line, changed, now) => {
      for (const path of changed) await follower.visit(line, path, now, { isConditional: false })
    }),
  }),
  helped({
    id: 'archives',
    name: 'metadata archives',
    about: 'archives that have news, then GET of what changed',
    row: SERVED.metaData,
    tells: true,
    isPapers: true,
    start: told('metadata-archive'),
  }),
  helped({
    id: 'change-list',
    name: 'change list',
    about: 'the open part of a ResourceSync change list, then GET',
    row: SERVED.metaData,
    tells: true,
    isOften: true,
    start: told('change-list', 'none', { also: ['sitemap'] }),
  }),
  helped({
    id: 'robots-rdf',
    name: 'robots.rdf',
    about: 'the whole list in parts, if modified, then GET',
    row: SERVED.metaData,
    tells: true,
    isSeldom: true,
    start: told('robots-rdf'),
  }),
  helped({
    id: 'vcdiff',
    name: 'differences, vcdiff',
    about: 'archives, then GET with A-IM: vcdiff, gzip',
    row: SERVED.differences,
    tells: true,
    isPapers: true,
    isOften: true,
    start: told('metadata-archive', 'delta'),
  }),
  helped({
    id: 'dcz',
    name: 'differences, dcz',
    about: 'archives, then GET with the copy as dictionary',
    row: SERVED.differences,
    tells: true,
    isSeldom: true,
    start: told('metadata-archive', 'dictionary'),
  }),
  plain({
    id: 'conditional',
    name: 'only if modified',
    about: 'conditional GET of every page, a connection each',
    row: SERVED.ifModified,
    line: 'each',
    isPapers: true,
    start: each(true),
  }),
  plain({
    id: KEPT_FORM,
    name: 'keep-alive',
    about: 'GET every page over one connection',
    row: SERVED.manyPages,
    line: 'kept',
    isPapers: true,
    start: each(false),
  }),
  plain({
    id: 'http2',
    name: 'HTTP/2',
    about: 'the same over HTTP/2',
    row: SERVED.manyPages,
    site: { ...PLAIN, http2: true },
    line: 'http2',
    isSeldom: true,
    start: each(false),
  }),
  helped({
    id: 'batch',
    name: 'batch',
    about: 'QUERY with the tags of all pages, some at a time',
    row: SERVED.manyPages,
    tells: false,
    start: followed({}, (follower) => async (line, listed, now) => {
      await follower.batch(line, [...new Set([...listed, ...follower.copy.pages.keys()])], now)
    }),
  }),
  helped({
    id: 'dump',
    name: 'entire site',
    about: 'the resource dump, whole, each time',
    row: SERVED.entireSite,
    tells: false,
    isPapers: true,
    isEntire: true,
    start: dumped(false),
  }),
  helped({
    id: 'dump-parts',
    name: 'entire site in small parts',
    about: 'parts of about 256 KiB of pages, if modified',
    row: SERVED.entireSite,
    site: { ...HELPING, dumpBytes: SMALL_PART_BYTES },
    tells: false,
    isSeldom: true,
    start: dumped(true),
  }),
  helped({
    id: 'filter-page',
    name: 'filter, pages',
    about: 'one QUERY: whole pages changed since the token',
    row: SERVED.filter,
    tells: true,
    isPapers: true,
    start: told('filter', 'none', { brings: 'page' }),
  }),
  helped({
    id: 'filter-difference',
    name: 'filter, differences',
    about: 'one QUERY: differences since the token',
    row: SERVED.filter,
    tells: true,
    isOften: true,
    start: told('filter', 'delta', { brings: 'difference' }),
  }),
]
