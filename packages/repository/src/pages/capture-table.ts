/**
 * Capture table: every observation of a page, newest first, as rows and as a strip of time. Two of those whose body is
 * held can be chosen and compared: two columns of radio buttons and a GET form, so it works without a script.
 */
import { tableOf } from '@comity/protocol'
import { ownPath } from '../html/address.ts'
import { counted, formatBytes } from '../client/figures.js'
import { foreign } from '../html/foreign-text.ts'
import { attributes, html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { CaptureModel, PageModel } from '../model/models.ts'
import { day, moment } from '../html/moment.ts'
import { outcomeSentence } from './outcome-list.ts'

const MAX_ROWS = 60

export function captureTable(page: PageModel): Html {
  if (page.captures.length === 0) return html`<p>It was not visited yet.</p>`
  const newestFirst = page.captures.toSorted((a, b) => b.at - a.at)
  const shown = newestFirst.slice(0, MAX_ROWS)
  const comparable = page.noarchive ? [] : shown.filter(({ hasBody }) => hasBody)
  const choice = comparable.length < 2 ? undefined : firstChoice(comparable)
  const table = html`<table class="captures cards">
      <caption class="unseen">
        Captures, newest first
      </caption>
      <thead>
        <tr>
          ${
            choice !== undefined &&
            html`<th scope="col">From</th>
              <th scope="col">To</th>`
          }
          <th scope="col">When</th>
          <th scope="col">Outcome</th>
          <th scope="col">Learnt by</th>
          <th scope="col" class="right">Size</th>
          <th scope="col">Content</th>
          <th scope="col">Copy</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map((capture, i) => row(page, capture, contentBefore(newestFirst, i), choice))}
      </tbody>
    </table>
    ${newestFirst.length > shown.length && html`<p class="quiet">${counted(newestFirst.length - shown.length, 'older capture')} not listed.</p>`}`
  if (choice === undefined) return html`${timeStrip(newestFirst)}${table}`
  return html`${timeStrip(newestFirst)}
    <form action="/page/difference" method="get">
      <input type="hidden" name="key" value="${page.key}" />
      ${table}
      <p><button>Compare the two chosen</button></p>
    </form>`
}

/** The newest capture that may be shown. */
export const newestShown = ({ captures, noarchive }: PageModel): CaptureModel | undefined =>
  noarchive
    ? undefined
    : captures.reduce<CaptureModel | undefined>(
        (best, one) => (one.hasBody && (best === undefined || one.at > best.at) ? one : best),
        undefined,
      )

interface Choice {
  readonly from: number
  readonly to: number
}

/** The newest, and the newest before it that differs, as that is what most want to see. */
function firstChoice([newest, ...older]: readonly CaptureModel[]): Choice {
  const other = older.find(({ digest }) => digest !== newest!.digest) ?? older[0]!
  return { from: other.at, to: newest!.at }
}

function row(page: PageModel, capture: CaptureModel, before: string | undefined, choice: Choice | undefined): Html {
  const radios =
    choice !== undefined &&
    html`<td class="pick">${radio('from', capture, choice.from)}</td>
      <td class="pick">${radio('to', capture, choice.to)}</td>`
  const sentence = outcomeSentence(capture.outcome)
  return html`<tr>${radios}<th scope="row">${moment(capture.at)}</th>
<td data-name="Outcome"><span${attributes({ title: sentence === '' ? undefined : sentence })}>${foreign(capture.outcome, 60)}${capture.status > 0 && ` ${capture.status}`}</span></td>
<td data-name="Learnt by">${sourceWords(capture.source)}${capture.scheme !== undefined && html`, ${foreign(capture.scheme, 40)}`}</td>
<td data-name="Size" class="right">${formatBytes(capture.bytes)}</td>
<td data-name="Content">${contentWord(capture, before)}</td>
<td data-name="Copy">${copyCell(page, capture)}</td></tr>
`
}

const SOURCES: ReadonlyMap<string, string> = tableOf({
  crawl: 'fetched by a crawl',
  push: 'sent by the site',
  gateway: 'seen at a gateway',
  dump: 'in a package of the site',
})

export const sourceWords = (source: string): Html => {
  const words = SOURCES.get(source)
  return words === undefined ? foreign(source, 60) : html`${words}`
}

function radio(name: 'from' | 'to', { at, hasBody }: CaptureModel, chosen: number): Html | false {
  if (!hasBody) return false
  const label = html`<span class="word">${name === 'from' ? 'From' : 'To'}</span
    ><span class="unseen"> ${moment(at)}</span>`
  return html`<label
    ><input type="radio" name="${name}" value="${at}" ${attributes({ checked: at === chosen })} /> ${label}</label
  >`
}

/** The digest of the last capture before that had content: a failed visit in between changes nothing. */
const contentBefore = (newestFirst: readonly CaptureModel[], i: number): string | undefined =>
  newestFirst.slice(i + 1).find(({ digest }) => digest !== undefined)?.digest

function contentWord({ digest }: CaptureModel, before: string | undefined): Html {
  if (digest === undefined) return html`<span class="quiet">none</span>`
  const short = html`<code title="${digest}">${digest.replace(/^[^:]*:/, '').slice(0, 8)}</code>`
  if (before === undefined) return html`${short} first`
  return before === digest ? html`${short} <span class="quiet">same</span>` : html`${short} <b>new</b>`
}

function copyCell({ key, noarchive }: PageModel, { at, hasBody }: CaptureModel): Html {
  if (!hasBody) return html`<span class="quiet">not held</span>`
  if (noarchive) return html`<span class="quiet">noarchive</span>`
  return html`<a href="${ownPath('/page/copy', { key, near: at })}"
    >View<span class="unseen"> the copy of ${moment(at)}</span></a
  >`
}

/** All captures on one line from the first to the last: full dots where the content was new, open ones where not. */
function timeStrip(newestFirst: readonly CaptureModel[]): Html | false {
  const [first, last] = [newestFirst.at(-1)!, newestFirst[0]!]
  const span = last.at - first.at
  if (!(span > 0 && Number.isFinite(span))) return false
  const dots = newestFirst.slice(0, 200).map((capture, i) => {
    const isNew = capture.digest !== undefined && capture.digest !== contentBefore(newestFirst, i)
    return html`<circle
      cx="${(2 + (96 * (capture.at - first.at)) / span).toFixed(2)}%"
      cy="12"
      r="5"
      class="${isNew ? 'new' : 'old'}"
    />`
  })
  return html`<figure class="strip">
    <svg width="100%" height="24" role="img" aria-label="Captures in time: a full dot where the content was new">
      <line x1="2%" x2="98%" y1="12" y2="12" />
      ${dots.toReversed()}
    </svg>
    <figcaption>
      <span>${day(first.at)}</span><span>● new content ○ the same, or none</span><span>${day(last.at)}</span>
    </figcaption>
  </figure>`
}
