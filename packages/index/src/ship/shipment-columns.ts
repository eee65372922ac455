/**
 * Shipment columns: the payload of a shipment of format 2. What is alike stands together, and what many pages share stands once: words,
 * and links with their anchors.
 *
 *   payload    frames, each: varint bytes · zstd of so many
 *     words    texts, as `CommonWords` orders them
 *     lines    per document with a line: varint words · varint number …
 *     pages    types: texts · languages: texts · urls: texts · titles: texts
 *              columns, a number for each document: type · language, 0 for none else one more · seconds less those before (zigzag) ·
 *              0 line, 1 text · headings; then the headings of each line: number less the one before …
 *     links    urls: texts · anchors: texts, a row for each link with its anchor, in order; per document: varint links · row …
 *     plain    texts that came as such: texts · their headings: texts
 *     digests  32 bytes for each document
 *   texts      varint count · column of units shared with the text before · column of bytes of the rest · the rests, UTF-8
 *
 * What is unpacked and then made of it, in all, is bounded: a text of two bytes may share two thousand units, and a link of one byte two texts.
 *
 * Numbers are as `format/byte-writer.ts` has them. Lines are most of it. Tried on three manuals: short matches save 4 % of
 * them; a model of words after words, with arithmetic coding, 2 to 19 %, at thirty times the processor time of zstd.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { ByteReader } from '../format/byte-reader.ts'
import { ByteWriter } from '../format/byte-writer.ts'
import { WordTable } from '../format/document-table.ts'
import { CommonWords } from './common-words.ts'
import { shippedLimits } from './shipped-document.ts'
import type { ShippedDocument, ShippedLine, ShippedLink, ShippedText } from './shipped-document.ts'

const LINE = 0
const TEXT = 1
/** Units that a text may share with the one before: an address has as many. */
const MAX_SHARED = 2_048
const DIGEST_BYTES = 32
const SECOND = 1_000

/** Slow enough to find what repeats across pages, quick enough for a server that has other things to do. */
const PARAMETERS = {
  [constants.ZSTD_c_compressionLevel]: 9,
  // Two numbers are four bytes or less.
  [constants.ZSTD_c_minMatch]: 4,
  // 16 MB: further than the lines of a batch reach.
  [constants.ZSTD_c_windowLog]: 24,
}

export function writeColumns(documents: readonly ShippedDocument[]): Uint8Array {
  const common = new CommonWords(documents, true)
  const plain = documents.flatMap(({ content }) => (content.kind === 'text' ? [content] : []))
  const frames = [
    wordsFrame(common),
    linesFrame(documents, common),
    pagesFrame(documents, common),
    linksFrame(documents),
    framed((out) => {
      writeTexts(
        out,
        plain.map(({ text }) => text),
      )
      writeTexts(
        out,
        plain.flatMap(({ headings }) => headings),
      )
    }),
    framed((out) => {
      for (const { digest } of documents)
        out.append(Buffer.from(digest.slice(digest.indexOf(':') + 1), 'hex'), 0, DIGEST_BYTES)
    }),
  ]
  const out = new ByteWriter(frames.reduce((sum, { length }) => sum + length + 8, 0))
  for (const frame of frames) {
    out.varint(frame.length)
    out.append(frame)
  }
  return out.bytes
}

function framed(write: (out: ByteWriter) => void): Uint8Array {
  const out = new ByteWriter(1 << 14)
  write(out)
  return zstdCompressSync(out.bytes, { params: PARAMETERS })
}

const wordsFrame = ({ words }: CommonWords): Uint8Array => framed((out) => writeTexts(out, words))

const linesFrame = (documents: readonly ShippedDocument[], common: CommonWords): Uint8Array =>
  framed((out) => {
    for (const { content } of documents) {
      if (content.kind !== 'line') continue
      const numbers = common.numbersOf(content)
      const { text } = content
      out.varint(text.length)
      for (let i = 0; i < text.length; i++) out.varint(numbers[text[i]!]!)
    }
  })

