/** Tables of the experiment of 002: what each scheme costs, rounds to discover a site, splitting, and polling. */
import { LEVELS, PACKED, PRINTED, trafficOf, wastedADay } from './claims.ts'
import type { Discovery } from './discovery.ts'
import type { MeanPolling, WorkloadOutcome } from './outcome.ts'
import { bytesOf, VISITS } from './wire.ts'
import type { SiteCosts, VisitKind } from './wire.ts'
import type { Cell, Table } from '../../report/model.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'

const VISIT_NAMES: Readonly<Record<VisitKind, string>> = {
  first: 'first visit',
  nothing: 'nothing changed',
  top: 'a page at the top',
  one: 'one page',
  hundredth: '1 %',
  tenth: '10 %',
}

/** All that was measured: a column for each visit, requests and bytes. */
export function costsTable(id: string, sites: readonly SiteCosts[]): Table {
  const rows = sites.flatMap(({ name, schemes }) =>
    schemes.map(({ scheme, visits }): Cell[] => [
      name,
      scheme,
      ...VISITS.flatMap((kind) => [visits[kind].requests, bytesOf(visits[kind])]),
    ]),
  )
  return {
    id: `${id}-costs`,
    title: 'Requests and bytes by scheme',
    paperRef: '002 §6.5.3',
    caption:
      'Of a first visit, and of polls after nothing, one page of the top folder, one of the others, 1 % and 10 % of the pages had changed. Bytes are those of HTTP, both ways; bodies of changed pages are not counted, as all ways fetch them.',
    columns: [
      { label: 'site' },
      { label: 'scheme' },
      ...VISITS.flatMap((kind) => [{ label: `${VISIT_NAMES[kind]}: requests` }, { label: 'bytes' }]),
    ],
    rows,
  }
}

/** The gist, for a terminal. */
export function gistTable(id: string, sites: readonly SiteCosts[]): Table {
  return {
    id: `${id}-gist`,
    title: 'To learn of all pages, and that one changed',
    columns: [
      { label: 'scheme' },
      ...sites.flatMap(({ name }) => [
        { label: `${name}: first`, align: 'right' as const },
        { label: 'one changed', align: 'right' as const },
        { label: 'requests', align: 'right' as const },
      ]),
    ],
    rows: sites[0]!.schemes.map(({ scheme }) => gistRow(scheme, sites)),
  }
}

function gistRow(scheme: string, sites: readonly SiteCosts[]): Cell[] {
  const cells = sites.flatMap((site) => {
    const [first, one] = [trafficOf(site, scheme, 'first'), trafficOf(site, scheme, 'one')]
    return [formatQuantity(bytesOf(first), 'bytes'), formatQuantity(bytesOf(one), 'bytes'), formatNumber(one.requests)]
  })
  return [scheme, ...cells]
}

const LEVEL_VISITS: readonly VisitKind[] = ['nothing', 'top', 'one', 'hundredth']

export function levelsTable(id: string, sites: readonly SiteCosts[]): Table {
  return {
    id: `${id}-levels`,
    title: 'robots.rdf in parts by levels',
    paperRef: '002 §6.5.3',
    caption: 'What a poll costs, whole and in parts; `robots.rdf, top only` is for whoever wants no more than the top.',
    columns: [
      { label: 'site' },
      { label: 'way' },
      { label: 'files', align: 'right' },
      ...LEVEL_VISITS.map((kind) => ({ label: VISIT_NAMES[kind], align: 'right' as const })),
    ],
    rows: sites.flatMap((site) =>
      [PRINTED, PACKED, LEVELS, 'robots.rdf, top only'].map((scheme) => levelRow(site, scheme)),
    ),
  }
}

function levelRow(site: SiteCosts, scheme: string): Cell[] {
  const cells = LEVEL_VISITS.map((kind) => formatQuantity(bytesOf(trafficOf(site, scheme, kind)), 'bytes'))
  return [site.name, scheme, trafficOf(site, scheme, 'first').requests, ...cells]
}

export function roundsTable(id: string, found: readonly Discovery[]): Table {
  return {
    id: `${id}-rounds`,
    title: 'Rounds to find all pages of a site',
    paperRef: '002 §6.5.3',
    caption: 'By links: pages found in each round, the home page first. From a list it is always one.',
    columns: [
      { label: 'site' },
      { label: 'pages' },
      { label: 'rounds' },
      { label: 'not found', align: 'right' },
      { label: 'found in each' },
    ],
    rows: found.map(({ name, pages, reached, rounds }) => [
      name,
      pages,
      rounds.length,
      percent((pages - reached) / pages),
      roundsText(rounds),
    ]),
  }
}

const SHOWN_ROUNDS = 8

function roundsText(rounds: readonly number[]): string {
  const shown = rounds.slice(0, SHOWN_ROUNDS).map(formatNumber).join(', ')
  return rounds.length > SHOWN_ROUNDS ? `${shown}, …` : shown
}

/** `fileBytes`: of a poll that transfers the whole file, and of one that hears it is as it was. */
export function pollingTable(
  id: string,
  outcomes: readonly WorkloadOutcome[],
  bytes: { readonly whole: number; readonly same: number },
  periodDays: number,
): Table {
  const cells = (polling: MeanPolling): Cell[] => [
    formatNumber(polling.polls),
    percent(polling.outdated.mean),
    percent(polling.worst),
    percent(polling.needless),
    formatQuantity(wastedADay(polling) * bytes.whole, 'bytes'),
    formatQuantity(wastedADay(polling) * bytes.same, 'bytes'),
  ]
  return {
    id: `${id}-polling`,
    title: 'Polls, what they leave outdated, and what they waste',
    paperRef: '002 §6.5.3',
    caption:
      `By a period of ${formatNumber(periodDays)} day${periodDays === 1 ? '' : 's'}, and by limits on the probability of being outdated, each beside the fixed period with as many polls. ` +
      `Wasted a site and day by polls that found nothing: with the whole file of ${formatQuantity(bytes.whole, 'bytes')} each time, as WIRE does, or only if modified.`,
    columns: [
      { label: 'sites' },
      { label: 'when' },
      { label: 'polls', align: 'right' },
      { label: 'outdated', align: 'right' },
      { label: 'worst site', align: 'right' },
      { label: 'needless', align: 'right' },
      { label: 'wasted', align: 'right' },
      { label: 'if modified', align: 'right' },
    ],
    rows: outcomes.flatMap(({ name, period, limits }) => [
      [name, `every ${formatNumber(periodDays)} d`, ...cells(period)],
      ...limits.flatMap(({ limit, limited, fixed }) => [
        [name, `P = ${limit}`, ...cells(limited)],
        [name, 'as often, fixed', ...cells(fixed)],
      ]),
    ]),
  }
}
