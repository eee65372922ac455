/** Figures and the table of the coverage experiment. */
import type { CrawlReach } from './crawl.ts'
import { PARTS } from '../../webs/parts.ts'
import { seenAfter } from './readers.ts'
import type { Readers } from './readers.ts'
import type { Cell, Figure, Table } from '../../report/model.ts'

export interface Coverage {
  /** By page, places in `PARTS`. */
  readonly parts: Uint8Array
  readonly crawls: readonly CrawlReach[]
  readonly readers: readonly Readers[]
  readonly days: readonly number[]
  readonly toldDays: number
}

const NAMES: readonly string[] = ['core', 'IN', 'OUT', 'tendrils', 'disconnected']

const reachedShare = (reached: Uint8Array): number => reached.reduce((sum, is) => sum + is, 0) / reached.length

export function partsFigure(id: string, { parts, crawls }: Coverage): Figure {
  const share = (counts: (page: number) => boolean): number[] =>
    PARTS.map(
      (_, part) => parts.reduce((sum, one, page) => sum + (one === part && counts(page) ? 1 : 0), 0) / parts.length,
    )
  const shown = crawls.filter(({ name }) => name === 'from the core' || name === 'from the best page')
  return {
    id: `${id}-parts`,
    kind: 'bars',
    title: 'Parts of the web, and what crawls find of them',
    paperRef: '001 §II',
    caption: 'Shares of all pages. A crawl that starts in the core finds the core and OUT.',
    x: { label: 'Part', categories: NAMES },
    y: { label: 'Pages', unit: 'share' },
    series: [
      { name: 'there are', points: share(() => true).map((y, x) => ({ x, y })) },
      ...shown.map(({ name, reached }) => ({
        name: `found ${name}`,
        points: share((page) => reached[page] === 1).map((y, x) => ({ x, y })),
      })),
    ],
  }
}

export function seenFigure(id: string, { crawls, readers, days }: Coverage): Figure {
  const [first, last] = [days[0]!, days.at(-1)!]
  // Whichever way readers choose, as many pages are seen in all: only which they are differs.
  const time = overTime(`${id}-seen`, readers.slice(1), days, () => true)
  const drawn = crawls.filter((_, at) => at < 2 || at === crawls.length - 1)
  return {
    ...time,
    title: 'Pages seen by gateways over time, and found by crawls',
    paperRef: '001 §II',
    caption:
      'Share of all pages that have passed a gateway; in all they are as many whichever way readers choose. Dashed: what a crawl finds in the end, by where it starts.',
    series: [
      ...time.series,
      ...drawn.map(({ name, reached }) => ({
        name: `crawl ${name}`,
        dashed: true,
        points: [first, last].map((x) => ({ x, y: reachedShare(reached) })),
      })),
    ],
  }
}

export function hiddenFigure(id: string, { parts, readers, days }: Coverage): Figure {
  const isHidden = (page: number): boolean => ['in', 'tendrils', 'disconnected'].includes(PARTS[parts[page]!]!)
  return {
    ...overTime(`${id}-hidden`, readers, days, isHidden),
    title: 'Of the pages that a crawl from the core never finds',
    paperRef: '001 §II',
    caption: 'Share of the pages in IN, in tendrils and disconnected that have passed a gateway.',
  }
}

const overTime = (
  id: string,
  readers: readonly Readers[],
  days: readonly number[],
  counts: (page: number) => boolean,
) =>
  ({
    id,
    kind: 'lines',
    x: { label: 'Days', scale: 'log' },
    y: { label: 'Seen', unit: 'share', domain: [0, 1] },
    series: readers.map((one) => ({
      name: one.name,
      points: days.map((day) => ({ x: day, y: seenAfter(one, day, counts) })),
    })),
  }) as const

export function coveredTable(id: string, { parts, crawls, readers, toldDays }: Coverage): Table {
  const row = (name: string, share: (counts: (page: number) => boolean) => number): Cell[] => [
    name,
    cell(share(() => true)),
    ...PARTS.map((_, part) => cell(share((page) => parts[page] === part))),
  ]
  return {
    id: `${id}-covered`,
    title: 'What is found and what is seen, part by part',
    caption: 'The first row is how large the parts are; the others are shares of each part.',
    columns: [{ label: '' }, ...['All', ...NAMES].map((label) => ({ label, unit: 'share' }))],
    rows: [
      row('pages', (counts) => count(parts.length, counts) / parts.length),
      ...crawls.map(({ name, reached }) => row(`crawl ${name}`, (counts) => shareOf(reached, counts))),
      ...readers.map((one) => row(`${one.name}, ${toldDays} days`, (counts) => seenAfter(one, toldDays, counts))),
    ],
  }
}

const cell = (value: number): number | null => (Number.isFinite(value) ? Math.round(value * 10_000) / 10_000 : null)

function count(pages: number, counts: (page: number) => boolean): number {
  let all = 0
  for (let page = 0; page < pages; page++) if (counts(page)) all++
  return all
}

function shareOf(reached: Uint8Array, counts: (page: number) => boolean): number {
  return count(reached.length, (page) => reached[page] === 1 && counts(page)) / count(reached.length, counts)
}
