/** The experiments of the lab, by name. `comity lab NAME` and experiment files read this table. */
import { withFit } from './generated-fit-table.ts'
import { runContest } from './contest-experiment.ts'
import { contestDefaults } from './contest-settings.ts'
import type { ExperimentResult } from './report-model.ts'
import { runLive } from './live-experiment.ts'
import { liveDefaults } from './live-settings.ts'
import { orderingDefaults } from './ordering-settings.ts'
import { runOrdering } from './ordering-experiment.ts'
import { schedulingDefaults } from './scheduling-settings.ts'
import { runScheduling } from './scheduling-experiment.ts'
import type { WebGraph } from './web-graph.ts'

export interface ExperimentHooks {
  /** Before each part: what comes, how many are over, and of how many, as far as known. */
  readonly onPart?: (what: string, done: number, of: number) => void
}

export interface Experiment {
  readonly name: string
  readonly summary: string
  /** Every setting with its default. An experiment file may set any of them. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** Webs it runs on when none is named. */
  readonly webs: readonly string[]
  /** A RangeError says what cannot be used. */
  run(
    web: WebGraph,
    settings: Readonly<Record<string, unknown>>,
    hooks: ExperimentHooks,
  ): ExperimentResult | Promise<ExperimentResult>
}

export const EXPERIMENTS: readonly Experiment[] = [
  {
    name: 'ordering',
    summary: '003: which order finds important pages first; Graphs 1 to 10, three crawl models, topics',
    defaults: withoutWebs(orderingDefaults),
    webs: ['generated:pages=50000'],
    run: (web, settings, { onPart }) => withFit(runOrdering(web, settings, { onCrawl: onPart }), web),
  },
  {
    name: 'scheduling',
    summary: '004: long and short term scheduling under manners; Figures 3 and 5 to 10, Table 1; 002 Figure 6.4',
    defaults: withoutWebs(schedulingDefaults),
    webs: ['generated:pages=50000,bowTie=off'],
    run: (web, settings, { onPart }) =>
      withFit(runScheduling(web, settings, onPart === undefined ? {} : { onProgress: onPart }), web),
  },
  {
    name: 'contest',
    summary:
      'one order, `tiered` unless told, against each of the others: PageRank and well-linked pages, without and with manners',
    defaults: withoutWebs(contestDefaults),
    webs: ['generated:pages=20000,bowTie=off'],
    run: (web, settings, { onPart }) => withFit(runContest(web, settings, { onPart }), web),
  },
  {
    name: 'live',
    summary:
      '004 §7: a web served on loopback and really crawled in each order, beside the same crawl simulated; takes minutes',
    defaults: withoutWebs(liveDefaults),
    webs: ['generated:pages=1000,sites=20,bowTie=off'],
    run: (web, settings, { onPart }) => runLive(web, settings, { onCrawl: onPart }),
  },
]

function withoutWebs(defaults: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(defaults).filter(([key]) => key !== 'site'))
}

export const experimentNamed = (name: string): Experiment | undefined => EXPERIMENTS.find((one) => one.name === name)
