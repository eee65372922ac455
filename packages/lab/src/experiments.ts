/** The experiments of the lab, by name. `comity lab NAME` and experiment files read this table. */
import { withFit } from './webs/generated/fit-table.ts'
import { breakEvenDefaults } from './experiments/break-even/settings.ts'
import { runContest } from './experiments/contest/experiment.ts'
import { contestDefaults } from './experiments/contest/settings.ts'
import { cooperationDefaults } from './experiments/cooperation/settings.ts'
import { openCooperationSource, usualCooperation } from './experiments/cooperation/source.ts'
import { coverageDefaults } from './experiments/coverage/settings.ts'
import type { ExperimentResult } from './report/model.ts'
import { runLive } from './experiments/live/experiment.ts'
import { freshnessDefaults } from './experiments/freshness/settings.ts'
import { openFreshnessSource, usualFreshnessSources } from './experiments/freshness/source.ts'
import { liveDefaults } from './experiments/live/settings.ts'
import { networkDefaults } from './experiments/network/settings.ts'
import { foundWebs, missingWebs, openNamedWeb, REAL_WEBS } from './webs/real-webs.ts'
import type { OpenWebOptions } from './webs/open-web.ts'
import { orderingDefaults } from './experiments/ordering/settings.ts'
import { runOrdering } from './experiments/ordering/experiment.ts'
import { relevanceDefaults } from './experiments/relevance/settings.ts'
import { schemesDefaults } from './experiments/schemes/settings.ts'
import { MADE, usualSchemes, yearFolder } from './experiments/schemes/source.ts'
import { serversDefaults } from './experiments/servers/settings.ts'
import { openServersSource, usualSources } from './experiments/servers/source.ts'
import { schedulingDefaults } from './experiments/scheduling/settings.ts'
import { runScheduling } from './experiments/scheduling/experiment.ts'
import type { WebGraph } from './webs/graph/web-graph.ts'

export interface ExperimentHooks {
  /** Before each part: what comes, how many are over, and of how many, as far as known. */
  readonly onPart?: (what: string, done: number, of: number) => void
}

export interface Experiment {
  readonly name: string
  readonly summary: string
  /** Every setting with its default. An experiment file may set any of them. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** What it runs on when nothing is named: webs, or whatever else `open` takes. */
  readonly webs: readonly string[]
  /** Real ones that this machine has not, each with where it is to be had. */
  readonly toFetch?: readonly string[]
  open(name: string, options: OpenWebOptions): Promise<Subject>
}

/** What an experiment runs on, read and ready. */
export interface Subject {
  readonly name: string
  /** A RangeError says what cannot be used. */
  run(settings: Settings, hooks: ExperimentHooks): ExperimentResult | Promise<ExperimentResult>
}

type Settings = Readonly<Record<string, unknown>>

const { cnr, uk, hosts, california, stanford, debian, webkb, history, year, log } = REAL_WEBS
const ORDERING_WEBS = [cnr, uk, debian, stanford, webkb, california]
/** Those that say which page is on which site. */
const SCHEDULING_WEBS = [debian, stanford, webkb, california]
const COVERAGE_WEBS = [cnr, uk, hosts, california, stanford, debian, webkb]

/** A made web shows how we measure and nothing of the Web, so it is for those who have no real one. */
function realOr(made: string, webs: Parameters<typeof foundWebs>[0]): readonly string[] {
  const found = foundWebs(webs)
  return found.length === 0 ? [made] : found
}

