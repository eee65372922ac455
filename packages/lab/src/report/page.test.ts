import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { verdicts } from '../claims/claim.ts'
import type { ClaimAnswer } from '../claims/claim.ts'
import { reportFiles } from './files.ts'
import type { ExperimentResult, Figure, Series } from './model.ts'
import { renderReport } from './page.ts'
import { createRandom } from '@comity/testbed'

test('the same results give the same bytes in every file, the second time in one process too', () => {
  assert.deepEqual([...reportFiles(demoResults(1))], [...reportFiles(demoResults(1))])
})

test('every verdict, every claim and every figure is on the page', () => {
  const page = renderReport(demoResults(1))
  for (const verdict of verdicts) assert.ok(page.includes(`> ${verdict}</span>`) || page.includes(` ${verdict}</span>`))
  for (const { figures, claims } of demoResults(1)) {
    for (const { claim } of claims) assert.ok(page.includes(claim))
    for (const { id, title } of figures)
      assert.ok(page.includes(`id="${id}"`) && page.includes(`aria-label="${title}"`))
  }
})

test('the page loads nothing and runs nothing', () => {
  const page = renderReport(demoResults(1))
  assert.match(page, /http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;/)
  assert.doesNotMatch(page, /<(script|link|img|iframe|object|embed|base|form)\b/i)
  assert.doesNotMatch(page, /\s(src|srcset|on\w+)=|url\(|@import/i)
  for (const [, href = ''] of page.matchAll(/\bhref="([^"]*)"/g)) {
    assert.match(href, /^(#[a-z0-9-]+|data\/[a-z0-9-]+\.csv|report\.json)$/)
  }
})

test('every link within the page has its target, and no id is given twice', () => {
  const page = renderReport(demoResults(1))
  const ids = Array.from(page.matchAll(/\sid="([^"]*)"/g), ([, id]) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const [, id] of page.matchAll(/href="#([^"]*)"/g)) assert.ok(ids.includes(id), id)
})

test('markup in any text of a result arrives as text', () => {
  const evil = fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=y>',
    "' onload='z",
    '</style><b>',
    ']]>',
    '&lt;',
    '${x}',
  )
  fc.assert(
    fc.property(fc.infiniteStream(evil), (texts) => {
      const page = renderReport([evilResult(() => texts.next().value as string)])
      assert.deepEqual(unknownTags(page), [])
      assert.doesNotMatch(
        tagsOf(page)
          .join('')
          .replaceAll(/"[^"]*"/g, ''),
        /\son\w+=/,
      )
    }),
    { numRuns: 30 },
  )
})

test('numbers of any size, gaps and empty series still make a page, without NaN or Infinity in its drawings', () => {
  const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -1, NaN, Infinity, 1e-300, 1e300))
  const points = fc.array(fc.record({ x: number, y: number }), { maxLength: 6 })
  const scale = fc.constantFrom('linear' as const, 'log' as const)
  const kind = fc.constantFrom('lines' as const, 'dots' as const, 'histogram' as const, 'bars' as const)
  fc.assert(
    fc.property(fc.array(points, { maxLength: 3 }), scale, scale, kind, (lists, xScale, yScale, kindOf) => {
      const series = lists.map((list, i) => ({
        name: `s${i}`,
        points: kindOf === 'bars' ? list.map(({ y }, x) => ({ x, y })) : list,
      }))
      const figure: Figure = {
        ...plainFigure('f', series),
        kind: kindOf,
        x: { label: 'x', scale: xScale },
        y: { label: 'y', scale: yScale },
      }
      const page = renderReport([{ ...emptyResult('e'), figures: [figure] }])
      assert.doesNotMatch(page, /="[^"]*(NaN|Infinity)/)
    }),
    { numRuns: 150 },
  )
})

const tagsOf = (page: string): string[] => page.match(/<[^>]*>/g) ?? []

