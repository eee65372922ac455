/** The advice for a site in words, for a terminal: who comes, what of it is for nothing, and what would save how much. */
import type { SiteAccounts } from './account.ts'
import type { LogReading } from './log.ts'
import { usd, viewsFor } from './money.ts'
import type { Prices } from './money.ts'
import { savedShare } from './savings.ts'
import type { PricedCost, SchemeSaving, SiteSavings, TierAdvice } from './savings.ts'
import { SIDES, SIDE_WORDS, trafficOfAll } from './traffic.ts'
import type { Traffic } from './traffic.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { percent } from '../../experiments/servers/answer.ts'

export interface AdviceFindings {
  readonly reading: LogReading
  readonly accounts: SiteAccounts
  readonly savings: SiteSavings
  readonly prices: Prices
  /** From the time of the log to a year. */
  readonly perYear: number
  readonly measuredOn: string
  readonly assumed: readonly string[]
}

const DAY_MS = 86_400_000
const BAR = 28
const MOST_CRAWLERS = 12

/** A bar of blocks, as long as its share; what is not nothing is at least one thin block. */
function textBar(share: number, width: number = BAR): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8)
  const shown = share > 0 ? Math.max(1, eighths) : 0
  const rest = shown % 8
  return `${'█'.repeat(Math.floor(shown / 8))}${rest === 0 ? '' : String.fromCodePoint(0x2590 - rest)}`.padEnd(width)
}

export function adviceLines(found: AdviceFindings): readonly string[] {
  return [
    logSentence(found),
    '',
    ...whoComes(found),
    '',
    ...crawlerLines(found),
    '',
    ...schemeLines(found),
    '',
    'By what you want to spend (002 §6.4.1)',
    ...found.savings.tiers.map((tier) => `  ${tierSentence(tier, found)}`),
    '',
    'Assumed',
    ...assumptions(found).map((sentence) => `  ${sentence}`),
  ].map(plain)
}

const plain = (text: string): string => text.replaceAll('\u00a0', ' ').trimEnd()

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

export function logSentence({ reading }: AdviceFindings): string {
  const { files, requests, from, until, faults } = reading
  const bad = Object.entries(faults).toSorted((a, b) => b[1] - a[1])
  const count = bad.reduce((sum, [, number]) => sum + number, 0)
  const wrong =
    count === 0
      ? ''
      : `; ${formatNumber(count)} lines were left out (${bad.map(([fault, number]) => `${formatNumber(number)} ${fault}`).join(', ')})`
  return `${formatNumber(requests)} requests in ${files.length === 1 ? 'one file' : `${files.length} files`}, ${day(from)} to ${day(until)}, ${formatNumber(daysOf(reading))} days${wrong}.`
}

export const daysOf = ({ from, until }: LogReading): number => Math.max((until - from) / DAY_MS, 1 / 24)

function whoComes({ accounts: { traffic } }: AdviceFindings): string[] {
  const [hits, bytes] = [trafficOfAll(traffic, 'requests'), trafficOfAll(traffic, 'bytes')]
  const row = (name: string, side: Traffic): string =>
    `  ${name.padEnd(13)}${textBar(side.requests / hits)} ${percent(side.requests / hits).padStart(7)} of requests, ${percent(bytes === 0 ? 0 : side.bytes / bytes)} of bytes (${formatQuantity(side.bytes, 'bytes')})`
  const robots = SIDES.filter((side) => side !== 'people' && side !== 'crawlers' && traffic[side].requests > 0)
  return [
    'Who comes',
    ...(['people', 'crawlers', ...robots] as const).map((side) => row(SIDE_WORDS[side], traffic[side])),
  ]
}

function crawlerLines({ accounts }: AdviceFindings): string[] {
  const { crawlers } = accounts
  if (crawlers.length === 0) return ['No crawlers came.']
  const widest = Math.max(...crawlers.slice(0, MOST_CRAWLERS).map(({ name }) => Math.min(32, name.length)))
  const lines = crawlers.slice(0, MOST_CRAWLERS).map(({ name, requests, needless, notModified }) => {
    const share = needless.count / requests
    return `  ${name.slice(0, 32).padEnd(widest)} ${formatNumber(requests).padStart(8)} ${textBar(share, 16)} ${percent(share).padStart(7)}${notModified.count === 0 ? '' : `, ${formatNumber(notModified.count)} answered 304`}`
  })
  const rest = crawlers.length - lines.length
  return [
    'Crawlers, their requests, and how many of them were for pages that had not changed',
    ...lines,
    ...(rest > 0 ? [`  and ${formatNumber(rest)} more`] : []),
  ]
}

