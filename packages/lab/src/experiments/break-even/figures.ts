/** Figures of the break-even experiments. */
import type { DeltaCurves } from './delta.ts'
import { LISTS, pagesToHold } from './lists.ts'
import type { ListCosts } from './lists.ts'
import type { MoneyOutcome } from './money.ts'
import type { PeriodCurves } from './period.ts'
import { PERIOD_POLLS } from './period.ts'
import type { PushCurves } from './push.ts'
import { ENTIRE_SITE } from './site.ts'
import type { NamedCurve, SiteCurves } from './site.ts'
import type { Figure, Point, Reference, Series } from '../../report/model.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'

const lineOf = ({ name, points }: NamedCurve): Series => ({ name, points: points.map(([x, y]) => ({ x, y })) })

export function siteFigure(id: string, { pages, meanBytes, curves }: SiteCurves): Figure {
  const [entire] = curves
  return {
    id: `${id}-site-${pages}`,
    kind: 'lines',
    title: `Entire site or what changed: ${formatNumber(pages)} pages`,
    paperRef: '002 §6.2, §6.3',
    caption: `Bytes to bring a copy up to date against the share of pages that changed, of ${formatQuantity(meanBytes, 'bytes')} each. Below the line of the entire site it is better to send what changed.`,
    x: { label: 'Pages that changed', unit: 'share' },
    y: { label: 'Bytes', unit: 'bytes' },
    series: curves.filter(({ name }) => name !== ENTIRE_SITE).map(lineOf),
    references: [{ name: ENTIRE_SITE, atY: entire!.points[0]![1] }],
  }
}

export function deltaFigure(id: string, { pageBytes, manner, curves }: DeltaCurves): Figure {
  return {
    id: `${id}-delta-${pageBytes}-${manner}`,
    kind: 'lines',
    title: `A difference or the page: ${formatQuantity(pageBytes, 'bytes')}, edits ${manner === 'place' ? 'in one place' : 'all over'}`,
    paperRef: '002 §6.3',
    caption: 'Bytes of the whole exchange, heads and both ways, against the share of the page that changed.',
    x: { label: 'Of the page that changed', unit: 'share' },
    y: { label: 'Bytes', unit: 'bytes' },
    series: curves.map(lineOf),
  }
}

export function listFigure(id: string, costs: readonly ListCosts[]): Figure {
  const series = LISTS.map((list): Series => ({
    name: list,
    points: costs.map((cost) => ({ x: cost.pages, y: pagesToHold(cost, list) })),
  }))
  const most = costs.at(-1)!.pages
  const all: Reference = {
    name: 'all pages of the site',
    points: [
      { x: costs[0]!.pages, y: costs[0]!.pages },
      { x: most, y: most },
    ],
  }
  return {
    id: `${id}-lists`,
    kind: 'lines',
    title: 'A list, or asking for each page',
    paperRef: '002 §6.5.3',
    caption:
      'How many pages of a site a crawler has to hold for a list to be cheaper than a conditional request for each of them, when one page changed. Above the diagonal no crawler holds so many.',
    x: { label: 'Pages of the site', scale: 'log' },
    y: { label: 'Pages held', scale: 'log' },
    series,
    references: [all],
  }
}

export function pushFigure(id: string, { curves, pages }: PushCurves): Figure {
  return {
    id: `${id}-push`,
    kind: 'lines',
    title: 'To be told, or to ask',
    paperRef: '002 §6.1',
    caption: `Bytes of a polling period against the changes in it, on a site of ${formatNumber(pages)} pages. Dashed: pushed.`,
    x: { label: 'Changes in a period', scale: 'log' },
    y: { label: 'Bytes', unit: 'bytes', scale: 'log' },
    series: curves.map((curve) => ({
      ...lineOf(curve),
      dashed: curve.name.includes('sent') || curve.name.startsWith('notice'),
    })),
  }
}

