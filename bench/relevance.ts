/**
 * How good answers are beside Lucene 8: sets of questions whose answers people have chosen.
 *
 *   npm run bench:relevance -- FOLDER … [--most 100] [--k1 1.2] [--b 0.75] [--lucene FOLDER] [--json]
 *
 * Each FOLDER is a set as `comity lab relevance --web` takes it: Cranfield, CACM, or any other in the form of BEIR
 * (`packages/lab/src/experiments/relevance/set.ts`). Three ways to ask: typed, the question as it stands in the search box;
 * words, any of its words in our own ranking `bm25`; and Lucene's English analyser over title and text with `--k1`
 * and `--b`.
 * Of each the first `--most` results count, at most the hundred that a search shows.
 *
 * Measures are means over the judged questions, as trec_eval computes them; "long" are questions of more words than 32. Of
 * ours, the processor time a question takes, in the best of three rounds. Equal work: as many documents and questions
 * on each side, and the same answers each round, or there is no figure.
 */
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measuresOf } from '../packages/lab/src/experiments/relevance/measures.ts'
import type { Measures } from '../packages/lab/src/experiments/relevance/measures.ts'
import { RelevanceIndex } from '../packages/lab/src/experiments/relevance/search.ts'
import type { Asking } from '../packages/lab/src/experiments/relevance/search.ts'
import { openRelevanceSet } from '../packages/lab/src/experiments/relevance/set.ts'
import type { RelevanceSet } from '../packages/lab/src/experiments/relevance/set.ts'
import { endWith, readArguments } from './arguments.ts'
import { formatSeconds, proven, sayMissing } from './equal-work.ts'
import type { Worked } from './equal-work.ts'
import { compileLucene } from './index/lucene.ts'
import { formatCount } from './measure.ts'

const { flags, positionals } = readArguments(
  import.meta.filename,
  { most: 100, k1: 1.2, b: 0.75, lucene: '/usr/share/java', json: false },
  100,
)
const { k1, b } = flags
const most = Math.min(flags.most, 100)
const ROUNDS = 3
const LONG = 32

interface Way {
  readonly name: string
  readonly found: readonly (readonly number[])[]
  readonly msEach?: number
  readonly worked: Worked
}

if (positionals.length === 0) endWith(import.meta.filename, 'Name folders of sets')
const folder = mkdtempSync(join(tmpdir(), 'comity-bench-relevance-'))
try {
  const java = compileLucene('LuceneRelevance', ['core', 'analyzers-common'], flags.lucene, folder)
  if (typeof java === 'string') sayMissing('lucene', java)
  const told: unknown[] = []
  for (const path of positionals) {
    const set = await openRelevanceSet(path)
    const lucene = typeof java === 'string' ? [] : [askLucene(set, java.classPath)]
    const ways = [...(await askOurs(set)), ...lucene]
    if (
      !proven(
        set.name,
        ways.map(({ worked }) => worked),
      )
    )
      continue
    const rows = ways.map((way) => figuresOf(set, way))
    told.push({ set: set.name, documents: set.documents.length, questions: set.questions.length, rows })
    if (!flags.json) report(set, rows)
  }
  if (flags.json) console.log(JSON.stringify(told, undefined, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function askOurs({ documents, questions }: RelevanceSet): Promise<Way[]> {
  using index = new RelevanceIndex(documents, 'en')
  const texts = questions.map(({ text }) => text)
  const asked = async (name: string, asking: Asking): Promise<Way> => {
    const rounds: { found: number[][]; ms: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = process.cpuUsage()
      const found = await index.ask(texts, asking, most)
      const { user, system } = process.cpuUsage(before)
      rounds.push({ found, ms: (user + system) / 1_000 })
    }
    const found = rounds[0]!.found
    const work = rounds.map((round) => ({ documents: documents.length, questions: round.found.length }))
    const digests = new Set(rounds.map((round) => hash('sha256', JSON.stringify(round.found))))
    if (digests.size > 1) throw new Error(`${name}: another answer in another round`)
    const msEach = Math.min(...rounds.map(({ ms }) => ms)) / texts.length
    return { name, found, msEach, worked: { name, work } }
  }
  return [
    await asked('typed', { rank: 'default', weights: {}, isTyped: true }),
    await asked('words', { rank: 'bm25', weights: {} }),
  ]
}

function askLucene({ documents, questions }: RelevanceSet, classPath: string): Way {
  const paths = [join(folder, 'documents'), join(folder, 'questions')] as const
  writeTexts(
    paths[0],
    documents.map(({ title, text }) => `${title}\n${text}`),
  )
  writeTexts(
    paths[1],
    questions.map(({ text }) => text),
  )
  const args = ['-Xmx1g', '-cp', classPath, 'LuceneRelevance', ...paths, ...[k1, b, most].map(String)]
  const { stdout, stderr, status } = spawnSync('java', args, { encoding: 'utf8', maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`java ended with ${status}: ${stderr}`)
  const told = JSON.parse(stdout) as { version: string; documents: number; found: number[][] }
  const name = `Lucene ${told.version}`
  const found = told.found.map((numbers) => numbers.map((number) => documents[number]!.key))
  return { name, found, worked: { name, work: [{ documents: told.documents, questions: found.length }] } }
}

function writeTexts(path: string, texts: readonly string[]): void {
  const parts = texts.flatMap((text) => {
    const bytes = Buffer.from(text)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return [length, bytes]
  })
  writeFileSync(path, Buffer.concat(parts))
}

interface Figures {
  readonly way: string
  readonly msEach: number | undefined
  readonly all: Measures
  readonly long: Measures
  readonly longQuestions: number
}

function figuresOf({ questions }: RelevanceSet, { name, msEach, found }: Way): Figures {
  const rankings = questions.map(({ text, relevant }, i) => ({ text, relevant, ranking: found[i]! }))
  const long = rankings.filter(({ text }) => text.trim().split(/\s+/).length > LONG)
  const measures = { all: measuresOf(rankings), long: measuresOf(long), longQuestions: long.length }
  return { way: name, msEach, ...measures }
}

function report(set: RelevanceSet, rows: readonly Figures[]): void {
  const { longQuestions } = rows[0]!
  const counts = `${formatCount(set.documents.length)} documents, ${set.questions.length} questions, ${longQuestions} long`
  console.log(`\n${set.name}: ${counts}`)
  for (const { way, all, long, msEach } of rows) {
    const columns = [`nDCG@10 ${all.ndcg10.toFixed(4)}`, `MAP@${most} ${all.map.toFixed(4)}`]
    if (longQuestions > 0) columns.push(`long: ${long.ndcg10.toFixed(4)} ${long.map.toFixed(4)}`)
    if (msEach !== undefined) columns.push(`${formatSeconds(msEach / 1e3)} of processor a question`)
    console.log(`  ${way.padEnd(14)} ${columns.join('   ')}`)
  }
}
