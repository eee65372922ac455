/**
 * Relevance text: the files of a relevance set that are lines of text, and the judgments among them. Files of strangers:
 * all are capped, and what is wrong is told by its line.
 */
import { unpackedChunks } from '../../webs/graph/source.ts'
import { webUnreadable } from '../../lab-error.ts'
import type { LabError } from '../../lab-error.ts'

const MAX_TEXT_BYTES = 64 << 20
export const MAX_JUDGMENTS = 1_000_000
export const MAX_DOCUMENTS = 200_000
export const MAX_QUESTIONS = 10_000

/** The lines of a text file, plain or packed, without their ends. */
export async function linesOf(path: string): Promise<string[]> {
  const chunks: Uint8Array[] = []
  for await (const chunk of unpackedChunks(path, MAX_TEXT_BYTES)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8').split(/\r?\n/)
}

/** `line` counts from 1. */
export const badLine = (path: string, line: number, what: string): LabError =>
  webUnreadable(`${path}, line ${line}`, what)

/**
 * Relevant documents by question. Three columns are those of SMART, `question document grade`, where every pair that is
 * listed counts as relevant; four are those of TREC, `question 0 document grade`, where a grade above 0 does.
 */
export async function readJudgments(path: string): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const relevant = new Map<number, Set<number>>()
  const lines = await linesOf(path)
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue
    if (i >= MAX_JUDGMENTS) throw badLine(path, i + 1, `It has more than ${MAX_JUDGMENTS} lines, the most we read.`)
    const [question, document, isRelevant] = judgmentIn(line) ?? []
    if (question === undefined || document === undefined) {
      throw badLine(path, i + 1, 'This is no judgment: write `question document grade` or `question 0 document grade`.')
    }
    if (isRelevant !== true) continue
    const known = relevant.get(question)
    if (known === undefined) relevant.set(question, new Set([document]))
    else known.add(document)
  }
  return relevant
}

function judgmentIn(line: string): [question: number, document: number, isRelevant: boolean] | undefined {
  const match = /^\s*(\d{1,6})\s+(?:(?:0|Q0)\s+)?(?:[A-Za-z]+-)?0*(\d{1,9})\s+(-?\d{1,3})\s*$/.exec(line)
  if (match === null) return undefined
  const isTrec = line.trim().split(/\s+/).length === 4
  return [Number(match[1]), Number(match[2]), !isTrec || Number(match[3]) > 0]
}
