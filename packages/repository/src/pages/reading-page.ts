/**
 * Reading page: what gateways saw people read (001 §IV): now and over time, what of it no link leads to, which requests of a
 * crawler it saved, and what each gateway shipped and left out. Of readers it can say how many there were, as nothing else is
 * known of them.
 */
import { GATEWAY_OUTCOMES } from '@comity/ingest'
import { isFaultFigure } from '@comity/protocol'
import { bar } from '../html/bar.ts'
import { counted, formatBytes, formatCount, formatShare } from '../client/figures.js'
import { bigNumbers } from '../html/fact-list.ts'
import { foreign, pageLink, readableUrl } from '../html/foreign-text.ts'
import { hourChart } from '../html/hour-chart.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { GatewayModel, ReadingModel, ReadPageModel } from '../model/models.ts'
import { moment } from '../html/moment.ts'
import { renderShell } from '../html/page-shell.ts'
import { programTables } from './program-tables.ts'

const HOUR_MS = 3_600_000
const [DAY_HOURS, LEAST_HOURS, MOST_HOURS] = [24, 24, 720]

export function renderReadingPage(model: ReadingModel): string {
  const isQuiet = model.gateways.length === 0
  return renderShell({
    title: isQuiet ? 'No gateway was heard' : 'Reading',
    place: 'reading',
    isWide: true,
    refreshSeconds: 30,
    main: isQuiet ? quiet() : heard(model),
  })
}

function quiet(): Html {
  return html`<h1>No gateway was heard</h1>
    <p class="lead">
      Gateways index what people read as it passes them, with no crawling. List them with their keys and hosts, and hear
      them:
    </p>
    <pre
      class="text"
      tabindex="0"
      aria-label="Command"
    ><code>comity watch DIR --listen 8091 --gateways gateways.json</code></pre>`
}

function heard(model: ReadingModel): Html {
  const { now, hours, gateways, pages } = model
  const hour = Math.floor(now / HOUR_MS)
  const today = hours.filter((one) => one.hour > hour - DAY_HOURS).reduce((sum, { people }) => sum + people, 0)
  return html`<h1>Reading</h1>
    <p class="lead">
      What gateways saw pass: pages as people read them, indexed without a request. Of readers nothing is known but how
      many there were.
    </p>
    ${bigNumbers([
      ['pages that were read', formatCount(pages)],
      ['readings in a day', formatCount(today)],
      ['requests avoided', formatCount(sum(gateways, ({ avoidedRequests }) => avoidedRequests))],
      ['shipped, of the HTML seen', ratio(gateways)],
    ])}
    <section id="now">
      <h2>Reading now</h2>
      ${pageTable(model.recent, 'Pages read in this hour and the one before', 'Nobody reads in this hour, as far as gateways told.')}
    </section>
    <section id="over-time">
      <h2>Hit frequency over time</h2>
      ${overTime(model, hour)}
    </section>
    <section id="unfound">
      <h2>What crawlers could never find</h2>
      ${unfound(model)}
    </section>
    <section id="avoided">
      <h2>Crawler traffic avoided</h2>
      ${avoided(gateways)}
    </section>
    <section id="gateways">
      <h2>Gateways</h2>
      ${gatewayTable(gateways)}
    </section>
    ${
      model.programs !== undefined &&
      html`<section id="programs">
        <h2>Programs that gateways run</h2>
        ${programTables(model.programs)}
      </section>`
    }`
}

const sum = (gateways: readonly GatewayModel[], of: (gateway: GatewayModel) => number): number =>
  gateways.reduce((total, gateway) => total + of(gateway), 0)

const shareOf = (part: number, whole: number): string => (whole > 0 ? formatShare(part / whole) : '–')

const ratio = (gateways: readonly GatewayModel[]): string =>
  shareOf(
    sum(gateways, ({ bytes }) => bytes),
    sum(gateways, ({ htmlBytes }) => htmlBytes),
  )

