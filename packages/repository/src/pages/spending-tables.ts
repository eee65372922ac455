/**
 * Spending tables: what keeping fresh cost and brought, by scheme, by what sites said, and, where the truth is known, by
 * kind of site. Every row that there can be is written, those without numbers hidden, so that a script only has to fill
 * them in.
 */
import type { WatchSample } from '@comity/follow'
import { ownValue } from '@comity/protocol'
import { bar } from '../html/bar.ts'
import { formatBytes, formatCount, formatDuration, formatShare } from '../client/figures.js'
import { foreign } from '../html/foreign-text.ts'
import { attributes, html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { TruthGroup, TruthSample } from '../model/models.ts'
import { CHANNELS, SCHEMES } from './scheme-words.ts'

const NOTHING = { requests: 0, bytes: 0, changed: 0, unchanged: 0 }

export function spendingTable({ schemes }: WatchSample): Html {
  const most = Math.max(1, ...Object.values(schemes).map(({ requests }) => requests))
  return html`<table class="spending cards" id="by-scheme">
    <caption class="unseen">
      Requests by scheme
    </caption>
    <thead>
      <tr>
        <th scope="col">Scheme</th>
        <th scope="col" class="right">Requests</th>
        <th scope="col" class="right">Bytes</th>
        <th scope="col" class="right">Changed</th>
        <th scope="col" class="right">Unchanged</th>
        <th scope="col">Which is</th>
      </tr>
    </thead>
    <tbody>
      ${SCHEMES.map(([name, words]) => {
        const { requests, bytes, changed, unchanged } = ownValue(schemes, name) ?? NOTHING
        return html`<tr data-row="${name}" ${attributes({ hidden: requests + changed + unchanged === 0 })}>
          <th scope="row">${name}</th>
          ${number('Requests', formatCount(requests), bar(requests / most))} ${number('Bytes', formatBytes(bytes))}
          ${number('Changed', formatCount(changed))} ${number('Unchanged', formatCount(unchanged))}
          <td class="all quiet">${words}</td>
        </tr> `
      })}
    </tbody>
  </table>`
}

export function signalTable({ signals }: WatchSample): Html {
  return html`<p class="none" ${attributes({ hidden: Object.keys(signals).length > 0 })}>Nothing so far.</p>
    <table class="spending cards" id="by-channel" ${attributes({ hidden: Object.keys(signals).length === 0 })}>
      <caption class="unseen">
        What sites said, by channel
      </caption>
      <thead>
        <tr>
          <th scope="col">Channel</th>
          <th scope="col" class="right">News</th>
          <th scope="col" class="right">Known already</th>
          <th scope="col">Which is</th>
        </tr>
      </thead>
      <tbody>
        ${CHANNELS.map(([name, words]) => {
          const { news, known } = ownValue(signals, name) ?? { news: 0, known: 0 }
          return html`<tr data-row="${name}" ${attributes({ hidden: news + known === 0 })}>
            <th scope="row">${name}</th>
            ${number('News', formatCount(news))} ${number('Known', formatCount(known))}
            <td class="all quiet">${words}</td>
          </tr> `
        })}
      </tbody>
    </table>`
}

/** The eye sees it in the bars: how fresh each kind is, and what a change that was there to be found has cost. */
export function truthTable({ groups }: TruthSample): Html {
  return html`<table class="truth cards" id="by-kind">
    <caption class="unseen">
      Sites that help, and sites that do not
    </caption>
    <thead>
      <tr>
        <th scope="col">Sites</th>
        <th scope="col" class="right">Fresh, truly</th>
        <th scope="col" class="right">Age</th>
        <th scope="col" class="right">Pages</th>
        <th scope="col" class="right">Changes</th>
        <th scope="col" class="right">Requests</th>
        <th scope="col" class="right">Bytes</th>
      </tr>
    </thead>
    <tbody>
      ${groups.map(groupRow)}
    </tbody>
  </table>`
}

const groupRow = (group: TruthGroup): Html =>
  html`<tr>
    <th scope="row">${foreign(group.name, 60)} <span class="quiet">(${formatCount(group.sites)})</span></th>
    ${number('Fresh', formatShare(group.freshness), bar(group.freshness))}
    ${number('Age', formatDuration(group.ageSeconds * 1_000))} ${number('Pages', formatCount(group.pages))}
    ${number('Changes', formatCount(group.changes))} ${number('Requests', formatCount(group.requests))}
    ${number('Bytes', formatBytes(group.bytes))}
  </tr> `

const number = (name: string, text: string, more: Html | false = false): Html =>
  html`<td data-name="${name}" class="right"><span>${text}</span>${more}</td>`
