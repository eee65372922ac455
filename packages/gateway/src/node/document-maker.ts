/**
 * DocumentMaker: from a page that is new or changed to what is shipped of it.
 *
 *   page ─▶ program, if there is one ─▶ index as it is ─▶ HTML, text: its words, at once · PDF: read elsewhere
 *                   ├─ another document: that, and never the page itself
 *                   └─ skip, with a reason
 *
 * Programs and PDF files take a while; whatever the outcome, `taken` is told once for each page, also when something here failed.
 */
import type { PdfReader, ShippedDocument } from '@comity/index'
import type { PageProgram } from './gateway-program.ts'
import { JudgementMemory } from '../privacy/judgement-memory.ts'
import { isPdf, pageWords, pdfWords } from './page-words.ts'
import type { SeenPage } from './page-words.ts'

export type MadeDocument =
  /** `isOwn`: what the page itself says, so that the page may go along. */
  | { readonly kind: 'document'; readonly document: ShippedDocument; readonly isOwn: boolean }
  | { readonly kind: 'skip'; readonly reason: string }
  /** A fault of ours. */
  | { readonly kind: 'fault'; readonly error: unknown }

export interface DocumentMakerOptions {
  /** Which robots' rules in a page are heeded. */
  readonly productToken: string
  /** For PDF files, where the gate lets them through. */
  readonly pdf?: Pick<PdfReader, 'read'> | undefined
  readonly program?: Pick<PageProgram, 'judge'> | undefined
}

/** PDF files that wait to be read. */
const MAX_PDFS = 16

/** Never throws. */
type Taken = (made: MadeDocument) => void

export class DocumentMaker {
  readonly #options: DocumentMakerOptions
  readonly #judged = new JudgementMemory()
  readonly #underWay = new Set<Promise<void>>()
  #pdfs = 0

  constructor(options: DocumentMakerOptions) {
    this.#options = options
  }

  make(page: SeenPage, taken: Taken): void {
    const { program } = this.#options
    if (program === undefined) this.#read(page, taken)
    else this.#track(this.#judge(program, page, taken), taken)
  }

  /** Everything that was begun is done. */
  async settle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  async #judge(program: Pick<PageProgram, 'judge'>, page: SeenPage, taken: Taken): Promise<void> {
    const judged = await this.#judged.of(page, (one) => program.judge(one))
    if (judged.kind === 'index') this.#read(page, taken)
    else taken(judged.kind === 'skip' ? judged : { kind: 'document', document: judged.document, isOwn: false })
  }

  #read(page: SeenPage, taken: Taken): void {
    const { pdf, productToken } = this.#options
    if (!isPdf(page.headers)) taken(wordsOf(page, productToken))
    else if (pdf === undefined || this.#pdfs >= MAX_PDFS) taken({ kind: 'skip', reason: 'busy' })
    else this.#track(this.#readPdf(pdf, page, taken), taken)
  }

  async #readPdf(pdf: Pick<PdfReader, 'read'>, page: SeenPage, taken: Taken): Promise<void> {
    this.#pdfs++
    const document = await pdfWords(page, pdf).finally(() => this.#pdfs--)
    taken(document === undefined ? { kind: 'skip', reason: 'unreadable' } : { kind: 'document', document, isOwn: true })
  }

  #track(work: Promise<void>, taken: Taken): void {
    const done = work
      .catch((error: unknown) => taken({ kind: 'fault', error }))
      .finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }
}

function wordsOf(page: SeenPage, productToken: string): MadeDocument {
  try {
    return { kind: 'document', document: pageWords(page, productToken), isOwn: true }
  } catch (error) {
    return { kind: 'fault', error }
  }
}
