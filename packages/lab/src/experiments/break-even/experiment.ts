/**
 * Break-even: where one way of cooperation becomes cheaper than another (002 §6.1 to §6.4), measured with the code of the site and
 * the protocol: real documents, real encoders, the heads of HTTP counted.
 *
 *   curves   entire site or what changed; a difference or the page; a list or each page; push or polling
 *   period   polling as its period tends to zero, and push as its limit (claim 6)
 *   money    what each scheme costs a site, by b, c_n and c_p (claim 7)
 */
import { moneyClaims, periodClaims } from './claims.ts'
import { deltaCurves } from './delta.ts'
import type { DeltaCurves } from './delta.ts'
import { deltaFigure, listFigure, moneyFigures, periodFigures, pushFigure, siteFigure } from './figures.ts'
import { listCosts } from './lists.ts'
import type { ListCosts } from './lists.ts'
import { measureMoney } from './money.ts'
import { periodCurves, PROCESSES } from './period.ts'
import type { PeriodCurves } from './period.ts'
import { pushCurves } from './push.ts'
import { breakEvenSettings } from './settings.ts'
import type { BreakEvenSettings } from './settings.ts'
import { siteCurves } from './site.ts'
import type { SiteCurves } from './site.ts'
import { deltaTable, listTable, moneyTable, periodTable, pushTable, siteTable } from './tables.ts'
import { crossingText } from '../../crossing.ts'
import { webUnreadable } from '../../lab-error.ts'
import type { ExperimentResult, Parameter } from '../../report/model.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'
import { savedShare } from '../../advise/site/savings.ts'

const BREAK_EVEN_PARTS = ['curves', 'period', 'money'] as const
type BreakEvenPart = (typeof BREAK_EVEN_PARTS)[number]

interface BreakEvenHooks {
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
}

type OnPart = NonNullable<BreakEvenHooks['onPart']>

/** Throws a LabError for a part that there is not. */
export function breakEvenPart(name: string): BreakEvenPart {
  const part = BREAK_EVEN_PARTS.find((one) => one === name)
  if (part === undefined)
    throw webUnreadable(
      name,
      `break-even runs on no web: name one of its parts with --web, ${BREAK_EVEN_PARTS.join(', ')}.`,
    )
  return part
}

/** Throws a RangeError for settings that make no sense. */
export async function runBreakEven(
  part: BreakEvenPart,
  given: Partial<BreakEvenSettings> = {},
  { onPart = () => undefined }: BreakEvenHooks = {},
): Promise<ExperimentResult> {
  const settings = breakEvenSettings(given)
  return await RUNS[part](settings, onPart)
}

const RUNS: Readonly<
  Record<BreakEvenPart, (settings: BreakEvenSettings, onPart: OnPart) => Promise<ExperimentResult>>
> = {
  curves: runCurves,
  period: runPeriod,
  money: runMoney,
}

async function runCurves(settings: BreakEvenSettings, onPart: OnPart): Promise<ExperimentResult> {
  const { sitePages, pageSizes, sizePages, listPages, meanBytes } = settings
  const parts = sitePages.length + 3 * pageSizes.length + listPages.length + 1
  let done = 0
  const next = (what: string): void => onPart(what, done++, parts)
  const sites: SiteCurves[] = []
  for (const pages of sitePages) {
    next(`the entire site, ${formatNumber(pages)} pages`)
    sites.push(await siteCurves({ ...settings, pages }))
  }
  for (const size of pageSizes.filter((one) => one !== meanBytes || !sitePages.includes(sizePages))) {
    next(`the entire site, pages of ${formatQuantity(size, 'bytes')}`)
    sites.push(await siteCurves({ ...settings, pages: sizePages, meanBytes: size }))
  }
  const deltas: DeltaCurves[] = []
  for (const pageBytes of pageSizes) {
    for (const manner of ['place', 'scattered'] as const) {
      next(`differences of pages of ${formatQuantity(pageBytes, 'bytes')}`)
      deltas.push(await deltaCurves({ ...settings, pageBytes, manner }))
    }
  }
  const lists: ListCosts[] = []
  for (const pages of listPages) {
    next(`lists of ${formatNumber(pages)} pages`)
    lists.push(await listCosts(pages, settings.seed))
  }
  next('push and polling')
  const push = await pushCurves(settings)
  const id = 'break-even-curves'
  const shownDelta = deltas.filter(({ pageBytes }) => pageBytes === pageSizes[Math.floor(pageSizes.length / 2)])
  const told = siteTable(id, sites)
  return {
    id,
    name: 'Break-even: what to send',
    paper: '002',
    finding: curvesFinding(sites, deltas, push),
    parameters: parametersOf(settings, CURVES_KEYS),
    seeds: [settings.seed],
    webs: [],
    figures: [
      ...sites.slice(0, sitePages.length).map((curves) => siteFigure(id, curves)),
      ...shownDelta.map((curves) => deltaFigure(id, curves)),
      listFigure(id, lists),
      pushFigure(id, push),
    ],
    tables: [told, deltaTable(id, deltas), listTable(id, lists), pushTable(id, push)],
    toldTable: told.id,
    claims: [],
    notes: CURVES_NOTES,
  }
}

