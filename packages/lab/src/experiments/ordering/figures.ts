/** The graphs of 003 as figures of a report. */
import { tableOf } from '@comity/protocol'
import { STEPS, pointsOf } from '../../simulate/crawl-model-curves.ts'
import type { Spread } from '../../simulate/crawl-model-curves.ts'
import type { LinkResults } from './links.ts'
import type { SiteResults } from './site.ts'
import { rounded } from './targets.ts'
import { FIGURE_4, FIGURE_5 } from './topics.ts'
import type { TopicResults, TopicRun } from './topics.ts'
import type { Axis, Figure, Reference, Series } from '../../report/model.ts'

const TITLES: ReadonlyMap<string, string> = tableOf({
  pagerank: 'PageRank',
  depth: 'breadth-first',
  backlink: 'backlink count',
  'topic:fifo': 'breadth-first',
  'topic:pagerank': 'PageRank',
  'topic:backlink': 'backlink count',
  'topic:depth': 'by clicks from the start',
})

/** What an order is called in the paper; its own name where the paper has none. */
export const orderTitle = (order: string): string => TITLES.get(order) ?? order

const CRAWLED: Axis = { label: 'part of the web crawled', unit: 'share', domain: [0, 1] }
const FOUND: Axis = { label: 'part of the hot pages found', unit: 'share', domain: [0, 1] }
const DIAGONAL: Reference = {
  name: 'drawn at random',
  points: [
    { x: 0, y: 0 },
    { x: 1, y: 1 },
  ],
}
const ideal = (share: number): Reference => ({
  name: 'ideal',
  points: [
    { x: 0, y: 0 },
    { x: Math.min(1, share), y: 1 },
    { x: 1, y: 1 },
  ],
})

interface FoundFigure {
  readonly id: string
  readonly graph: number
  readonly title: string
  readonly caption: string
  readonly series: readonly (readonly [name: string, found: Spread])[]
  /** Of all pages, where the ideal crawler is drawn. */
  readonly hotShare?: number
}

function foundFigure({ id, graph, title, caption, series, hotShare }: FoundFigure): Figure {
  return {
    id: `${id}-graph-${graph}`,
    kind: 'lines',
    title,
    paperRef: `003 Graph ${graph}`,
    caption,
    x: CRAWLED,
    y: FOUND,
    series: series.map(([name, found]): Series => ({ name, points: pointsOf(found) })),
    references: hotShare === undefined ? [DIAGONAL] : [DIAGONAL, ideal(hotShare)],
  }
}

export function linkFigures(id: string, { targets, orders, randomStop }: LinkResults): Figure[] {
  const backlink = orders.find(({ order }) => order === 'backlink')!
  const [top, last] = [targets.backlinks.at(-1)!, targets.backlinks.length - 1]
  return [
    foundFigure({
      id,
      graph: 1,
      title: 'Backlink order, importance by backlinks',
      caption: 'The rarer the hot pages, the sooner they are found; the last ones always come late.',
      // On a tiny web two targets may be moved to the same value.
      series: [...new Map(targets.backlinks.map(({ used }, n) => [`G = ${rounded(used)}`, backlink.backlinks[n]!]))],
    }),
    foundFigure({
      id,
      graph: 2,
      title: `Orders compared, importance by backlinks, G = ${rounded(top.used)}`,
      caption: 'Mean over the start pages; the bands are the best and the worst of them.',
      series: orders.map(({ order, backlinks }) => [orderTitle(order), backlinks[last]!]),
      hotShare: top.share,
    }),
    {
      id: `${id}-graph-3`,
      kind: 'lines',
      title: 'Orders compared under Crawl & Stop, importance by backlinks',
      paperRef: '003 Graph 3',
      caption:
        'Of the first K pages, how many belong to the K best. Pages with as many backlinks as the Kth all count.',
      x: CRAWLED,
      y: { label: 'part of the crawled pages that belong to the best', unit: 'share', domain: [0, 1] },
      series: orders.map(({ order, stop }) => ({ name: orderTitle(order), points: pointsOf(stop, 1) })),
      references: [
        { name: 'drawn at random', points: Array.from(randomStop, (y, i) => ({ x: i / STEPS, y })).slice(1) },
        { name: 'ideal', atY: 1 },
      ],
    },
    {
      id: `${id}-graph-3-untied`,
      kind: 'lines',
      title: 'Crawl & Stop without ties, importance by backlinks',
      paperRef: '003 Graph 3',
      caption:
        'As Graph 3, but exactly K pages are hot: of those with as many backlinks as the Kth only some are, any as likely as another. At random it is K / T, and it tells orders apart where most pages have one backlink.',
      x: CRAWLED,
      y: { label: 'part of the crawled pages that belong to the best', unit: 'share', domain: [0, 1] },
      series: orders.map(({ order, untied }) => ({ name: orderTitle(order), points: pointsOf(untied, 1) })),
      references: [DIAGONAL, { name: 'ideal', atY: 1 }],
    },
    foundFigure({
      id,
      graph: 4,
      title: `Orders compared, importance by PageRank, G = ${rounded(targets.rank.used)}`,
      caption: 'Ranks have a mean of 1; damping is 0.9.',
      series: orders.map(({ order, rank }) => [orderTitle(order), rank]),
      hotShare: targets.rank.share,
    }),
  ]
}