const known = new Set(
  (
    '!doctype html head meta title style body main header h1 h2 h3 h4 p b cite ul ol li nav a section dl dt dd div span br ' +
    'table thead tbody tr th td figure figcaption svg g path line rect circle text desc aside footer'
  ).split(' '),
)

/** Elements that the report never makes itself. */
function unknownTags(page: string): string[] {
  return tagsOf(page).filter((tag) => !known.has(/^<\/?([!a-z0-9]+)/.exec(tag)?.[1] ?? ''))
}

function emptyResult(id: string): ExperimentResult {
  const none = { parameters: [], seeds: [], webs: [], figures: [], tables: [], claims: [], notes: [] }
  return { id, name: id, paper: '003', finding: '', ...none }
}

const plainFigure = (id: string, series: readonly Series[]): Figure => ({
  id,
  kind: 'lines',
  title: id,
  caption: '',
  x: { label: 'x' },
  y: { label: 'y' },
  series,
})

function evilResult(text: () => string): ExperimentResult {
  const points = [
    { x: 0, y: 1 },
    { x: 1, y: 2 },
  ]
  const axis = (): Figure['x'] => ({ label: text(), unit: text(), categories: [text(), text()] })
  const figure = (kind: Figure['kind']): Figure => ({
    id: `evil-${kind}`,
    kind,
    title: text(),
    paperRef: text(),
    caption: text(),
    x: axis(),
    y: axis(),
    series: [
      { name: `1${text()}`, points },
      { name: `2${text()}`, points: points.map(({ x, y }) => ({ x, y: -y })) },
    ],
    references: [
      { name: text(), atX: 0.5 },
      { name: text(), atY: 1 },
    ],
  })
  const claim: ClaimAnswer = {
    paper: text(),
    number: 1,
    part: text(),
    claim: text(),
    web: text(),
    verdict: 'holds',
    ours: text(),
    why: text(),
    shownIn: ['evil-bars', 'evil-table'],
  }
  return {
    id: 'evil',
    name: text(),
    paper: text(),
    finding: text(),
    parameters: [{ name: text(), value: text(), unit: text() }],
    seeds: [1],
    webs: [{ name: text(), pages: 1, links: 1, sites: 1, about: text() }],
    figures: (['lines', 'dots', 'histogram', 'bars'] as const).map(figure),
    tables: [
      {
        id: 'evil-table',
        title: text(),
        paperRef: text(),
        caption: text(),
        columns: [{ label: text(), unit: text() }],
        rows: [[text()]],
      },
    ],
    claims: [claim],
    notes: [text()],
  }
}

/** A report as large and as varied as the lab's: curves that meet at the end, spreads, long tails, bars, a wide table. */
function demoResults(seed: number): ExperimentResult[] {
  return [demoOrdering(seed), demoScheduling(seed)]
}

const orders = ['PageRank', 'breadth-first', 'backlink count', 'random']

