/**
 * The pulled schemes of 002 Table 6.2, each in the forms that our sites and crawler have. How a form keeps a copy is one
 * function of a line to the site and the copy.
 */
import type { SiteCopy } from '../../cooperating/copy.ts'
import { askBatch, dumpAsker, filterAsker } from '../../cooperating/bundles.ts'
import type { Line, LineKind } from '../../cooperating/http.ts'
import { fetchChanged, fetchEach, GZIP } from '../../cooperating/pages.ts'
import type { DifferenceKind } from '../../cooperating/pages.ts'
import { NO_COOPERATION, SERVED } from '../../cooperating/rows.ts'
import type { SchemeRow } from '../../cooperating/rows.ts'
import { SITE_BASE } from '../../cooperating/server.ts'
import type { SiteEndpoint } from '../../cooperating/server.ts'
import { archiveTeller, changeListTeller, rdfTeller } from '../../cooperating/told.ts'
import type { Teller } from '../../cooperating/told.ts'

/**
 * Bring the copy up to date. `listed` are the pages that there are, for schemes that cannot find out by themselves; for who
 * `knows`, those that changed since the last poll, gone ones too.
 */
export type Poll = (line: Line, copy: SiteCopy, listed: readonly string[]) => Promise<void>

/** What every form of a scheme has. */
export interface FormFacts {
  /** Small letters and hyphens. */
  readonly id: string
  readonly name: string
  readonly about: string
  readonly row: SchemeRow
  readonly site: SiteEndpoint
}

export interface PulledForm extends FormFacts {
  readonly kind: 'pulled'
  readonly line: LineKind
  /** It says itself what is new and what changed, so that a poll of it costs little. */
  readonly tells: boolean
  /** Which pages changed is known for nothing: no scheme, but what schemes are compared with. */
  readonly knows?: true
  /** `isHeld`: the copy is the site already, so the first poll only learns where it stands. */
  readonly start: (isHeld?: boolean) => Poll
}

const PLAIN: SiteEndpoint = { door: 'plain' }
const HELPING: SiteEndpoint = { door: 'helping' }
/** Of the pages in one part; the site of the tests has then about a hundred. */
const SMALL_PART_BYTES = 2 ** 18

const each =
  (how: Parameters<typeof fetchEach>[3] = {}): PulledForm['start'] =>
  () =>
  (line, copy, listed) =>
    fetchEach(line, copy, listed, how)

/** Somebody tells; what is new or another one is fetched. */
const told =
  (teller: (base: string) => Teller, kind: DifferenceKind = 'none'): PulledForm['start'] =>
  (isHeld = false) => {
    const ask = teller(SITE_BASE)
    const marks = new Map<string, string>()
    let isNews = !isHeld
    return async (line, copy) => {
      for (const [url, mark] of await ask(line)) {
        const path = url.slice(new URL(SITE_BASE).origin.length)
        if (mark === undefined) {
          copy.drop(path)
          marks.delete(path)
        } else if (marks.get(path) !== mark) {
          if (isNews) await fetchChanged(line, copy, path, kind)
          marks.set(path, mark)
        }
      }
      isNews = true
    }
  }

/** What all are compared with: GET of every page, which is what nobody's help leaves. */
export const BASE_FORM = 'none'
/** And what they are compared with once more: GET of just those pages that changed, as if help cost nothing. */
export const KNOWING_FORM = 'none-knowing'

