/** Figures and tables of the relevance experiment: what each ranking reaches, and Lucene beside it. */
import { RECALL_STEPS, precisionCurve } from './measures.ts'
import type { Measures } from './measures.ts'
import { PUBLISHED, TOLERANCE } from './published.ts'
import type { PublishedFigures } from './published.ts'
import type { RelevanceRun } from './runs.ts'
import type { Cell, Figure, Table } from '../../report/model.ts'

export const MEASURE_NAMES: Readonly<Record<keyof Measures, string>> = {
  map: 'MAP',
  ndcg10: 'nDCG@10',
  p10: 'P@10',
  p30: 'P@30',
  recall: 'recall',
}
const MEASURES = Object.keys(MEASURE_NAMES) as (keyof Measures)[]

/** One figure of Lucene's and ours for the same k1 and b. */
export interface Comparison {
  readonly published: PublishedFigures
  readonly measure: keyof Measures
  readonly ours: number
  readonly theirs: number
  /** Not below by more than the tolerance. */
  readonly isReached: boolean
}

export function comparisonsOf(set: string, runs: readonly RelevanceRun[]): Comparison[] {
  return runs.flatMap(({ pair, measures }) => {
    const published = publishedFor(set, pair)
    if (published === undefined) return []
    return MEASURES.flatMap((measure): Comparison[] => {
      const [ours, theirs] = [measures[measure], published.measures[measure]]
      if (theirs === undefined) return []
      return [{ published, measure, ours, theirs, isReached: ours >= theirs - TOLERANCE }]
    })
  })
}

const publishedFor = (set: string, pair: RelevanceRun['pair']): PublishedFigures | undefined =>
  PUBLISHED.find((one) => one.set === set && one.k1 === pair?.k1 && one.b === pair.b)

/** Four digits, as everybody gives them. */
export const fourDigits = (value: number): string => value.toFixed(4)

/** Every run, and below it what Lucene reaches in the same way. */
export function measuresTable(id: string, set: string, runs: readonly RelevanceRun[]): Table {
  const cells = (measures: Partial<Measures>): Cell[] =>
    MEASURES.map((name) => (measures[name] === undefined ? '–' : fourDigits(measures[name])))
  return {
    id: `${id}-measures`,
    title: 'What each ranking reaches, and Lucene beside it',
    caption: `Means over the judged questions. "no zones": a word in the title counts as one in the text. "typed": the question as it stands in the search box, at most 100 results.`,
    columns: [
      { label: 'ranking' },
      ...MEASURES.map((name) => ({ label: MEASURE_NAMES[name], align: 'right' as const })),
    ],
    rows: runs.flatMap(({ name, pair, measures }): Cell[][] => {
      const published = publishedFor(set, pair)
      const theirs = published && [
        `  ${published.who}, k1 ${published.k1}, b ${published.b}`,
        ...cells(published.measures),
      ]
      return [[name, ...cells(measures)], ...(theirs === undefined ? [] : [theirs])]
    }),
  }
}

export function curvesFigure(id: string, runs: readonly RelevanceRun[]): Figure {
  return {
    id: `${id}-curves`,
    kind: 'lines',
    title: 'Precision at each recall',
    caption:
      'At each part of the relevant pages found, the best precision there or further on, the mean over the questions. ' +
      'Typed questions get 100 results at most, so their line ends sooner.',
    x: { label: 'recall', unit: 'share', domain: [0, 1] },
    y: { label: 'precision', unit: 'share' },
    // A guessed language and other zones differ too little from the first line to be told apart in a plot.
    series: runs
      .filter(({ pair, rank }) => pair !== undefined || rank !== 'bm25')
      .map(({ name, rankings }) => ({
        name,
        points: precisionCurve(rankings).map((y, step) => ({ x: step / RECALL_STEPS, y })),
      })),
  }
}

/** Bars beside Lucene's; undefined where there is nothing to compare with. */
export function besideFigure(id: string, comparisons: readonly Comparison[]): Figure | undefined {
  if (comparisons.length === 0) return undefined
  const [first] = comparisons
  return {
    id: `${id}-beside`,
    kind: 'bars',
    title: `Beside ${first!.published.who}`,
    caption: 'The same questions, documents, k1 and b.',
    x: {
      label: 'measure',
      categories: comparisons.map(({ measure, published: { k1, b } }) => `${MEASURE_NAMES[measure]}, ${k1}, ${b}`),
    },
    y: { label: 'reached' },
    series: [
      { name: 'Comity', points: comparisons.map(({ ours }, x) => ({ x, y: ours })) },
      { name: first!.published.who, points: comparisons.map(({ theirs }, x) => ({ x, y: theirs })) },
    ],
  }
}
