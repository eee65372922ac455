/**
 * The figures of one set of documents in `bench/index.ts`: medians of the rounds, how far the engines agree, and whether that is
 * enough to set them beside each other.
 *
 *   documents   each index has all of them, by its own count, in every round
 *   matches     who stems, or looks into compounds, finds more pages than who does not, but loses none: for `MOST_LOST` of a
 *               hundred queries at most an engine may find fewer pages than the judge
 *   answers     every round of an engine gives the same
 */
import { hash } from 'node:crypto'
import { proven } from '../equal-work.ts'
import type { Work } from '../equal-work.ts'
import type { DocumentFacts } from './documents.ts'
import { MODES } from './engine.ts'
import type { Answers, Built, Detail, Mode, Queried } from './engine.ts'
import { mean, percentile, percentOf, percentShared } from './figures.ts'
import { median } from '../measure.ts'

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

/** Of 100 queries: words with apostrophes and the like are cut in different ways. */
const MOST_LOST = 1

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

/** Undefined where the work was not equal, which is said. */
export function summarize({ runs, ...set }: SetRuns): SetFigures | undefined {
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
  return isEqualWork(runs, engines, set) ? { ...set, engines } : undefined
}

function isEqualWork(
  runs: readonly Run[],
  engines: readonly EngineFigures[],
  { facts, queries, set }: Omit<SetRuns, 'runs'>,
): boolean {
  const given = { name: 'the set', work: [{ documents: facts.documents, indexed: facts.documents, queries }] }
  const did = runs.map(({ name, built, queried }) => ({
    name,
    work: queried.map((told, round) => ({
      documents: built[round]!.documents,
      indexed: told.documents,
      queries: told.all.matches.length,
    })),
  }))
  const answered = runs.map(({ name, queried }) => ({ name, work: queried.map((told) => answersOf(told)) }))
  // What each finds is compared by the judge below: nobody cuts words as another does.
  const proofs = [proven(set, [given, ...did]), ...answered.map((one) => proven(`${set}, each round`, [one]))]
  return [...proofs, ...engines.map((engine) => losesNone(engine, set))].every((is) => is)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((before, count) => before + count, 0)

function answersOf({ all, any }: Queried): Work {
  const best = hash('sha256', JSON.stringify([all.top, any.top]))
  return { 'matches of all words': sum(all.matches), 'matches of any word': sum(any.matches), 'best ten': best }
}

function losesNone({ name, asked: answers }: EngineFigures, set: string): boolean {
  const losing = MODES.filter((mode) => !(answers[mode].noLessCount >= 100 - MOST_LOST))
  for (const mode of losing)
    console.error(
      `${set}: no ratio, as ${name} finds fewer pages for ${(100 - answers[mode].noLessCount).toFixed(1)} % of the queries (${mode})`,
    )
  if (losing.length > 0) process.exitCode = 1
  return losing.length === 0
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