export const PULLED_FORMS: readonly PulledForm[] = [
  {
    kind: 'pulled',
    id: BASE_FORM,
    name: 'no cooperation',
    about: 'GET every page, a connection each',
    row: NO_COOPERATION,
    site: PLAIN,
    line: 'each',
    tells: false,
    start: each(),
  },
  {
    kind: 'pulled',
    id: 'none-gzip',
    name: 'no cooperation, gzip',
    about: 'the same, pages packed',
    row: NO_COOPERATION,
    site: PLAIN,
    line: 'each',
    tells: false,
    start: each({ headers: GZIP }),
  },
  {
    kind: 'pulled',
    id: KNOWING_FORM,
    name: 'only what changed',
    about: 'GET of the pages that changed, known for nothing',
    row: NO_COOPERATION,
    site: PLAIN,
    line: 'each',
    tells: false,
    knows: true,
    start: () => async (line, copy, changed) => {
      for (const path of changed) await fetchChanged(line, copy, path, 'none')
    },
  },
  {
    kind: 'pulled',
    id: 'archives',
    name: 'metadata archives',
    about: 'archives that have news, then GET of what changed',
    row: SERVED.metaData,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: told(archiveTeller),
  },
  {
    kind: 'pulled',
    id: 'change-list',
    name: 'change list',
    about: 'the open part of a ResourceSync change list, then GET',
    row: SERVED.metaData,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: told(changeListTeller),
  },
  {
    kind: 'pulled',
    id: 'robots-rdf',
    name: 'robots.rdf',
    about: 'the whole list in parts, if modified, then GET',
    row: SERVED.metaData,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: told(rdfTeller),
  },
  {
    kind: 'pulled',
    id: 'vcdiff',
    name: 'differences, vcdiff',
    about: 'archives, then GET with A-IM: vcdiff, gzip',
    row: SERVED.differences,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: told(archiveTeller, 'vcdiff'),
  },
  {
    kind: 'pulled',
    id: 'dcz',
    name: 'differences, dcz',
    about: 'archives, then GET with the copy as dictionary',
    row: SERVED.differences,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: told(archiveTeller, 'dcz'),
  },
  {
    kind: 'pulled',
    id: 'conditional',
    name: 'only if modified',
    about: 'conditional GET of every page, a connection each',
    row: SERVED.ifModified,
    site: PLAIN,
    line: 'each',
    tells: false,
    start: each({ isConditional: true }),
  },
  {
    kind: 'pulled',
    id: 'keep-alive',
    name: 'keep-alive',
    about: 'GET every page over one connection',
    row: SERVED.manyPages,
    site: PLAIN,
    line: 'kept',
    tells: false,
    start: each(),
  },
  {
    kind: 'pulled',
    id: 'http2',
    name: 'HTTP/2',
    about: 'the same over HTTP/2',
    row: SERVED.manyPages,
    site: { ...PLAIN, http2: true },
    line: 'http2',
    tells: false,
    start: each(),
  },
  {
    kind: 'pulled',
    id: 'batch',
    name: 'batch',
    about: 'one QUERY with the tags of all pages',
    row: SERVED.manyPages,
    site: HELPING,
    line: 'kept',
    tells: false,
    start: () => (line, copy, listed) => askBatch(line, copy, SITE_BASE, listed),
  },
  {
    kind: 'pulled',
    id: 'dump',
    name: 'entire site',
    about: 'the resource dump, whole, each time',
    row: SERVED.entireSite,
    site: HELPING,
    line: 'kept',
    tells: false,
    start: () => dumpAsker(SITE_BASE, false),
  },
  {
    kind: 'pulled',
    id: 'dump-parts',
    name: 'entire site in small parts',
    about: 'parts of about 256 KiB of pages, if modified',
    row: SERVED.entireSite,
    site: { ...HELPING, dumpBytes: SMALL_PART_BYTES },
    line: 'kept',
    tells: false,
    start: () => dumpAsker(SITE_BASE, true),
  },
  {
    kind: 'pulled',
    id: 'filter-page',
    name: 'filter, pages',
    about: 'one QUERY: whole pages changed since the token',
    row: SERVED.filter,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: (isHeld) => filterAsker('page', isHeld),
  },
  {
    kind: 'pulled',
    id: 'filter-difference',
    name: 'filter, differences',
    about: 'one QUERY: differences since the token',
    row: SERVED.filter,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: (isHeld) => filterAsker('difference', isHeld),
  },
]
