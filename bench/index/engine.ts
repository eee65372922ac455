/**
 * What `bench/index.ts` asks of an engine, and how it is timed. Engines in Node implement `Engine`; Lucene does the same
 * in a process of Java (`peers/lucene/LuceneBench.java`) and tells the same `Built` and `Queried`.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { IndexDocument } from '../../packages/index/src/document.ts'
import { rounded } from './figures.ts'
import { median } from '../measure.ts'

/** With or without the places of words in a page; both must say which pages have a word. */
export type Detail = 'positional' | 'documents'

export interface BuildOptions {
  readonly detail: Detail
  /** What may be gathered in memory before it is written: the same for all engines. */
  readonly memoryMb: number
}

/** Every word, or at least one: what all three engines can ask alike. */
export type Mode = 'all' | 'any'

export const MODES: readonly Mode[] = ['all', 'any']

export interface Engine {
  /** Name with version. */
  readonly name: string
  /**
   * Write an index of all documents into the empty folder `dir`, in one piece. `added` is called once, when all can be
   * found and nothing is merged for its own sake yet.
   */
  build(documents: Iterable<IndexDocument>, dir: string, options: BuildOptions, added: () => void): Promise<void>
  open(dir: string): Promise<Searcher>
}

export interface Searcher {
  /** How many documents the index has. */
  readonly documents: number
  /** Keys of the best `limit` pages by BM25 or its like, best first. */
  search(words: readonly string[], mode: Mode, limit: number): readonly number[]
  /** How many pages match; not timed. */
  count(words: readonly string[], mode: Mode): number | Promise<number>
}

/** The median of the timed builds of a process that has built the same before, but for `cold` and `peakMb`. */
export interface Built {
  readonly documents: number
  /** Until every document could be found. */
  readonly addSeconds: number
  /** Until the index was one piece, as small as the engine makes it. */
  readonly seconds: number
  /** Of the processor: what is left of the time when others use the machine as well. */
  readonly cpuSeconds: number
  /** The first build of the process: what compiles code while it runs has all of that to do yet. */
  readonly coldSeconds: number
  readonly coldCpuSeconds: number
  /** VmHWM of the process after its first build. */
  readonly peakMb: number
}

/** One entry a query, in the order of the queries. */
export interface Answers {
  /** Median of the passes, in µs. */
  readonly us: readonly number[]
  readonly matches: readonly number[]
  readonly top: readonly (readonly number[])[]
}

export interface Queried extends Readonly<Record<Mode, Answers>> {
  /** By the index itself: what was put in may not have come out. */
  readonly documents: number
}

export const LIMIT = 10
/** Each set of queries is asked, and each index built, at least so often and for so long before it is timed. */
export const WARM_PASSES = 2
export const WARM_MS = 3_000
export const PASSES = 5
/** An index without places is built for its size alone. */
export const WARMING: Readonly<Record<Detail, Warming>> = {
  positional: { warmPasses: WARM_PASSES, warmMs: WARM_MS, passes: PASSES },
  documents: { warmPasses: 0, warmMs: 0, passes: 1 },
}

export interface Warming {
  readonly warmPasses: number
  readonly warmMs: number
  readonly passes: number
}

const SETTLE_MS = 300

/** `read` gives the documents anew; `dir` is emptied before each build and holds the last. */
export async function timeBuild(
  engine: Engine,
  read: () => Iterable<IndexDocument>,
  dir: string,
  options: BuildOptions,
): Promise<Built> {
  // Node is still compiling what read our TypeScript, in other threads, and that is not the engine's work.
  await setTimeout(SETTLE_MS)
  const cold = await buildOnce(engine, read(), dir, options)
  const peak = peakMb()
  const { warmPasses, warmMs, passes } = WARMING[options.detail]
  const start = performance.now()
  for (let pass = 1; pass < warmPasses || performance.now() - start < warmMs; pass++)
    await buildOnce(engine, read(), dir, options)
  const timed: OneBuild[] = []
  for (let pass = 0; pass < passes; pass++) timed.push(await buildOnce(engine, read(), dir, options))
  const of = (key: keyof OneBuild): number => median(timed.map((build) => build[key]))
  return {
    documents: of('documents'),
    addSeconds: of('addSeconds'),
    seconds: of('seconds'),
    cpuSeconds: of('cpuSeconds'),
    coldSeconds: cold.seconds,
    coldCpuSeconds: cold.cpuSeconds,
    peakMb: peak,
  }
}

type OneBuild = Pick<Built, 'documents' | 'addSeconds' | 'seconds' | 'cpuSeconds'>

async function buildOnce(
  engine: Engine,
  documents: Iterable<IndexDocument>,
  dir: string,
  options: BuildOptions,
): Promise<OneBuild> {
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir)
  let count = 0
  let addedAt = Number.NaN
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  await engine.build(counted(documents), dir, options, () => (addedAt = performance.now()))
  const end = performance.now()
  const cpu = process.cpuUsage(cpuBefore)
  return {
    documents: count,
    addSeconds: (addedAt - start) / 1_000,
    seconds: (end - start) / 1_000,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  }

  function* counted(all: Iterable<IndexDocument>): Iterable<IndexDocument> {
    for (const document of all) {
      count += 1
      yield document
    }
  }
}

export async function timeQueries(searcher: Searcher, queries: readonly (readonly string[])[]): Promise<Queried> {
  const { documents } = searcher
  return { documents, all: await answersOf(searcher, queries, 'all'), any: await answersOf(searcher, queries, 'any') }
}

async function answersOf(searcher: Searcher, queries: readonly (readonly string[])[], mode: Mode): Promise<Answers> {
  warm(searcher, queries, mode)
  const passes = Array.from({ length: PASSES }, () => timePass(searcher, queries, mode))
  const matches: number[] = []
  for (const words of queries) matches.push(await searcher.count(words, mode))
  return {
    us: queries.map((_, place) => rounded(median(passes.map((pass) => pass[place]!)))),
    matches,
    top: queries.map((words) => searcher.search(words, mode, LIMIT)),
  }
}

function warm(searcher: Searcher, queries: readonly (readonly string[])[], mode: Mode): void {
  const start = performance.now()
  for (let pass = 0; pass < WARM_PASSES || performance.now() - start < WARM_MS; pass++)
    for (const words of queries) searcher.search(words, mode, LIMIT)
}

function timePass(searcher: Searcher, queries: readonly (readonly string[])[], mode: Mode): number[] {
  return queries.map((words) => {
    const start = performance.now()
    searcher.search(words, mode, LIMIT)
    return (performance.now() - start) * 1_000
  })
}

/** The most memory this process ever had, mapped files included; NaN where there is no /proc. */
function peakMb(): number {
  try {
    return (Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) * 1024) / 1e6
  } catch {
    return Number.NaN
  }
}
