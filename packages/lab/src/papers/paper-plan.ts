/** Which experiments answer the claims of the papers, on what, and with which settings: what `comity lab papers` runs. */
import { crawlerShare } from '../advise/crawlers/crawler-share.ts'
import { EXPERIMENTS } from '../experiments.ts'
import type { Experiment } from '../experiments.ts'
import { existsSync } from 'node:fs'
import { foundWebs, inSharedData, missingWebs, REAL_WEBS } from '../webs/real-webs.ts'

export interface PaperRun {
  readonly experiment: Experiment
  readonly web: string
  readonly settings: Readonly<Record<string, unknown>>
}

interface PaperChoice {
  /** 30 start pages and more seeds, in as long as it takes, instead of 8. */
  readonly full?: boolean
  /** Some of the experiments by name; none for all. */
  readonly names?: readonly string[]
  /** Webs instead of those that each experiment has by itself. */
  readonly webs?: readonly string[]
}

/** From one seed, as those of several overlap: home pages come first, and a web may have few that reach it. */
const [STARTS, FULL_STARTS] = [8, 30]
/** Of what is drawn at random. */
const [SEEDS, FULL_SEEDS] = [5, 10]

/** Not in the table of experiments, as a command of its own reads logs. What `servers` says of the same log counts once. */
const CRAWLER_SHARE: Experiment = {
  name: 'crawler-share',
  summary: '001 §III and 000: crawlers in the log of a server',
  defaults: {},
  get webs() {
    return foundWebs([REAL_WEBS.log])
  },
  get toFetch() {
    return missingWebs([REAL_WEBS.log])
  },
  open: (name) => {
    const path = existsSync(name) ? name : (inSharedData(name) ?? name)
    return Promise.resolve({
      name,
      run: async ({ paper }, { onPart }) => {
        const result = await crawlerShare([path], { onPart })
        return { ...result, claims: result.claims.filter((answer) => answer.paper === paper) }
      },
    })
  },
}

/** In the order of the papers; what takes longest comes last. Those that only compare policies of ours answer no claim. */
const NAMES = [
  'servers',
  'crawler-share',
  'relevance',
  'coverage',
  'network',
  'cooperation',
  'break-even',
  'schemes',
  'scheduling',
  'ordering',
] as const
const MADE: Readonly<Record<string, readonly string[]>> = {
  // Claims about topics need words, and those that the made web was fitted to are to be seen as what they are.
  ordering: ['generated:pages=20000'],
  scheduling: ['generated:pages=50000,bowTie=off'],
}

export const PAPER_EXPERIMENTS: readonly string[] = NAMES

export function paperRuns({ full = false, names = [], webs = [] }: PaperChoice = {}): PaperRun[] {
  const chosen = NAMES.filter((name) => names.length === 0 || names.includes(name))
  return chosen.flatMap((name) => {
    const experiment = name === 'crawler-share' ? CRAWLER_SHARE : EXPERIMENTS.find((one) => one.name === name)!
    const own = [...new Set([...experiment.webs, ...(MADE[name] ?? [])])]
    const settings = settingsOf(name, full)
    return (webs.length === 0 ? own : webs).map((web) => ({ experiment, web, settings }))
  })
}

function settingsOf(name: string, full: boolean): PaperRun['settings'] {
  if (name === 'ordering') return { starts: full ? FULL_STARTS : STARTS }
  if (name === 'scheduling') {
    return { seeds: Array.from({ length: full ? FULL_SEEDS : SEEDS }, (_, n) => n + 1) }
  }
  if (name === 'crawler-share') return { paper: '001' }
  return {}
}
