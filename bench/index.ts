/**
 * How small, how quick to build and how quick to ask our index is, beside Lucene 8 and SQLite's FTS5, on HTML manuals.
 *
 *   npm run bench:index -- --corpus DIR [SET …] [--rounds 3] [--asked 1000] [--only ours,fts5,lucene] [--json]
 *   npm run bench:index -- --set name=folder [--set …] [--core 1] [--lucene FOLDER] [--dir FOLDER]
 *
 * DIR holds unpacked Debian packages (`index/sets.ts` has their names). All index one file of text that our own
 * `readHtml` took out of the HTML; ours has title, headings and URL as fields besides, the peers title and text in one.
 * Every engine builds and asks in a process of its own on one core, and they take turns. Sizes are of all files in an
 * engine's folder, after it merged them into one. Equal work: each index has all documents, by its own count, and each round
 * gives the same answers; no engine finds fewer pages than Lucene (without it, than FTS5) but for one query in a hundred, or
 * there is no figure. The numbers of matches and how many of the best ten are shared are printed.
 *
 * A rate of building is a steady state, as a crawler that indexes for hours has it: a process builds the set into a
 * folder that is emptied again, at least twice and for three seconds, and of the five builds after that the median
 * counts. The same for all engines, Lucene too. The first build of the process, in which V8 and the JVM compile their
 * code, is printed beside it as cold: there we lose by more. FTS5's tokenizer takes a run of Chinese, Japanese or Thai for
 * one word, where ours looks words up in a dictionary: in the handbook FTS5 has less to do.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWith, readArguments } from './arguments.ts'
import { sayMissing } from './equal-work.ts'
import { ENGINE_IDS, findContestants, NODE_ENGINES } from './index/contestants.ts'
import { readDocuments, writeDocuments } from './index/documents.ts'
import type { DocumentSet } from './index/documents.ts'
import { timeBuild, timeQueries } from './index/engine.ts'
import type { Built, Detail, Queried } from './index/engine.ts'
import { createRunner, MEMORY_MB } from './index/process.ts'
import type { Contestant } from './index/process.ts'
import { makeQueries } from './index/queries.ts'
import { report } from './index/report.ts'
import { parseSet, setsIn } from './index/sets.ts'
import { summarize } from './index/summary.ts'
import type { Run, SetFigures, SetRuns } from './index/summary.ts'

const { flags: values, positionals } = readArguments(
  import.meta.filename,
  {
    corpus: '',
    set: [],
    only: '',
    rounds: 3,
    asked: 1_000,
    core: { value: availableParallelism() - 1, least: 0 },
    lucene: '/usr/share/java',
    dir: tmpdir(),
    json: false,
    // Set for the processes of the acts.
    act: '',
    engine: '',
    documents: '',
    index: '',
    detail: 'positional',
    queries: '',
  },
  100,
)

if (values.act === '') await direct()
else process.stdout.write(`${JSON.stringify(await act())}\n`)

/** What one process of an engine in Node does. */
async function act(): Promise<Built | Queried> {
  const engine = NODE_ENGINES[values.engine]
  if (engine === undefined) throw new RangeError(`no engine is called ${values.engine}`)
  if (values.act === 'query') return timeQueries(await engine.open(values.index), readQueries(values.queries))
  const detail: Detail = values.detail === 'documents' ? 'documents' : 'positional'
  return timeBuild(engine, () => readDocuments(values.documents), values.index, { detail, memoryMb: MEMORY_MB })
}

function readQueries(path: string): string[][] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.map((line) => line.split(' '))
}

async function direct(): Promise<void> {
  const { sets, missing } = chosenSets()
  if (sets.length === 0) endWith(import.meta.filename, ['Name manuals, by --corpus or --set', ...missing].join('\n'))
  for (const id of listOf(values.only))
    if (!ENGINE_IDS.includes(id))
      endWith(import.meta.filename, `no engine is called ${id}: --only ${ENGINE_IDS.join(',')}`)
  const folder = mkdtempSync(join(values.dir, 'comity-bench-index-'))
  try {
    const contest = findContestants(listOf(values.only), import.meta.filename, values.lucene, folder)
    for (const line of missing) console.error(`left out: ${line}`)
    for (const [peer, how] of contest.missing) sayMissing(peer, how)
    if (contest.contestants.length === 0) return
    const results: SetFigures[] = []
    for (const set of sets) {
      const figures = summarize(await measure(set, contest.contestants, folder))
      if (figures === undefined) continue
      if (!values.json) report(figures)
      results.push(figures)
    }
    if (values.json) console.log(JSON.stringify(results, undefined, 2))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Arguments are names of sets within a corpus, and folders where none is given. */
function chosenSets(): { sets: DocumentSet[]; missing: string[] } {
  try {
    return findSets()
  } catch (error) {
    return endWith(import.meta.filename, (error as Error).message)
  }
}

function findSets(): { sets: DocumentSet[]; missing: string[] } {
  const isKnown = values.corpus !== ''
  const { sets, missing } = isKnown ? setsIn(values.corpus, positionals) : { sets: [], missing: [] }
  const folders = isKnown ? values.set : [...positionals, ...values.set]
  return { sets: [...sets, ...folders.map((argument) => parseSet(argument))], missing }
}

function listOf(names: string): string[] {
  return names.split(',').filter((name) => name !== '')
}

async function measure(set: DocumentSet, contestants: readonly Contestant[], folder: string): Promise<SetRuns> {
  const documents = join(folder, 'documents')
  const queriesPath = join(folder, 'queries')
  progress(`${set.name}: reading HTML`)
  const facts = writeDocuments(set, documents)
  const queries = makeQueries([...readDocuments(documents)], values.asked)
  writeFileSync(queriesPath, queries.map((words) => words.join(' ')).join('\n'))
  const { pinned, run } = createRunner(values.core)
  const runs = contestants.map(({ id, name }): Run => ({
    id,
    name,
    bytes: { positional: 0, documents: 0 },
    built: [],
    queried: [],
  }))
  for (let round = 0; round < values.rounds; round++) {
    for (const [place, contestant] of contestants.entries()) {
      const { bytes, built, queried } = runs[place]!
      progress(`${set.name}: round ${round + 1}, ${contestant.name}`)
      // Its size does not change from round to round.
      if (round === 0) bytes.documents = (await build(contestant, 'documents')).size
      const positional = await build(contestant, 'positional')
      bytes.positional = positional.size
      built.push(positional.told)
      queried.push(await run<Queried>(contestant.query(join(folder, contestant.id), queriesPath)))
    }
  }
  return { set: set.name, facts, queries: queries.length, pinned, runs }

  async function build(contestant: Contestant, detail: Detail): Promise<{ told: Built; size: number }> {
    const index = join(folder, contestant.id)
    rmSync(index, { recursive: true, force: true })
    mkdirSync(index)
    const told = await run<Built>(contestant.build(documents, index, detail))
    return { told, size: sizeOf(index) }
  }
}

function sizeOf(folder: string): number {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

function progress(line: string): void {
  process.stderr.write(`… ${line}\n`)
}
