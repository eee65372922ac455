/**
 * Shipment rows: the payload of a shipment of format 1, document after document. Written for a single page, of which words are
 * kept, and for those who know no other format.
 *
 *   payload    varint documents · words · types · languages · rows
 *   words      varint count · each: text; the most frequent first, so that their numbers are short
 *   types, languages   varint count · each: text
 *   row        url: varint shared with the row before, text of the rest · title: text
 *              varint type · varint language, 0 for none else one more · varint at, seconds · 32 bytes digest
 *              byte content: 0 line, 1 text
 *              line    varint count · varint word … · varint headings · varint word less the one before …
 *              text    text · varint headings · text …
 *              varint links · each: url as above, from the link before · anchor: text
 *   text       varint bytes · UTF-8
 *
 * Numbers are as `format/byte-writer.ts` has them.
 */
import { ByteReader } from '../format/byte-reader.ts'
import { ByteWriter } from '../format/byte-writer.ts'
import { WordTable } from '../format/document-table.ts'
import { CommonWords } from './common-words.ts'
import { shippedLimits } from './shipped-document.ts'
import type { ShippedDocument, ShippedLine, ShippedLink, ShippedText } from './shipped-document.ts'

const LINE = 0
const TEXT = 1
const DIGEST_BYTES = 32
const SECOND = 1_000

export function writeRows(documents: readonly ShippedDocument[]): Uint8Array {
  const common = new CommonWords(documents, false)
  const [types, languages] = [new WordTable(), new WordTable()]
  for (const { type, language } of documents) {
    types.numberOf(type)
    if (language !== undefined) languages.numberOf(language)
  }
  const out = new ByteWriter(1 << 16)
  out.varint(documents.length)
  for (const list of [common.words, types.words, languages.words]) {
    out.varint(list.length)
    for (const text of list) out.text(text)
  }
  const urls = new UrlWriter(out)
  for (const document of documents) writeRow(document, { out, urls, types, languages, common })
  return out.bytes
}

interface RowParts {
  readonly out: ByteWriter
  readonly urls: UrlWriter
  readonly types: WordTable
  readonly languages: WordTable
  readonly common: CommonWords
}

function writeRow(document: ShippedDocument, { out, urls, types, languages, common }: RowParts): void {
  const { url, title, type, language, at, digest, content, links } = document
  urls.write(url)
  out.text(title)
  out.varint(types.numberOf(type))
  out.varint(language === undefined ? 0 : languages.numberOf(language) + 1)
  out.varint(Math.max(0, Math.floor(at / SECOND)))
  out.append(Buffer.from(digest.slice(digest.indexOf(':') + 1), 'hex'), 0, DIGEST_BYTES)
  out.byte(content.kind === 'line' ? LINE : TEXT)
  if (content.kind === 'line') writeLine(content, common, out)
  else {
    out.text(content.text)
    out.varint(content.headings.length)
    for (const heading of content.headings) out.text(heading)
  }
  out.varint(links.length)
  const targets = new UrlWriter(out)
  for (const link of links) {
    targets.write(link.url)
    out.text(link.anchor)
  }
}

function writeLine(line: ShippedLine, common: CommonWords, out: ByteWriter): void {
  const numbers = common.numbersOf(line)
  out.varint(line.text.length)
  for (const word of line.text) out.varint(numbers[word]!)
  const headings = line.headings.map((word) => numbers[word]!).toSorted()
  out.varint(headings.length)
  let before = 0
  for (const number of headings) {
    out.varint(number - before)
    before = number
  }
}

/** URLs, each without what it has in common with the one before. */
class UrlWriter {
  readonly #out: ByteWriter
  #last = ''

  constructor(out: ByteWriter) {
    this.#out = out
  }

  write(url: string): void {
    let shared = 0
    while (shared < url.length && shared < this.#last.length && url[shared] === this.#last[shared]) shared++
    // Not between the halves of a character.
    if (shared > 0 && /[\ud800-\udbff]/.test(url[shared - 1]!)) shared--
    this.#out.varint(shared)
    this.#out.text(url.slice(shared))
    this.#last = url
  }
}

/** Throws RangeError for whatever cannot be. */
export const readRows = (payload: Uint8Array, maxDocuments: number): ShippedDocument[] =>
  new RowReader(payload, maxDocuments).read()

class RowReader {
  readonly #from: ByteReader
  readonly #maxDocuments: number