const pagesFrame = (documents: readonly ShippedDocument[], common: CommonWords): Uint8Array =>
  framed((out) => {
    const [types, languages] = [new WordTable(), new WordTable()]
    const typeNumbers = documents.map(({ type }) => types.numberOf(type))
    const languageNumbers = documents.map(({ language }) =>
      language === undefined ? 0 : languages.numberOf(language) + 1,
    )
    const urls = documents.map(({ url }) => url)
    const titles = documents.map(({ title }) => title)
    for (const texts of [types.words, languages.words, urls, titles]) writeTexts(out, texts)
    for (const number of [...typeNumbers, ...languageNumbers]) out.varint(number)
    let before = 0
    for (const { at } of documents) {
      const seconds = Math.max(0, Math.floor(at / SECOND))
      out.zigzag(seconds - before)
      before = seconds
    }
    for (const { content } of documents) out.byte(content.kind === 'line' ? LINE : TEXT)
    for (const { content } of documents) out.varint(content.headings.length)
    for (const { content } of documents) if (content.kind === 'line') writeHeadings(content, common, out)
  })

function writeHeadings(line: ShippedLine, common: CommonWords, out: ByteWriter): void {
  const numbers = common.numbersOf(line)
  let before = 0
  for (const number of line.headings.map((word) => numbers[word]!).toSorted()) {
    out.varint(number - before)
    before = number
  }
}

const linksFrame = (documents: readonly ShippedDocument[]): Uint8Array =>
  framed((out) => {
    const rows = new LinkRows(documents)
    writeTexts(out, rows.urls)
    writeTexts(out, rows.anchors)
    for (const { links } of documents) {
      out.varint(links.length)
      for (const link of links) out.varint(rows.numberOf(link))
    }
  })

/** What is said of an address: most often the same, so that there is a list only where it is not. */
interface Target {
  readonly anchor: string
  row: number
  others: Map<string, number> | undefined
}

/** Each link with its anchor once, by their letters. */
class LinkRows {
  readonly urls: string[] = []
  readonly anchors: string[] = []
  readonly #targets = new Map<string, Target>()

  constructor(documents: readonly ShippedDocument[]) {
    for (const { links } of documents) for (const link of links) this.#learn(link)
    for (const url of [...this.#targets.keys()].toSorted(compare)) {
      const target = this.#targets.get(url)!
      for (const anchor of [target.anchor, ...(target.others?.keys() ?? [])].toSorted(compare)) {
        const row = this.urls.push(url) - 1
        this.anchors.push(anchor)
        if (anchor === target.anchor) target.row = row
        else target.others!.set(anchor, row)
      }
    }
  }

  numberOf({ url, anchor }: ShippedLink): number {
    const target = this.#targets.get(url)!
    return anchor === target.anchor ? target.row : target.others!.get(anchor)!
  }

  #learn({ url, anchor }: ShippedLink): void {
    const target = this.#targets.get(url)
    if (target === undefined) this.#targets.set(url, { anchor, row: 0, others: undefined })
    else if (anchor !== target.anchor) (target.others ??= new Map()).set(anchor, 0)
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function writeTexts(out: ByteWriter, texts: readonly string[]): void {
  out.varint(texts.length)
  const rests: Buffer[] = []
  let before = ''
  for (const text of texts) {
    const shared = sharedUnits(text, before)
    out.varint(shared)
    rests.push(Buffer.from(text.slice(shared), 'utf8'))
    before = text
  }
  for (const { length } of rests) out.varint(length)
  for (const rest of rests) out.append(rest)
}

function sharedUnits(text: string, before: string): number {
  let shared = 0
  const most = Math.min(text.length, MAX_SHARED)
  while (shared < most && text.charCodeAt(shared) === before.charCodeAt(shared)) shared++
  // Not between the halves of a character.
  return shared > 0 && /[\ud800-\udbff]/.test(text[shared - 1]!) ? shared - 1 : shared
}

// ── reading ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Throws RangeError for whatever cannot be; undefined when it cannot be unpacked within so many bytes. */
export function readColumns(
  bytes: Uint8Array,
  maxUnpackedBytes: number,
  maxDocuments: number,
): ShippedDocument[] | undefined {
  const from = new ByteReader(bytes)
  const frames: ByteReader[] = []
  let room = maxUnpackedBytes
  while (frames.length < FRAMES) {
    const frame = unpacked(from.take(from.varint()), room)
    if (frame === undefined) return undefined
    room -= frame.length
    frames.push(new ByteReader(frame))
  }
  if (!from.isAtEnd) throw new RangeError('something follows its last frame')
  const documents = new ColumnReader(frames, maxDocuments, new Room(maxUnpackedBytes)).read()
  if (frames.some((frame) => !frame.isAtEnd)) throw new RangeError('something follows its last document')
  return documents
}

const FRAMES = 6

function unpacked(bytes: Uint8Array, maxOutputLength: number): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, maxOutputLength) })
  } catch {
    // No zstd, damaged, or a bomb.
    return undefined
  }
}

