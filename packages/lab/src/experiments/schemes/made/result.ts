/** Schemes on made sites, as they are reported: what each costs against no cooperation, by the size of the site. */
import type { ClaimAnswer } from '../../../claims/claim.ts'
import type { ExperimentResult, Parameter } from '../../../report/model.ts'
import { formatNumber } from '../../../report/number.ts'
import { overloadClaims, rowClaims } from '../claims.ts'
import type { MadeOutcome, MadeSize } from './schemes-made.ts'
import {
  madeCostTable,
  madeEqualTable,
  madeFigure,
  madeFreshTable,
  MADE_ID,
  madeKnowingTable,
  madeReasonTable,
  madeSizeTable,
} from './tables.ts'
import { isScheme } from '../outcome.ts'
import { BASE_FORM } from '../pulled.ts'
import { networkBytes, siteMs } from '../run.ts'
import type { SchemeRun } from '../run.ts'
import { ratioText } from '../tables.ts'
import { COSTS } from '../verdict.ts'

export function madeResult(outcome: MadeOutcome): ExperimentResult {
  const { settings, sizes } = outcome
  const told = madeSizeTable(outcome)
  return {
    id: MADE_ID,
    name: 'Schemes of cooperation: made sites',
    paper: '002',
    varies: true,
    finding: findingOf(outcome),
    parameters: parametersOf(outcome),
    seeds: [settings.seed],
    webs: sizes.map(({ pages, periods, changes }) => ({
      name: `made, ${formatNumber(pages)} pages`,
      pages,
      links: 0,
      sites: 1,
      about: `${formatNumber(changes)} changes in ${formatNumber(periods * settings.everyDays)} days`,
    })),
    figures: COSTS.flatMap((kind) => [madeFigure(outcome, kind, 'pulled'), madeFigure(outcome, kind, 'pushed')]),
    tables: [
      told,
      madeKnowingTable(outcome),
      madeReasonTable(outcome),
      madeFreshTable(outcome),
      madeEqualTable(outcome),
      madeCostTable(outcome),
    ],
    toldTable: told.id,
    claims: sizes.flatMap(claimsAt),
    notes: notesOf(outcome),
  }
}

/** Each size is a web of its own: what a scheme costs depends on it. */
const claimsAt = ({ pages, outcome: { cells, knowingCells, runs } }: MadeSize): ClaimAnswer[] => {
  const context = { id: MADE_ID, web: `made, ${formatNumber(pages)} pages` }
  return [...rowClaims(context, cells, knowingCells, runs), ...overloadClaims(context, runs)]
}

const least = ({ outcome }: MadeSize): SchemeRun =>
  outcome.runs.filter(isScheme).toSorted((a, b) => networkBytes(a.year) - networkBytes(b.year))[0]!

const bytesOf = (run: SchemeRun): number => networkBytes(run.year)

/** To no cooperation on the same site. */
const ratio = ({ outcome }: MadeSize, run: SchemeRun, of: (run: SchemeRun) => number): string =>
  ratioText(of(run) / of(outcome.runs.find(({ form }) => form.id === BASE_FORM)!))

function findingOf({ sizes }: MadeOutcome): string {
  const [small, large] = [sizes[0]!, sizes.at(-1)!]
  const agent = (size: MadeSize): string => {
    const run = size.outcome.runs.find(({ form }) => form.kind === 'pushed' && form.push.agent !== undefined)
    return run === undefined ? '' : ratio(size, run, ({ year }) => siteMs(year))
  }
  const agents =
    agent(small) === ''
      ? ''
      : ` An agent is ${agent(small)} times the site’s work of no cooperation on the smallest, and ${agent(large)} times on the largest.`
  return (
    `On a site of ${formatNumber(small.pages)} pages the least bytes are those of “${least(small).form.name}”, ${ratio(small, least(small), bytesOf)} of no cooperation’s; ` +
    `on one of ${formatNumber(large.pages)} those of “${least(large).form.name}”, ${ratio(large, least(large), bytesOf)}.${agents}`
  )
}

/** To a thousandth of a millisecond. */
const ms = (value: number): number => Math.round(value * 1_000) / 1_000

function parametersOf({ settings, costs }: MadeOutcome): Parameter[] {
  return [
    { name: 'days between polls', value: settings.everyDays },
    { name: 'mean bytes of a page', value: settings.meanBytes },
    { name: 'pages that change between polls', value: settings.changedShare, unit: 'share' },
    { name: 'of such a page changes', value: settings.editShare, unit: 'share' },
    { name: 'a request, who asks', value: ms(costs.each.askingMs), unit: 'ms' },
    { name: 'a request, who answers', value: ms(costs.each.answeringMs), unit: 'ms' },
    { name: 'on a kept connection, who asks', value: ms(costs.kept.askingMs), unit: 'ms' },
    { name: 'on a kept connection, who answers', value: ms(costs.kept.answeringMs), unit: 'ms' },
  ]
}

function notesOf({ sizes, settings }: MadeOutcome): string[] {
  const compared = sizes.reduce((sum, { outcome }) => sum + outcome.runs.reduce((all, run) => all + run.compared, 0), 0)
  const large = sizes.at(-1)!
  return [
    `Sites are made: pages of one size, with a frame that all share and words drawn as in texts; a change replaces words in one place, at a random time. Pages neither come nor go. The largest site is followed for ${formatNumber(large.periods * settings.everyDays)} days, smaller ones for as long as it takes to see some changes, at most a year.`,
    `After every poll and every delivery the copy was the site, by SHA-256: each page that either side had touched, and at the end every page, ${formatNumber(compared)} comparisons.`,
    'Site and crawler run in one process. Bytes are weighed as HTTP/1.1 would carry them, heads and both ways; a test holds that to what sockets carry. Processor time is what each side did, and for each request what it takes as such, its connection included: that was measured with two processes on this machine, and multiplied.',
    `Sites of more than ${formatNumber(settings.entirePages)} pages are not packed whole, which takes minutes: the cost of the next smaller is multiplied by the pages.`,
    'A crawler that knows which pages changed is told so for nothing, and nobody else is: it is what the second table is a ratio to.',
    'Keep-alive is no cooperation with the cost of requests on kept connections. An agent is run at the end of each period.',
  ]
}
