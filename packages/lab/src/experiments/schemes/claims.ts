/** What the replayed year says to 002 claims 1, 6 and 10. */
import { freshText } from '../break-even/tables.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { holds, percent } from '../servers/answer.ts'
import { medianOf, shareBelow } from './differences.ts'
import type { SchemesOutcome } from './outcome.ts'
import { BASE_FORM } from './pulled.ts'
import { SCHEME_ROWS } from '../../cooperating/rows.ts'
import { networkBytes } from './run.ts'
import type { SchemeRun } from './run.ts'
import type { SchemeCell, CostKind } from './verdict.ts'
import { everyText } from './schemes-words.ts'

export function schemeClaims(id: string, outcome: SchemesOutcome): ClaimAnswer[] {
  return [tableClaim(id, outcome), pushClaim(id, outcome), differenceClaim(id, outcome)].flatMap((claim) => claim ?? [])
}

/** The paper's own form of a scheme is the first of its row. */
export function mainCells(
  runs: readonly Pick<SchemeRun, 'form'>[],
  cells: readonly SchemeCell[],
): readonly SchemeCell[] {
  const main = new Set(SCHEME_ROWS.map((row) => runs.find(({ form }) => form.row === row)?.form))
  return cells.filter(({ form }) => main.has(form))
}

export const TABLE_CLAIM =
  'What each scheme costs the network, the site and the crawler against no cooperation, and how fresh it keeps a copy (Table 6.2).'
export const TABLE_WHY =
  'The paper does not say which crawler its signs are against. One without help asks for every page; against that, which decides here, nearly every scheme is less work for all three, as most requests are needless. The other reading counts what a scheme adds for a crawler that knows for nothing which pages changed, and not what it spares.'

/** Cells that come out as printed by neither reading of the table. Both lists have them in the same order. */
export const inNeither = (cells: readonly SchemeCell[], knowing: readonly SchemeCell[]): number =>
  cells.filter(({ verdict }, i) => verdict === 'does not' && knowing[i]!.verdict === 'does not').length

export const agreeing = (cells: readonly SchemeCell[]): number =>
  cells.filter(({ verdict }) => verdict === 'agrees').length

function agreement(cells: readonly SchemeCell[]): string {
  const agreed = (kind: CostKind): string => {
    const some = cells.filter((cell) => cell.kind === kind)
    return `${agreeing(some)} of ${some.length}`
  }
  return `network ${agreed('network')}, site ${agreed('server')}, crawler ${agreed('crawler')}`
}

function tableClaim(id: string, outcome: SchemesOutcome): ClaimAnswer {
  const { settings, equalFreshness, runs, staleness } = outcome
  const cells = mainCells(runs, outcome.cells)
  const knowing = mainCells(runs, outcome.knowingCells)
  const atOnce = runs.find(({ form }) => form.kind === 'pushed' && form.push.when === 'at once')
  const sent =
    atOnce === undefined ? '' : `, ${freshText(1 - staleness.get(atOnce.form.id)!.stale)} for what is sent at once`
  return {
    paper: '002',
    number: 1,
    claim: TABLE_CLAIM,
    web: outcome.year.name,
    verdict: holds(cells.every(({ verdict }) => verdict === 'agrees')),
    ours:
      `signs that point the same way: against every page ${agreement(cells)}; against only what changed ${agreement(knowing)}; in neither ${inNeither(cells, knowing)} of ${cells.length}. ` +
      `Freshness ${freshText(1 - equalFreshness[0]!.stale)} for every scheme polled ${everyText(settings.everyDays)}${sent}`,
    why: `${TABLE_WHY} A filter is not fresher than others at the same period: it is polled more often for the same bytes, and so are lists of changes. Batches, entire sites and agents are as fresh as they are sent often.`,
    shownIn: ['table', 'knowing', 'reasons', 'traffic', 'costs', 'fresh', 'equal', 'bytes', 'cpu'].map(
      (part) => `${id}-${part}`,
    ),
  }
}

/** What is sent for each change, and the polls that tend to it. */
const [PUSH, POLL] = ['push-changes', 'change-list']

function pushClaim(
  id: string,
  { runs, equalFreshness, staleness, year, days }: SchemesOutcome,
): ClaimAnswer | undefined {
  const push = runs.find(({ form }) => form.id === PUSH)
  const poll = runs.find(({ form }) => form.id === POLL)
  if (push === undefined || poll === undefined) return undefined
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
  return {
    paper: '002',
    number: 6,
    claim:
      'As its period tends to zero polling becomes equivalent to interrupts, while it takes more and more of both ends.',
    web: year.name,
    verdict: holds(shortest.stale - pushed <= NEARLY && rises),
    ours:
      `fresh ${everyText(longest.everyDays)}: ${freshText(1 - longest.stale)}, ${everyText(shortest.everyDays)}: ${freshText(1 - shortest.stale)}, sent at once: ${freshText(1 - pushed)}; ` +
      `a change list costs ${formatQuantity(bytes[0]!, 'bytes')} a day ${everyText(longest.everyDays)} and ${formatQuantity(bytes[last]!, 'bytes')} ${everyText(shortest.everyDays)}, no cooperation ${formatQuantity(bytesOf(last, BASE_FORM), 'bytes')}, notices ${formatQuantity(told, 'bytes')}`,
    why: `Held when the shortest period is as fresh as what is sent to within ${formatQuantity(NEARLY, 'share')} and bytes rise as periods fall. They are alike in freshness only: the cost of polling passes that of being told, ${formatNumber(Math.round(bytes[last]! / told))} times as much ${everyText(shortest.everyDays)}. Between measured periods polls that find nothing are added.`,
    shownIn: ['equal', 'stale', 'price'].map((part) => `${id}-${part}`),
  }
}

/** Copies that may be staler for both to count as equally fresh. */
const NEARLY = 0.001

/** Around one half. */
const [HALF_LOW, HALF_HIGH] = [0.4, 0.6]

function differenceClaim(id: string, { year, sizes }: SchemesOutcome): ClaimAnswer {
  const share = shareBelow(sizes.year, 0.05)
  return {
    paper: '002',
    number: 10,
    claim: 'After one year half of the pages that have changed have changed by less than 5 %.',
    web: year.name,
    verdict: Number.isNaN(share) ? 'cannot be tested' : holds(share >= HALF_LOW),
    ours:
      `${percent(share)} of the ${sizes.year.length} changed pages differ by less than 5 %, the median is ${percent(medianOf(sizes.year))}; ` +
      `of single changes ${percent(shareBelow(sizes.changes, 0.05))} do, the median is ${percent(medianOf(sizes.changes))}`,
    why: `By the size of the vcdiff difference beside the page’s, over the whole year; the paper’s source compares words. From ${percent(HALF_LOW)} to ${percent(HALF_HIGH)} counts as half, more as the claim said stronger.`,
    shownIn: [`${id}-differences`],
  }
}