function pageTable(pages: readonly ReadPageModel[], caption: string, none: string): Html {
  if (pages.length === 0) return html`<p>${none}</p>`
  return html`<table class="cards reading">
    <caption class="unseen">
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Page</th>
        <th scope="col" class="right">People</th>
        <th scope="col" class="right">Robots</th>
        <th scope="col">Last read</th>
      </tr>
    </thead>
    <tbody>
      ${pages.map(
        (page) =>
          html`<tr>
            <th scope="row">
              ${pageLink(page)}<br /><span class="quiet">${foreign(readableUrl(page.url), 120)}</span>
            </th>
            <td data-name="People" class="right">${formatCount(page.people)}</td>
            <td data-name="Robots" class="right">${formatCount(page.robots)}</td>
            <td data-name="Last read">${moment(page.lastAt)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`
}

function overTime({ hours }: ReadingModel, hour: number): Html {
  const [first] = hours
  if (first === undefined) return html`<p>Nothing was counted yet.</p>`
  const span = Math.min(MOST_HOURS, Math.max(LEAST_HOURS, hour - first.hour + 1))
  return html`<figure class="plot wide">
    <figcaption>
      <p class="quiet">Hits an hour, of all pages together.</p>
      <ul class="legend">
        <li class="people">people</li>
        <li class="robots">robots</li>
      </ul>
    </figcaption>
    ${hourChart(hours, hour, span)}
  </figure>`
}

function unfound({ unfound: pages, unfoundTotal, pages: all }: ReadingModel): Html {
  const caption = 'Pages that people read and no link leads to, the most read first'
  return html`<p>
      ${unfoundTotal === 0 ? 'No page' : counted(unfoundTotal, 'page')} of ${formatCount(all)} that were read: no page
      of the collection links there, and nobody named it as a start
      page.${unfoundTotal > pages.length && html` The ${formatCount(pages.length)} most read:`}
    </p>
    ${pages.length > 0 && pageTable(pages, caption, '')}`
}

function avoided(gateways: readonly GatewayModel[]): Html {
  const requests = sum(gateways, ({ avoidedRequests }) => avoidedRequests)
  const bytes = sum(gateways, ({ avoidedBytes }) => avoidedBytes)
  const counts = GATEWAY_OUTCOMES.map(
    ([name, words]) => [name, words, sum(gateways, ({ outcomes }) => outcomes[name] ?? 0)] as const,
  ).filter(([, , count]) => count > 0)
  return html`<p>
      About ${counted(requests, 'request')} and ${formatBytes(bytes)} of pages: one request for each page that was
      taken, and one a day for each that was seen to be as it is held; bytes by the mean page of its batch.
    </p>
    <table class="spending cards" id="by-outcome">
      <caption class="unseen">
        What gateways told, by what came of it
      </caption>
      <thead>
        <tr>
          <th scope="col">What came of it</th>
          <th scope="col" class="right">Rows</th>
          <th scope="col">Which is</th>
        </tr>
      </thead>
      <tbody>
        ${counts.map(
          ([name, words, count]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td data-name="Rows" class="right">${formatCount(count)}</td>
              <td class="all quiet">${words}</td>
            </tr> `,
        )}
      </tbody>
    </table>`
}

function gatewayTable(gateways: readonly GatewayModel[]): Html {
  return html`<table class="cards gateways">
    <caption class="unseen">
      Gateways
    </caption>
    <thead>
      <tr>
        <th scope="col">Gateway</th>
        <th scope="col">Last batch</th>
        <th scope="col" class="right">Batches</th>
        <th scope="col" class="right">Shipped</th>
        <th scope="col" class="right">Hits</th>
        <th scope="col">Left out there</th>
      </tr>
    </thead>
    <tbody>
      ${gateways.map(gatewayRow)}
    </tbody>
  </table>`
}

const gatewayRow = (gateway: GatewayModel): Html =>
  html`<tr>
    <th scope="row">${foreign(gateway.name, 64)}</th>
    <td data-name="Last batch">${moment(gateway.lastAt)}</td>
    <td data-name="Batches" class="right">
      ${formatCount(gateway.batches)}${gateway.repeated > 0 && html` <span class="quiet">+ ${formatCount(gateway.repeated)} again</span>`}
    </td>
    <td data-name="Shipped" class="right">
      ${formatBytes(gateway.bytes)}
      ${gateway.htmlBytes > 0 && html`<span class="quiet">${shareOf(gateway.bytes, gateway.htmlBytes)} of the HTML</span>`}
    </td>
    <td data-name="Hits" class="right">
      ${formatCount(gateway.people)} <span class="quiet">+ ${formatCount(gateway.robots)} by robots</span>
    </td>
    <td class="all">${leftOut(gateway)}</td>
  </tr> `

/** Of all that went by. */
function leftOut({ skipped, pages }: GatewayModel): Html {
  // Faults of programs are no pages.
  const named = Object.entries(skipped).filter(([reason]) => !isFaultFigure(reason))
  const reasons = named.toSorted(([, a], [, b]) => b - a)
  const left = reasons.reduce((total, [, count]) => total + count, 0)
  const all = left + pages
  if (left === 0) return html`nothing`
  return html`<details>
    <summary>${shareOf(left, all)} of ${formatCount(all)}</summary>
    <ul class="shares">
      ${reasons.map(([reason, count]) => html`<li>${foreign(reason, 40)} ${shareOf(count, all)} ${bar(count / all)}</li> `)}
    </ul>
  </details>`
}
