/** The figures of one set of documents in `bench/index.ts`: medians of the rounds, and how far the engines agree. */
import type { DocumentFacts } from './index-documents.ts'
import type { Answers, Built, Detail, Mode, Queried } from './index-engine.ts'
import { mean, percentile, percentOf, percentShared } from './index-figures.ts'
import { median } from './measure.ts'

/** One engine on one set; lists have an entry a round. */
export interface Run {
  readonly id: string
  readonly name: string
  readonly bytes: Record<Detail, number>
  readonly built: Built[]
  readonly queried: Queried[]
}

export interface SetRuns {
  readonly set: string
  readonly facts: DocumentFacts
  readonly queries: number
  /** Whether each process had one core. */
  readonly pinned: boolean
  readonly runs: readonly Run[]
}

export interface AskedFigures {
  readonly p50Us: number
  readonly p99Us: number
  readonly meanUs: number
  /** Pages that match a query, in the mean. */
  readonly matches: number
  /** Of 100 queries, how many match as many pages as in Lucene, or in the next of `JUDGES` that takes part. */
  readonly sameCount: number
  /** As many or more: who stems, or looks into compounds, finds more pages and should lose none. */
  readonly noLessCount: number
  /** How much of the best ten is among its best ten, in percent. */
  readonly topShared: number
}

export interface EngineFigures {
  readonly id: string
  readonly name: string
  readonly bytes: Readonly<Record<Detail, number>>
  readonly built: Built
  readonly documentsPerSecond: number
  readonly textMbPerSecond: number
  readonly asked: Readonly<Record<Mode, AskedFigures>>
}

export interface SetFigures extends Omit<SetRuns, 'runs'> {
  readonly engines: readonly EngineFigures[]
}

/** Whose answers the others are compared with: the first that takes part. */
const JUDGES: readonly string[] = ['lucene', 'fts5', 'ours']

export function summarize({ runs, ...set }: SetRuns): SetFigures {
  requireEqualWork(runs, set.facts)
  const judge = JUDGES.map((judging) => runs.find(({ id }) => id === judging)).find((run) => run !== undefined)!
  const engines = runs.map((run): EngineFigures => {
    const built = medians(run.built)
    return {
      id: run.id,
      name: run.name,
      bytes: run.bytes,
      built,
      documentsPerSecond: set.facts.documents / built.seconds,
      textMbPerSecond: set.facts.textBytes / 1e6 / built.seconds,
      asked: { all: asked(run, judge, 'all'), any: asked(run, judge, 'any') },
    }
  })
  return { ...set, engines }
}

function requireEqualWork(runs: readonly Run[], facts: DocumentFacts): void {
  for (const { name, built } of runs)
    for (const { documents } of built)
      if (documents !== facts.documents) throw new Error(`${name} indexed ${documents} of ${facts.documents} documents`)
}

function medians(built: readonly Built[]): Built {
  const of = (key: keyof Built): number => median(built.map((round) => round[key]))
  return {
    documents: of('documents'),
    addSeconds: of('addSeconds'),
    seconds: of('seconds'),
    cpuSeconds: of('cpuSeconds'),
    coldSeconds: of('coldSeconds'),
    coldCpuSeconds: of('coldCpuSeconds'),
    peakMb: of('peakMb'),
  }
}

function asked({ queried }: Run, judge: Run, mode: Mode): AskedFigures {
  const rounds = queried.map((round) => round[mode])
  const over = (figure: (answers: Answers) => number): number => median(rounds.map(figure))
  const [first, judged] = [rounds[0]!, judge.queried[0]![mode]]
  return {
    p50Us: over(({ us }) => percentile(us, 0.5)),
    p99Us: over(({ us }) => percentile(us, 0.99)),
    meanUs: over(({ us }) => mean(us)),
    matches: mean(first.matches),
    sameCount: percentOf(first.matches, judged.matches, (ours, theirs) => ours === theirs),
    noLessCount: percentOf(first.matches, judged.matches, (ours, theirs) => ours >= theirs),
    topShared: percentShared(first.top, judged.top),
  }
}