export const EXPERIMENTS: readonly Experiment[] = [
  {
    name: 'ordering',
    summary: '003: which order finds important pages first; Graphs 1 to 10, three crawl models, topics',
    defaults: withoutWebs(orderingDefaults),
    get webs() {
      return realOr('generated:pages=50000', ORDERING_WEBS)
    },
    get toFetch() {
      return missingWebs(ORDERING_WEBS)
    },
    open: onWeb((web, settings, { onPart }) => withFit(runOrdering(web, settings, { onCrawl: onPart }), web)),
  },
  {
    name: 'scheduling',
    summary: '004: long and short term scheduling under politeness; Figures 3 and 5 to 10, Table 1; 002 Figure 6.4',
    defaults: withoutWebs(schedulingDefaults),
    get webs() {
      return realOr('generated:pages=50000,bowTie=off', SCHEDULING_WEBS)
    },
    get toFetch() {
      return missingWebs(SCHEDULING_WEBS)
    },
    open: onWeb((web, settings, { onPart }) =>
      withFit(runScheduling(web, settings, onPart === undefined ? {} : { onProgress: onPart }), web),
    ),
  },
  {
    name: 'contest',
    summary:
      'one order, `tiered` unless told, against each of the others: PageRank and well-linked pages, without politeness and with it',
    defaults: withoutWebs(contestDefaults),
    webs: ['generated:pages=20000,bowTie=off'],
    open: onWeb((web, settings, { onPart }) => withFit(runContest(web, settings, { onPart }), web)),
  },
  {
    name: 'live',
    summary:
      '004 §7: a web served on loopback and really crawled in each order, beside the same crawl simulated; takes minutes',
    defaults: withoutWebs(liveDefaults),
    webs: ['generated:pages=1000,sites=20,bowTie=off'],
    open: onWeb((web, settings, { onPart }) => runLive(web, settings, { onCrawl: onPart })),
  },
  {
    name: 'relevance',
    summary: '001 §IV: questions with known answers put to the search engine; MAP and nDCG beside what Lucene reaches',
    defaults: { ...relevanceDefaults },
    webs: ['cranfield', 'cacm'],
    open: openRelevance,
  },
  {
    name: 'servers',
    summary:
      '000: what crawlers waste that are not told what changed, and what metadata saves; Figures 2 to 6, also on real changes',
    defaults: { ...serversDefaults },
    get webs() {
      return usualSources()
    },
    get toFetch() {
      return missingWebs([history, log, debian])
    },
    open: openServers,
  },
  {
    name: 'cooperation',
    summary:
      '002 §6.5: what it costs to learn what changed, page by page and by each way a site can help; when to ask again',
    defaults: { ...cooperationDefaults },
    get webs() {
      return usualCooperation()
    },
    get toFetch() {
      return missingWebs([history, debian])
    },
    open: openCooperation,
  },
  {
    name: 'schemes',
    summary:
      '002 Table 6.2: a copy of a real site, and of made ones, kept by each of the twelve schemes, polled and sent; bytes, requests, processor times, freshness; takes minutes',
    defaults: { ...schemesDefaults },
    get webs() {
      return usualSchemes()
    },
    get toFetch() {
      return missingWebs([year])
    },
    open: openSchemes,
  },
  {
    name: 'freshness',
    summary:
      'which policy of visiting again keeps copies freshest at equal budget, where sites are honest, stale, lying or silent; also on real changes',
    defaults: { ...freshnessDefaults },
    get webs() {
      return usualFreshnessSources()
    },
    open: openFreshness,
  },
  {
    name: 'break-even',
    summary:
      '002 §6.1 to §6.4: when the entire site is cheaper than what changed, a difference than the page, a list than each page, push than polling; and in money',
    defaults: { ...breakEvenDefaults },
    webs: ['curves', 'period', 'money'],
    open: openBreakEven,
  },
  {
    name: 'network',
    summary:
      '001 §V: packets of a network with crawlers, or with routers that index instead; Figures 2 to 6, other networks, mixed deployment; takes two minutes',
    defaults: { ...networkDefaults },
    webs: ['transit-stub'],
    open: openNetwork,
  },
  {
    name: 'coverage',
    summary:
      '001 §II: core, IN, OUT, tendrils and the rest of each web; what crawls find of it, and what gateways see when people read',
    defaults: { ...coverageDefaults },
    get webs() {
      return ['generated:pages=50000', ...foundWebs(COVERAGE_WEBS)]
    },
    get toFetch() {
      return missingWebs(COVERAGE_WEBS)
    },
    open: openCoverage,
  },
]

/** For experiments that crawl. */
function onWeb(
  run: (web: WebGraph, settings: Settings, hooks: ExperimentHooks) => ReturnType<Subject['run']>,
): Experiment['open'] {
  return async (name, options) => {
    const web = await openNamedWeb(name, options)
    return { name: web.name, run: (settings, hooks) => run(web, settings, hooks) }
  }
}

/** The search engine is loaded when it is asked for: most who use the lab crawl. */
async function openRelevance(name: string): Promise<Subject> {
  const [{ openRelevanceSet }, { runRelevance }] = await Promise.all([
    import('./experiments/relevance/set.ts'),
    import('./experiments/relevance/experiment.ts'),
  ])
  const set = await openRelevanceSet(name)
  return { name: set.name, run: (settings, { onPart }) => runRelevance(set, settings, { onPart }) }
}

async function openServers(name: string): Promise<Subject> {
  const [{ runServers }, source] = await Promise.all([
    import('./experiments/servers/experiment.ts'),
    openServersSource(name),
  ])
  return { name, run: (settings, { onPart }) => runServers(source, settings, { onPart }) }
}

/** A site's side is loaded when it is asked for, as the search engine is. */
async function openCooperation(name: string): Promise<Subject> {
  const [{ runCooperation }, source] = await Promise.all([
    import('./experiments/cooperation/experiment.ts'),
    openCooperationSource(name),
  ])
  return { name, run: (settings, { onPart }) => runCooperation(source, settings, { onPart }) }
}

async function openSchemes(name: string): Promise<Subject> {
  if (name === MADE) {
    const { runMadeSchemes } = await import('./experiments/schemes/made/schemes-made.ts')
    return { name: 'made sites', run: (settings, { onPart }) => runMadeSchemes(settings, { onPart }) }
  }
  const folder = yearFolder(name)
  const { runSchemes } = await import('./experiments/schemes/experiment.ts')
  return { name, run: (settings, { onPart }) => runSchemes(folder, settings, { onPart }) }
}

async function openFreshness(name: string): Promise<Subject> {
  const [{ runFreshnessContest }, source] = await Promise.all([
    import('./experiments/freshness/experiment.ts'),
    openFreshnessSource(name),
  ])
  return { name, run: (settings, { onPart }) => runFreshnessContest(source, settings, { onPart }) }
}

async function openBreakEven(name: string): Promise<Subject> {
  const { breakEvenPart, runBreakEven } = await import('./experiments/break-even/experiment.ts')
  const part = breakEvenPart(name)
  return { name, run: (settings, { onPart }) => runBreakEven(part, settings, { onPart }) }
}

async function openNetwork(name: string): Promise<Subject> {
  const { requireTransitStub, runNetwork } = await import('./experiments/network/experiment.ts')
  requireTransitStub(name)
  return { name, run: (settings, { onPart }) => runNetwork(settings, { onPart }) }
}

async function openCoverage(name: string, options: OpenWebOptions): Promise<Subject> {
  const [{ runCoverage }, web] = await Promise.all([
    import('./experiments/coverage/experiment.ts'),
    openNamedWeb(name, options),
  ])
  return { name: web.name, run: (settings, { onPart }) => runCoverage(web, settings, { onPart }) }
}

function withoutWebs(defaults: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(defaults).filter(([key]) => key !== 'site'))
}

export const experimentNamed = (name: string): Experiment | undefined => EXPERIMENTS.find((one) => one.name === name)
