/** Sites page: every site with its pages, politeness, errors and importance; in any order, without a script. */
import { tableOf } from '@comity/protocol'
import { ownPath } from '../html/address.ts'
import { bar } from '../html/bar.ts'
import { pushCell } from './push-words.ts'
import { counted, formatCount, formatDuration, formatShare } from '../client/figures.js'
import { foreign, siteLink } from '../html/foreign-text.ts'
import { attributes, html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { SiteRowModel } from '../model/models.ts'
import { moment } from '../html/moment.ts'
import type { SitesModel } from '../model/page-models.ts'
import { renderShell } from '../html/page-shell.ts'
import { pager } from '../html/pager.ts'
import type { SiteChoice, SiteSort } from '../ports.ts'

interface Column {
  readonly name: string
  readonly sort?: SiteSort
  readonly isNumber?: boolean
  /** Takes a line of its own where the window is narrow. */
  readonly isLong?: boolean
  readonly cell: (row: SiteRowModel, most: number) => Html
}

const COLUMNS: readonly Column[] = [
  { name: 'Known', sort: 'known', isNumber: true, cell: ({ known }) => html`${formatCount(known)}` },
  { name: 'Held', sort: 'held', isNumber: true, cell: ({ held }) => html`${formatCount(held)}` },
  { name: 'Waiting', sort: 'waiting', isNumber: true, cell: ({ waiting }) => html`${formatCount(waiting)}` },
  { name: 'Errors', sort: 'errors', isNumber: true, cell: ({ errors }) => html`${formatCount(errors)}` },
  { name: 'Importance', sort: 'importance', isNumber: true, cell: importanceCell },
  { name: 'Pushes', cell: ({ calls }) => pushCell(calls) },
  { name: 'Politeness', isLong: true, cell: politeness },
]

/** What the server gives when nobody asks for another number. */
const USUAL_LIMIT = 50

export function renderSitesPage(model: SitesModel): string {
  const most = Math.max(Number.MIN_VALUE, ...model.sites.map(({ importance }) => importance))
  const table = html`<table class="sites cards">
    <caption class="unseen">
      Sites, by ${labelOf(model.sort)}
    </caption>
    <thead>
      <tr>
        ${sortHead({ name: 'Site', sort: 'origin' }, model)}${COLUMNS.map((column) => sortHead(column, model))}
      </tr>
    </thead>
    <tbody>
      ${model.sites.map((row) => siteRow(row, most))}
    </tbody>
  </table>`
  return renderShell({
    title: 'Sites',
    place: 'sites',
    isWide: true,
    main: html`<h1>Sites</h1>
      <p class="lead">
        ${capital(counted(model.total, 'site'))} ${SHOWN.get(model.show) ?? ''}, by ${labelOf(model.sort)}. Politeness
        is what we owe a site: the rest between two visits, its robots.txt, and how long we stay away after failures. A
        site that
        <a href="/calls">pushes</a> sends what changed.
      </p>
      ${siteChoice(model)} ${sortChoice(model)} ${model.sites.length === 0 ? nothing(model) : table}
      ${pager({ ...model, shown: model.sites.length }, (offset) => ownPath('/sites', { show: model.show === 'visited' ? undefined : model.show, sort: model.sort, offset, limit: model.limit === USUAL_LIMIT ? undefined : model.limit }))}`,
  })
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const SORTS: readonly (readonly [sort: SiteSort, label: string])[] = [
  ['importance', 'importance'],
  ['known', 'pages known'],
  ['held', 'pages held'],
  ['waiting', 'pages waiting'],
  ['errors', 'errors'],
  ['origin', 'name'],
]

const labelOf = (sort: SiteSort): string => SORTS.find(([one]) => one === sort)?.[1] ?? sort

const SHOWN: ReadonlyMap<string, string> = tableOf({
  visited: 'visited',
  linked: 'that pages link to and nobody visited',
  all: 'known',
} satisfies Record<SiteChoice, string>)

type Shown = Pick<SitesModel, 'show' | 'sort' | 'visited' | 'linked'>

const listPath = ({ show, sort }: Pick<Shown, 'show' | 'sort'>): string =>
  ownPath('/sites', { show: show === 'visited' ? undefined : show, sort })

/** Visited and merely linked apart: most sites that are known were never asked for anything. */
function siteChoice({ show, sort, visited, linked }: Shown): Html | false {
  if (linked === 0) return false
  const choices: readonly Choice[] = [
    {
      label: `visited (${formatCount(visited)})`,
      path: listPath({ show: 'visited', sort }),
      isNow: show === 'visited',
    },
    {
      label: `merely linked (${formatCount(linked)})`,
      path: listPath({ show: 'linked', sort }),
      isNow: show === 'linked',
    },
    { label: 'all', path: listPath({ show: 'all', sort }), isNow: show === 'all' },
  ]
  return choiceOf('choice', 'Which sites', 'Sites', choices)
}

interface Choice {
  readonly label: string
  readonly path: string
  readonly isNow: boolean
}

function choiceOf(kind: string, about: string, head: string, choices: readonly Choice[]): Html {
  const items = choices.map(
    ({ label, path, isNow }) =>
      html`<li>
        <a href="${path}" ${attributes({ 'aria-current': isNow ? 'true' : undefined })}>${label}</a>
      </li>`,
  )
  return html`<nav class="${kind}" aria-label="${about}">
    <span aria-hidden="true">${head}</span>
    <ul>
      ${items}
    </ul>
  </nav>`
}

function nothing({ linked, show }: Shown): Html {
  if (show === 'visited' && linked > 0) return html`<p>No site was visited yet.</p>`
  return html`<p>No site is known yet. <a href="/live">See whether a crawl is running</a></p>`
}

/** For narrow windows, where the head of the table is not shown. */
function sortChoice({ show, sort: current }: Shown): Html {
  const choices = SORTS.map(([sort, label]) => ({ label, path: listPath({ show, sort }), isNow: sort === current }))
  return choiceOf('choice narrow', 'Order of sites', 'By', choices)
}

function sortHead(
  { name, sort, isNumber }: Pick<Column, 'name' | 'sort' | 'isNumber'>,
  { show, sort: current }: Shown,
): Html {
  const sorted = sort === current ? (sort === 'origin' ? 'ascending' : 'descending') : undefined
  const marks = attributes({ class: isNumber === true ? 'right' : undefined, 'aria-sort': sorted })
  if (sort === undefined) return html`<th scope="col" ${marks}>${name}</th>`
  return html`<th scope="col" ${marks}><a href="${listPath({ show, sort })}">${name}</a></th>`
}

const siteRow = (row: SiteRowModel, most: number): Html =>
  html`<tr>
    <th scope="row">${siteLink(row.origin)}</th>
    ${COLUMNS.map(
      ({ name, isNumber, isLong, cell }) =>
        html`<td
          data-name="${name}"
          ${attributes({ class: isLong === true ? 'all' : isNumber === true ? 'right' : undefined })}
        >
          ${cell(row, most)}
        </td>`,
    )}
  </tr> `

function importanceCell({ importance }: SiteRowModel, most: number): Html {
  return html`${formatShare(importance)}${bar(importance / most)}`
}

const ROBOTS: ReadonlyMap<string, string> = tableOf({
  rules: 'has rules',
  'allow-all': 'allows all',
  'disallow-all': 'keeps us out',
  'not asked': 'not asked for yet',
})

/** What robots.txt came to, as the end of a sentence about it. */
export const robotsWords = (robots: string): Html => {
  const words = ROBOTS.get(robots)
  return words === undefined ? foreign(robots, 120) : html`${words}`
}

/** The rest between visits and where it comes from, then what troubles us. */
function politeness(row: SiteRowModel): Html {
  const wasVisited = row.lastVisitAt !== undefined
  if (!wasVisited && row.strikes === 0) return html`<span class="politeness">not visited</span>`
  const trouble = [
    row.strikes > 0 && `${counted(row.strikes, 'failure')} in a row`,
    row.backoffUntil !== undefined && html`away until ${moment(row.backoffUntil)}`,
  ].filter((one) => one !== false)
  return html`<span class="politeness"
      >${wasVisited ? `${formatDuration(row.delayMs)} between visits` : 'not visited'}${row.robots !== '' && html`, robots.txt ${robotsWords(row.robots)}`}</span
    >${trouble.length > 0 && html`<span class="trouble">${trouble.map((one, i) => [i > 0 && '; ', one])}</span>`}`
}
