/** Tables of the replayed year: the paper's beside what was measured, the costs themselves, and polls more often. */
import type { Cell, Column, Table } from './report-model.ts'
import { formatQuantity } from './report-number.ts'
import { percent } from './servers-answer.ts'
import type { SchemesOutcome } from './schemes-outcome.ts'
import { FRESHNESS_REASON, reasonFor } from './schemes-reasons.ts'
import { networkBytes, siteMs } from './schemes-run.ts'
import { BASE_FORM, NO_COOPERATION } from './schemes-table.ts'
import type { SchemeForm } from './schemes-table.ts'
import { COSTS } from './schemes-verdict.ts'
import type { CostKind, SchemeCell } from './schemes-verdict.ts'

const NAMES: Readonly<Record<CostKind, string>> = { network: 'network', server: 'site', crawler: 'crawler' }

export function paperTable(id: string, { runs, cells, freshness, sameBytes }: SchemesOutcome): Table {
  const forms = runs.map(({ form }) => form).filter(({ row }) => row !== NO_COOPERATION)
  const rowOf = (form: SchemeForm, i: number): Cell[] => [
    forms[i - 1]?.row === form.row ? '' : form.row.name,
    form.name,
    ...cells.filter((cell) => cell.form === form).flatMap(cellTexts),
    form.row.freshness,
    percent(sameBytes.get(form.id) ?? NaN),
  ]
  return {
    id: `${id}-table`,
    title: 'Costs against no cooperation',
    paperRef: '002 Table 6.2, pulled half',
    caption:
      'Of each cost first the sign that the paper has (· for none), then ours as a ratio to GET of every page, with ✓ where both point the same way. ' +
      `Freshness at equal periods is ${percent(freshness)} for every scheme. What it would be for the bytes of no cooperation, spent on asking more often, up to every six hours, is in the last column: at least so much.`,
    columns: [
      { label: 'scheme' },
      { label: 'form' },
      ...COSTS.flatMap((kind): Column[] => [{ label: NAMES[kind] }, { label: 'ours' }]),
      { label: 'freshness' },
      { label: 'at equal bytes', align: 'right' },
    ],
    rows: forms.map(rowOf),
  }
}

const cellTexts = ({ paper, ratio, verdict }: SchemeCell): [string, string] => [
  paper === '' ? '·' : paper,
  `${ratio.toFixed(2)}\u00a0${verdict === 'agrees' ? '✓' : '✗'}`,
]

export function costTable(id: string, { runs }: SchemesOutcome): Table {
  const [base, packed] = [BASE_FORM, 'none-gzip'].map((name) => runs.find(({ form }) => form.id === name))
  return {
    id: `${id}-costs`,
    title: 'What a year takes',
    caption:
      'After the first copy. Bytes are what the sockets carried, heads and bodies; processor times are of two processes and differ from run to run. Keeping the journal is the site’s work, too, however often it is polled.',
    columns: [
      { label: 'form' },
      { label: 'how' },
      { label: 'requests' },
      { label: 'connections' },
      { label: 'asked', align: 'right' },
      { label: 'answered', align: 'right' },
      { label: 'to no cooperation', align: 'right' },
      { label: 'to it with gzip', align: 'right' },
      { label: 'site, answers', unit: 's' },
      { label: 'site, journal', unit: 's' },
      { label: 'crawler', unit: 's' },
      { label: 'pages sent' },
      { label: 'of them changed' },
      { label: 'first copy', align: 'right' },
    ],
    rows: runs.map(({ form, year, first }) => [
      form.name,
      form.about,
      year.requests,
      year.connections,
      formatQuantity(year.sent, 'bytes'),
      formatQuantity(year.received, 'bytes'),
      percent(networkBytes(year) / networkBytes(base!.year)),
      packed === undefined ? null : percent(networkBytes(year) / networkBytes(packed.year)),
      seconds(year.serverMs),
      seconds(year.recordingMs),
      seconds(year.cpuMs),
      year.fetched,
      year.changes,
      formatQuantity(networkBytes(first), 'bytes'),
    ]),
  }
}

const seconds = (ms: number): number => Math.round(ms / 10) / 100

export function oftenTable(id: string, { runs, often, oftenFreshness, settings }: SchemesOutcome): Table {
  const base = runs.find(({ form }) => form.id === BASE_FORM)!
  const period = settings.oftenDays === 1 ? 'day' : `${settings.oftenDays} days`
  return {
    id: `${id}-often`,
    title: `Polled every ${period}`,
    caption: `Beside no cooperation every ${settings.everyDays} days, which has ${formatQuantity(networkBytes(base.year), 'bytes')} and ${seconds(siteMs(base.year))} s of the site’s processor.`,
    columns: [
      { label: 'form' },
      { label: 'polls' },
      { label: 'requests' },
      { label: 'bytes', align: 'right' },
      { label: 'to no cooperation', align: 'right' },
      { label: 'site', unit: 's' },
      { label: 'crawler', unit: 's' },
      { label: 'freshness', align: 'right' },
    ],
    rows: often.map(({ form, polls, year }) => [
      form.name,
      polls,
      year.requests,
      formatQuantity(networkBytes(year), 'bytes'),
      percent(networkBytes(year) / networkBytes(base.year)),
      seconds(siteMs(year)),
      seconds(year.cpuMs),
      percent(oftenFreshness),
    ]),
  }
}

export function reasonTable(id: string, { cells, freshness }: SchemesOutcome): Table {
  const others = cells.filter(({ verdict }) => verdict === 'does not')
  const groups = Map.groupBy(others, ({ form, kind }) => `${form.row.name}\u0000${kind}`)
  return {
    id: `${id}-reasons`,
    title: 'Where the signs point elsewhere',
    columns: [{ label: 'scheme' }, { label: 'cost' }, { label: 'paper' }, { label: 'ours' }, { label: 'why' }],
    rows: [
      ...Array.from(groups.values(), (group): Cell[] => {
        const [{ form, kind, paper }] = group as [SchemeCell]
        const ours = group.map((cell) => `${cell.form.name} ${cell.ratio.toFixed(2)}`).join('; ')
        return [form.row.name, NAMES[kind], paper === '' ? '·' : paper, ours, reasonFor(form.row.name, kind)]
      }),
      ['Filtering interface', 'freshness', 'High', `${percent(freshness)}, as all`, FRESHNESS_REASON],
    ],
  }
}
