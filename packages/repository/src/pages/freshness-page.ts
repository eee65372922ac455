/**
 * Freshness page: how fresh the collection is, what that costs, and whom to believe. The server writes the newest
 * numbers, so the page says something without a script and comes again by itself; freshness.js then moves numbers and
 * plots with what `/api/v1/live` sends.
 */
import type { WatchSample } from '@comity/follow'
import { ownPath } from '../html/address.ts'
import { counted, formatCount, formatDuration, formatRate, formatShare } from '../client/figures.js'
import { GROUP_NAMES, needlessShare } from '../client/schemes.js'
import { bigNumbers } from '../html/fact-list.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { FreshnessModel, LiveSample, TruthSample } from '../model/models.ts'
import { moment } from '../html/moment.ts'
import { renderShell } from '../html/page-shell.ts'
import { pager } from '../html/pager.ts'
import { plotFigure } from '../html/plot-figure.ts'
import type { Plot } from '../html/plot-figure.ts'
import { signalTable, spendingTable, truthTable } from './spending-tables.ts'
import { trustTable } from './trust-table.ts'

export function renderFreshnessPage(model: FreshnessModel): string {
  const { crawl } = model
  const watching = crawl.kind !== 'none' && crawl.sample.watch !== undefined
  return renderShell({
    title: watching ? 'Freshness' : 'Nothing is kept fresh now',
    place: 'freshness',
    isWide: true,
    scripts: ['freshness.js'],
    refreshSeconds: 5,
    main: html`<div id="freshness" data-stream="/api/v1/live" data-state="${watching ? 'watch' : 'none'}">
      ${watching ? running(crawl.startedAt, crawl.sample) : atRest(model)}
      <section id="trust">
        <h2>Whom to believe</h2>
        ${trust(model)}
      </section>
    </div>`,
  })
}

function plotsOf(watch: WatchSample, truth: TruthSample | undefined): Plot[] {
  const all: (Plot | false)[] = [
    {
      name: 'freshness',
      title: truth === undefined ? 'Freshness, estimated' : 'Freshness, estimated and true',
      unit: 'share of the pages held',
      now: [watch.freshness, ...(truth === undefined ? [] : [truth.freshness])].map(formatShare).join(' / '),
      note: `of ${counted(watch.pages, 'page')} held, each by its importance`,
    },
    truth !== undefined && {
      name: 'truth',
      title: 'True freshness by kind of site',
      unit: 'share of the pages held',
      now: truth.groups.map(({ freshness }) => formatShare(freshness)).join(' / '),
      note: truth.groups.map(({ name }) => name).join(' / '),
    },
    {
      name: 'age',
      title: 'Age of the copies',
      unit: 'seconds',
      now: formatDuration(watch.ageSeconds * 1_000),
      note: 'since the first change not seen, in the mean; estimated',
    },
    {
      name: 'requests',
      title: 'Requests a second, by scheme',
      unit: 'requests a second',
      now: formatRate(0),
      note: `${formatCount(watch.requests)} so far; ${formatRate(watch.requestsPerSecond)} a second allowed`,
      legend: GROUP_NAMES,
    },
    {
      name: 'needless',
      title: 'Needless requests',
      unit: 'share of the requests',
      now: formatShare(needlessShare(watch)),
      note: `${formatCount(watch.needless)} visits found nothing new`,
    },
  ]
  return all.filter((plot) => plot !== false)
}

function running(startedAt: number, { watch, truth }: LiveSample): Html {
  if (watch === undefined) return html``
  return html`<h1>How fresh it is, now</h1>
    <p class="lead">
      Kept fresh since ${moment(startedAt)} by the policy ${watch.policy}, with ${formatRate(watch.requestsPerSecond)}
      requests a second. <span id="freshness-status" role="status"></span>
    </p>
    ${dayNote(watch)}
    <div class="plots">${plotsOf(watch, truth).map(plotFigure)}</div>
    ${
      truth !== undefined &&
      html`<section>
        <h2>Sites that help, and sites that do not</h2>
        <p>
          What is true of them, as their owner knows it, and what keeping up with them has cost since the watch began.
        </p>
        ${truthTable(truth)}
      </section>`
    }
    ${callsLine(watch)} ${spending(watch)}`
}

/** Those who push have a page of their own. */
function callsLine({ pushes }: WatchSample): Html {
  if (pushes === undefined) return html``
  const { perSecond, searchable, doors, subscriptions } = pushes
  return html`<section id="calls">
    <h2>Sites that push</h2>
    ${bigNumbers([
      ['pages and notices a second', formatRate(perSecond)],
      ['from change to searchable', searchable === undefined ? '–' : formatDuration(searchable.p50Ms)],
      ['waiting to be taken in', formatCount(doors?.waiting ?? 0)],
      ['sites subscribed to', formatCount(subscriptions.active)],
    ])}
    <p><a href="/calls">Who pushes, what came of it, and who is believed</a></p>
  </section>`
}

/** Rates and trust are told in days; in a demonstration those are short. */
function dayNote({ dayMs }: WatchSample): Html | false {
  return dayMs !== 86_400_000 && html`<p class="note">A day of this watch lasts ${formatDuration(dayMs)}.</p>`
}

function spending(watch: WatchSample): Html {
  return html`<section>
      <h2>What the budget was spent on</h2>
      ${spendingTable(watch)}
    </section>
    <section>
      <h2>What sites said</h2>
      ${signalTable(watch)}
    </section>`
}

function atRest({ crawl, last }: FreshnessModel): Html {
  return html`<h1>Nothing is kept fresh now</h1>
    <p class="lead">
      ${crawl.kind === 'none' ? 'No crawl is running.' : 'The crawl that is running only looks for new pages.'} Keep
      what is held fresh, and this page follows it:
    </p>
    <pre class="text" tabindex="0" aria-label="Command"><code>comity watch DIR --budget 5/s</code></pre>
    <p><span id="freshness-status" role="status"></span></p>
    ${
      last === undefined
        ? html`<p>Nobody has kept this collection fresh yet, so nothing is remembered of it.</p>`
        : html`<section>
              <h2>The last watch</h2>
              <p>
                It ended at ${moment(last.at)}, by the policy ${last.watch.policy}: ${formatShare(last.watch.freshness)}
                of ${counted(last.watch.pages, 'page')} were thought to be fresh, at a mean age of
                ${formatDuration(last.watch.ageSeconds * 1_000)}; ${counted(last.watch.requests, 'request')},
                ${formatShare(needlessShare(last.watch))} of them needless.
              </p>
              ${dayNote(last.watch)}
              ${last.watch.pushes !== undefined && html`<p><a href="/calls">What sites sent that push</a></p>`}
            </section>
            ${spending(last.watch)}`
    }`
}

const USUAL_LIMIT = 50

function trust(model: FreshnessModel): Html {
  const { sites, total, ordinary, limit } = model
  const rest =
    ordinary > 0 &&
    html`<p class="quiet">
      ${counted(ordinary, 'site')} more ${ordinary === 1 ? 'has' : 'have'} nothing but pages, which are visited by their
      own histories.
    </p>`
  if (total === 0)
    return html`<p>No site is known that tells crawlers of its changes.</p>
      ${rest}`
  return html`<p>
      ${counted(total, 'site')} ${total === 1 ? 'helps' : 'help'} crawlers. What a site says is believed as far as
      visits have shown it right.
    </p>
    ${trustTable(sites)} ${rest}
    ${pager({ ...model, shown: sites.length }, (offset) => ownPath('/freshness', { offset, limit: limit === USUAL_LIMIT ? undefined : limit }))}`
}
