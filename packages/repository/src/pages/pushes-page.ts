/**
 * Pushes page: sites that send what changed instead of being asked. How much comes and how much waits, how soon a change can
 * be found, what was refused and why, who pushes and who is believed. The server writes the newest numbers, so the page says
 * something without a script and comes again by itself; freshness.js then moves them with what `/api/v1/live` sends.
 */
import type { PushFigures } from '@comity/follow'
import { ownPath } from '../html/address.ts'
import { pushingSiteTable, intakeTable, letterTable, refusalTable } from './push-tables.ts'
import { counted, formatBytes, formatCount, formatDuration, formatRate } from '../client/figures.js'
import { bigNumbers } from '../html/fact-list.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { PushesModel } from '../model/models.ts'
import { moment } from '../html/moment.ts'
import { renderShell } from '../html/page-shell.ts'
import { pager } from '../html/pager.ts'
import { plotFigure } from '../html/plot-figure.ts'
import type { Plot } from '../html/plot-figure.ts'

export function renderPushesPage(model: PushesModel): string {
  const { crawl, last } = model
  const pushes = crawl.kind === 'none' ? undefined : crawl.sample.watch?.pushes
  const state = pushes === undefined ? 'none' : 'watch'
  return renderShell({
    title: pushes === undefined ? 'Nobody is listened to now' : 'Sites that push',
    place: 'freshness',
    isWide: true,
    scripts: ['freshness.js'],
    refreshSeconds: 5,
    main: html`<p class="eyebrow"><a href="/freshness">Freshness</a></p>
      <div id="freshness" data-stream="/api/v1/live" data-state="${state}" data-of="pushes">
        ${pushes === undefined ? atRest(last) : running(pushes)} ${keptAside(model.deadLetters)}
        <section id="trust">
          <h2>Who pushes, and who is believed</h2>
          ${callers(model)}
        </section>
      </div>`,
  })
}

function running(pushes: PushFigures): Html {
  return html`<h1>Sites that push</h1>
    <p class="lead">
      They send what changed, and are not asked for it; each is heard as far as it is worth it, and believed as far as
      what it sends is what it serves. <span id="freshness-status" role="status"></span>
    </p>
    <div class="plots">${plotsOf(pushes).map(plotFigure)}</div>
    <section id="calls">
      <h2>Who is heard</h2>
      ${subscriptionLine(pushes)}
    </section>
    ${counts(pushes)}`
}

function plotsOf({ perSecond, searchable, doors, bytes, delayP50Ms, delayP99Ms }: PushFigures): Plot[] {
  return [
    {
      name: 'calls',
      title: 'Pages and notices a second',
      unit: 'pages and notices a second',
      now: formatRate(perSecond),
      note: `${formatBytes(bytes)} so far`,
    },
    {
      name: 'searchable',
      title: 'From change to searchable',
      unit: 'seconds',
      now: searchable === undefined ? '–' : [searchable.p50Ms, searchable.p99Ms].map(formatDuration).join(' / '),
      note: 'half of them, and 99 of 100; from the change at the site, by its own word',
    },
    {
      name: 'taken',
      title: 'From arrival to taken in',
      unit: 'seconds',
      now: [delayP50Ms, delayP99Ms].map(formatDuration).join(' / '),
      note: 'half of them, and 99 of 100',
    },
    {
      name: 'waiting',
      title: 'Waiting to be taken in',
      unit: 'requests',
      now: formatCount(doors?.waiting ?? 0),
      note: 'accepted, and safe on the disk',
    },
  ]
}

function subscriptionLine({ subscriptions: { active, asked }, doors }: PushFigures): Html {
  return html`<p>
    ${counted(active, 'site is', 'sites are')} subscribed
    to${asked > 0 && `, and ${counted(asked, 'hub has', 'hubs have')} yet to say yes`}.
    ${
      doors !== undefined &&
      html`${counted(doors.accepted, 'request')} with ${formatBytes(doors.acceptedBytes)}
      ${doors.accepted === 1 ? 'was' : 'were'}
      accepted${ways(doors.byDoor)}${
        doors.pending > 0 && html`; ${counted(doors.pending, 'notice waits', 'notices wait')} for a key file`
      }.`
    }
  </p>`
}

const ways = (byDoor: Readonly<Record<string, number>>): string => {
  const some = Object.entries(byDoor).map(([door, requests]) => `${formatCount(requests)} by ${door}`)
  return some.length === 0 ? '' : `: ${some.join(', ')}`
}

function counts(pushes: PushFigures): Html {
  return html`<section>
      <h2>What came of it</h2>
      ${intakeTable(pushes)}
    </section>
    <section>
      <h2>What was refused</h2>
      ${refusalTable(pushes)}
    </section>`
}

function atRest(last: PushesModel['last']): Html {
  const pushes = last?.watch.pushes
  return html`<h1>Nobody is listened to now</h1>
    <p class="lead">
      Keep the collection fresh with an endpoint open, and sites that can push do so; the rest is asked:
    </p>
    <pre class="text" tabindex="0" aria-label="Command"><code>comity watch DIR --listen 8091</code></pre>
    <p><span id="freshness-status" role="status"></span></p>
    ${
      pushes !== undefined &&
      html`<section>
          <h2>The last watch</h2>
          <p>It ended at ${moment(last!.at)}.</p>
          ${bigNumbers([
            ['pages and notices', formatCount(sum(pushes.outcomes))],
            ['bytes', formatBytes(pushes.bytes)],
            ['sites subscribed to', formatCount(pushes.subscriptions.active)],
            [
              'from change to searchable',
              pushes.searchable === undefined ? '–' : formatDuration(pushes.searchable.p50Ms),
            ],
          ])}
        </section>
        ${counts(pushes)}`
    }`
}

/** Nothing, where there is nothing to say. */
function keptAside({ total, held, retried, groups }: PushesModel['deadLetters']): Html | false {
  if (held === 0) return false
  return html`<section id="letters">
    <h2>What we failed on</h2>
    <p>
      ${counted(held, 'thing')}${total > held && `, the newest of ${formatCount(total)},`} ${held === 1 ? 'is' : 'are'}
      kept aside as dead letters, for a fault of our own: a page, what a site sent, a record of an
      archive.${retried > 0 && ` ${counted(retried, 'is', 'are')} to be tried again.`} These are the newest, by reason;
      the command shows each, tries it again, or drops it:
    </p>
    <pre class="text" tabindex="0" aria-label="Command"><code>comity letters DIR</code></pre>
    ${letterTable(groups)}
  </section>`
}

const sum = (all: Readonly<Record<string, number>>): number => Object.values(all).reduce((a, b) => a + b, 0)

const USUAL_LIMIT = 50

function callers(model: PushesModel): Html {
  const { sites, total, limit } = model
  if (total === 0) return html`<p>No site is known that pushes, or offers to.</p>`
  return html`${pushingSiteTable(sites)}
  ${pager({ ...model, shown: sites.length }, (offset) => ownPath('/calls', { offset, limit: limit === USUAL_LIMIT ? undefined : limit }))}`
}
