/**
 * Lenient XML: read by a real parser as long as it is XML, and by a scanner from the place where it is not.
 *
 * About one sitemap in six was malformed in the first large study (Schonfeld & Shivakumar, WWW 2009,
 * doi:10.1145/1526709.1526842); refusing those would lose their pages.
 * Entities a document declares itself are never expanded, so a "billion laughs" is a few unknown words.
 */
import { SaxesParser } from 'saxes'
import { ownValue } from '../lookup.ts'
import { XmlScan, type XmlEvents } from './xml-scan.ts'

export type XmlProblem = 'malformed-xml' | 'undefined-entity' | 'doctype-ignored'

export class LenientXml {
  readonly #events: XmlEvents
  readonly #report: (problem: XmlProblem) => void
  readonly #parser: SaxesParser
  #scan: XmlScan | undefined
  /** What the parser was given since its last event; `#since` is where in the document it begins. */
  #pending = ''
  #since = 0
  /** Where in the document the last event ended. */
  #mark = 0

  constructor(events: XmlEvents, report: (problem: XmlProblem) => void) {
    this.#events = events
    this.#report = report
    this.#parser = this.#makeParser()
  }

  write(text: string): void {
    this.#pending += text
    this.#parse(() => this.#parser.write(text))
    // No tag in so much text: an `&` may have swallowed them all, and the parser would wait for its `;` for ever.
    if (this.#scan === undefined && this.#pending.length > PENDING_CHARS) this.#fallBack()
  }

  end(): void {
    this.#parse(() => this.#parser.close())
    this.#scan?.end()
  }

  #parse(step: () => unknown): void {
    if (this.#scan !== undefined) {
      this.#scan.write(this.#pending)
      this.#pending = ''
      return
    }
    try {
      step()
      // Text is told only when a tag ends it, so what came after the last tag may have to be read again.
      this.#pending = this.#pending.slice(this.#mark - this.#since)
      this.#since = this.#mark
    } catch (error) {
      if (!(error instanceof NotXml)) throw error
      this.#pending = this.#pending.slice(this.#mark - this.#since)
      this.#fallBack()
    }
  }

  #fallBack(): void {
    this.#report('malformed-xml')
    this.#scan = new XmlScan(this.#events)
    this.#scan.write(this.#pending)
    this.#pending = ''
  }

  #makeParser(): SaxesParser {
    const parser = new SaxesParser({ position: false })
    let depth = 0
    let attributes = 0
    let entities = 0
    const mark = (): void => {
      this.#mark = parser.position
      attributes = 0
    }
    parser.on('opentag', ({ name, attributes: values }) => {
      depth += 1
      if (depth > MAX_DEPTH) throw new NotXml()
      mark()
      this.#events.open(
        name,
        (wanted) => textOf(ownValue<(typeof values)[string]>(values, wanted)),
        () => new Map(Object.entries(values).map(([key, value]) => [key, textOf(value) ?? ''])),
      )
    })
    parser.on('closetag', ({ name }) => {
      depth -= 1
      mark()
      this.#events.close(name)
    })
    parser.on('attribute', () => {
      attributes += 1
      if (attributes > MAX_ATTRIBUTES) throw new NotXml()
    })
    parser.on('text', (text) => {
      // Text is told when the `<` behind it has been read.
      this.#mark = parser.position - 1
      this.#events.text(text)
    })
    parser.on('cdata', (text) => {
      mark()
      this.#events.text(text)
    })
    parser.on('comment', mark)
    parser.on('doctype', () => {
      mark()
      this.#report('doctype-ignored')
    })
    parser.on('error', (error) => {
      entities += 1
      if (entities > MAX_ENTITIES || !error.message.includes('undefined entity')) throw new NotXml()
      this.#report('undefined-entity')
    })
    return parser
  }
}

/** With namespaces off, which they are, attributes are plain strings; the parser's types allow for both. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Thrown through the parser to stop it; never leaves this file. */
class NotXml extends Error {}

/** Sitemaps and feeds nest to about ten; the parser keeps an object for each level and each attribute. */
const MAX_DEPTH = 256
const MAX_ATTRIBUTES = 1_024
/** Each costs the parser an Error. */
const MAX_ENTITIES = 1_000
const PENDING_CHARS = 1 << 20
