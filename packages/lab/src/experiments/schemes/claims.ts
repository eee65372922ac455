/** What the replayed year says to 002 claims 1, 6, 8 and 10. */
import { freshText } from '../break-even/tables.ts'
import { answerTo, holds } from '../../claims/claim-answer.ts'
import type { AnswerContext } from '../../claims/claim-answer.ts'
import { SCHEMES_CLAIMS } from './claim-parts.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'
import { medianOf, shareBelow } from './differences.ts'
import type { SchemesOutcome } from './outcome.ts'
import { BASE_FORM } from './pulled.ts'
import { SCHEME_ROWS } from '../../cooperating/rows.ts'
import { networkBytes } from './run.ts'
import type { SchemeRun } from './run.ts'
import type { SchemeCell, CostKind } from './verdict.ts'
import { everyText } from './schemes-words.ts'

export function schemeClaims(id: string, outcome: SchemesOutcome): ClaimAnswer[] {
  const context = { id, web: outcome.year.name }
  return [
    ...rowClaims(context, outcome.cells, outcome.knowingCells, outcome.runs),
    ...fresherClaim(context, outcome),
    ...pushClaims(context, outcome),
    ...overloadClaims(context, outcome.runs),
    differenceClaim(context, outcome),
  ]
}

/** The paper's own form of a scheme is the first of its row. */
export function mainCells(
  runs: readonly Pick<SchemeRun, 'form'>[],
  cells: readonly SchemeCell[],
): readonly SchemeCell[] {
  const main = new Set(SCHEME_ROWS.map((row) => runs.find(({ form }) => form.row === row)?.form))
  return cells.filter(({ form }) => main.has(form))
}

const TABLE_WHY =
  'Against GET of every page, as the paper has it, “the base case where no cooperation exists”; the direction of a sign decides.'

export const agreeing = (cells: readonly SchemeCell[]): number =>
  cells.filter(({ verdict }) => verdict === 'agrees').length

const COST_NAMES: Readonly<Record<CostKind, string>> = { network: 'network', server: 'site', crawler: 'crawler' }

const signs = (some: readonly SchemeCell[]): string =>
  some
    .map(({ kind, ours, ratio }) => `${COST_NAMES[kind]} ${ours === '' ? '·' : ours} (${formatNumber(ratio)})`)
    .join(', ')

/** Parts a to l of the claim are the rows of the table, in its order. */
export function rowClaims(
  context: AnswerContext,
  all: readonly SchemeCell[],
  allKnowing: readonly SchemeCell[],
  runs: readonly Pick<SchemeRun, 'form'>[],
): ClaimAnswer[] {
  const [cells, knowing] = [mainCells(runs, all), mainCells(runs, allKnowing)]
  const { parts } = SCHEMES_CLAIMS[0]!
  return SCHEME_ROWS.flatMap((row, n) => {
    const own = cells.filter(({ form }) => form.row === row)
    if (own.length === 0) return []
    const told = knowing.filter(({ form }) => form.row === row)
    return answerTo(parts[n]!.id, context, {
      verdict: holds(own.every(({ verdict }) => verdict === 'agrees')),
      ours: `${agreeing(own)} of ${own.length} signs: ${signs(own)}`,
      why: `${TABLE_WHY} Against only what changed, for a crawler that knows it for nothing: ${signs(told)}.`,
      shownIn: ['table', 'knowing', 'reasons'],
    })
  })
}

function fresherClaim(
  context: AnswerContext,
  { runs, staleness, equalFreshness, settings }: SchemesOutcome,
): ClaimAnswer[] {
  const atOnce = runs.find(({ form }) => form.kind === 'pushed' && form.push.when === 'at once')
  if (atOnce === undefined) return []
  const [sent, polled] = [staleness.get(atOnce.form.id)!.stale, equalFreshness[0]!.stale]
  return [
    answerTo('002.1m', context, {
      verdict: holds(sent < polled),
      ours: `fresh ${freshText(1 - sent)} by what is sent at once, ${freshText(1 - polled)} by every scheme polled ${everyText(settings.everyDays)}`,
      why: 'A filter is not fresher than others at the same period: it is polled more often for the same bytes, and so are lists of changes. Batches, entire sites and agents are as fresh as they are sent often.',
      shownIn: ['fresh', 'equal'],
    }),
  ]
}

/** 004 §4: the Chilean Web, which is that of 002; 000 §4.1: pages that change daily. */
const [WEB_PAGES, WEB_SITES, DAILY] = [3_500_000, 50_000, 0.23]
const DAY_SECONDS = 86_400

