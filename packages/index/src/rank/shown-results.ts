/** ShownResults: what a result is shown with, its title and a snippet, made for those that are shown and no others. */
import type { QueryLeaf } from '../query/query.ts'
import type { SearchResult, Snippet } from '../search-types.ts'
import { makeSnippet } from './snippet.ts'
import { exactMatches } from './quoted-phrase.ts'
import type { TextMatch } from './snippet.ts'
import { textMatches } from './text-matches.ts'

/** What a result is shown with; asked for those that are shown, and no others. */
export interface PageContent {
  readonly title: string
  readonly text: string
}

/** The page's title and text; undefined when they are not at hand. */
export type ContentSource = (key: number, url: string) => Promise<PageContent | undefined>

type Shown = Pick<SearchResult, 'key' | 'url' | 'language'>
type TitleAndSnippet = Pick<SearchResult, 'title' | 'snippet'>

const NO_CONTENT: PageContent = { title: '', text: '' }
const MAX_SNIPPETS_A_PAGE = 8

/** A phrase is shown where it stands as it is quoted, when it does. */
function matchesOf(text: string, leaves: readonly QueryLeaf[], language: string): TextMatch[] {
  const exact = leaves.map((leaf) => (leaf.kind === 'phrase' ? exactMatches(text, leaf, language) : []))
  const others = leaves.filter((_, i) => exact[i]!.length === 0)
  const quoted = exact.flatMap((matches, i) => matches.map((match) => ({ ...match, term: leaves.length + i })))
  return [...textMatches(text, others, language), ...quoted]
}

export class ShownResults {
  readonly #contentOf: ContentSource
  /** Snippets of pages whose content is still held by whoever gives it out, by what they were made for. */
  readonly #snippets = new WeakMap<PageContent, Map<string, Snippet>>()

  constructor(contentOf: ContentSource) {
    this.#contentOf = contentOf
  }

  async shown<Bare extends Shown>(bare: Bare, leaves: readonly QueryLeaf[]): Promise<Bare & TitleAndSnippet> {
    const content = (await this.#contentOf(bare.key, bare.url)) ?? NO_CONTENT
    return { ...bare, title: content.title, snippet: this.#snippetOf(content, leaves, bare.language) }
  }

  /** A snippet costs more than finding the page, and the same is asked again: by others, and with each page of results. */
  #snippetOf(content: PageContent, leaves: readonly QueryLeaf[], language: string): Snippet {
    let made = this.#snippets.get(content)
    if (made === undefined) this.#snippets.set(content, (made = new Map()))
    const name = JSON.stringify(leaves)
    const known = made.get(name)
    if (known !== undefined) return known
    if (made.size >= MAX_SNIPPETS_A_PAGE) made.clear()
    const snippet = makeSnippet(content.text, matchesOf(content.text, leaves, language))
    made.set(name, snippet)
    return snippet
  }
}
