/**
 * Shipped document: what is indexed of a page, made where the page is, by a remote agent or a gateway, so that who indexes
 * it need not have the page (002 §6.4.2's extreme case). Its words come as a line of numbers into a list of words, in the
 * order of the text, each word as it was written.
 *
 * Words, not terms: what a word becomes in an index (folding, stems, the language of a page) stays a matter of the index,
 * which may change its rules without asking all who ship. Cutting text into words is left to who ships, and has to be done
 * as `text/words.ts` does it; a text in a script that is cut by dictionaries can be shipped as it is instead.
 */
import type { Instant } from '@comity/protocol'
import { MAX_POSITION } from '../document.ts'

export interface ShippedLink {
  readonly url: string
  readonly anchor: string
}

export interface ShippedLine {
  readonly kind: 'line'
  /** Distinct words; may be more than this page has, when several pages share a list. */
  readonly words: readonly string[]
  /** The text, word by word. */
  readonly text: Uint32Array
  /** The words that stand in its headings, each once. */
  readonly headings: Uint32Array
}

export interface ShippedText {
  readonly kind: 'text'
  readonly text: string
  readonly headings: readonly string[]
}

export interface ShippedDocument {
  readonly url: string
  readonly title: string
  /** Media type without parameters. */
  readonly type: string
  /** What the page says its language is. */
  readonly language: string | undefined
  readonly at: Instant
  /** `sha-256:` and 64 hexadecimal digits over the page's body. */
  readonly digest: string
  readonly content: ShippedLine | ShippedText
  /** To pages of any site, with their words: what others are called here. */
  readonly links: readonly ShippedLink[]
}

export type ReadShipped =
  | { readonly kind: 'document'; readonly document: ShippedDocument }
  | { readonly kind: 'refused'; readonly problem: string }

/** Texts in UTF-16 units. */
interface ShippedLimits {
  readonly maxUrl: number
  readonly maxTitle: number
  readonly maxType: number
  readonly maxLanguage: number
  readonly maxAnchor: number
  readonly maxLinks: number
  readonly maxHeadings: number
  readonly maxText: number
  /** An index reads no more of a word. */
  readonly maxWord: number
  readonly maxWords: number
}

export const shippedLimits: ShippedLimits = {
  maxUrl: 2_048,
  maxTitle: 1_000,
  maxType: 100,
  maxLanguage: 35,
  maxAnchor: 200,
  maxLinks: 50_000,
  maxHeadings: 10_000,
  maxText: 2_000_000,
  maxWord: 64,
  maxWords: MAX_POSITION,
}

const DIGEST = /^sha-256:[0-9a-f]{64}$/

/**
 * A document out of a record as an agent emits it:
 *
 *   { "kind": "postings", "url", "title", "type", "lang", "links": [[url, anchor], …],
 *     "words": ["first", …], "line": [0, 1, …], "headings": [0, …]      or      "text": "…", "headings": ["…", …] }
 *
 * `digest` is of the page it was made from. Whatever the record holds, the result is a document within `shippedLimits` or
 * what is wrong with it.
 */
export function shippedFromRecord(record: Readonly<Record<string, unknown>>, digest: string, at: Instant): ReadShipped {
  const { url, title = '', type = 'text/html', lang, links = [] } = record
  if (!isText(url, shippedLimits.maxUrl) || URL.parse(url) === null) return refused('its url is none')
  if (!isText(title, Infinity) || !isText(type, shippedLimits.maxType)) return refused('its title or type is no text')
  if (!DIGEST.test(digest)) return refused('its digest is none')
  const content = 'line' in record ? lineOf(record) : textOf(record)
  if (typeof content === 'string') return refused(content)
  const shipped = linksOf(links)
  if (shipped === undefined) return refused('its links are not pairs of texts')
  const language = isText(lang, shippedLimits.maxLanguage) ? lang : undefined
  const shown = title.slice(0, shippedLimits.maxTitle).toWellFormed()
  return { kind: 'document', document: { url, title: shown, type, language, at, digest, content, links: shipped } }
}

/** The text of a document as well as it is known: of a line, its words with blanks between. */
export function shippedText({ content }: ShippedDocument): string {
  if (content.kind === 'text') return content.text
  const { words, text } = content
  return Array.from(text, (number) => words[number]).join(' ')
}

const refused = (problem: string): ReadShipped => ({ kind: 'refused', problem })

const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most

function lineOf({ words, line, headings = [] }: Readonly<Record<string, unknown>>): ShippedLine | string {
  const { maxWord, maxWords, maxHeadings } = shippedLimits
  if (!Array.isArray(words) || words.length > maxWords || !words.every((word) => isText(word, maxWord) && word !== ''))
    return `its words are not texts of up to ${maxWord} characters`
  const text = numbersOf(line, maxWords, words.length)
  const heading = numbersOf(headings, maxHeadings, words.length)
  if (text === undefined || heading === undefined) return 'its line or headings are not numbers of words'
  return { kind: 'line', words: words.map((word: string) => word.toWellFormed()), text, headings: heading }
}

function textOf({ text, headings = [] }: Readonly<Record<string, unknown>>): ShippedText | string {
  const { maxText, maxTitle, maxHeadings } = shippedLimits
  if (!isText(text, maxText)) return 'it has neither a line nor a text'
  const isList = Array.isArray(headings) && headings.length <= maxHeadings
  if (!isList || !headings.every((one) => isText(one, maxTitle))) return 'its headings are no texts'
  return { kind: 'text', text, headings }
}

function numbersOf(value: unknown, most: number, below: number): Uint32Array | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined
  const isOne = (number: unknown): boolean =>
    Number.isSafeInteger(number) && (number as number) >= 0 && (number as number) < below
  return value.every(isOne) ? Uint32Array.from(value as number[]) : undefined
}

function linksOf(value: unknown): ShippedLink[] | undefined {
  if (!Array.isArray(value) || value.length > shippedLimits.maxLinks) return undefined
  const links: ShippedLink[] = []
  for (const pair of value as unknown[]) {
    if (!Array.isArray(pair) || !isText(pair[0], shippedLimits.maxUrl) || !isText(pair[1], Infinity)) return undefined
    links.push({ url: pair[0], anchor: pair[1].slice(0, shippedLimits.maxAnchor).toWellFormed() })
  }
  return links
}
