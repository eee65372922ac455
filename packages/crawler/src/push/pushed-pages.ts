/**
 * Pushed pages: the pages in one item of the inbox, whatever they came in: a WARC stream of answers (schemes 8 and 9), or a ZIP
 * with a manifest (schemes 10 and 11). What cannot be read is told as such, and the rest is read all the same; what is only
 * named, and not there, is a notice.
 */
import { TOO_MUCH_WORK, WARC_TYPE } from '@comity/protocol'
import type { BatchPage, Signal, TooMuchWork } from '@comity/protocol'
import type { InboxItem } from '@comity/collection'
import { ownDocuments } from '@comity/ingest'
import type { Documents, DumpedPage } from '@comity/ingest'
import { dumpLimits, dumpedHeaders, readDumpPackage } from '@comity/follow'
import type { PackedEntry } from '@comity/follow'

export type PushedPart =
  | { readonly kind: 'page'; readonly page: BatchPage }
  | { readonly kind: 'notice'; readonly signal: Signal }
  | { readonly kind: 'unreadable' | TooMuchWork; readonly problem: string }
  /** We failed on a part of it. */
  | { readonly kind: 'fault'; readonly problem: string }

export async function* readPushedParts(
  item: InboxItem,
  maxPageBytes: number,
  documents: Documents = ownDocuments,
): AsyncIterable<PushedPart> {
  if (item.type === WARC_TYPE) yield* readRecords(item, documents)
  else yield* readPackage(item, maxPageBytes, documents)
}

async function* readRecords({ body }: InboxItem, documents: Documents): AsyncIterable<PushedPart> {
  const read = await documents.work('batch', { body, coding: undefined, maxBytes: Infinity })
  if (read === TOO_MUCH_WORK || read.kind === 'unreadable') {
    yield unreadable(read === TOO_MUCH_WORK ? read : read.problem)
    return
  }
  const { pages, closing, problems, faults } = read
  for (const page of pages) yield { kind: 'page', page }
  for (const problem of faults) yield { kind: 'fault', problem }
  for (const problem of problems) if (!faults.includes(problem)) yield unreadable(problem)
  if (closing === undefined) yield unreadable('it broke off')
}

async function* readPackage(
  { body, origin }: InboxItem,
  maxPageBytes: number,
  documents: Documents,
): AsyncIterable<PushedPart> {
  const leftOut: PackedEntry[] = []
  const limits = { ...dumpLimits, maxPageBytes }
  const pages = readDumpPackage(
    body,
    `${origin}/`,
    () => true,
    limits,
    (entry) => leftOut.push(entry),
    documents,
  )
  let step = await pages.next()
  for (; step.done !== true; step = await pages.next()) yield { kind: 'page', page: dumped(step.value) }
  for (const entry of leftOut) yield named(entry)
  if (step.value.problem !== undefined) yield unreadable(step.value.problem)
}

/** A manifest says when a page changed: it was so then, and we cannot tell until when. */
function dumped(page: DumpedPage): BatchPage {
  const at = page.changedAt ?? page.modifiedAt
  return { url: page.url, status: 200, headers: dumpedHeaders(page), body: page.body, at }
}

/** A page that is gone says all there is to say by that. */
function named(entry: PackedEntry): PushedPart {
  const { url, digest } = entry
  const [change, changedAt] =
    entry.kind === 'change' ? [entry.change, entry.changedAt] : (['updated', entry.modifiedAt] as const)
  if (change === 'deleted')
    return { kind: 'page', page: { url, status: 410, headers: [], body: NOTHING, at: changedAt } }
  return { kind: 'notice', signal: { url, change, channel: 'websub', changedAt, digest } }
}

const NOTHING = new Uint8Array(0)

const unreadable = (problem: string): PushedPart => ({
  kind: problem.startsWith(TOO_MUCH_WORK) ? TOO_MUCH_WORK : 'unreadable',
  problem,
})
