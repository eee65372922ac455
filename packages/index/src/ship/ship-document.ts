/**
 * From a page to what is shipped of it, for programs that have this package: gateways. Words are those of `text/words.ts`; a text
 * that needs dictionaries is cut by them here, so it is a line like any other.
 */
import type { IndexDocument } from '../document.ts'
import type { ShippedDocument, ShippedLink } from './shipped-document.ts'
import { shippedLimits } from './shipped-document.ts'
import { cutTo } from '../text/term-fold.ts'
import { TextUnits } from '../text/text-units.ts'
import { WordTable } from '../format/document-table.ts'
import { WordList } from '../text/words.ts'

export type ShippedPage = Pick<IndexDocument, 'url' | 'title' | 'headings' | 'text' | 'language' | 'type' | 'at'> & {
  /** `sha-256:` and 64 hexadecimal digits over the page's body. */
  readonly digest: string
  readonly links?: readonly ShippedLink[] | undefined
}

export function shipDocument({ headings, text, links = [], title, ...page }: ShippedPage): ShippedDocument {
  const { maxWords, maxHeadings, maxLinks, maxTitle, maxAnchor } = shippedLimits
  const table = new WordTable()
  const line = numbersOf(text, maxWords, table)
  const heading = new Set(numbersOf(headings.join('\n'), maxHeadings, table))
  const content = { kind: 'line', words: table.words, text: line, headings: Uint32Array.from(heading) } as const
  const kept = links.slice(0, maxLinks).map(({ url, anchor }) => ({ url, anchor: cutTo(anchor, maxAnchor) }))
  return { ...page, language: page.language, title: cutTo(title, maxTitle), content, links: kept }
}

function numbersOf(text: string, most: number, table: WordTable): Uint32Array {
  const { count, starts, ends } = new WordList().read(new TextUnits().load(text), most)
  const numbers = new Uint32Array(count)
  for (let i = 0; i < count; i++)
    numbers[i] = table.numberOf(cutTo(text.slice(starts[i], ends[i]), shippedLimits.maxWord).toWellFormed())
  return numbers
}
