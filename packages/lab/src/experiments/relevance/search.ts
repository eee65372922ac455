/**
 * Relevance search: a relevance set in an index of its own, and its questions put to the search engine. The index is on
 * disk, as all are, in a folder that goes when the set is done with.
 *
 * Most ways of asking are a bag of words: any of the question's words will do, as in the runs we compare with. One is
 * to type it: the text as it stands goes into the search box, where signs have a meaning and all words are asked for.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IndexWriter, MAX_RESULTS, SearchEngine, rankDefaults } from '@comity/index'
import type { Plan, RankName, RankWeights } from '@comity/index'
import type { SetDocument } from './set.ts'

export interface Asking {
  readonly rank: RankName
  readonly weights: Partial<RankWeights>
  readonly isTyped?: boolean
}

export class RelevanceIndex implements Disposable {
  readonly #dir = mkdtempSync(join(tmpdir(), 'comity-relevance-'))
  readonly #titles: ReadonlyMap<number, string>

  /** `language` is what all documents say of themselves; '' for nothing. */
  constructor(documents: readonly SetDocument[], language: string) {
    this.#titles = new Map(documents.map(({ key, title }) => [key, title]))
    try {
      using writer = new IndexWriter(this.#dir)
      const rest = { anchors: [], type: 'text/html', at: 0, ...(language === '' ? {} : { language }) }
      for (const document of documents) writer.put({ ...document, ...rest })
      writer.commit(documents.length)
    } catch (error) {
      this[Symbol.dispose]()
      throw error
    }
  }

  /** All that the index is on disk: words, where they stand, and what is known of each page. */
  get bytes(): number {
    const files = readdirSync(this.#dir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  }

  /** For each question, the keys of what is found, best first. */
  async ask(questions: readonly string[], { rank, weights, isTyped }: Asking, depth: number): Promise<number[][]> {
    const options = {
      contentOf: () => Promise.resolve(undefined),
      titleOf: (key: number) => this.#titles.get(key),
      weights: { ...rankDefaults, ...weights },
      now: () => 0,
    }
    using engine = new SearchEngine(this.#dir, options)
    const found: number[][] = []
    for (const text of questions) {
      const hits =
        isTyped === true ? await typed(engine, text, rank, depth) : engine.rank(anyWord(engine, text), depth, rank)
      found.push(hits.map(({ key }) => key))
    }
    return found
  }

  [Symbol.dispose](): void {
    rmSync(this.#dir, { recursive: true, force: true })
  }
}

async function typed(
  engine: SearchEngine,
  query: string,
  rank: RankName,
  depth: number,
): Promise<readonly { readonly key: number }[]> {
  const { results } = await engine.search({ query, rank, limit: Math.min(depth, MAX_RESULTS), unfolded: true })
  return results
}

/** Runs of letters and digits; don't and 3.14 are one. Compounds are taken apart: a hyphen asks for no phrase here. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:'\p{L}+|(?<=\p{N})\.\p{N}+)*/gu

function anyWord(engine: SearchEngine, text: string): Plan {
  // In small letters, or OR and NOT would be commands.
  const parts = [...text.toLowerCase().matchAll(WORD)].map(([word]) => engine.plan(word))
  return { kind: 'any', parts: parts.filter(({ kind }) => kind !== 'every' && kind !== 'none') }
}