function curvesFinding(
  sites: readonly SiteCurves[],
  deltas: readonly DeltaCurves[],
  push: Awaited<ReturnType<typeof pushCurves>>,
): string {
  const largest = sites.toSorted((a, b) => b.pages - a.pages)[0]!
  const one = (name: string): string => crossingText(largest.crossings.get(name)!, 'share')
  const shares = deltas.flatMap(({ crossings }) =>
    crossings.flatMap(({ page, crossing }) =>
      page === 'page, gzip' ? [crossing.kind === 'at' ? crossing.x : crossing.kind === 'always' ? 1 : 0] : [],
    ),
  )
  const told = push.crossings.find((pair) => pair.push === 'notice, then GET' && pair.poll === 'change list, then GET')!
  const sent = push.crossings.find((pair) => pair.push === 'differences, sent' && pair.poll === 'filter, differences')!
  return (
    `Of ${formatNumber(largest.pages)} pages, those that changed are cheaper than the entire site ${one('list, then GET')} of them when fetched one by one, ${one('list, then GET, gzip')} when packed, and ${one('batch, sent')} in a batch. ` +
    `A difference is shorter than the packed page while less than ${percent(Math.min(...shares))} of its words change, and mostly far beyond. ` +
    `Notices are cheaper than polls of a change list ${crossingText(told.crossing)} changes a period, sent differences than a filter ${crossingText(sent.crossing)}.`
  )
}

async function runPeriod(settings: BreakEvenSettings, onPart: OnPart): Promise<ExperimentResult> {
  const all: PeriodCurves[] = []
  for (const [done, process] of PROCESSES.entries()) {
    onPart(`changes ${process}`, done, PROCESSES.length)
    all.push(await periodCurves({ ...settings, process }))
  }
  const id = 'break-even-period'
  const claims = periodClaims(id, all)
  const told = periodTable(id, all)
  return {
    id,
    name: 'Break-even: polling as its period tends to zero',
    paper: '002',
    finding: `${claims[0]!.ours.replace(/^./, (letter) => letter.toUpperCase())}; ${claims[1]!.ours}.`,
    parameters: parametersOf(settings, PERIOD_KEYS),
    seeds: [settings.seed],
    webs: [],
    figures: all.flatMap((curves) => periodFigures(id, curves)),
    tables: [told],
    toldTable: told.id,
    claims,
    notes: PERIOD_NOTES,
  }
}

async function runMoney(settings: BreakEvenSettings, onPart: OnPart): Promise<ExperimentResult> {
  onPart('units', 0, 1)
  const outcome = await measureMoney(settings)
  const id = 'break-even-money'
  const told = moneyTable(id, outcome)
  const { logged, tiers } = outcome.savings
  const best = tiers.map(({ tier, best: one }) =>
    one === undefined
      ? `${tier}: nothing`
      : `${tier}: ${one.scheme.name} saves ${percent(savedShare(one.cost.money.site, logged.money.site))}`,
  )
  return {
    id,
    name: 'Break-even: money',
    paper: '002',
    varies: true,
    finding: `Of what ${formatNumber(settings.crawlers)} crawlers cost a site of ${formatNumber(settings.periodPages)} pages in a year, by what there is to spend: ${best.join('; ')}.`,
    parameters: parametersOf(settings, MONEY_KEYS),
    seeds: [settings.seed],
    webs: [],
    figures: moneyFigures(id, outcome),
    tables: [told],
    toldTable: told.id,
    claims: moneyClaims(id, outcome, settings),
    notes: MONEY_NOTES,
  }
}

type Key = keyof BreakEvenSettings
const CURVES_KEYS: readonly Key[] = [
  'sitePages',
  'meanBytes',
  'pageSizes',
  'sizePages',
  'changedShares',
  'editShare',
  'editShares',
  'deltaPages',
  'listPages',
  'pushChanges',
  'pushPages',
]
const PERIOD_KEYS: readonly Key[] = [
  'periodHours',
  'periodPages',
  'periodDays',
  'changesADay',
  'meanBytes',
  'editShare',
  'pushSeconds',
]
const MONEY_KEYS: readonly Key[] = [
  'crawlers',
  'periodPages',
  'changesADay',
  'meanBytes',
  'editShare',
  'viewUsd',
  'networkUsd',
  'processingUsd',
  'pageBytes',
  'crawlerUsd',
  'downloadShare',
  'requestMs',
]

const parametersOf = (settings: BreakEvenSettings, keys: readonly Key[]): Parameter[] =>
  keys.map((name) => {
    const value: number | readonly number[] = settings[name]
    return { name, value: typeof value === 'number' ? value : value.map(formatNumber).join(', ') }
  })

const MADE =
  'Sites are made: pages of one size each, with a frame that all share and words drawn as in texts; an edit replaces words of a page in one place.'

const CURVES_NOTES: readonly string[] = [
  MADE,
  'Bytes are those of HTTP/1.1 over a connection that is kept, heads and both ways, counted without sockets; a test holds them to what sockets carry. Records in streams have random names, which are weighed as if they followed from their place, so that a report is the same each time.',
  'A first copy is not counted. The list that pages are fetched by is the metadata archives; the entire site is the resource dump, all of its packages.',
  'Where a period has less than one change on average, most polls find nothing: polling then costs such polls, and push nothing.',
]

const PERIOD_NOTES: readonly string[] = [
  MADE,
  'Poll times are those of the policy uniform of the frontier. Every poll that finds news is really made; one that finds nothing costs the same each time and is made once.',
  'What is pushed is made, packed and signed by the site’s delivery worker, one delivery for each change, and weighed instead of sent; it takes pushSeconds to arrive.',
]

const MONEY_NOTES: readonly string[] = [
  MADE,
  'Without cooperation every crawler asks for every page every day. Units of each scheme are measured as for advise-site; the processor time of a server for a request as such is a setting, from what `comity lab schemes` measured.',
  'Lists and dumps that are made once for all crawlers are counted for each of them. Processor times differ from run to run, so this report does, too.',
]