function demoOrdering(seed: number): ExperimentResult {
  const random = createRandom(seed)
  const share = { label: 'Hot pages found', unit: 'share' }
  const crawled = { label: 'Pages crawled', unit: 'share' }
  const curve = (power: number): Series['points'] =>
    Array.from({ length: 3_001 }, (_, i) => {
      const x = i / 3_000
      const y = 1 - (1 - x) ** power
      const spread = 0.06 * Math.sin(Math.PI * x) * (0.5 + random.next() / 10)
      return { x, y, low: Math.max(0, y - spread), high: Math.min(1, y + spread) }
    })
  const sizes = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024]
  return {
    id: 'ordering-stanford',
    name: 'Orders by backlinks on a university web',
    paper: '003',
    finding:
      'PageRank finds 80 % of the hot pages after 23.1 % of the crawl; breadth-first needs 33.6 % and the backlink order 55.2 %.',
    parameters: [
      { name: 'threshold G', value: 100, unit: 'backlinks' },
      { name: 'damping', value: 0.9 },
      { name: 'recompute every', value: 0.01, unit: 'share' },
      { name: 'promote queued', value: false },
    ],
    seeds: [1, 2, 3, 4, 5],
    webs: [
      { name: 'cs-stanford', pages: 9_914, links: 36_854, sites: 21, about: 'Stanford computer science, 2001' },
      { name: 'cnr-2000', pages: 325_557, links: 3_216_152, sites: 1, about: 'cnr.it, 2000' },
    ],
    figures: [
      {
        id: 'ordering-hot-found',
        kind: 'lines',
        title: 'Hot pages found while crawling, by order',
        paperRef: '003 Graph 2',
        caption:
          'The further a curve bows to the upper left, the sooner hot pages were found. Bands are the range over five seeds.',
        x: crawled,
        y: share,
        series: orders.slice(0, 3).map((name, i) => ({ name, points: curve(7.5 - 2.6 * i) })),
        references: [
          {
            name: 'random',
            points: [
              { x: 0, y: 0 },
              { x: 1, y: 1 },
            ],
          },
        ],
      },
      {
        id: 'ordering-backlinks',
        kind: 'histogram',
        title: 'Most pages have few backlinks',
        paperRef: '003 Graph 6',
        caption: 'Both axes are logarithmic: a straight fall is a power law.',
        x: { label: 'Backlinks', scale: 'log' },
        y: { label: 'Pages', scale: 'log' },
        series: [
          { name: 'cs-stanford', points: sizes.map((x, i) => ({ x, x2: x * 2, y: Math.round(9_000 / 2.1 ** i) })) },
        ],
        references: [{ name: 'G = 100', atX: 100 }],
      },
      {
        id: 'ordering-speed',
        kind: 'bars',
        title: 'How much of the crawl finds 80 % of the hot pages',
        caption: 'Shorter is better. Whiskers are the range over five seeds.',
        x: { label: 'Order', categories: orders },
        y: crawled,
        references: [{ name: 'random, in theory', atY: 0.8 }],
        series: ['cs-stanford', 'cnr-2000'].map((name, w) => ({
          name,
          points: [0.231, 0.336, 0.552, 0.8].map((y, x) => ({
            x,
            y: y + w * 0.05,
            low: y + w * 0.05 - 0.03,
            high: y + w * 0.05 + 0.03,
          })),
        })),
      },
    ],
    tables: [],
    claims: [
      demoAnswer('003', 1, 'cs-stanford', 'holds', '46.2 %, 9.1 % and 0.7 % of the pages', ['ordering-backlinks']),
      demoAnswer('003', 3, 'cs-stanford', 'holds', '80 % of the hot pages at 23.1 % against 55.2 % of the crawl', [
        'ordering-hot-found',
        'ordering-speed',
      ]),
      demoAnswer('003', 3, 'cnr-2000', 'does not hold here', 'breadth-first leads by 4.1 points at half the crawl', [
        'ordering-hot-found',
      ]),
      demoAnswer('003', 6, undefined, 'cannot be tested here', 'none', []),
      demoAnswer('003', 6, 'generated, seed 1', 'holds by construction', '46 %', []),
      demoAnswer('003', 6, 'California', 'not claimed', '3 %', []),
    ],
    notes: [
      'A URL that is queued already is not promoted when a hot page links to it, as the paper has it; the difference is in the parameters.',
    ],
  }
}

