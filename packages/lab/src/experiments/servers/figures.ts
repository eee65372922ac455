/** Figures 2, 3 and 6 of 000 from what was measured, with what the text says of them beside. */
import { CLASS_NAMES } from '../../webs/change-classes.ts'
import type { Figure, Point, Series } from '../../report/model.ts'
import { gains, savedAt } from './curve.ts'
import type { FreshnessCurve, Interval } from './curve.ts'
import type { ScenarioOutcome } from './scenario.ts'

const pointAt = (x: number, { mean, low, high }: Interval): Point => ({ x, y: mean, low, high })

export function classFigure(id: string, outcomes: readonly ScenarioOutcome[]): Figure {
  const inText = [
    { x: 0, y: 0.23 },
    { x: CLASS_NAMES.length - 1, y: 0.3 },
  ]
  return {
    id: `${id}-fig2`,
    kind: 'bars',
    title: 'How often pages change',
    paperRef: '000 Figure 2',
    caption:
      'Mean interval between changes, as daily visits over four months tell it. The text gives the first bar and that the last is above 30 %; no more of the figure is known.',
    x: { label: 'Interval', categories: CLASS_NAMES },
    y: { label: 'Pages', unit: 'share' },
    series: [
      ...outcomes.map(({ name, classShares }) => ({ name, points: classShares.map((share, x) => pointAt(x, share)) })),
      { name: "the paper's text", points: inText },
    ],
  }
}

export function needlessFigure(id: string, outcomes: readonly ScenarioOutcome[]): Figure {
  return {
    id: `${id}-fig3`,
    kind: 'lines',
    title: 'Needless requests',
    paperRef: '000 Figure 3',
    caption:
      'Every page is visited as often, evenly over the days. Lines are the bound of the paper; dashed ones are visits made, which cannot be interleaved with the changes as well as the bound supposes.',
    x: { label: 'Visits to each page' },
    y: { label: 'Needless', unit: 'share', domain: [0, 1] },
    series: outcomes.flatMap(({ name, needless }) => [
      { name: `bound, ${name}`, points: needless.map(({ requests, bound }) => pointAt(requests, bound)) },
      {
        name: `visits, ${name}`,
        points: needless.map(({ requests, visited }) => pointAt(requests, visited)),
        dashed: true,
      },
    ]),
    references: [{ name: 'paper, daily visits', atY: 0.77 }],
  }
}

/** The id of a scenario's Figure 6(a), without the prefix of the experiment. */
export const freshnessFigureId = (name: string): string =>
  `fig6a-${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '')}`

const bandwidthAxis = { label: 'Bandwidth, of the repository a day', domain: [0, 1] as const }

export function freshnessFigure(id: string, outcome: ScenarioOutcome): Figure {
  return {
    id: `${id}-${freshnessFigureId(outcome.name)}`,
    kind: 'lines',
    title: `Freshness: ${outcome.name}`,
    paperRef: '000 Figure 6(a)',
    caption: `${outcome.about} Pages fresh at the end, mean of ${outcome.runs} runs with its 95 % interval.`,
    x: bandwidthAxis,
    y: { label: 'Fresh pages', unit: 'share', domain: [0, 1] },
    series: [
      lineOf('conventional', outcome.conventional),
      lineOf('metadata', outcome.metadata),
      { ...lineOf('metadata and differences', outcome.differences), dashed: true },
    ],
    references: [{ name: 'paper: all fresh with metadata', atX: 0.2 }],
  }
}

const lineOf = (name: string, { bandwidths, mean, low, high }: FreshnessCurve): Series => ({
  name,
  points: bandwidths.map((x, i) => ({ x, y: mean[i]!, low: low[i]!, high: high[i]! })),
})

/** Room above the highest line, or the least there is: its name and the paper's mark have to stand somewhere. */
const [ROOM, LEAST_GAIN] = [1.25, 0.3]

export function gainFigure(id: string, outcomes: readonly ScenarioOutcome[]): Figure {
  const lines = outcomes.map(({ conventional, metadata }) => gains(conventional.mean, metadata.mean))
  return {
    id: `${id}-fig6b`,
    kind: 'lines',
    title: 'More fresh pages by metadata',
    paperRef: '000 Figure 6(b)',
    caption:
      'How many more pages are fresh, of those that are without metadata. It grows until the bandwidth suffices for what changes in a day.',
    x: bandwidthAxis,
    y: {
      label: 'Gain',
      unit: 'share',
      domain: [0, Math.max(LEAST_GAIN, ...lines.flat().filter((value) => Number.isFinite(value))) * ROOM],
    },
    series: outcomes.map(({ name, conventional }, line) => ({
      name,
      points: conventional.bandwidths.map((x, i) => ({ x, y: lines[line]![i]! })),
    })),
    references: [
      { name: 'paper: up to 25 %', atY: 0.25 },
      { name: 'paper: shrinks', atX: 0.22 },
    ],
  }
}

/** Freshness in steps of a hundredth. */
const STEPS: readonly number[] = Array.from({ length: 100 }, (_, i) => (i + 1) / 100)

export function savedFigure(id: string, outcomes: readonly ScenarioOutcome[]): Figure {
  return {
    id: `${id}-fig6c`,
    kind: 'lines',
    title: 'Bandwidth saved by metadata',
    paperRef: '000 Figure 6(c)',
    caption: 'Of what the conventional crawler needs for the same freshness. Lines begin where it needs any at all.',
    x: { label: 'Freshness wanted', unit: 'share', domain: [0, 1] },
    y: { label: 'Bandwidth saved', unit: 'share', domain: [0, 1] },
    series: outcomes.map(({ name, conventional, metadata }) => ({
      name,
      points: STEPS.map((x) => ({ x, y: savedAt(conventional, metadata, x) })).filter(({ y }) => y >= 0),
    })),
    references: [
      { name: 'paper, at 80 %', atY: 0.62 },
      { name: '80 % fresh', atX: 0.8 },
    ],
  }
}
