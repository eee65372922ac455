/**
 * TermSender: hands on what a page says, in the form that its index takes, from where it is read straight to where it is indexed. So
 * no page is read twice, and the main thread, which only says which pages are durable, never sees their words.
 *
 * What is on its way is bounded for all readers together: beyond that nothing is sent, and who indexes reads the archive.
 */
import type { MessagePort } from 'node:worker_threads'
import { PageAnalyzer } from '@comity/index'
import type { PageTerms, DocumentText } from '@comity/index'
import type { HtmlPage } from '@comity/protocol'

/** From one reader to who indexes. Both sides count in `load` the bytes on their way. */
export interface TermFeed {
  readonly port: MessagePort
  readonly load: Int32Array
}

/** Of one page, in the version that has this digest when it is read as this type. */
export interface SentTerms {
  readonly url: string
  readonly digest: string
  readonly type: string
  readonly bytes: number
  readonly terms: PageTerms
}

const MAX_ON_THE_WAY_BYTES = 16 << 20
/** What a page takes beside its line. */
const BYTES_A_PAGE = 300
/** A row keeps so much of a Content-Type. */
export const MAX_TYPE = 200

export class TermSender {
  #feed: TermFeed | undefined
  #reader: PageAnalyzer | undefined
  #batch: SentTerms[] = []

  /** To another, who has heard nothing yet. */
  begin(feed: TermFeed): void {
    this.#feed?.port.close()
    this.#feed = feed
    this.#batch = []
    this.#reader?.beginAnew()
  }

  /** Is anybody there to be told, and is there room? */
  get isOpen(): boolean {
    return this.#feed !== undefined && Atomics.load(this.#feed.load, 0) < MAX_ON_THE_WAY_BYTES
  }

  add(url: string, digest: string, type: string, page: DocumentText): void {
    const terms = this.#feed === undefined ? undefined : this.#termsOf(page)
    if (terms === undefined) return
    const bytes = terms.line.length + terms.terms.length + BYTES_A_PAGE
    Atomics.add(this.#feed!.load, 0, bytes)
    this.#batch.push({ url, digest, type: type.slice(0, MAX_TYPE), bytes, terms })
  }

  /** Undefined for what we fail on: that is met, and kept aside, by who indexes. The page itself is read. */
  #termsOf(page: DocumentText): PageTerms | undefined {
    try {
      return (this.#reader ??= new PageAnalyzer()).read(page)
    } catch {
      this.#reader = undefined
      return undefined
    }
  }

  /** Before anybody is told that the pages were read. */
  send(): void {
    const batch = this.#batch
    if (batch.length === 0) return
    this.#batch = []
    this.#feed?.port.postMessage(
      batch,
      batch.map(({ terms }) => terms.line.buffer),
    )
  }
}

/** The words of a page of HTML. */
export const wordsOfPage = ({ title, headings, text, lang }: HtmlPage): DocumentText => ({
  title: title ?? '',
  headings: headings.map((heading) => heading.text),
  text,
  language: lang,
})

/** Those of any other text. */
export const wordsOfText = (text: string, language?: string): DocumentText => ({
  title: '',
  headings: [],
  text,
  language,
})
