/** Advice as a plot and a table. */
import type { AdviceFindings } from './findings.ts'
import { MOST, nameOf } from './replay.ts'
import type { Replay } from './replay.ts'
import type { Cell, Column, Figure, Point, Series, Table } from '../report/model.ts'
import { formatQuantity } from '../report/number.ts'
import type { Curve } from '../simulate/record.ts'

const UNITS = [
  { ms: 3_600_000, unit: 'hours' },
  { ms: 60_000, unit: 'min' },
  { ms: 1_000, unit: 's' },
] as const

export function adviceFigure({ real, base, ordered, advised, optimal }: AdviceFindings): Figure {
  const replayed = [base, ordered, advised].filter((replay, n, all) => all.indexOf(replay) === n)
  const lasted = [real, ...[...replayed, optimal].map(({ result }) => result.curve)].map(({ timeMs }) => timeMs.at(-1)!)
  const { ms, unit } = UNITS.find((step) => Math.max(...lasted) >= 2 * step.ms) ?? UNITS[2]
  return {
    id: 'advice-importance',
    kind: 'lines',
    title: 'How soon the important pages would have come',
    paperRef: '004 Figure 5',
    caption: `The higher a line, the sooner. w is the rest between connections to a site, k the pages on one, r the visits at once; ${nameOf(optimal.choice)} knows the importance of every page beforehand, as no crawl can.`,
    x: { label: 'Time', unit },
    y: { label: 'Importance that has come (PageRank)', unit: 'share', domain: [0, 1] },
    series: [
      { name: 'the crawl as it was', points: pointsOf(real, ms) },
      ...replayed.map(({ choice, result }): Series => ({ name: nameOf(choice), points: pointsOf(result.curve, ms) })),
      { name: nameOf(optimal.choice), points: pointsOf(optimal.result.curve, ms), dashed: true },
    ],
  }
}

const pointsOf = ({ timeMs, rank }: Curve, unitMs: number): Point[] =>
  timeMs.map((at, n) => ({ x: at / unitMs, y: Math.min(1, rank[n]!) }))

export function adviceTable(found: AdviceFindings): Table {
  const { web, orders, connections, robots, waits, optimal, advised } = found
  const rows = (tried: string, replays: readonly Replay[]): Cell[][] =>
    replays.map((replay) => [tried, ...cells(replay, web.pages), replay === advised ? 'advised' : ''])
  return {
    id: 'advice-replays',
    title: 'Every replay',
    caption: 'First the orders with what the crawl had; then k, r and w, each with the best of what stands above it.',
    columns: [
      { label: 'Tried' },
      { label: 'Order' },
      seconds('w'),
      { label: 'k' },
      { label: 'r' },
      seconds('Half of the importance after'),
      { label: 'and after this part of the pages', unit: 'share' },
      seconds(`${formatQuantity(MOST, 'share')} after`),
      seconds('In the mean after'),
      seconds('By backlinks'),
      seconds('All pages after'),
      { label: '' },
    ],
    rows: [
      ...rows('order', [...orders, optimal]),
      ...rows('pages a connection', connections),
      ...rows('visits at once', robots),
      ...rows('rest', waits),
    ],
  }
}

const seconds = (label: string): Column => ({ label, unit: 's' })

function cells({ choice, result, ranks, backlinks }: Replay, pages: number): Cell[] {
  const { order, waitMs, pagesPerConnection, robots } = choice
  const times = [ranks.mostMs, ranks.meanMs, backlinks.meanMs, result.timeMs].map((ms) => ms / 1_000)
  return [order, waitMs / 1_000, pagesPerConnection, robots, ranks.halfMs / 1_000, ranks.halfPages / pages, ...times]
}
