/** Tables of the break-even experiments: where the curves cross. */
import { usd } from '../../advise/site/money.ts'
import { savedShare } from '../../advise/site/savings.ts'
import type { DeltaCurves } from './delta.ts'
import { LISTS, pagesToHold } from './lists.ts'
import type { ListCosts } from './lists.ts'
import type { MoneyOutcome } from './money.ts'
import { PERIOD_POLLS } from './period.ts'
import type { PeriodCurves } from './period.ts'
import { POLLS, PUSHES } from './push.ts'
import type { PushCurves } from './push.ts'
import type { SiteCurves } from './site.ts'
import { crossingText } from '../../crossing.ts'
import type { Cell, Table } from '../../report/model.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'

export function siteTable(id: string, all: readonly SiteCurves[]): Table {
  const names = [...all[0]!.crossings.keys()]
  return {
    id: `${id}-entire-site`,
    title: 'Up to which share of changed pages is it cheaper to send those?',
    paperRef: '002 §6.2, §6.3',
    caption:
      'Beyond it the entire site is. Always: also when every page changed. A batch that is asked for and the answer of a filter are packed as one, the packages of a dump page by page, and so is a batch that is sent, which is then as long as the dump.',
    columns: [
      { label: 'pages' },
      { label: 'page', unit: 'bytes' },
      { label: 'entire site', unit: 'bytes' },
      ...names.map((label) => ({ label })),
    ],
    rows: all.map(({ pages, meanBytes, curves, crossings }): Cell[] => [
      pages,
      meanBytes,
      curves[0]!.points[0]![1],
      ...names.map((name) => crossingText(crossings.get(name)!, 'share')),
    ]),
  }
}

export function deltaTable(id: string, all: readonly DeltaCurves[]): Table {
  return {
    id: `${id}-difference`,
    title: 'Up to which share of changed words is a difference shorter than the page?',
    paperRef: '002 §6.3',
    caption: 'Mean of several pages, heads and all. Made pages: words replaced by others of the same kind.',
    columns: [
      { label: 'page', unit: 'bytes' },
      { label: 'edits' },
      ...all[0]!.crossings.map(({ difference, page }) => ({ label: `${difference} or ${page}` })),
    ],
    rows: all.map(({ pageBytes, manner, crossings }): Cell[] => [
      pageBytes,
      manner === 'place' ? 'in one place' : 'all over',
      ...crossings.map(({ crossing }) => crossingText(crossing, 'share')),
    ]),
  }
}

export function listTable(id: string, costs: readonly ListCosts[]): Table {
  return {
    id: `${id}-list`,
    title: 'From how many pages on is a list cheaper than asking for each?',
    paperRef: '002 §6.5.3',
    caption:
      'Pages that a crawler holds, when one of the site’s pages changed since its last visit; in brackets the bytes of the list.',
    columns: [
      { label: 'pages of the site' },
      { label: '304', unit: 'bytes' },
      ...LISTS.map((label) => ({ label, align: 'right' as const })),
    ],
    rows: costs.map((cost): Cell[] => [
      cost.pages,
      Math.round(cost.conditional),
      ...LISTS.map(
        (list) =>
          `${formatNumber(Math.ceil(pagesToHold(cost, list)))} (${formatQuantity(cost.lists[list].one, 'bytes')})`,
      ),
    ]),
  }
}

export function pushTable(id: string, { crossings }: PushCurves): Table {
  return {
    id: `${id}-told`,
    title: 'Up to how many changes a period is it cheaper to be told?',
    paperRef: '002 §6.1',
    columns: [{ label: 'pushed' }, ...POLLS.map((poll) => ({ label: `or ${poll}` }))],
    rows: PUSHES.map((push): readonly Cell[] => {
      const own = crossings.filter((one) => one.push === push)
      return [push as Cell].concat(POLLS.map((poll) => crossingText(own.find((one) => one.poll === poll)!.crossing)))
    }),
  }
}

export function periodTable(id: string, all: readonly PeriodCurves[]): Table {
  return {
    id: `${id}-periods`,
    title: 'Freshness and cost by the period',
    paperRef: '002 §6.1',
    caption:
      'The last row of each is push. Bytes a day: of polling by each way, and of push by its cheapest and with notices.',
    columns: [
      { label: 'changes' },
      { label: 'period', align: 'right' },
      { label: 'polls' },
      { label: 'with news' },
      { label: 'fresh', align: 'right' },
      { label: 'age', unit: 's' },
      ...PERIOD_POLLS.map((label) => ({ label, unit: 'bytes' })),
    ],
    rows: all.flatMap(({ process, periods, push }): Cell[][] => [
      ...periods.map(({ hours, polls, news, freshness, ageHours, bytes }): Cell[] => [
        process,
        formatQuantity(hours * 3_600, 's'),
        polls,
        news,
        freshText(freshness),
        ageHours * 3_600,
        ...PERIOD_POLLS.map((name) => bytes[name]!),
      ]),
      [
        process,
        'push',
        null,
        null,
        freshText(push.freshness),
        push.ageHours * 3_600,
        push.bytes['notice, then GET']!,
        push.bytes['differences, sent']!,
      ],
    ]),
  }
}

/** Near one, what is missing tells more. */
export const freshText = (freshness: number): string =>
  freshness > 0.999 ? `all but ${formatQuantity(1 - freshness, 'share')}` : percent(freshness)

export function moneyTable(id: string, { savings }: MoneyOutcome): Table {
  const { logged, schemes } = savings
  return {
    id: `${id}-schemes`,
    title: 'What a year of crawlers costs a site',
    paperRef: '002 §6.4.1',
    columns: [
      { label: 'scheme' },
      { label: 'to spend' },
      { label: 'bytes', unit: 'bytes' },
      { label: 'processor', unit: 's' },
      { label: 'network', align: 'right' },
      { label: 'processor, US$', align: 'right' },
      { label: 'saved', unit: 'share' },
    ],
    rows: [
      [
        'No cooperation',
        '',
        logged.bytes,
        logged.siteMs / 1_000,
        usd(logged.money.network),
        usd(logged.money.processing),
        0,
      ],
      ...schemes.map(({ scheme, cost }): Cell[] => [
        scheme.name,
        scheme.tier === 'none' ? '' : scheme.tier,
        cost.bytes,
        cost.siteMs / 1_000,
        usd(cost.money.network),
        usd(cost.money.processing),
        savedShare(cost.money.site, logged.money.site),
      ]),
    ],
  }
}
