/**
 * A set in the plain form that BEIR (Thakur et al. 2021) gave test sets of many kinds, to which any other is easily brought:
 *
 *   corpus.jsonl     a document a line: {"_id": "12", "title": "…", "text": "…"}
 *   queries.jsonl    a question a line: {"_id": "3", "text": "…"}
 *   qrels/test.tsv   question, document and grade, tabs between; a grade above 0 is relevant. The first line may be a heading
 *
 * Its name is the folder's. Ids are any text; documents are numbered as they stand there, from 1.
 */
import { basename, join, resolve } from 'node:path'
import type { RelevanceSet, SetDocument } from './set.ts'
import { MAX_DOCUMENTS, MAX_JUDGMENTS, MAX_QUESTIONS, badLine, linesOf } from './relevance-text.ts'

export async function readBeir(folder: string): Promise<RelevanceSet> {
  const entries = await readEntries(join(folder, 'corpus.jsonl'), MAX_DOCUMENTS)
  const texts = await readEntries(join(folder, 'queries.jsonl'), MAX_QUESTIONS)
  const keys = new Map([...entries.keys()].map((id, i) => [id, i + 1]))
  const judgments = await readGrades(join(folder, 'qrels', 'test.tsv'), keys)
  const documents = [...entries].map(([id, entry], i) => documentOf(i + 1, id, entry))
  const questions = [...texts].flatMap(([id, { text }], i) => {
    const relevant = judgments.get(id)
    return relevant === undefined ? [] : [{ number: i + 1, text, relevant }]
  })
  return { name: basename(resolve(folder)), documents, questions, unjudged: texts.size - questions.length }
}

interface Entry {
  readonly title: string
  readonly text: string
}

const documentOf = (key: number, id: string, { title, text }: Entry): SetDocument => ({
  key,
  url: `https://set.example/${encodeURIComponent(id)}`,
  title,
  headings: [],
  text,
})

async function readEntries(path: string, most: number): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  for (const [i, line] of (await linesOf(path)).entries()) {
    if (line.trim() === '') continue
    const found = entryIn(line)
    if (found === undefined)
      throw badLine(path, i + 1, 'This is no entry: write {"_id": "…", "text": "…"}, of a document also a "title".')
    if (entries.has(found.id)) throw badLine(path, i + 1, `${found.id} is there twice: leave one out.`)
    if (entries.size === most) throw badLine(path, i + 1, `It has more than ${most} entries, the most we read.`)
    entries.set(found.id, found.entry)
  }
  if (entries.size === 0) throw badLine(path, 1, 'There are no entries here: each is a line of JSON.')
  return entries
}

function entryIn(line: string): { id: string; entry: Entry } | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { _id: id, title = '', text } = value as Readonly<Record<string, unknown>>
  if (typeof id !== 'string' || id === '' || typeof title !== 'string' || typeof text !== 'string') return undefined
  // A half of a character has no place in a URL, nor in a text.
  return { id: id.toWellFormed(), entry: { title: title.toWellFormed(), text: text.toWellFormed() } }
}

async function readGrades(path: string, keys: ReadonlyMap<string, number>): Promise<Map<string, Set<number>>> {
  const relevant = new Map<string, Set<number>>()
  for (const [i, line] of (await linesOf(path)).entries()) {
    if (line.trim() === '') continue
    if (i > MAX_JUDGMENTS) throw badLine(path, i + 1, `It has more than ${MAX_JUDGMENTS} lines, the most we read.`)
    const [question, document, grade] = line.split('\t')
    const isGrade = /^-?\d{1,3}$/.test(grade?.trim() ?? '')
    if (i === 0 && !isGrade) continue
    if (question === undefined || document === undefined || !isGrade)
      throw badLine(path, i + 1, 'This is no judgment: write question, document and grade with tabs between.')
    const key = keys.get(document)
    if (key === undefined) throw badLine(path, i + 1, `There is no document ${document}: leave the line out.`)
    if (!(Number(grade) > 0)) continue
    const known = relevant.get(question)
    if (known === undefined) relevant.set(question, new Set([key]))
    else known.add(key)
  }
  return relevant
}
