/**
 * Cranfield: 1,400 abstracts on aerodynamics and 225 questions, judged by their authors (Cleverdon 1967). Fields begin
 * with a letter alone on its line: `.I` number, `.T` title, `.A` authors, `.B` where it appeared, `.W` text, which
 * repeats the title. Title and text are what is searched, as in the runs we compare with.
 *
 * The numbers in cran.qry have gaps, but cranqrel counts the questions as they stand there, from 1.
 */
import { join } from 'node:path'
import type { RelevanceSet, SetDocument } from './set.ts'
import { MAX_DOCUMENTS, MAX_QUESTIONS, badLine, linesOf, readJudgments } from './relevance-text.ts'

export async function readCranfield(folder: string): Promise<RelevanceSet> {
  const documents = (await readEntries(join(folder, 'cran.all.1400'), MAX_DOCUMENTS)).map(documentOf)
  const questions = await readEntries(join(folder, 'cran.qry'), MAX_QUESTIONS)
  const judgments = await readJudgments(join(folder, 'cranqrel'))
  const judged = questions.flatMap(({ fields }, i) => {
    const relevant = judgments.get(i + 1)
    return relevant === undefined ? [] : [{ number: i + 1, text: textOf(fields, 'W'), relevant }]
  })
  return { name: 'Cranfield', documents, questions: judged, unjudged: questions.length - judged.length }
}

interface Entry {
  readonly number: number
  /** Lines of each field. */
  readonly fields: Map<string, string[]>
}

const textOf = (fields: Entry['fields'], name: string): string => (fields.get(name) ?? []).join('\n').trim()

const documentOf = ({ number, fields }: Entry): SetDocument => ({
  key: number,
  url: `https://cranfield.example/${number}`,
  title: textOf(fields, 'T'),
  headings: [],
  text: textOf(fields, 'W'),
})

async function readEntries(path: string, most: number): Promise<Entry[]> {
  const entries = new Map<number, Entry>()
  let entry: Entry | undefined
  let field: string[] | undefined
  for (const [i, line] of (await linesOf(path)).entries()) {
    const number = /^\.I\s+0*(\d{1,9})\s*$/.exec(line)?.[1]
    const name = /^\.([A-Z])\s*$/.exec(line)?.[1]
    if (number !== undefined) {
      entry = { number: Number(number), fields: new Map() }
      field = undefined
      if (entries.has(entry.number)) throw badLine(path, i + 1, `Number ${number} is there twice: leave one out.`)
      if (entries.size === most) throw badLine(path, i + 1, `It has more than ${most} entries, the most we read.`)
      entries.set(entry.number, entry)
    } else if (name !== undefined && entry !== undefined) {
      field = entry.fields.get(name) ?? []
      entry.fields.set(name, field)
    } else if (field !== undefined) field.push(line)
    else if (line.trim() !== '')
      throw badLine(path, i + 1, 'This belongs to no field: an entry begins with `.I` and a number, a field with `.W`.')
  }
  if (entries.size === 0) throw badLine(path, 1, 'There are no entries here: one begins with `.I` and a number.')
  return [...entries.values()]
}
