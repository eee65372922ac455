/**
 * The pulled schemes of 002 Table 6.2, each in the forms that our sites and crawler have, and what the paper says of them.
 * How a form keeps a copy is one function of a line to the site and the copy.
 */
import type { SiteCopy } from './schemes-copy.ts'
import { askBatch, dumpAsker, filterAsker } from './schemes-bundles.ts'
import type { Line, LineKind } from './schemes-http.ts'
import { fetchChanged, fetchEach, GZIP } from './schemes-pages.ts'
import type { DifferenceKind } from './schemes-pages.ts'
import { SITE_BASE } from './schemes-server.ts'
import type { SiteDoor } from './schemes-server.ts'
import { archiveTeller, changeListTeller, rdfTeller } from './schemes-told.ts'
import type { Teller } from './schemes-told.ts'

/** Bring the copy up to date. `listed` are the pages that there are, for schemes that cannot find out by themselves. */
export type Poll = (line: Line, copy: SiteCopy, listed: readonly string[]) => Promise<void>

export interface SchemeForm {
  /** Small letters and hyphens. */
  readonly id: string
  readonly name: string
  readonly about: string
  readonly row: SchemeRow
  readonly site: SiteDoor
  readonly line: LineKind
  /** It says itself what is new and what changed, so that a poll of it costs little. */
  readonly tells: boolean
  readonly start: () => Poll
}

/** A cost as the paper writes it, or none. */
export type Sign = '++' | '+' | '' | '−' | '−−'

export interface SchemeRow {
  readonly name: string
  readonly network: Sign
  readonly server: Sign
  readonly crawler: Sign
  readonly freshness: 'Normal' | 'High'
}

export const NO_COOPERATION: SchemeRow = {
  name: 'No cooperation',
  network: '',
  server: '',
  crawler: '',
  freshness: 'Normal',
}
const META_DATA: SchemeRow = { name: 'Serve meta-data', network: '+', server: '+', crawler: '', freshness: 'Normal' }
const DIFFERENCES: SchemeRow = {
  name: 'Serve differences',
  network: '−−',
  server: '++',
  crawler: '+',
  freshness: 'Normal',
}
const IF_MODIFIED: SchemeRow = { name: 'Only if modified', network: '−', server: '', crawler: '', freshness: 'Normal' }
const MANY_PAGES: SchemeRow = {
  name: 'Many pages in one request',
  network: '−',
  server: '',
  crawler: '',
  freshness: 'Normal',
}
const ENTIRE_SITE: SchemeRow = {
  name: 'Entire site compressed',
  network: '++',
  server: '+',
  crawler: '',
  freshness: 'Normal',
}
const FILTER: SchemeRow = { name: 'Filtering interface', network: '−−', server: '++', crawler: '−', freshness: 'High' }

/** In the paper's order. */
export const SCHEME_ROWS: readonly SchemeRow[] = [META_DATA, DIFFERENCES, IF_MODIFIED, MANY_PAGES, ENTIRE_SITE, FILTER]

const PLAIN: SiteDoor = { door: 'plain' }
const HELPING: SiteDoor = { door: 'helping' }
/** Of the pages in one part; the site of the tests has then about a hundred. */
const SMALL_PART_BYTES = 2 ** 18

const each =
  (how: Parameters<typeof fetchEach>[3] = {}): SchemeForm['start'] =>
  () =>
  (line, copy, listed) =>
    fetchEach(line, copy, listed, how)

/** Somebody tells; what is new or another one is fetched. */
const told =
  (teller: (base: string) => Teller, kind: DifferenceKind = 'none'): SchemeForm['start'] =>
  () => {
    const ask = teller(SITE_BASE)
    const marks = new Map<string, string>()
    return async (line, copy) => {
      for (const [url, mark] of await ask(line)) {
        const path = url.slice(new URL(SITE_BASE).origin.length)
        if (mark === undefined) {
          copy.drop(path)
          marks.delete(path)
        } else if (marks.get(path) !== mark) {
          await fetchChanged(line, copy, path, kind)
          marks.set(path, mark)
        }
      }
    }
  }

