/** A worker thread that reads PDF files, one at a time; see `pdf/pdf-text.ts`. */
import { parentPort } from 'node:worker_threads'
import type { getDocumentProxy } from 'unpdf'
import type { PdfReading } from './pdf-text.ts'

export interface PdfQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** No page is begun after this. */
  readonly timeMs: number
  readonly maxPages: number
  readonly maxChars: number
}
export type PdfAnswer = PdfReading

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

const MAX_TITLE_CHARS = 500
/** A page tree that promises thousands of pages and has none would be asked for each of them. */
const MAX_BAD_PAGES = 50

/** Not everybody has PDF files: what reads them is a package that may be missing. */
const NO_READER = 'PDF files are read by a package of its own, which is not installed here: npm install unpdf'
const opener: Promise<typeof getDocumentProxy | undefined> = import('unpdf').then(
  (unpdf) => unpdf.getDocumentProxy,
  (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  },
)

const port = parentPort ?? fail()
// Fonts and tables that a file names are not fetched: there is nobody to fetch them from.
Reflect.deleteProperty(globalThis, 'fetch')

port.on('message', (question: PdfQuestion) => {
  void answer(question).then((reading) => port.postMessage(reading))
})

function fail(): never {
  throw new Error('pdf-worker.ts is started by PdfReader, as a worker thread')
}

async function answer(question: PdfQuestion): Promise<PdfAnswer> {
  const until = Date.now() + question.timeMs
  let document: Document | undefined
  const open = await opener
  if (open === undefined) return { kind: 'bad', reason: 'no-reader', message: NO_READER }
  try {
    // verbosity 0: no warnings. System fonts are for drawing.
    document = await open(question.bytes, { verbosity: 0, useSystemFonts: false, enableXfa: false })
    const title = await titleOf(document)
    return { kind: 'ok', title, pages: document.numPages, ...(await textOf(document, question, until)) }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error('it failed without a word')
    if (name === 'PasswordException') return { kind: 'bad', reason: 'locked', message: 'it needs a password' }
    return { kind: 'bad', reason: 'not-pdf', message: message.slice(0, 200) }
  } finally {
    await document?.loadingTask.destroy()
  }
}

async function titleOf(document: Document): Promise<string> {
  try {
    const { info } = await document.getMetadata()
    const title: unknown = 'Title' in info ? info.Title : undefined
    return typeof title === 'string' ? title.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS) : ''
  } catch {
    // Damaged metadata; the text may be sound.
    return ''
  }
}

async function textOf(
  document: Document,
  { maxPages, maxChars }: PdfQuestion,
  until: number,
): Promise<{ text: string; isCut: boolean }> {
  const texts: string[] = []
  let [chars, badPages] = [0, 0]
  for (let number = 1; number <= document.numPages; number++) {
    if (number > maxPages || badPages > MAX_BAD_PAGES || chars >= maxChars || Date.now() > until) {
      return { text: texts.join('\n\n'), isCut: true }
    }
    const page = await pageText(document, number, maxChars - chars)
    if (page === undefined) badPages++
    else texts.push(page.slice(0, maxChars - chars))
    chars += page?.length ?? 0
  }
  return { text: texts.join('\n\n'), isCut: badPages > 0 || chars > maxChars }
}

/** The lines of a page, a little more than `maxChars` at most; undefined when it cannot be read. */
async function pageText(document: Document, number: number, maxChars: number): Promise<string | undefined> {
  try {
    const page = await document.getPage(number)
    const reader = page.streamTextContent().getReader()
    let text = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      for (const item of value.items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str
      if (text.length > maxChars) {
        await reader.cancel(new Error('enough'))
        break
      }
    }
    page.cleanup()
    return text.trim()
  } catch {
    // One page is damaged; the others may be sound.
    return undefined
  }
}