/** What one processor can take of notices, at the time each took here, the page that is fetched for it included. */
export function overloadClaims(context: AnswerContext, runs: readonly SchemeRun[]): ClaimAnswer[] {
  const push = runs.find(({ form }) => form.id === PUSH)
  if (push === undefined || push.polls === 0) return []
  const ms = push.year.cpuMs / push.polls
  const aSecond = (toleranceOf('core-busy') * 1_000) / ms
  const whole = (WEB_PAGES * DAILY) / DAY_SECONDS
  const sites = Math.floor((aSecond / whole) * WEB_SITES)
  return [
    answerTo('002.8a', context, {
      verdict: 'holds by construction',
      ours: `${formatNumber(ms)} ms of the crawler’s processor for a notice and the page; one processor is half busy with ${formatNumber(aSecond)} a second`,
      why: 'Whatever a notice takes, some number of sites is too many. How many that is says part b.',
      shownIn: ['costs'],
    }),
    answerTo('002.8b', context, {
      verdict: holds(sites < WEB_SITES),
      ours: `half of one processor follows ${formatNumber(sites)} sites`,
      why: `Sites as large as the paper’s, ${formatNumber(WEB_PAGES / WEB_SITES)} pages on average, of which ${percent(DAILY)} change daily (000): all ${formatNumber(WEB_SITES)} of the Chilean Web of 2004 send ${formatNumber(whole)} notices a second. A small group is fewer than those. Delivery is measured on one machine without a line between.`,
      shownIn: ['costs'],
    }),
  ]
}

/** What is sent for each change, and the polls that tend to it. */
const [PUSH, POLL] = ['push-changes', 'change-list']

function pushClaims(context: AnswerContext, { runs, equalFreshness, staleness, days }: SchemesOutcome): ClaimAnswer[] {
  const push = runs.find(({ form }) => form.id === PUSH)
  const poll = runs.find(({ form }) => form.id === POLL)
  if (push === undefined || poll === undefined) return []
  const bytesOf = (index: number, form: string): number => {
    const cost = equalFreshness[index]?.costs.get(form)
    return cost === undefined ? NaN : networkBytes(cost) / days
  }
  const last = equalFreshness.length - 1
  const [longest, shortest] = [equalFreshness[0]!, equalFreshness[last]!]
  const pushed = staleness.get(PUSH)!.stale
  const bytes = equalFreshness.map((_, index) => bytesOf(index, POLL))
  const rises = bytes.every((value, at) => at === 0 || value >= bytes[at - 1]!)
  const told = networkBytes(push.year) / days
  const shownIn = ['equal', 'stale', 'price']
  return [
    answerTo('002.6a', context, {
      verdict: holds(shortest.stale - pushed <= toleranceOf('equally-fresh')),
      ours: `fresh ${everyText(longest.everyDays)}: ${freshText(1 - longest.stale)}, ${everyText(shortest.everyDays)}: ${freshText(1 - shortest.stale)}, sent at once: ${freshText(1 - pushed)}`,
      why: 'The shortest period beside what is sent for each change.',
      shownIn,
    }),
    answerTo('002.6b', context, {
      verdict: holds(rises),
      ours: `a change list costs ${formatQuantity(bytes[0]!, 'bytes')} a day ${everyText(longest.everyDays)} and ${formatQuantity(bytes[last]!, 'bytes')} ${everyText(shortest.everyDays)}, no cooperation ${formatQuantity(bytesOf(last, BASE_FORM), 'bytes')}, notices ${formatQuantity(told, 'bytes')}`,
      why: `Bytes must not fall as periods do. They are alike in freshness only: the cost of polling passes that of being told, ${formatNumber(Math.round(bytes[last]! / told))} times as much ${everyText(shortest.everyDays)}. Between measured periods polls that find nothing are added.`,
      shownIn,
    }),
  ]
}

function differenceClaim(context: AnswerContext, { sizes }: SchemesOutcome): ClaimAnswer {
  const share = shareBelow(sizes.year, 0.05)
  return answerTo('002.10a', context, {
    verdict: Number.isNaN(share) ? 'cannot be tested here' : holds(share >= 0.5 - toleranceOf('half')),
    ours:
      `${percent(share)} of the ${sizes.year.length} changed pages differ by less than 5 %, the median is ${percent(medianOf(sizes.year))}; ` +
      `of single changes ${percent(shareBelow(sizes.changes, 0.05))} do, the median is ${percent(medianOf(sizes.changes))}`,
    why: 'By the size of the vcdiff difference beside the page’s, over the whole year; the paper’s source compares words. More than half counts as held.',
    shownIn: ['differences'],
  })
}
