/**
 * Ledger page: the ledger for people, one HTML page without scripts, and for programs, JSON. It shows what crawlers ask for:
 * show it to the owner, not to the world.
 */
import { xmlText } from '@comity/protocol'
import type { Instant, RobotKind } from '@comity/protocol'
import { bytesText, costSection, count, defaultPrices, STYLE_OF_COSTS } from './cost-section.ts'
import type { Prices } from './cost-section.ts'
import { CrawlerWeek } from './crawler-week.ts'
import type { WeekOfCrawlers } from './crawler-week.ts'
import { sumOf } from './ledger.ts'
import type { LedgerRows, LedgerCounts, LedgerRow, LedgerScheme } from './ledger.ts'

const TITLES: Readonly<Record<LedgerScheme, string>> = {
  page: 'whole page',
  head: 'head only',
  'not-modified': 'not modified',
  difference: 'difference',
  dictionary: 'difference by dictionary',
  robots: 'robots.txt',
  sitemap: 'sitemap',
  archives: 'metadata archive',
  'robots-rdf': 'robots.rdf',
  resourcesync: 'resource and change list',
  dump: 'dump',
  wacz: 'web archive',
  catalog: 'catalog',
  batch: 'batch of pages',
  changes: 'filtered changes',
  push: 'subscription',
  events: 'stream of changes',
  keys: 'keys of the site',
  'sent-changes': 'sent: changes',
  'sent-differences': 'sent: differences',
  'sent-pages': 'sent: changed pages',
  'sent-batches': 'sent: batches',
  'sent-site': 'sent: entire site',
  'sent-agent': 'sent: by an agent',
}

const KIND_WORDS: Readonly<Record<RobotKind, string>> = {
  crawler: 'crawler',
  'feed-reader': 'feed reader',
  preview: 'preview',
  tool: 'tool',
}

const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --text: #1b1f24; --quiet: #57606a; --rule: #d5d9de; --good: #10694f; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171c; --text: #e6e9ed; --quiet: #9ca6b2; --rule: #343b45; --good: #68e8cd; } }
body { margin: 0; background: var(--paper); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .5rem; }
p { max-width: 44rem; margin: 0 0 1rem; }
.quiet { color: var(--quiet); }
.sum { font-size: 1.15rem; }
.sum b { color: var(--good); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
caption { text-align: left; padding: 0 0 .5rem; color: var(--quiet); }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
thead th { font-size: .8rem; color: var(--quiet); vertical-align: bottom; }
tbody th[scope=rowgroup] { padding-top: 1.1rem; font-size: 1.05rem; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody th .quiet { font-size: .8rem; font-weight: 400; }
tbody th[scope=row] { font-weight: 400; padding-left: 1rem; }
`

interface CostTerms {
  readonly prices?: Prices | undefined
  /** The last day of the week; the newest that is known unless given. */
  readonly now?: Instant | undefined
}

/** Of an access log: this week, and nothing else. */
export function costPage(week: WeekOfCrawlers, title: string, prices: Prices): string {
  return pageOf(
    `What crawlers cost: ${title}`,
    `<h1>What crawlers cost</h1>
<p class="quiet">${xmlText(title)}</p>
${costSection(week, prices, false)}`,
  )
}

/** `site`: its address, for the heading. */
export function ledgerPage(store: LedgerRows, site: string, { prices = defaultPrices, now }: CostTerms = {}): string {
  const crawlers = Map.groupBy(store.rows, ({ crawler }) => crawler)
  const since = new Date(store.since).toISOString().slice(0, 10)
  const groups = [...crawlers].map(([crawler, rows]) => groupOf(crawler, rows)).join('\n')
  const week = store.days === undefined ? '' : costSection(new CrawlerWeek(store.days).week(now), prices, true)
  return pageOf(
    `Ledger of ${site}`,
    `<h1>Ledger of ${xmlText(site)}</h1>
${week}
${summary(sumOf(store.rows), since)}
${crawlers.size === 0 ? '' : tableOf(groups)}
<p class="quiet">Conventional crawling asks for every page by itself and gets all of it, packed when the crawler takes that.
Counted are bodies of answers; heads would come on top on both sides. Lists and manifests stand for no page, so they are only a cost here.
Who asks goes by what it calls itself: feed readers, previews of single links, and tools such as monitors are no crawlers.</p>`,
  )
}

const pageOf = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${xmlText(title)}</title>
<style>${STYLE}${STYLE_OF_COSTS}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`

function summary(total: LedgerCounts, since: string): string {
  if (total.requests === 0) return `<p class="sum">Nobody has asked for anything since ${since}.</p>`
  const { requests, bytes, wholeRequests, wholeBytes } = total
  const saved = wholeBytes > bytes ? ` That is <b>${percent(1 - bytes / wholeBytes)} less</b>.` : ''
  return `<p class="sum">Since ${since}: ${count(requests)} requests and ${bytesText(bytes)}, where conventional crawling would have
taken ${count(wholeRequests)} requests and ${bytesText(wholeBytes)}.${saved}</p>`
}

const tableOf = (
  groups: string,
): string => `<div class="scroll" role="region" aria-label="By crawler and scheme" tabindex="0">
<table>
<caption>By crawler and scheme</caption>
<thead><tr><th scope="col">Scheme</th><th scope="col" class="n">Requests</th><th scope="col" class="n">Sent</th>
<th scope="col" class="n">Processor time</th><th scope="col" class="n">Conventional requests</th>
<th scope="col" class="n">Conventional bytes</th><th scope="col" class="n">Saved</th></tr></thead>
${groups}
</table>
</div>`

function groupOf(crawler: string, rows: readonly LedgerRow[]): string {
  const lines = rows.map((row) => lineOf(TITLES[row.scheme], row))
  const all = rows.length < 2 ? [] : [lineOf('all together', sumOf(rows))]
  const kind = rows.find((row) => row.kind !== undefined)?.kind
  const what = kind === undefined ? '' : ` <span class="quiet">${KIND_WORDS[kind]}</span>`
  return `<tbody><tr><th scope="rowgroup" colspan="7">${xmlText(crawler)}${what}</th></tr>
${[...lines, ...all].join('\n')}</tbody>`
}

function lineOf(title: string, { requests, bytes, cpuMs, wholeRequests, wholeBytes }: LedgerCounts): string {
  const saved = wholeBytes > 0 ? percent(1 - bytes / wholeBytes) : ''
  const cells = [count(requests), bytesText(bytes), duration(cpuMs), count(wholeRequests), bytesText(wholeBytes), saved]
  return `<tr><th scope="row">${xmlText(title)}</th>${cells.map((cell) => `<td class="n">${cell}</td>`).join('')}</tr>`
}

/** Programs get the same rows, with their sum. */
export function ledgerJson(store: LedgerRows): string {
  return JSON.stringify({ ...store, total: sumOf(store.rows) })
}

const percent = (share: number): string => `${(share * 100).toFixed(1).replace('-', '−')} %`

const duration = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`)
