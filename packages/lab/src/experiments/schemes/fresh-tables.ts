/** Tables of the replayed year: how fresh each scheme keeps a copy, and what freshness costs. */
import { freshText } from '../break-even/tables.ts'
import type { Cell, Column, Table } from '../../report/model.ts'
import { formatQuantity } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'
import { isScheme } from './outcome.ts'
import type { SchemesOutcome } from './outcome.ts'
import { BASE_FORM } from './pulled.ts'
import { networkBytes, siteMs } from './run.ts'
import type { SchemeRun } from './run.ts'
import { ageCell, nearlyText, seconds } from './tables.ts'
import { everyText } from './schemes-words.ts'

export function freshnessTable(id: string, { runs, staleness, equalBytes }: SchemesOutcome): Table {
  return {
    id: `${id}-fresh`,
    title: 'How fresh, and how fresh for as many bytes',
    caption:
      'Age is of all copies, fresh ones being no time old. Delay is from a change, or from the time to send, until it was taken in, on loopback: what a network takes comes on top. ' +
      'The last two columns are what a scheme reaches, at least, for the bytes of no cooperation, spent on asking more often; – where it takes more than those.',
    columns: [
      { label: 'form' },
      { label: 'when' },
      { label: 'freshness', align: 'right' },
      { label: 'age', unit: 's' },
      { label: 'delay, half', unit: 's' },
      { label: 'delay, 99 %', unit: 's' },
      { label: 'at equal bytes', align: 'right' },
      { label: 'age then', unit: 's' },
    ],
    rows: runs.filter(isScheme).map(({ form, everyDays, delayMs }) => {
      const { stale, ageMs } = staleness.get(form.id)!
      const equal = equalBytes.get(form.id)
      return [
        form.name,
        everyDays === 0 ? (form.kind === 'pushed' ? form.push.when : '') : everyText(everyDays),
        nearlyText(1 - stale),
        ageCell(ageMs),
        delayMs === undefined ? null : delayMs.p50 / 1_000,
        delayMs === undefined ? null : delayMs.p99 / 1_000,
        equal === undefined ? '–' : nearlyText(1 - equal.stale),
        equal === undefined ? null : ageCell(equal.ageMs),
      ]
    }),
  }
}

export function equalTable(id: string, { runs, equalFreshness }: SchemesOutcome): Table {
  const rowOf = ({ form }: SchemeRun): Cell[] => [
    form.name,
    ...equalFreshness.flatMap(({ costs }): Cell[] => {
      const cost = costs.get(form.id)
      return cost === undefined ? ['–', null] : [formatQuantity(networkBytes(cost), 'bytes'), seconds(siteMs(cost))]
    }),
  ]
  return {
    id: `${id}-equal`,
    title: 'At equal freshness',
    paperRef: '002 §6.1',
    caption:
      `What each takes to be as fresh as who is polled so often (${equalFreshness.map(({ everyDays, stale }) => `${everyText(everyDays)} ${freshText(1 - stale)}`).join(', ')}): bytes, and seconds of the site’s processor. ` +
      'Between measured periods it is reckoned with polls that find nothing, which were measured: at least so much. – for what is not sent that often.',
    columns: [
      { label: 'form' },
      ...equalFreshness.flatMap(({ everyDays }): Column[] => [
        { label: everyText(everyDays), align: 'right' },
        { label: 'site', unit: 's' },
      ]),
    ],
    rows: runs.filter(isScheme).map(rowOf),
  }
}

export function oftenTable(id: string, { runs, often, equalFreshness, settings }: SchemesOutcome): Table {
  const base = runs.find(({ form }) => form.id === BASE_FORM)!
  const { stale } = equalFreshness.find(({ everyDays }) => everyDays === settings.oftenDays) ?? { stale: NaN }
  return {
    id: `${id}-often`,
    title: `Polled ${everyText(settings.oftenDays)}`,
    caption: `Beside no cooperation ${everyText(settings.everyDays)}, which has ${formatQuantity(networkBytes(base.year), 'bytes')} and ${seconds(siteMs(base.year))} s of the site’s processor.`,
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
      freshText(1 - stale),
    ]),
  }
}
