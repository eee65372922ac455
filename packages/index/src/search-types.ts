/** What a search asks and answers, for whoever shows it: terminal, API and web pages speak these. */
import type { Instant } from '@comity/protocol'

/** How pages are put in order; `RANKINGS` in `rank/ranking.ts` describes each. */
export type RankName = 'default' | 'bm25' | 'idf' | 'hf' | 'hf-idf'

export interface SearchRequest {
  /** In the query language: words, "phrases", -not, OR, site: type: lang: since: title: prefix* */
  readonly query: string
  readonly rank?: RankName | undefined
  /** At most `MAX_RESULTS`. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** Show near duplicates of a page that is shown already. */
  readonly unfolded?: boolean | undefined
}

export interface SearchResult {
  readonly key: number
  readonly url: string
  readonly title: string
  readonly score: number
  readonly snippet: Snippet
  readonly site: string
  readonly type: string
  readonly language: string
  readonly at: Instant
  /** How many near duplicates were folded into it. */
  readonly folded: number
  /** It stands there because an operator says so, and not by its score. */
  readonly pinned?: true | undefined
}

/** A piece of a page's text, plain: whoever shows it escapes it and marks the words. */
export interface Snippet {
  readonly text: string
  /** Runs of `text` that match, in order and apart from each other. */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

export interface Facet {
  readonly value: string
  readonly pages: number
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[]
  /** How many pages match; a lower bound when `isLowerBound`, since the best ten are found without counting all. */
  readonly matches: number
  readonly isLowerBound: boolean
  readonly facets: {
    readonly sites: readonly Facet[]
    readonly types: readonly Facet[]
    readonly languages: readonly Facet[]
  }
  /** A query that would find more, when this one finds little: "did you mean". */
  readonly suggestion?: string | undefined
  /** Where nothing has what was typed: the answer to the suggestion. `results` are of what was typed alone. */
  readonly corrected?:
    | {
        readonly query: string
        readonly matches: number
        readonly isLowerBound: boolean
        readonly results: readonly SearchResult[]
      }
    | undefined
  /** Words of the question that were asked for together with others, as an operator says. */
  readonly widened?: readonly { readonly words: string; readonly by: readonly string[] }[] | undefined
  /** What of the query could not be understood, in words; the rest was searched. */
  readonly problems: readonly string[]
  readonly tookMs: number
}
