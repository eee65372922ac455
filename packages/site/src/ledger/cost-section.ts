/**
 * Cost section: what crawlers cost this week, and what cooperation saves of it, in money, requests and bytes at first sight. Stands at
 * the head of the ledger's page, and is a page of its own for an access log. HTML without scripts; nothing of a stranger is markup.
 */
import { xmlText } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { madeSaving, possibleSaving, sumOfSavings } from './crawler-week.ts'
import type { CrawlerCost, Saving, WeekOfCrawlers } from './crawler-week.ts'

/** What the owner pays. */
export interface Prices {
  /** For 1,000,000,000 bytes sent. */
  readonly gigabyte: number
  /** For a million requests, such as a gateway or a function charges. */
  readonly millionRequests: number
  /** Before the figure: `$`, `EUR`. */
  readonly currency: string
}

/** The first ten terabytes a month out of the large clouds' data centres cost 0.08 to 0.12 dollars a GB. */
export const defaultPrices: Prices = { gigabyte: 0.09, millionRequests: 0, currency: '$' }

/** Crawlers shown by themselves. */
const MAX_SHOWN = 20

interface WeekSavings {
  /** Cooperation has saved so much. */
  readonly made: Saving
  /** And would save so much more. */
  readonly possible: Saving
}

export function savingsOf({ crawlers }: Pick<WeekOfCrawlers, 'crawlers'>): WeekSavings {
  return { made: sumOfSavings(crawlers.map(madeSaving)), possible: sumOfSavings(crawlers.map(possibleSaving)) }
}

export const priceOf = ({ requests, bytes }: Saving, { gigabyte, millionRequests }: Prices): number =>
  (bytes / 1e9) * gigabyte + (requests / 1e6) * millionRequests

export function money(amount: number, { currency }: Prices): string {
  const digits = amount > 0 && amount < 0.01 ? 4 : 2
  const figure = amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return /^[a-z]/i.test(currency) ? `${currency} ${figure}` : `${currency}${figure}`
}

export const STYLE_OF_COSTS = `
.costs { border: 1px solid var(--rule); border-radius: .75rem; padding: 1.25rem 1.25rem .5rem; margin: 0 0 2rem; }
.costs h2 { font-size: 1rem; font-weight: 600; margin: 0 0 1rem; color: var(--quiet); }
.figures { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.figures li { min-width: 12rem; }
.figures b { display: block; font-size: 2.2rem; line-height: 1.15; font-variant-numeric: tabular-nums; }
.costs .quiet { margin-top: 1rem; }
.figures .good b { color: var(--good); }
`

/** `made`: figures of what was saved are known, as they are where the site itself answers. */
export function costSection(week: WeekOfCrawlers, prices: Prices, made: boolean): string {
  const { crawlers, total, from, to } = week
  if (from === undefined || to === undefined || total.requests === 0)
    return `<section class="costs"><h2>This week</h2><p>No crawler has come this week.</p></section>`
  const savings = savingsOf(week)
  const rows = crawlers.slice(0, MAX_SHOWN).map((one) => rowOf(xmlText(one.crawler), one, prices))
  const rest = crawlers.slice(MAX_SHOWN)
  if (rest.length > 0) rows.push(rowOf(`${rest.length} others`, totalOf(rest), prices))
  return `<section class="costs">
<h2>The week from ${day(from)} to ${day(to)}</h2>
<ul class="figures">
${figure('', 'crawlers cost you', total, prices)}
${made ? figure('good', 'cooperation has saved', savings.made, prices) : ''}
${figure('good', made ? 'it would save besides' : 'cooperation would save', savings.possible, prices)}
</ul>
<div class="scroll" role="region" aria-label="This week by crawler" tabindex="0">
<table>
<caption>This week by crawler</caption>
<thead><tr><th scope="col">Crawler</th><th scope="col" class="n">Requests</th><th scope="col" class="n">Sent</th>
<th scope="col" class="n">Cost</th><th scope="col" class="n">Of it what they had</th><th scope="col" class="n">Could be saved</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>
<p class="quiet">At ${money(prices.gigabyte, prices)} for a GB sent${prices.millionRequests > 0 ? ` and ${money(prices.millionRequests, prices)} for a million requests` : ''}: say what you pay with --price-gb, --price-requests and --currency.
A crawler had a page that was sent to it before with the same length. What could be saved is that, less one question an hour for what
has changed. People are not counted; who is a crawler goes by what it calls itself.</p>
</section>`
}

function totalOf(rows: readonly CrawlerCost[]): CrawlerCost {
  const sum = (name: keyof CrawlerCost): number => rows.reduce((all, row) => all + row[name], 0)
  const [requests, bytes, repeats, repeatBytes] = [sum('requests'), sum('bytes'), sum('repeats'), sum('repeatBytes')]
  return { requests, bytes, repeats, repeatBytes, hours: sum('hours'), wholeRequests: 0, wholeBytes: 0 }
}

const figure = (kind: string, words: string, saving: Saving, prices: Prices): string =>
  `<li class="${kind}">${words} <b>${xmlText(money(priceOf(saving, prices), prices))}</b> ${count(saving.requests)} requests, ${bytesText(saving.bytes)}</li>`

function rowOf(name: string, cost: CrawlerCost, prices: Prices): string {
  const { requests, bytes, repeatBytes } = cost
  const cells = [
    count(requests),
    bytesText(bytes),
    money(priceOf(cost, prices), prices),
    bytesText(repeatBytes),
    bytesText(possibleSaving(cost).bytes),
  ]
  return `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td class="n">${xmlText(cell)}</td>`).join('')}</tr>`
}

const day = (at: Instant): string => new Date(at).toISOString().slice(0, 10)
export const count = (value: number): string => Math.round(value).toLocaleString('en-US')

export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1_000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`
}