function demoScheduling(seed: number): ExperimentResult {
  const random = createRandom(seed + 1)
  const names = ['Optimal', 'Length', 'Depth', 'Batch', 'Partial']
  const levels = [0.92, 0.83, 0.7, 0.66, 0.41]
  return {
    id: 'scheduling',
    name: 'Scheduling by sites',
    paper: '004',
    finding:
      'Length stays within 9 points of Optimal through the first half of the crawl, and needs no PageRank at all.',
    parameters: [
      { name: 'wait between visits', value: 15, unit: 's' },
      { name: 'robots', value: 1_000 },
    ],
    seeds: [1],
    webs: [{ name: 'generated, seed 1', pages: 1_250_000, links: 14_020_113, sites: 50_127 }],
    figures: [
      {
        id: 'scheduling-rank',
        kind: 'lines',
        title: 'PageRank collected by hour',
        paperRef: '004 Figure 5',
        caption: 'One robot. Length and Batch part company after the second hour.',
        x: { label: 'Time', unit: 'hours' },
        y: { label: 'PageRank collected', unit: 'share', domain: [0, 1] },
        series: names.map((name, i) => ({
          name,
          points: Array.from({ length: 120 }, (_, t) => ({
            x: t / 10,
            y: levels[i]! * (1 - Math.exp(-t / (20 + 8 * i))) + random.next() / 200,
          })),
        })),
        references: [{ name: 'half of it', atY: 0.5 }],
      },
      {
        id: 'scheduling-sites',
        kind: 'dots',
        title: 'Sizes of sites',
        paperRef: '004 Figure 3',
        caption: 'A few sites hold most pages.',
        x: { label: 'Rank of the site', scale: 'log' },
        y: { label: 'Pages on the site', scale: 'log', unit: 'pages' },
        series: [
          {
            name: 'measured',
            points: Array.from({ length: 900 }, (_, i) => ({
              x: i + 1,
              y: (25_000 / (i + 1) ** 0.9) * (0.8 + random.next() * 0.4),
            })),
          },
          {
            name: 'power law, exponent 0.9',
            style: 'line',
            dashed: true,
            points: [
              { x: 1, y: 25_000 },
              { x: 900, y: 25_000 / 900 ** 0.9 },
            ],
          },
        ],
      },
    ],
    tables: [
      {
        id: 'scheduling-speedup',
        title: 'Speed-up by bandwidth',
        paperRef: '004 Table 1',
        columns: [
          { label: 'Robots' },
          ...[20e6, 2e6, 2e5, 2e4, 2e3, 200].map((b) => ({ label: `${b.toLocaleString('en-US')} B/s` })),
          { label: 'Took', unit: 's' },
        ],
        rows: [
          [1, 1, 1, 1, 1, 0.7, 0.2, 86_400],
          [64, 54.6, 54.3, 43, 27, 3.8, 1.6, 4_212],
          [256, 220.1, 204.3, 114.1, 83.3, 16, 3, 93.21],
        ],
      },
    ],
    claims: [
      demoAnswer('004', 3, 'generated, seed 1', 'holds', '83 % against 70 %, 66 % and 41 % after 12 hours', [
        'scheduling-rank',
      ]),
      demoAnswer('004', 1, 'generated, seed 1', 'holds', 'exponent 0.9', ['scheduling-sites']),
      demoAnswer('004', 6, 'generated, seed 1', 'does not hold here', '×220 with 256 robots', ['scheduling-speedup']),
    ],
    notes: [],
  }
}

const demoClaims: Readonly<Record<string, string>> = {
  '003.1': 'Of the pages 47 %, 10 % and 0.8 % have at least 3, 10 and 100 backlinks.',
  '003.3':
    'PageRank order beats the backlink order even when backlinks are what counts, with breadth-first between them.',
  '003.6':
    'With a hot queue by anchor and URL words, backlink and PageRank orders are no better than random on a topic.',
  '004.1': 'Site sizes follow a power law.',
  '004.3': 'With one robot Length beats Depth, Batch and Partial.',
  '004.6': 'Bandwidth sets what more robots can gain.',
}

function demoAnswer(
  paper: string,
  number: number,
  web: string | undefined,
  verdict: ClaimAnswer['verdict'],
  ours: string,
  shownIn: readonly string[],
): ClaimAnswer {
  const claim = demoClaims[`${paper}.${number}`] ?? ''
  const why =
    verdict === 'cannot be tested here'
      ? 'No web with words is at hand.'
      : 'Measured at each hundredth of the crawl and compared at the same share of pages.'
  return {
    paper,
    number,
    part: `${paper}.${number}a`,
    claim,
    verdict,
    ours,
    why,
    shownIn,
    ...(web === undefined ? {} : { web }),
  }
}
