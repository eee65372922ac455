/** Tables of the replayed year: the paper's beside what was measured, why they differ, and the costs themselves. */
import { freshText } from '../break-even/tables.ts'
import type { Cell, Column, Table } from '../../report/model.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'
import type { SchemesOutcome } from './outcome.ts'
import { BASE_FORM } from './pulled.ts'
import { freshnessReason, reasonFor } from './reasons.ts'
import { NO_COOPERATION } from '../../cooperating/rows.ts'
import type { SchemeRow } from '../../cooperating/rows.ts'
import { networkBytes } from './run.ts'
import type { SchemeRun } from './run.ts'
import type { SchemeForm } from './table.ts'
import { COSTS } from './verdict.ts'
import type { CostKind, SchemeCell } from './verdict.ts'
import { everyText } from './schemes-words.ts'

export const COST_NAMES: Readonly<Record<CostKind, string>> = { network: 'network', server: 'site', crawler: 'crawler' }

export function paperTable(id: string, { runs, cells, staleness, settings }: SchemesOutcome): Table {
  const forms = runs.map(({ form }) => form).filter(({ row }) => row !== NO_COOPERATION)
  const rowOf = (form: SchemeForm, i: number): Cell[] => [
    ...cellsRow(forms, i, cells),
    form.row.freshness,
    nearlyText(1 - staleness.get(form.id)!.stale),
  ]
  return {
    id: `${id}-table`,
    title: 'Costs against no cooperation',
    paperRef: '002 Table 6.2',
    caption:
      'Of each cost first the sign that the paper has (· for none), then ours as a ratio to GET of every page, with ✓ where both point the same way. ' +
      `Who is polled is polled ${everyText(settings.everyDays)}; who is sent to is sent every change, unless its name says otherwise, an entire site ${everyText(settings.everyDays)}, and an agent is run ${everyText(settings.agentDays)}.`,
    columns: [
      { label: 'scheme' },
      { label: 'form' },
      ...COSTS.flatMap((kind): Column[] => [{ label: COST_NAMES[kind] }, { label: 'ours' }]),
      { label: 'freshness' },
      { label: 'ours', align: 'right' },
    ],
    rows: forms.map(rowOf),
  }
}

/** The same cells, each against what nobody can spare. */
export function knowingTable(id: string, { runs, knowingCells }: SchemesOutcome): Table {
  const forms = runs.map(({ form }) => form).filter(({ row }) => row !== NO_COOPERATION)
  return {
    id: `${id}-knowing`,
    title: 'Costs against GET of only what changed',
    paperRef: '002 Table 6.2',
    caption: KNOWING_CAPTION,
    columns: [
      { label: 'scheme' },
      { label: 'form' },
      ...COSTS.flatMap((kind): Column[] => [{ label: COST_NAMES[kind] }, { label: 'ours' }]),
    ],
    rows: forms.map((_, i) => cellsRow(forms, i, knowingCells)),
  }
}

/** The paper's name of a scheme stands beside its first form only. */
function cellsRow(forms: readonly SchemeForm[], i: number, cells: readonly SchemeCell[]): Cell[] {
  const form = forms[i]!
  const scheme = forms[i - 1]?.row === form.row ? '' : form.row.name
  return [scheme, form.name, ...cells.filter((cell) => cell.form === form).flatMap(cellTexts)]
}

export const KNOWING_CAPTION =
  'Another reading of the paper’s signs: ours as a ratio to a crawler that knows for nothing which pages changed and asks for those alone, without help from the site. It is what a scheme adds to the work that nobody can spare.'

const cellTexts = ({ paper, ratio, verdict }: SchemeCell): [string, string] => [
  paper === '' ? '·' : paper,
  `${ratioText(ratio)}\u00a0${verdict === 'agrees' ? '✓' : '✗'}`,
]

/** Small ones with as many digits as tell them from zero. */
export function ratioText(ratio: number): string {
  if (!Number.isFinite(ratio)) return '–'
  return ratio >= 9.95 ? formatNumber(ratio) : ratio >= 0.095 ? ratio.toFixed(2) : ratio.toPrecision(1)
}

/** How fresh, for a narrow column: what is missing of all is told by the age beside it. */
export function nearlyText(freshness: number): string {
  if (freshness > 0.9999) return '> 99.99\u00a0%'
  return freshness > 0.999 ? '> 99.9\u00a0%' : percent(freshness)
}

