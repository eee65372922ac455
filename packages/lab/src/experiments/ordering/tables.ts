/** The numbers behind the graphs of 003, as tables of a report. */
import { areaUnder, valueAt } from '../../simulate/crawl-model-curves.ts'
import type { Spread } from '../../simulate/crawl-model-curves.ts'
import { orderTitle } from './figures.ts'
import type { LinkResults, LinkSpread } from './links.ts'
import { rounded } from './targets.ts'
import type { TopicResults } from './topics.ts'
import type { Column, Table } from '../../report/model.ts'

const area = ({ mean }: Spread): number => areaUnder(mean)

export function linkTables(id: string, results: LinkResults, buffers: readonly number[]): Table[] {
  const { targets, orders, perSite, randomKept } = results
  const all = [...targets.backlinks.map((target) => ['IB', target] as const), ['IR', targets.rank] as const]
  const tables: Table[] = [
    {
      id: `${id}-hot`,
      title: 'How many pages are hot',
      paperRef: '003 §6',
      columns: [
        { label: 'importance' },
        { label: 'G of the paper', align: 'right' },
        { label: 'G used', align: 'right' },
        { label: 'hot pages', unit: 'pages' },
        { label: 'of all pages', unit: 'share' },
        { label: 'in the paper', unit: 'share', align: 'right' },
      ],
      rows: all.map(([name, { paper, used, hot, share, paperShare }]) => [
        name,
        paper,
        Number(rounded(used)),
        hot,
        share,
        name === 'IB' ? (paperShare ?? null) : null,
      ]),
    },
    {
      id: `${id}-areas`,
      title: 'How soon the orders find hot pages',
      caption:
        'Mean height of each curve; pages drawn at random have 50 % (but for Crawl & Stop, where equals count). The last ' +
        'column says how often the next page was one that the page before it links to, as in a depth-first crawl.',
      columns: areaColumns(results),
      rows: orders.map(areaRow),
    },
    {
      id: `${id}-buffer`,
      title: 'Limited Buffer Crawl: how many of the pages kept belong to the best',
      paperRef: '003 §3',
      caption:
        'The crawl visits all pages and may keep some, by backlinks seen so far. An ideal crawler has 100 %. A page that ' +
        'comes early is judged by few links, so an order that is good elsewhere may keep less.',
      columns: [
        { label: 'order' },
        ...buffers.map((share): Column => ({ label: `room for ${rounded(share * 100)} %`, unit: 'share' })),
      ],
      rows: [...orders.map(keptRow), ['kept at random', ...randomKept]],
    },
  ]
  if (perSite.length === 0) return tables
  const queues: Table = {
    id: `${id}-queues`,
    title: 'The same with a queue for each site',
    caption:
      'From the first start page. The paper has one queue for all; a live crawl has one for each site, and sites take turns ' +
      'where their best pages are equal. That changes nothing but which of equal pages comes first.',
    columns: areaColumns(results),
    rows: perSite.map(areaRow),
  }
  return [...tables, queues]
}

const keptRow = ({ order, kept }: LinkSpread): (string | number)[] => [orderTitle(order), ...kept]

const areaColumns = ({ targets }: LinkResults): Column[] => [
  { label: 'order' },
  ...targets.backlinks.map(({ used }): Column => ({ label: `IB, G = ${rounded(used)}`, unit: 'share' })),
  { label: 'IB, Crawl & Stop', unit: 'share' },
  { label: `IR, G = ${rounded(targets.rank.used)}`, unit: 'share' },
  { label: 'followed the last page', unit: 'share' },
]

const areaRow = ({ order, backlinks, stop, rank, followed }: LinkSpread): (string | number)[] => [
  orderTitle(order),
  ...backlinks.map(area),
  areaUnder(stop.mean),
  area(rank),
  followed,
]

export function topicTable(id: string, { word, runs, leastLinks }: TopicResults, n: number): Table {
  return {
    id: `${id}-topic-${n}`,
    title: `Topic "${word}": every crawler`,
    paperRef: '003 §7',
    caption:
      'Mean height of each curve, and what is found after 40 % of the crawl. "Moves up": a URL that waits becomes hot when ' +
      'something learnt later says so; in the paper it does not.',
    columns: [
      { label: 'order' },
      { label: 'links from a hot page' },
      { label: 'moves up' },
      { label: 'on topic', unit: 'share' },
      { label: 'on topic, at 40 %', unit: 'share' },
      { label: `and ${leastLinks} backlinks`, unit: 'share' },
      { label: `and ${leastLinks} backlinks, at 40 %`, unit: 'share' },
    ],
    rows: runs.map(({ order, nearHot, promote, onTopic, linked }) => [
      orderTitle(order),
      order === 'random' ? '' : nearHot === 0 ? 'not used' : `fewer than ${nearHot}`,
      order === 'random' ? '' : promote ? 'yes' : 'no',
      area(onTopic),
      valueAt(onTopic.mean, 0.4),
      area(linked),
      valueAt(linked.mean, 0.4),
    ]),
  }
}
