/**
 * Relevance sets: documents, questions, and for each question the documents that people found to answer it. A set is a
 * folder of the files as they have been handed round since the 1960s and 1970s:
 *
 *   Cranfield   cran.all.1400 · cran.qry · cranqrel
 *   CACM        an archive of the pages (cacm….tar, also packed) · cacm.query · cacm.rel
 *   any other   brought to the form of BEIR: corpus.jsonl · queries.jsonl · qrels/test.tsv
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { webUnreadable } from '../../lab-error.ts'
import type { LabError } from '../../lab-error.ts'
import { readBeir } from './beir.ts'
import { readCacm } from './cacm.ts'
import { readCranfield } from './cranfield.ts'

export interface SetDocument {
  readonly key: number
  readonly url: string
  readonly title: string
  readonly headings: readonly string[]
  readonly text: string
}

interface SetQuestion {
  /** As the judgments count them. */
  readonly number: number
  readonly text: string
  /** Keys of documents; at least one. */
  readonly relevant: ReadonlySet<number>
}

export interface RelevanceSet {
  readonly name: string
  readonly documents: readonly SetDocument[]
  readonly questions: readonly SetQuestion[]
  /** Questions for which no document was judged relevant: nothing can be said about them. */
  readonly unjudged: number
  /** Of the pages as they were fetched, where they are HTML. */
  readonly htmlBytes?: number
}

const KINDS: readonly { sign: string; read: (folder: string) => Promise<RelevanceSet> }[] = [
  { sign: 'cran.all.1400', read: readCranfield },
  { sign: 'cacm.query', read: readCacm },
  { sign: 'corpus.jsonl', read: readBeir },
]

/** A set by the name of its folder; `cranfield` and `cacm` are also looked for where the tests' large data stand. */
export async function openRelevanceSet(name: string): Promise<RelevanceSet> {
  const folder = [name, ...inSharedData(name)].find(isFolder)
  if (folder === undefined) throw setMissing(name, 'There is no such folder.')
  const files = readdirSync(folder)
  const kind = KINDS.find(({ sign }) => files.includes(sign))
  if (kind === undefined) throw setMissing(folder, `None of ${KINDS.map(({ sign }) => sign).join(', ')} is in it.`)
  return await kind.read(folder)
}

/** See CONTRIBUTING.md. */
function inSharedData(name: string): string[] {
  const root = process.env['COMITY_SHARED']
  return root === undefined ? [] : [join(root, 'data', 'relevance', name)]
}

const isFolder = (path: string): boolean =>
  existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const setMissing = (where: string, what: string): LabError =>
  webUnreadable(
    where,
    `${what} Name the folder of a relevance test set with --web: Cranfield is cran.all.1400, cran.qry and cranqrel ` +
      '(https://ir.dcs.gla.ac.uk/resources/test_collections/cran/); CACM is an archive of its HTML pages such as ' +
      "Anserini's cacm.tar.gz, cacm.query (questions between lines of @) and cacm.rel (TREC judgments); any other is corpus.jsonl, " +
      'queries.jsonl and qrels/test.tsv, as BEIR has them. Or set ' +
      'COMITY_SHARED to a folder with data/relevance/cranfield and data/relevance/cacm in it.',
  )
