/** The replayed year as it is reported. */
import { freshText } from '../break-even/tables.ts'
import type { ExperimentResult, Parameter } from '../../report/model.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { agreeing, mainCells, schemeClaims } from './claims.ts'
import { schemeFigures } from './figures.ts'
import { isScheme } from './outcome.ts'
import type { SchemesOutcome } from './outcome.ts'
import { BASE_FORM } from './pulled.ts'
import { networkBytes } from './run.ts'
import type { SchemeRun } from './run.ts'
import { equalTable, freshnessTable, oftenTable } from './fresh-tables.ts'
import { costTable, knowingTable, paperTable, reasonTable, trafficTable } from './tables.ts'
import { everyText } from './schemes-words.ts'

export function resultOf(outcome: SchemesOutcome): ExperimentResult {
  const { year, often, days, wholeDays } = outcome
  const id = `schemes-${slugOf(year.name)}`
  const told = paperTable(id, outcome)
  const part = days < wholeDays ? `the first ${formatNumber(days)} of ${formatNumber(wholeDays)} days` : 'all of it'
  return {
    id,
    name: `Schemes of cooperation: ${year.name}`,
    paper: '002',
    varies: true,
    finding: findingOf(outcome),
    parameters: parametersOf(outcome),
    seeds: [],
    webs: [
      {
        name: year.name,
        pages: year.present.length,
        links: 0,
        sites: 1,
        about: `${formatNumber(year.events.length)} changes in ${formatNumber(days)} days, ${part}, replayed with every version’s bytes`,
      },
    ],
    figures: schemeFigures(id, outcome),
    tables: [
      told,
      knowingTable(id, outcome),
      reasonTable(id, outcome),
      freshnessTable(id, outcome),
      equalTable(id, outcome),
      trafficTable(id, outcome),
      costTable(id, outcome),
      ...(often.length === 0 ? [] : [oftenTable(id, outcome)]),
    ],
    toldTable: told.id,
    claims: schemeClaims(id, outcome),
    notes: notesOf(outcome),
  }
}

const bytesOf = ({ year }: SchemeRun): number => networkBytes(year)

function findingOf(outcome: SchemesOutcome): string {
  const { runs, days, staleness, equalFreshness, settings } = outcome
  const base = runs.find(({ form }) => form.id === BASE_FORM)!
  const least = (kind: SchemeRun['form']['kind']): SchemeRun | undefined =>
    runs.filter((run) => run.form.kind === kind && isScheme(run)).toSorted((a, b) => bytesOf(a) - bytesOf(b))[0]
  const [polled, sent] = [least('pulled')!, least('pushed')]
  const main = mainCells(runs, outcome.cells)
  const knowing = mainCells(runs, outcome.knowingCells)
  const told =
    sent === undefined
      ? ''
      : ` By “${sent.form.name}” it takes ${formatQuantity(bytesOf(sent), 'bytes')} and ${freshText(1 - staleness.get(sent.form.id)!.stale)} is fresh, instead of ${freshText(1 - equalFreshness[0]!.stale)}.`
  return (
    `A copy of the site for ${formatNumber(days)} days, polled ${everyText(settings.everyDays)}, takes ${formatQuantity(bytesOf(base), 'bytes')} without cooperation and ` +
    `${formatQuantity(bytesOf(polled), 'bytes')} by “${polled.form.name}”, for the same pages.${told} ` +
    `Of the ${main.length} signs of costs in the paper’s table ${agreeing(main)} point the way we measured, and ${agreeing(knowing)} against a crawler that knows for nothing which pages changed.`
  )
}

function parametersOf({ settings, days }: SchemesOutcome): Parameter[] {
  return [
    { name: 'days lived through', value: days },
    { name: 'days between polls', value: settings.everyDays },
    { name: 'days between polls, second run', value: settings.oftenDays },
    { name: 'days between runs of an agent', value: settings.agentDays },
    { name: 'runs at one time', value: settings.atOnce },
  ]
}

function notesOf({ runs, often, days, wholeDays }: SchemesOutcome): string[] {
  const all = [...runs, ...often]
  const compared = all.reduce((sum, run) => sum + run.compared, 0)
  const broken = all.reduce((sum, run) => sum + run.year.broken, 0)
  return [
    ...(days < wholeDays
      ? [
          `These are the first ${formatNumber(days)} days of the year, to be done in minutes; \`--set days=0\` lives through all ${formatNumber(wholeDays)} of them.`,
        ]
      : []),
    `After every poll and every delivery the copy was the site, by SHA-256: each page that either side had touched, and at the end every page, ${formatNumber(compared)} comparisons. So the schemes are prices for the same work. An agent that looks at visible words leaves pages alone whose words are the same; of those the words were compared.`,
    ...(broken === 0
      ? []
      : [
          `${formatNumber(broken)} differences could not be used, which their digests told; those pages were asked for once more, whole.`,
        ]),
    'No cooperation is GET of every page, each over a connection of its own, as 002 §6.2 has it; pages are sent as they are, except in the second form of it. Schemes that cannot tell which pages there are (no cooperation, only if modified, keep-alive, HTTP/2, batch) are told that for nothing: they would have to find new pages by links.',
    'Pages are asked for without a content coding where a scheme asks for them one by one, so that what it saves is not what packing saves. Documents, batches, dumps and answers of the filter are packed, as our crawler asks for them; of what is sent, what goes to a push address is packed, and to a subscription only what is a ZIP.',
    'What is sent is made by the site’s delivery worker and posted over loopback, each delivery on a connection of its own. The crawler’s side proves who sent it (HMAC, signature or key), puts it into an inbox, reads it and judges whether it is newer with the functions of the crawler, and answers when it has taken it in.',
    'An entire site says what is there and not what is gone: pages that were in no part of it are asked for. IndexNow says which pages, not what became of them.',
    'Agents are those of examples/agents, in their real sandbox. The one for visible words has the site send the pages whose words changed, as differences from what the site knows the engine to have: whole, the first time; the other sends words and links, and the engine has no pages. They are run seldom here, as each run takes a sandbox; what a run takes that finds nothing is measured, and added where they are compared at equal freshness.',
    'The site is node:http with the pages in memory; one that helps has the site’s middleware before it, and learns of each change when it happens. How it learns (a scan, a watch, a call) is not in its costs. The crawler takes the digest of every page that comes and reads those that are other ones.',
    'Bytes are those of HTTP. TCP and IP add at least 40 for each packet, and seven packets for each connection.',
    'The seldomer the polls, the more pages have changed at each, and the less there is to spare: at two months the site works more for lists and differences than for every page, as the paper has it.',
    'Polls come at the end of days. Freshness is over the pages that either side has, to the second of each change.',
  ]
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '') || 'year'