const slug = (name: string): string => name.replaceAll(/[^a-z]+/g, '-')

export function periodFigures(id: string, { process, periods, push, changes, days }: PeriodCurves): readonly Figure[] {
  const about = `${formatNumber(changes)} changes in ${formatNumber(days)} days, ${process}.`
  const fresh = periods.map(({ hours, freshness }): Point => ({ x: hours, y: 1 - freshness }))
  return [
    {
      id: `${id}-stale-${slug(process)}`,
      kind: 'lines',
      title: `Stale copies against the period, changes ${process}`,
      paperRef: '002 §6.1',
      caption: `${about} The share of copies that are not the page any more, over time; push is where polling tends to.`,
      x: { label: 'Period', unit: 'hours', scale: 'log' },
      y: { label: 'Stale', unit: 'share', scale: 'log' },
      series: [{ name: 'polling', points: fresh }],
      references: [{ name: 'push', atY: 1 - push.freshness }],
    },
    {
      id: `${id}-cost-${slug(process)}`,
      kind: 'lines',
      title: `Bytes a day against the period, changes ${process}`,
      paperRef: '002 §6.1',
      caption: `${about} Polling costs more the shorter the period, without end; push costs what changes.`,
      x: { label: 'Period', unit: 'hours', scale: 'log' },
      y: { label: 'Bytes a day', unit: 'bytes', scale: 'log' },
      series: PERIOD_POLLS.map((name) => ({
        name,
        points: periods.map(({ hours, bytes }) => ({ x: hours, y: bytes[name]! })),
      })),
      references: Object.entries(push.bytes).map(([name, atY]) => ({ name, atY })),
    },
  ]
}

export function moneyFigures(id: string, { savings, byProcessing, byView, prices }: MoneyOutcome): readonly Figure[] {
  const rows = [
    { name: 'no cooperation', money: savings.logged.money },
    ...savings.schemes.map(({ scheme, cost }) => ({ name: scheme.name, money: cost.money })),
  ]
  // A scheme that costs many times as much would leave no room for the others.
  const shown = rows.filter(({ money }) => money.site <= 3 * savings.logged.money.site)
  return [
    {
      id: `${id}-cost`,
      kind: 'bars',
      title: 'What crawlers cost a site in a year',
      paperRef: '002 Table 6.2, §6.4.1',
      caption: `US$ at c_n ${prices.networkUsd} and c_p ${prices.processingUsd} for a page of ${formatQuantity(prices.pageBytes, 'bytes')}; schemes of more than three times the first are left out.`,
      x: { label: 'Scheme', categories: shown.map(({ name }) => name) },
      y: { label: 'US$ a year' },
      series: [
        { name: 'network', points: shown.map(({ money }, x) => ({ x, y: money.network })) },
        { name: 'processor', points: shown.map(({ money }, x) => ({ x, y: money.processing })) },
      ],
    },
    {
      id: `${id}-processing`,
      kind: 'lines',
      title: 'What schemes save, by what the processor costs',
      paperRef: '002 §6.4.1',
      caption: `Of what crawlers cost the site, against the share of c_p in c_n + c_p = ${formatNumber(prices.networkUsd + prices.processingUsd)}. The paper has c_n > c_p: the left half.`,
      x: { label: 'c_p of c_n + c_p', unit: 'share' },
      y: { label: 'Saved', unit: 'share' },
      series: byProcessing.map(lineOf),
    },
    {
      id: `${id}-views`,
      kind: 'lines',
      title: 'Views that pay for crawlers',
      paperRef: '002 §6.4.1',
      caption: 'Views of a page in a year that bring what crawlers cost, against b, what a view brings.',
      x: { label: 'b, US$', scale: 'log' },
      y: { label: 'Views a year', scale: 'log' },
      series: byView.map(lineOf),
      references: [{ name: 'the paper', atX: 0.05 }],
    },
  ]
}