/** Columns of Graph 6. What has more backlinks stands in the caption. */
const MOST_BACKLINKS = 50

export function siteFigures(id: string, { site, target, orders, backlinks }: SiteResults): Figure[] {
  const counts = Array.from({ length: MOST_BACKLINKS }, () => 0)
  for (const count of backlinks) if (count < MOST_BACKLINKS) counts[count]!++
  const more = backlinks.filter((count) => count >= MOST_BACKLINKS).length
  return [
    foundFigure({
      id,
      graph: 5,
      title: `One small site, importance by backlinks, G = ${rounded(target.used)}`,
      caption: `${site.name}, ${backlinks.length} pages.`,
      series: orders.map(({ order, found }) => [orderTitle(order), found]),
      hotShare: target.share,
    }),
    {
      id: `${id}-graph-6`,
      kind: 'histogram',
      title: 'Backlinks of the pages of this site',
      paperRef: '003 Graph 6',
      caption: `${site.name}. ${more} pages have ${MOST_BACKLINKS} or more.`,
      x: { label: 'backlinks', domain: [0, MOST_BACKLINKS] },
      y: { label: 'pages', unit: 'pages' },
      series: [{ name: 'pages', points: counts.map((y, x) => ({ x, x2: x + 1, y })) }],
    },
  ]
}

/** Graphs 7, 8 and 9 of the first word, and Graph 10 of the second, as far as there are any. */
export function topicFigures(id: string, pages: number, first?: TopicResults, second?: TopicResults): Figure[] {
  const figure = (graph: number, { word, runs, hot, hotLinked, leastLinks }: TopicResults): Figure => {
    const isLinked = graph >= 9
    return foundFigure({
      id,
      graph,
      title: `Topic "${word}", ${graph === 7 ? 'by anchor and address' : 'and near hot pages'}`,
      caption: isLinked
        ? `Hot: on the topic and ${leastLinks} or more backlinks, ${hotLinked} pages.`
        : `Hot: the word in the title or ten times in the body, ${hot} pages.`,
      series: drawn(runs, graph === 7 ? FIGURE_4 : FIGURE_5).map((run) => [
        orderTitle(run.order),
        isLinked ? run.linked : run.onTopic,
      ]),
      hotShare: (isLinked ? hotLinked : hot) / pages,
    })
  }
  return [
    ...(first === undefined ? [] : [7, 8, 9].map((graph) => figure(graph, first))),
    ...(second === undefined ? [] : [figure(10, second)]),
  ]
}

/** As the paper has it, without promotion; and the random crawl, which no topic changes. */
const drawn = (runs: readonly TopicRun[], near: number): TopicRun[] =>
  runs.filter(({ order, nearHot, promote }) => order === 'random' || (nearHot === near && !promote))