/** What all are compared with. */
export const BASE_FORM = 'none'

export const SCHEME_FORMS: readonly SchemeForm[] = [
  {
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
    id: 'archives',
    name: 'metadata archives',
    about: 'archives that have news, then GET of what changed',
    row: META_DATA,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: told(archiveTeller),
  },
  {
    id: 'change-list',
    name: 'change list',
    about: 'the open part of a ResourceSync change list, then GET',
    row: META_DATA,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: told(changeListTeller),
  },
  {
    id: 'robots-rdf',
    name: 'robots.rdf',
    about: 'the whole list in parts, if modified, then GET',
    row: META_DATA,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: told(rdfTeller),
  },
  {
    id: 'vcdiff',
    name: 'differences, vcdiff',
    about: 'archives, then GET with A-IM: vcdiff, gzip',
    row: DIFFERENCES,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: told(archiveTeller, 'vcdiff'),
  },
  {
    id: 'dcz',
    name: 'differences, dcz',
    about: 'archives, then GET with the copy as dictionary',
    row: DIFFERENCES,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: told(archiveTeller, 'dcz'),
  },
  {
    id: 'conditional',
    name: 'only if modified',
    about: 'conditional GET of every page, a connection each',
    row: IF_MODIFIED,
    site: PLAIN,
    line: 'each',
    tells: false,
    start: each({ isConditional: true }),
  },
  {
    id: 'keep-alive',
    name: 'keep-alive',
    about: 'GET every page over one connection',
    row: MANY_PAGES,
    site: PLAIN,
    line: 'kept',
    tells: false,
    start: each(),
  },
  {
    id: 'http2',
    name: 'HTTP/2',
    about: 'the same over HTTP/2',
    row: MANY_PAGES,
    site: { ...PLAIN, http2: true },
    line: 'http2',
    tells: false,
    start: each(),
  },
  {
    id: 'batch',
    name: 'batch',
    about: 'one QUERY with the tags of all pages',
    row: MANY_PAGES,
    site: HELPING,
    line: 'kept',
    tells: false,
    start: () => (line, copy, listed) => askBatch(line, copy, SITE_BASE, listed),
  },
  {
    id: 'dump',
    name: 'entire site',
    about: 'the resource dump, whole, each time',
    row: ENTIRE_SITE,
    site: HELPING,
    line: 'kept',
    tells: false,
    start: () => dumpAsker(SITE_BASE, false),
  },
  {
    id: 'dump-parts',
    name: 'entire site in small parts',
    about: 'parts of about 256 KiB of pages, if modified',
    row: ENTIRE_SITE,
    site: { ...HELPING, dumpBytes: SMALL_PART_BYTES },
    line: 'kept',
    tells: false,
    start: () => dumpAsker(SITE_BASE, true),
  },
  {
    id: 'filter-page',
    name: 'filter, pages',
    about: 'one QUERY: whole pages changed since the token',
    row: FILTER,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: () => filterAsker('page'),
  },
  {
    id: 'filter-difference',
    name: 'filter, differences',
    about: 'one QUERY: differences since the token',
    row: FILTER,
    site: HELPING,
    line: 'kept',
    tells: true,
    start: () => filterAsker('difference'),
  },
]

export const schemeForm = (id: string): SchemeForm => {
  const form = SCHEME_FORMS.find((one) => one.id === id)
  if (form === undefined)
    throw new RangeError(`there is no scheme ${id}; use ${SCHEME_FORMS.map((one) => one.id).join(', ')}`)
  return form
}

/** All when none is named; what all are compared with is always among them. */
export function chosenForms(ids: readonly string[]): readonly SchemeForm[] {
  if (ids.length === 0) return SCHEME_FORMS
  const chosen = new Set([BASE_FORM, ...ids].map(schemeForm))
  return SCHEME_FORMS.filter((form) => chosen.has(form))
}
