/** Tables and plots of schemes on made sites: each scheme against no cooperation, by the size of the site. */
import type { Cell, Column, Figure, Point, Table } from '../../../report/model.ts'
import { formatNumber, formatQuantity } from '../../../report/number.ts'
import { percent } from '../../servers/answer.ts'
import type { MadeOutcome, MadeSize } from './schemes-made.ts'
import { isScheme } from '../outcome.ts'
import { reasonFor } from '../reasons.ts'
import { NO_COOPERATION } from '../../../cooperating/rows.ts'
import { networkBytes } from '../run.ts'
import type { SchemeRun } from '../run.ts'
import type { SchemeForm } from '../table.ts'
import { ageCell, COST_NAMES, KNOWING_CAPTION, nearlyText, ratioText, seconds } from '../tables.ts'
import { COSTS } from '../verdict.ts'
import type { CostKind, SchemeCell } from '../verdict.ts'
import { everyText } from '../schemes-words.ts'

export const MADE_ID = 'schemes-made'

const formsOf = ({ sizes }: MadeOutcome): readonly SchemeForm[] =>
  sizes[0]!.outcome.runs.map(({ form }) => form).filter(({ row }) => row !== NO_COOPERATION)

type CellsKey = 'cells' | 'knowingCells'

const cellIn = ({ outcome }: MadeSize, form: SchemeForm, kind: CostKind, key: CellsKey = 'cells'): SchemeCell =>
  outcome[key].find((cell) => cell.form === form && cell.kind === kind)!

const sizeColumns = ({ sizes }: MadeOutcome): Column[] =>
  sizes.map(({ pages }) => ({ label: formatNumber(pages), align: 'right' }))

export function madeSizeTable(outcome: MadeOutcome): Table {
  const { settings } = outcome
  return {
    id: `${MADE_ID}-table`,
    title: 'Costs against no cooperation, by the size of the site',
    paperRef: '002 Table 6.2',
    caption: `The sign that the paper has (· for none), then ours as a ratio to GET of every page, with ✓ where both point the same way. From poll to poll, ${everyText(settings.everyDays)}, ${percent(settings.changedShare)} of the pages change. The last columns are by the pages of the site; * is reckoned from the next smaller site.`,
    columns: cellColumns(outcome),
    rows: cellRows(outcome, 'cells'),
  }
}

export function madeKnowingTable(outcome: MadeOutcome): Table {
  return {
    id: `${MADE_ID}-knowing`,
    title: 'Costs against GET of only what changed, by the size of the site',
    paperRef: '002 Table 6.2',
    caption: KNOWING_CAPTION,
    columns: cellColumns(outcome),
    rows: cellRows(outcome, 'knowingCells'),
  }
}

const cellColumns = (outcome: MadeOutcome): Column[] => [
  { label: 'scheme' },
  { label: 'form' },
  { label: 'cost' },
  { label: 'paper' },
  ...sizeColumns(outcome),
]

const cellRows = (outcome: MadeOutcome, key: CellsKey): Cell[][] =>
  formsOf(outcome).flatMap((form) =>
    COSTS.map((kind, i): Cell[] => [
      i === 0 ? form.row.name : '',
      i === 0 ? form.name : '',
      COST_NAMES[kind],
      form.row[kind] === '' ? '·' : form.row[kind],
      ...outcome.sizes.map((size) => {
        const { ratio, verdict } = cellIn(size, form, kind, key)
        const mark = size.reckoned.has(form.id) ? '*' : ''
        return `${ratioText(ratio)}${mark}\u00a0${verdict === 'agrees' ? '✓' : '✗'}`
      }),
    ]),
  )

export function madeReasonTable(outcome: MadeOutcome): Table {
  const rows = formsOf(outcome).flatMap((form) =>
    COSTS.flatMap((kind): Cell[][] => {
      const others = outcome.sizes.filter((size) => cellIn(size, form, kind).verdict === 'does not')
      if (others.length === 0) return []
      const where =
        others.length === outcome.sizes.length ? 'all' : others.map(({ pages }) => formatNumber(pages)).join(', ')
      const paper = form.row[kind] === '' ? '·' : form.row[kind]
      return [[form.row.name, COST_NAMES[kind], paper, where, reasonFor(form.row.name, kind)]]
    }),
  )
  return {
    id: `${MADE_ID}-reasons`,
    title: 'Where ours is another one',
    columns: [{ label: 'scheme' }, { label: 'cost' }, { label: 'paper' }, { label: 'pages' }, { label: 'why' }],
    rows,
  }
}

