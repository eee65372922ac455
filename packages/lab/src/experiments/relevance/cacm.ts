/**
 * CACM: titles and abstracts of the Communications of the ACM, 1958 to 1979, each an HTML page, and 64 questions, 52 of
 * them judged (Fox 1983). A page is read as a crawl would read it; its number is that of its file, CACM-0123.html.
 * Questions stand between lines of `@` and are numbered as they stand there, from 1.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { decodeText, readHtml } from '@comity/protocol'
import { unpackedChunks } from '../../webs/graph/source.ts'
import { tarFiles } from '../../webs/graph/tar.ts'
import { webUnreadable } from '../../lab-error.ts'
import type { RelevanceSet, SetDocument } from './set.ts'
import { MAX_DOCUMENTS, MAX_QUESTIONS, linesOf, readJudgments } from './relevance-text.ts'

const ARCHIVE = /^cacm.*\.(?:tar(?:\.\w+)?|tgz)$/
const MAX_ARCHIVE_BYTES = 1 << 30

export async function readCacm(folder: string): Promise<RelevanceSet> {
  const { documents, htmlBytes } = await readPages(folder)
  const texts = await readQuestions(join(folder, 'cacm.query'))
  const judgments = await readJudgments(join(folder, 'cacm.rel'))
  const questions = texts.flatMap((text, i) => {
    const relevant = judgments.get(i + 1)
    return relevant === undefined ? [] : [{ number: i + 1, text, relevant }]
  })
  return { name: 'CACM', documents, questions, unjudged: texts.length - questions.length, htmlBytes }
}

async function readPages(folder: string): Promise<{ documents: SetDocument[]; htmlBytes: number }> {
  let htmlBytes = 0
  const archive = readdirSync(folder).find((name) => ARCHIVE.test(name))
  if (archive === undefined) throw webUnreadable(folder, 'There is no archive of the pages here, such as cacm.tar.gz.')
  const path = join(folder, archive)
  const pages = new Map<number, SetDocument>()
  for await (const { name, bytes } of tarFiles(unpackedChunks(path, MAX_ARCHIVE_BYTES), path)) {
    const number = /(?:^|\/)CACM-0*(\d{1,9})\.html$/.exec(name)?.[1]
    if (number === undefined) continue
    if (pages.size === MAX_DOCUMENTS) throw webUnreadable(path, `It holds more than ${MAX_DOCUMENTS} pages.`)
    htmlBytes += bytes.length
    const page = readHtml(decodeText(bytes).text)
    const key = Number(number)
    const headings = page.headings.map(({ text }) => text)
    pages.set(key, {
      key,
      url: `https://cacm.example/CACM-${number}.html`,
      title: page.title,
      headings,
      text: page.text,
    })
  }
  if (pages.size === 0) throw webUnreadable(path, 'It holds no page named as CACM-0123.html is. Fetch another.')
  return { documents: [...pages.values()], htmlBytes }
}

async function readQuestions(path: string): Promise<string[]> {
  const text = (await linesOf(path)).join('\n')
  // A question without words still has its number, but behind the last line of @ is none.
  const questions = text
    .trim()
    .replace(/\n@$/, '')
    .split(/^@[ \t]*$/m)
  if (questions.length > MAX_QUESTIONS) throw webUnreadable(path, `It has more than ${MAX_QUESTIONS} questions.`)
  return questions.map((question) => question.trim())
}