  constructor(payload: Uint8Array, maxDocuments: number) {
    this.#from = new ByteReader(payload)
    this.#maxDocuments = maxDocuments
  }

  read(): ShippedDocument[] {
    const { maxWords, maxWord, maxType, maxLanguage } = shippedLimits
    const count = this.#count(this.#maxDocuments, 'documents')
    // As many words as a segment has numbers for.
    const words = this.#texts(16 * maxWords, maxWord, 'words')
    const types = this.#texts(this.#maxDocuments, maxType, 'types')
    const languages = this.#texts(this.#maxDocuments, maxLanguage, 'languages')
    const documents: ShippedDocument[] = []
    let url = ''
    for (let i = 0; i < count; i++) {
      url = this.#url(url)
      documents.push(this.#row(url, words, types, languages))
    }
    if (!this.#from.isAtEnd) throw new RangeError('something follows its last document')
    return documents
  }

  #row(url: string, words: readonly string[], types: readonly string[], languages: readonly string[]): ShippedDocument {
    const from = this.#from
    if (URL.parse(url) === null) throw new RangeError('a document has no URL')
    const title = this.#text(shippedLimits.maxTitle)
    const type = types[from.varint()]
    const languageNumber = from.varint()
    const language = languageNumber === 0 ? undefined : languages[languageNumber - 1]
    if (type === undefined || (languageNumber > 0 && language === undefined))
      throw new RangeError('a type or language is not in its table')
    const at = from.varint() * SECOND
    const digest = `sha-256:${Buffer.from(from.take(DIGEST_BYTES)).toString('hex')}`
    const content = from.byte() === LINE ? this.#line(words) : this.#plain()
    return { url, title, type, language, at, digest, content, links: this.#links() }
  }

  #line(words: readonly string[]): ShippedLine {
    const text = new Uint32Array(this.#count(shippedLimits.maxWords, 'words of a page'))
    for (let i = 0; i < text.length; i++) text[i] = this.#word(this.#from.varint(), words)
    const headings = new Uint32Array(this.#count(shippedLimits.maxHeadings, 'words of headings'))
    for (let i = 0, number = 0; i < headings.length; i++)
      headings[i] = this.#word((number += this.#from.varint()), words)
    return { kind: 'line', words, text, headings }
  }

  #word(number: number, words: readonly string[]): number {
    if (number >= words.length) throw new RangeError('a word is not in its list')
    return number
  }

  #plain(): ShippedText {
    const text = this.#text(shippedLimits.maxText)
    return { kind: 'text', text, headings: this.#texts(shippedLimits.maxHeadings, shippedLimits.maxTitle, 'headings') }
  }

  #links(): ShippedLink[] {
    const links: ShippedLink[] = []
    const count = this.#count(shippedLimits.maxLinks, 'links')
    for (let i = 0, url = ''; i < count; i++) {
      url = this.#url(url)
      links.push({ url, anchor: this.#text(shippedLimits.maxAnchor) })
    }
    return links
  }

  #url(before: string): string {
    const shared = this.#from.varint()
    if (shared > before.length) throw new RangeError('a URL has more in common with the one before than that has')
    const url = before.slice(0, shared) + this.#text(shippedLimits.maxUrl)
    if (url.length > shippedLimits.maxUrl) throw new RangeError('a URL is too long')
    return url
  }

  #texts(most: number, maxUnits: number, what: string): string[] {
    return Array.from({ length: this.#count(most, what) }, () => this.#text(maxUnits))
  }

  #text(maxUnits: number): string {
    const text = this.#from.text()
    if (text.length > maxUnits) throw new RangeError('a text is too long')
    return text
  }

  /** Each of what is counted takes a byte at least, so that a count cannot promise more than there is. */
  #count(most: number, what: string): number {
    const count = this.#from.varint()
    if (count > most || count > this.#from.end - this.#from.at) throw new RangeError(`it has too many ${what}`)
    return count
  }
}