/** Where schemes are compared at equal freshness. */
const EQUAL_AT = 1 / 1_440

export function madeFreshTable(outcome: MadeOutcome): Table {
  return {
    id: `${MADE_ID}-fresh`,
    title: 'At equal bytes: how fresh, by the pages of the site',
    paperRef: '002 §6.1',
    caption: `At least so fresh is a copy for the bytes of no cooperation ${everyText(outcome.settings.everyDays)}, spent on asking more often; – for what takes more than those.`,
    ...bySize(outcome, freshFor),
  }
}

export function madeEqualTable(outcome: MadeOutcome): Table {
  return {
    id: `${MADE_ID}-equal`,
    title: 'At equal freshness: bytes a day, by the pages of the site',
    paperRef: '002 §6.1',
    caption:
      'To be as fresh as polls every minute would make it: at least so much, reckoned with polls that find nothing; – for what is not sent that often.',
    ...bySize(outcome, bytesFor),
  }
}

const bySize = (
  outcome: MadeOutcome,
  cell: (size: MadeSize, form: string) => string,
): Pick<Table, 'columns' | 'rows'> => ({
  columns: [{ label: 'form' }, ...sizeColumns(outcome)],
  rows: outcome.sizes[0]!.outcome.runs.filter(isScheme).map(({ form }) =>
    [form.name].concat(outcome.sizes.map((size) => cell(size, form.id))),
  ),
})

function freshFor({ outcome }: MadeSize, form: string): string {
  const equal = outcome.equalBytes.get(form)
  return equal === undefined ? '–' : nearlyText(1 - equal.stale)
}

/** A day. */
function bytesFor({ outcome }: MadeSize, form: string): string {
  const cost = outcome.equalFreshness.find(({ everyDays }) => everyDays === EQUAL_AT)?.costs.get(form)
  return cost === undefined ? '–' : formatQuantity(networkBytes(cost) / outcome.days, 'bytes')
}

export function madeCostTable({ sizes }: MadeOutcome): Table {
  return {
    id: `${MADE_ID}-costs`,
    title: 'What it takes',
    caption:
      'Over the days that each site is followed; times are polls or deliveries. Processor times differ from run to run; the site’s are for what it answers and sends, and for its journal. Of delays half are shorter.',
    columns: [
      { label: 'pages', align: 'right' },
      { label: 'form' },
      { label: 'times' },
      { label: 'requests' },
      { label: 'bytes', align: 'right' },
      { label: 'site', unit: 's' },
      { label: 'journal', unit: 's' },
      { label: 'crawler', unit: 's' },
      { label: 'freshness', align: 'right' },
      { label: 'age', unit: 's' },
      { label: 'delay', unit: 's' },
    ],
    rows: sizes.flatMap((size) => size.outcome.runs.map((run, i) => costRow(size, run, i))),
  }
}

function costRow({ pages, outcome }: MadeSize, { form, year, polls, delayMs }: SchemeRun, i: number): Cell[] {
  const { stale, ageMs } = outcome.staleness.get(form.id)!
  return [
    i === 0 ? formatNumber(pages) : '',
    form.name,
    polls,
    Math.round(year.requests),
    formatQuantity(networkBytes(year), 'bytes'),
    seconds(year.serverMs),
    seconds(year.recordingMs),
    seconds(year.cpuMs),
    nearlyText(1 - stale),
    ageCell(ageMs),
    delayMs === undefined ? null : delayMs.p50 / 1_000,
  ]
}

export function madeFigure(outcome: MadeOutcome, kind: CostKind, side: SchemeForm['kind']): Figure {
  const shown = formsOf(outcome).filter((form) => form.kind === side)
  return {
    id: `${MADE_ID}-${kind}-${side}`,
    kind: 'lines',
    title: `${LABELS[kind]}, ${side === 'pulled' ? 'polled' : 'sent'}`,
    paperRef: '002 Table 6.2',
    caption: 'As a ratio to no cooperation. Both axes are logarithmic.',
    x: { label: 'Pages of the site', scale: 'log' },
    y: { label: 'Ratio to no cooperation', scale: 'log' },
    series: shown.map((form) => ({
      name: form.name,
      points: outcome.sizes.map((size): Point => ({ x: size.pages, y: cellIn(size, form, kind).ratio })),
    })),
    references: [{ name: 'no cooperation', atY: 1 }],
  }
}

const LABELS: Readonly<Record<CostKind, string>> = {
  network: 'Bytes by size',
  server: 'Processor time of the site by size',
  crawler: 'Processor time of the crawler by size',
}
