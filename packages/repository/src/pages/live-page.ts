/**
 * Live page: a crawl as it goes. The server writes the newest numbers, so the page says something without a script and
 * comes again by itself; live.js then moves numbers and plots with what `/api/v1/live` sends.
 */
import { bigNumbers } from '../html/fact-list.ts'
import { counted, formatBytes, formatCount, formatRate, formatShare } from '../client/figures.js'
import { controlPanel } from './control-panel.ts'
import { attributes, html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { CrawlState, LiveSample, Statistics } from '../model/models.ts'
import { moment } from '../html/moment.ts'
import { outcomeTable } from './outcome-list.ts'
import { renderShell } from '../html/page-shell.ts'

export function renderLivePage(statistics: Statistics): string {
  const { crawl } = statistics
  const isRunning = crawl.kind !== 'none'
  return renderShell({
    title: isRunning ? 'Live' : 'No crawl is running',
    place: 'live',
    isWide: true,
    scripts: ['live.js'],
    refreshSeconds: 5,
    main: html`<div id="live" data-stream="/api/v1/live" data-state="${crawl.kind}">
      ${crawl.kind === 'none' ? atRest(statistics) : running(crawl, statistics)}
    </div>`,
  })
}

type Running = Exclude<CrawlState, { kind: 'none' }>

interface Plot {
  readonly title: string
  readonly unit: string
  /** Which members of a sample live.js draws, and their names where there are several. */
  readonly series: readonly (readonly [member: keyof LiveSample, name: string])[]
  readonly format: 'rate' | 'bytes' | 'count' | 'share'
  readonly number: (sample: LiveSample) => string
  readonly note: (sample: LiveSample) => string
}

const PLOTS: readonly Plot[] = [
  {
    title: 'Pages per second',
    unit: 'pages a second',
    series: [['pagesPerSecond', 'pages']],
    format: 'rate',
    number: ({ pagesPerSecond }) => formatRate(pagesPerSecond),
    note: ({ pages }) => `${formatCount(pages)} pages so far`,
  },
  {
    title: 'Bytes per second',
    unit: 'bytes a second',
    series: [['bytesPerSecond', 'bytes']],
    format: 'bytes',
    number: ({ bytesPerSecond }) => formatBytes(bytesPerSecond),
    note: ({ bytes }) => `${formatBytes(bytes)} so far`,
  },
  {
    title: 'Sites ready and waiting',
    unit: 'sites',
    series: [
      ['sitesReady', 'ready'],
      ['sitesWaiting', 'waiting'],
    ],
    format: 'count',
    number: ({ sitesReady, sitesWaiting }) => `${formatCount(sitesReady)} / ${formatCount(sitesWaiting)}`,
    note: ({ pagesWaiting }) => `${formatCount(pagesWaiting)} pages wait on them`,
  },
  {
    title: 'Importance found',
    unit: 'share of the links seen',
    series: [['importance', 'importance']],
    format: 'share',
    number: ({ importance }) => formatShare(importance),
    note: () => 'of the links seen lead to pages held',
  },
  {
    title: 'Not yet searchable',
    unit: 'pages',
    series: [['unindexed', 'pages']],
    format: 'count',
    number: ({ unindexed }) => formatCount(unindexed),
    note: () => 'pages held, on their way into the index',
  },
  {
    title: 'Visits that failed',
    unit: 'visits',
    series: [['errors', 'failures']],
    format: 'count',
    number: ({ errors }) => formatCount(sum(errors)),
    note: ({ visits }) => `${counted(visits, 'visit')} under way`,
  },
]

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0)

function running(crawl: Running, statistics: Statistics): Html {
  const { sample } = crawl
  const isClean = Object.keys(sample.errors).length === 0
  return html`<h1>${crawl.kind === 'paused' ? 'The crawl is paused' : 'The crawl, now'}</h1>
    <p class="lead">
      Running since ${moment(crawl.startedAt)}, as process ${crawl.pid}. <span id="live-status" role="status"></span>
    </p>
    ${sample.watch !== undefined && html`<p>It keeps the collection fresh: <a href="/freshness">see how well</a>.</p>`}
    <div class="plots">${PLOTS.map((plot) => plotFigure(plot, sample))}</div>
    <section>
      <h2>Failures by cause</h2>
      <div id="live-errors">
        <p class="none" ${attributes({ hidden: !isClean })}>None so far.</p>
        ${outcomeTable(sample.errors, 'Failures by cause', isClean)}
      </div>
    </section>
    ${controlPanel(crawl.kind)}
    <section>
      <h2>The whole collection</h2>
      ${stock(statistics)}
    </section>`
}

function plotFigure(plot: Plot, sample: LiveSample): Html {
  const series = plot.series.map(([member, name]) => `${member}:${name}`).join(' ')
  return html`<figure class="plot" data-series="${series}" data-format="${plot.format}" data-unit="${plot.unit}">
    <figcaption>
      <h2>${plot.title}</h2>
      <p class="now">${plot.number(sample)}</p>
      <p class="quiet note-now">${plot.note(sample)}</p>
    </figcaption>
  </figure> `
}

function atRest(statistics: Statistics): Html {
  const { outcomes } = statistics
  return html`<h1>No crawl is running</h1>
    <p class="lead">Start one that writes into this collection, and this page follows it:</p>
    <pre class="text" tabindex="0" aria-label="Command"><code>comity crawl https://example.org --into DIR</code></pre>
    <p>
      ${statistics.pages.waiting > 0 && `${formatCount(statistics.pages.waiting)} pages wait from the last one; it goes on where that stopped.`}
      <span id="live-status" role="status"></span>
    </p>
    <section>
      <h2>The whole collection</h2>
      ${stock(statistics)}
    </section>
    ${
      Object.keys(outcomes).length > 0 &&
      html`<section>
        <h2>How visits ended</h2>
        ${outcomeTable(outcomes, 'Outcomes of visits')}
      </section>`
    }`
}

function stock({ pages, sites, visitedSites, captures, warcBytes, index }: Statistics): Html {
  // Counting a large collection for the first time takes a while.
  const isCounted = pages.known > 0
  return html`${
    !isCounted && html`<p class="quiet">Pages and sites are being counted, or there are none yet.</p>`
  }${bigNumbers([
    ...(isCounted ? counts({ pages, sites, visitedSites, captures }) : []),
    ['of WARC files', formatBytes(warcBytes)],
    ['pages searchable', formatCount(index.documents)],
    ['of index', formatBytes(index.bytes)],
  ])}`
}

/** Most sites that are known were never asked for anything. */
const counts = ({
  pages,
  sites,
  visitedSites,
  captures,
}: Pick<Statistics, 'pages' | 'sites' | 'visitedSites' | 'captures'>): [string, string][] => [
  ['pages known', formatCount(pages.known)],
  ['visited', formatCount(pages.visited)],
  ['held', formatCount(pages.held)],
  ['waiting', formatCount(pages.waiting)],
  ['sites visited', formatCount(visitedSites)],
  ['merely linked', formatCount(Math.max(0, sites - visitedSites))],
  ['captures', formatCount(captures)],
]