/** In seconds; over all pages and days, less than a millisecond is none. */
export const ageCell = (ageMs: number): Cell => (ageMs < 1 ? '< 1\u00a0ms' : ageMs / 1_000)

export function reasonTable(id: string, outcome: SchemesOutcome): Table {
  const { cells, staleness, runs } = outcome
  const others = cells.filter(({ verdict }) => verdict === 'does not')
  const groups = Map.groupBy(others, ({ form, kind }) => `${form.row.name}\u0000${kind}`)
  const rows = new Set(runs.map(({ form }) => form.row))
  const freshOf = (row: SchemeRow): string =>
    runs
      .filter(({ form }) => form.row === row)
      .map(({ form }) => `${form.name} ${freshText(1 - staleness.get(form.id)!.stale)}`)
      .join('; ')
  return {
    id: `${id}-reasons`,
    title: 'Where ours is another one',
    columns: [{ label: 'scheme' }, { label: 'cost' }, { label: 'paper' }, { label: 'ours' }, { label: 'why' }],
    rows: [
      ...Array.from(groups.values(), (group): Cell[] => {
        const [{ form, kind, paper }] = group as [SchemeCell]
        const ours = group.map((cell) => `${cell.form.name} ${ratioText(cell.ratio)}`).join('; ')
        return [form.row.name, COST_NAMES[kind], paper === '' ? '·' : paper, ours, reasonFor(form.row.name, kind)]
      }),
      ...Array.from(rows, (row): Cell[] => [
        row.name,
        'freshness',
        row.freshness,
        freshOf(row),
        freshnessReason(row),
      ]).filter((row) => row.at(-1) !== ''),
    ],
  }
}

/** Bytes and requests. */
export function trafficTable(id: string, { runs }: SchemesOutcome): Table {
  const [base, packed] = [BASE_FORM, 'none-gzip'].map((name) => runs.find(({ form }) => form.id === name))
  return {
    id: `${id}-traffic`,
    title: 'What it takes: the network',
    caption:
      'After the first copy. Times are polls or deliveries; bytes are what the sockets carried, heads and bodies.',
    columns: [
      { label: 'form' },
      { label: 'how' },
      { label: 'times' },
      { label: 'requests' },
      { label: 'connections' },
      { label: 'to the site', align: 'right' },
      { label: 'from it', align: 'right' },
      { label: 'of no coop.', align: 'right' },
      { label: 'of it, gzip', align: 'right' },
    ],
    rows: runs.map(({ form, year, polls }) => [
      form.name,
      form.about,
      polls,
      year.requests,
      year.connections,
      formatQuantity(year.sent, 'bytes'),
      formatQuantity(year.received, 'bytes'),
      percent(networkBytes(year) / networkBytes(base!.year)),
      packed === undefined ? null : percent(networkBytes(year) / networkBytes(packed.year)),
    ]),
  }
}

/** Processor times, and the pages that they were spent on. */
export function costTable(id: string, { runs }: SchemesOutcome): Table {
  return {
    id: `${id}-costs`,
    title: 'What it takes: site and crawler',
    caption:
      'Processor times after the first copy, of two processes, and of sandboxes where there is an agent; they differ from run to run. Keeping the journal is the site’s work, too, however often it is polled.',
    columns: [
      { label: 'form' },
      { label: 'site', unit: 's' },
      { label: 'its journal', unit: 's' },
      { label: 'crawler', unit: 's' },
      { label: 'pages sent' },
      { label: 'changed' },
      { label: 'nothing new', align: 'right' },
      { label: 'first copy', align: 'right' },
    ],
    rows: runs.map((run) => [
      run.form.name,
      seconds(run.year.serverMs),
      seconds(run.year.recordingMs),
      seconds(run.year.cpuMs),
      run.year.fetched,
      run.year.changes,
      nothingText(run),
      formatQuantity(networkBytes(run.first), 'bytes'),
    ]),
  }
}

/** Of an agent that finds nothing the processor time counts: it sends nothing. */
function nothingText({ form, idle }: SchemeRun): string {
  if (form.kind === 'pushed') return idle.serverMs === 0 ? '' : formatQuantity(idle.serverMs / 1_000, 's')
  return formatQuantity(networkBytes(idle), 'bytes')
}

export const seconds = (ms: number): number => Math.round(ms / 10) / 100