/** What texts, words and links take when they are read. */
class Room {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) throw new RangeError('it is too large when it is unpacked')
  }
}

const WORD_BYTES = 4
const LINK_BYTES = 16

type Page = Omit<ShippedDocument, 'content' | 'links'> & { readonly isLine: boolean; readonly headings: number }

class ColumnReader {
  readonly #words: ByteReader
  readonly #lines: ByteReader
  readonly #pages: ByteReader
  readonly #links: ByteReader
  readonly #plain: ByteReader
  readonly #digests: ByteReader
  readonly #maxDocuments: number
  readonly #room: Room

  constructor(frames: readonly ByteReader[], maxDocuments: number, room: Room) {
    const [words, lines, pages, links, plain, digests] = frames
    this.#words = words!
    this.#lines = lines!
    this.#pages = pages!
    this.#links = links!
    this.#plain = plain!
    this.#digests = digests!
    this.#maxDocuments = maxDocuments
    this.#room = room
  }

  read(): ShippedDocument[] {
    const { maxWords, maxWord, maxText, maxTitle } = shippedLimits
    // As many words as a segment has numbers for.
    const words = readTexts(this.#words, 16 * maxWords, maxWord, 'words', this.#room)
    const pages = this.#readPages()
    const lines = pages.map(({ isLine, headings }) => (isLine ? this.#line(words, headings) : undefined))
    const texts = readTexts(this.#plain, this.#maxDocuments, maxText, 'texts', this.#room)
    const headings = readTexts(this.#plain, Infinity, maxTitle, 'headings', this.#room)
    const links = new LinkReader(this.#links, this.#room)
    let [text, heading] = [0, 0]
    return pages.map((page, i) => {
      const { url, title, type, language, at, digest, isLine, headings: count } = page
      const content = isLine ? lines[i]! : plainOf(texts[text++], headings.slice(heading, (heading += count)), count)
      return { url, title, type, language, at, digest, content, links: links.read() }
    })
  }

  #readPages(): Page[] {
    const from = this.#pages
    const { maxType, maxLanguage, maxUrl, maxTitle } = shippedLimits
    const types = readTexts(from, this.#maxDocuments, maxType, 'types', this.#room)
    const languages = readTexts(from, this.#maxDocuments, maxLanguage, 'languages', this.#room)
    const urls = readTexts(from, this.#maxDocuments, maxUrl, 'documents', this.#room)
    if (urls.some((url) => URL.parse(url) === null)) throw new RangeError('a document has no URL')
    const titles = readTexts(from, urls.length, maxTitle, 'titles', this.#room)
    if (titles.length !== urls.length) throw new RangeError('its titles are not as many as its documents')
    const typeOf = urls.map(() => named(types, from.varint()))
    const languageOf = urls.map(() => {
      const number = from.varint()
      return number === 0 ? undefined : named(languages, number - 1)
    })
    let seconds = 0
    const at = urls.map(() => instantOf((seconds += from.zigzag())))
    const isLine = urls.map(() => from.byte() === LINE)
    const headings = urls.map(() => counted(from, shippedLimits.maxHeadings, Infinity, 'words of headings'))
    return urls.map((url, i) => ({
      url,
      title: titles[i]!,
      type: typeOf[i]!,
      language: languageOf[i],
      at: at[i]!,
      digest: `sha-256:${Buffer.from(this.#digests.take(DIGEST_BYTES)).toString('hex')}`,
      isLine: isLine[i]!,
      headings: headings[i]!,
    }))
  }

  #line(words: readonly string[], headingCount: number): ShippedLine {
    const from = this.#lines
    const count = counted(from, shippedLimits.maxWords, from.end - from.at, 'words of a page')
    this.#room.take(WORD_BYTES * (count + headingCount))
    const text = new Uint32Array(count)
    for (let i = 0; i < text.length; i++) text[i] = known(from.varint(), words)
    if (headingCount > this.#pages.end - this.#pages.at) throw new RangeError('it has too many words of headings')
    const headings = new Uint32Array(headingCount)
    for (let i = 0, number = 0; i < headings.length; i++) headings[i] = known((number += this.#pages.varint()), words)
    return { kind: 'line', words, text, headings }
  }
}

class LinkReader {
  readonly #from: ByteReader
  readonly #urls: string[]
  readonly #anchors: string[]
  readonly #room: Room

  constructor(from: ByteReader, room: Room) {
    const { maxUrl, maxAnchor } = shippedLimits
    this.#from = from
    this.#room = room
    this.#urls = readTexts(from, Infinity, maxUrl, 'links', room)
    this.#anchors = readTexts(from, this.#urls.length, maxAnchor, 'anchors', room)
    if (this.#anchors.length !== this.#urls.length) throw new RangeError('its anchors are not as many as its links')
  }

  /** Of the next document. */
  read(): ShippedLink[] {
    const from = this.#from
    const links: ShippedLink[] = []
    const count = counted(from, shippedLimits.maxLinks, from.end - from.at, 'links')
    this.#room.take(LINK_BYTES * count)
    for (let i = 0; i < count; i++) {
      const row = from.varint()
      links.push({ url: named(this.#urls, row), anchor: named(this.#anchors, row) })
    }
    return links
  }
}

function plainOf(text: string | undefined, headings: string[], count: number): ShippedText {
  if (text === undefined || headings.length !== count) throw new RangeError('a document has no text')
  return { kind: 'text', text, headings }
}

function named(texts: readonly string[], number: number): string {
  const text = texts[number]
  if (text === undefined) throw new RangeError('something is not in its table')
  return text
}

function known(number: number, words: readonly string[]): number {
  if (number >= words.length) throw new RangeError('a word is not in its list')
  return number
}

function instantOf(seconds: number): number {
  const at = seconds * SECOND
  if (at < 0 || !Number.isSafeInteger(at)) throw new RangeError('a time cannot be')
  return at
}

/** Each of what is counted takes a byte at least, so that a count cannot promise more than there is. */
function counted(from: ByteReader, most: number, left: number, what: string): number {
  const count = from.varint()
  if (count > most || count > left) throw new RangeError(`it has too many ${what}`)
  return count
}

function readTexts(from: ByteReader, most: number, maxUnits: number, what: string, room: Room): string[] {
  const count = counted(from, most, from.end - from.at, what)
  const shared = Array.from({ length: count }, () => from.varint())
  const bytes = Array.from({ length: count }, () => from.varint())
  const texts: string[] = []
  let before = ''
  for (let i = 0; i < count; i++) {
    if (shared[i]! > Math.min(before.length, MAX_SHARED))
      throw new RangeError('a text has more in common with the one before than that has')
    const rest = from.take(bytes[i]!)
    before = before.slice(0, shared[i]) + Buffer.from(rest.buffer, rest.byteOffset, rest.length).toString('utf8')
    if (before.length > maxUnits) throw new RangeError('a text is too long')
    room.take(before.length)
    texts.push(before)
  }
  return texts
}
