/** What the replayed year says to 002 claims 1, its pulled half, and 10. */
import type { ClaimAnswer } from './claim.ts'
import { holds, percent } from './servers-answer.ts'
import { medianOf, shareBelow } from './schemes-differences.ts'
import type { SchemesOutcome } from './schemes-outcome.ts'
import { SCHEME_ROWS } from './schemes-table.ts'
import type { SchemeCell, CostKind } from './schemes-verdict.ts'

export function schemeClaims(id: string, outcome: SchemesOutcome): ClaimAnswer[] {
  return [tableClaim(id, outcome), differenceClaim(id, outcome)]
}

/** The paper's own form of a scheme is the first of its row. */
export function mainCells({ runs, cells }: Pick<SchemesOutcome, 'runs' | 'cells'>): readonly SchemeCell[] {
  const main = new Set(SCHEME_ROWS.map((row) => runs.find(({ form }) => form.row === row)?.form))
  return cells.filter(({ form }) => main.has(form))
}

function tableClaim(id: string, outcome: SchemesOutcome): ClaimAnswer {
  const cells = mainCells(outcome)
  const agreeing = (kind: CostKind): string => {
    const some = cells.filter((cell) => cell.kind === kind)
    return `${some.filter(({ verdict }) => verdict === 'agrees').length} of ${some.length}`
  }
  const { freshness, oftenFreshness, often, settings } = outcome
  const moreOften =
    often.length === 0
      ? ''
      : `, and ${percent(oftenFreshness)} every ${settings.oftenDays === 1 ? 'day' : `${settings.oftenDays} days`}`
  return {
    paper: '002',
    number: 1,
    claim:
      'What each scheme costs the network, the site and the crawler against no cooperation, and how fresh it keeps a copy (Table 6.2, here the schemes that are polled).',
    web: outcome.year.name,
    verdict: holds(cells.every(({ verdict }) => verdict === 'agrees')),
    ours:
      `signs that point the same way: network ${agreeing('network')}, site ${agreeing('server')}, crawler ${agreeing('crawler')}; ` +
      `freshness ${percent(freshness)} for every scheme polled every ${settings.everyDays} days${moreOften}`,
    why: 'Against GET of every page nearly every scheme is less work for all three, as most requests are needless; the paper adds up what a scheme does and not what it spares. A filter is not fresher than others at the same period: it is polled more often for the same bytes, and so are lists of changes.',
    shownIn: ['table', 'reasons', 'costs', 'bytes', 'cpu'].map((part) => `${id}-${part}`),
  }
}

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
    why: `By the size of the vcdiff difference beside the page’s; the paper’s source compares words. From ${percent(HALF_LOW)} to ${percent(HALF_HIGH)} counts as half, more as the claim said stronger.`,
    shownIn: [`${id}-differences`],
  }
}
