/**
 * Pushed pages: the pages in one item of the inbox, whatever they came in: a WARC stream of answers (schemes 8 and 9), or a ZIP
 * with a manifest (schemes 10 and 11). What cannot be read is told as such, and the rest is read all the same.
 */
import { WARC_TYPE, readBatchAnswer, writeHttpDate } from '@comity/protocol'
import type { BatchPage, HeaderList } from '@comity/protocol'
import type { InboxItem } from '@comity/collection'
import { dumpLimits, readDumpPackage } from './dump-package.ts'
import type { DumpedPage } from './dump-package.ts'

export interface Unreadable {
  readonly problem: string
}

export async function* readPushed(item: InboxItem, maxPageBytes: number): AsyncIterable<BatchPage | Unreadable> {
  const { type, origin, body } = item
  if (type === WARC_TYPE) {
    const { pages, closing, problems } = readBatchAnswer(body)
    yield* pages
    for (const problem of problems) yield { problem }
    if (closing === undefined) yield { problem: 'it broke off' }
    return
  }
  const pages = readDumpPackage(body, `${origin}/`, () => true, { ...dumpLimits, maxPageBytes })
  let step = await pages.next()
  for (; step.done !== true; step = await pages.next()) yield dumped(step.value)
  if (step.value.problem !== undefined) yield { problem: step.value.problem }
}

/** A manifest says when a page last changed: it was so then, and we cannot tell until when. */
function dumped({ url, type, modifiedAt, body }: DumpedPage): BatchPage {
  const headers: HeaderList = [
    ...(type === undefined ? [] : [['Content-Type', type] as const]),
    ['Content-Length', String(body.length)],
    ...(modifiedAt === undefined ? [] : [['Last-Modified', writeHttpDate(modifiedAt)] as const]),
  ]
  return { url, status: 200, headers, body, at: modifiedAt }
}
