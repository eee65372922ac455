/**
 * Push tables: what came of what sites sent, what was refused and why, and who pushes. Of the first two every row that there
 * can be is written, those without numbers hidden, so that a script only has to fill them in.
 */
import { LETTER_KINDS } from '@comity/collection'
import type { DeadLetterGroup } from '@comity/collection'
import { INTAKE_OUTCOMES } from '@comity/ingest'
import type { PushFigures } from '@comity/follow'
import { ownValue } from '@comity/protocol'
import { believed, pushWords, comparison } from './push-words.ts'
import { formatCount, formatRate } from '../client/figures.js'
import { foreign, siteLink } from '../html/foreign-text.ts'
import { attributes, html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { PushRowModel } from '../model/models.ts'
import { moment } from '../html/moment.ts'
import { PUSH_REFUSALS } from '@comity/receiver'

type Row = readonly [name: string, words: string]

const REFUSALS: readonly Row[] = Object.entries(PUSH_REFUSALS).map(([kind, [status, title]]) => [
  kind,
  `${title} (${status})`,
])

export function intakeTable({ outcomes }: PushFigures): Html {
  const caption = 'Pages and notices, by what came of them'
  return countTable({ id: 'by-outcome', caption, head: ['What came of it', 'Pages'], rows: INTAKE_OUTCOMES }, outcomes)
}

export function refusalTable({ doors }: PushFigures): Html {
  const caption = 'Requests that were refused, by reason'
  const table = { id: 'by-refusal', caption, head: ['Reason', 'Requests'], rows: REFUSALS } as const
  return countTable(table, doors?.refused ?? {})
}

interface CountTable {
  readonly id: string
  readonly caption: string
  readonly head: readonly [name: string, count: string]
  readonly rows: readonly Row[]
}

function countTable({ id, caption, head, rows }: CountTable, counts: Readonly<Record<string, number>>): Html {
  const of = (name: string): number => ownValue(counts, name) ?? 0
  const isEmpty = rows.every(([name]) => of(name) === 0)
  return html`<p class="none" ${attributes({ hidden: !isEmpty })}>None so far.</p>
    <table class="spending cards" id="${id}" ${attributes({ hidden: isEmpty })}>
      <caption class="unseen">
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${head[0]}</th>
          <th scope="col" class="right">${head[1]}</th>
          <th scope="col">Which is</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, words]) =>
            html`<tr data-row="${name}" ${attributes({ hidden: of(name) === 0 })}>
              <th scope="row">${name}</th>
              <td data-name="${head[1]}" class="right"><span>${formatCount(of(name))}</span></td>
              <td class="all quiet">${words}</td>
            </tr> `,
        )}
      </tbody>
    </table>`
}

/** What was kept aside, by kind and reason. */
export function letterTable(groups: readonly DeadLetterGroup[]): Html {
  return html`<table class="trust cards">
    <caption class="unseen">
      Dead letters, by reason
    </caption>
    <thead>
      <tr>
        <th scope="col">What it was</th>
        <th scope="col" class="right">Letters</th>
        <th scope="col">The newest</th>
        <th scope="col">Why</th>
      </tr>
    </thead>
    <tbody>
      ${groups.slice(0, MOST_GROUPS).map(letterRow)}
    </tbody>
  </table>`
}

const MOST_GROUPS = 20

const letterRow = ({ kind, reason, count, newest }: DeadLetterGroup): Html =>
  html`<tr>
    <th scope="row">${LETTER_KINDS[kind]}</th>
    <td data-name="Letters" class="right">${formatCount(count)}</td>
    <td class="all">
      ${newest.name}, ${moment(newest.at)}<br />
      ${foreign(newest.url ?? newest.from ?? newest.origin ?? '', 200)}
    </td>
    <td class="all">${foreign(reason, 400)}</td>
  </tr> `

export function pushingSiteTable(sites: readonly PushRowModel[]): Html {
  return html`<table class="trust cards">
      <caption class="unseen">
        Sites that push
      </caption>
      <thead>
        <tr>
          <th scope="col">Site</th>
          <th scope="col">Sends</th>
          <th scope="col" class="right">Came</th>
          <th scope="col">Last</th>
          <th scope="col" class="right">Worth</th>
          <th scope="col" class="right">Other pages</th>
          <th scope="col">Believed?</th>
        </tr>
      </thead>
      <tbody>
        ${sites.map(pushingSiteRow)}
      </tbody>
    </table>
    <p class="quiet">
      Came: pages and notices. Worth: importance times change, by which those are chosen who may call. Other pages: of
      those that were fetched too, those that were not as they had been sent.
    </p>`
}

const pushingSiteRow = ({ origin, calls }: PushRowModel): Html =>
  html`<tr>
    <th scope="row">${siteLink(origin)}</th>
    <td data-name="Sends">${pushWords(calls)}</td>
    <td data-name="Came" class="right">${formatCount(calls.heard)}</td>
    <td data-name="Last">${last(calls)}</td>
    <td data-name="Worth" class="right">${formatRate(calls.worth)}</td>
    <td data-name="Other pages" class="right">${comparison(calls)}</td>
    <td class="all">
      ${believed(calls)}
      <details>
        <summary>Why?</summary>
        <ul>
          ${calls.why.map((sentence) => html`<li>${foreign(sentence, 400)}</li> `)}
        </ul>
      </details>
    </td>
  </tr> `

function last({ lastAt, door }: PushRowModel['calls']): Html {
  if (lastAt === undefined) return html`<span class="quiet">never</span>`
  return html`${moment(lastAt)}${door !== undefined && html` <span class="quiet">by ${foreign(door, 40)}</span>`}`
}