function schemeLines({ savings, perYear }: AdviceFindings): string[] {
  const { logged, schemes } = savings
  if (logged.requests === 0) return ['Nothing to save.']
  const most = Math.max(logged.bytes, ...schemes.map(({ cost }) => Math.min(cost.bytes, 2 * logged.bytes)))
  const line = (name: string, cost: PricedCost): string => {
    const isOff = cost.bytes > most
    return `  ${name.padEnd(26)}${textBar(cost.bytes / most)}${isOff ? '▶' : ' '}${formatQuantity(cost.bytes, 'bytes').padStart(9)} ${formatNumber(Math.round(cost.requests)).padStart(9)} requests ${formatQuantity(cost.siteMs / 1_000, 's').padStart(8)} ${usd(cost.money.site * perYear).padStart(9)} a year`
  }
  return [
    'What crawlers cost you, and would have cost with each scheme: bytes, requests, processor, money',
    line('as it was', logged),
    ...schemes.map(({ scheme, cost }) => line(scheme.name, cost)),
  ]
}

export function tierSentence({ tier, best }: TierAdvice, found: AdviceFindings): string {
  const head = { little: 'Little:  ', moderate: 'Moderate:', more: 'More:    ' }[tier]
  const { logged } = found.savings
  if (best === undefined)
    return `${head} nothing of this tier saves anything${tier === 'little' ? ': what crawlers fetch again has changed, or they ask as they should' : ''}.`
  return `${head} ${best.scheme.name} (${best.scheme.form}) saves ${savedWords(best, logged)}, ${usd((logged.money.site - best.cost.money.site) * found.perYear)} a year for you and ${usd((logged.money.crawler - best.cost.money.crawler) * found.perYear)} for crawlers.${worth(best, found)}`
}

function savedWords({ cost }: SchemeSaving, logged: PricedCost): string {
  const parts = [
    ['requests', savedShare(cost.requests, logged.requests)],
    ['bytes', savedShare(cost.bytes, logged.bytes)],
    ['processor time', savedShare(cost.siteMs, logged.siteMs)],
  ] as const
  return parts
    .filter(([, share]) => share > 0.0005)
    .map(([name, share]) => `${percent(share)} of the ${name}`)
    .join(', ')
}

/** What a push brings besides is freshness, and that is paid for by views. */
function worth({ scheme, cost }: SchemeSaving, { savings: { logged }, perYear, prices }: AdviceFindings): string {
  if (!scheme.isPushed) return ''
  const more = (cost.money.processing - logged.money.processing) * perYear
  return more > 0
    ? ` Crawlers know at once; the processor time it takes more is paid by ${formatNumber(Math.ceil(viewsFor(more, prices)))} views.`
    : ' Crawlers know at once.'
}

export function assumptions({ accounts, prices, assumed, measuredOn }: AdviceFindings): readonly string[] {
  const { evidence, untracked } = accounts
  const all = evidence.journal + evidence.mtime + evidence.bytes
  const by = (
    [
      ['the journal', evidence.journal],
      ['the file’s modification time', evidence.mtime],
      ['answers of the same length being the same page', evidence.bytes],
    ] as const
  ).filter(([, count]) => count > 0)
  return [
    `Whether a page had changed between two visits was decided ${all === 0 ? 'nowhere, as no crawler came twice to a page' : by.map(([name, count]) => `by ${name} for ${percent(count / all)}`).join(', ')}.`,
    `Prices (002 §6.4.1): b ${prices.viewUsd}, c_n ${prices.networkUsd}, c_p ${prices.processingUsd} for a page of ${formatQuantity(prices.pageBytes, 'bytes')}, ${prices.crawlerUsd} a page for a crawler, US$.`,
    `Unit costs were measured on ${measuredOn}${assumed.length === 0 ? '' : `, assuming that ${assumed.join(' and that ')}`}.`,
    'A crawler that came at all in a period would have asked once for what changed; a log has no heads, so ours are counted on both sides.',
    ...(untracked === 0
      ? []
      : [
          `${formatNumber(untracked)} fetches or changes found no room and count as first ones: what is said to be needless is too little.`,
        ]),
  ]
}
