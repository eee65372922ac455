/**
 * BatchAnswer: pages that come many at a time, as a WARC stream (`bulk/batch.ts`, `bulk/change-query.ts`). Each is an HTTP answer of
 * its own in a response record; the last record is the closing, without which the answer was cut off.
 */
import type { HeaderList } from '../capture.ts'
import { entityBody, parseHttpBlock, responseHead } from '../http/http-block.ts'
import type { Instant } from '../instant.ts'
import { parsedJson, textField, wholeField } from '../http/json-field.ts'
import { readWarc } from '../archive/warc-reader.ts'
import { TOO_MUCH_WORK, WorkBudget } from '../work-budget.ts'
import { warcDate, warcField, warcTarget, warcType } from '../archive/warc-record.ts'
import { encodeRecord, metadataRecord, responseRecord } from '../archive/warc-writer.ts'

export const WARC_TYPE = 'application/warc'

/** One page of an answer: 200 with all of it, 226 with a difference, 404 or 410 when it is gone. */
export interface BatchPage {
  readonly url: string
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** When it was so, by the site's clock; of pages that were read. */
  readonly at?: Instant | undefined
}

/** The last record of an answer. */
export interface Closing {
  /** Pages sent, whole or as a difference, and pages said to be gone. */
  readonly sent: number
  readonly unchanged: number
  /** Pages that were not looked at, as the answer was long enough: ask for them again. */
  readonly rest: readonly string[]
  /** Pages that the site does not give out: not public, or none of its own. */
  readonly refused: readonly string[]
  /** Where the site's journal stood: good as `since` of the next question. */
  readonly token?: string | undefined
  /** More changes are waiting behind the token. */
  readonly more?: boolean | undefined
}

export function writeBatchPage({ url, status, headers, body }: BatchPage, at: Instant): Uint8Array {
  return encodeRecord(responseRecord({ url, at, httpHead: responseHead({ status, headers }), body }))
}

export function writeClosing(closing: Closing, url: string, at: Instant): Uint8Array {
  return encodeRecord(metadataRecord({ url, at, json: closing }))
}

export interface ReadBatch {
  readonly pages: readonly BatchPage[]
  /** Undefined when the answer was cut off: then nothing follows for the pages that are not in it. */
  readonly closing: Closing | undefined
  /** Records that could not be read, or whose digest is another one. */
  readonly problems: readonly string[]
  /** Records that we failed on, by a fault of ours; they stand among the problems too. */
  readonly faults: readonly string[]
}

const MAX_PAGES = 100_000

/** Of more, the first and the last are told. */
const MAX_PROBLEMS = 1_000

/** Reads an answer with its content coding off. A record that does not match its own digest is left out. */
export function readBatchAnswer(
  bytes: Uint8Array,
  maxPages: number = MAX_PAGES,
  work: WorkBudget = WorkBudget.ofArchive(bytes.length),
): ReadBatch {
  const pages: BatchPage[] = []
  const problems: string[] = []
  const faults: string[] = []
  let closing: Closing | undefined
  const damaged = new Set<number>()
  for (const item of readWarc(bytes, 0, { verify: true, work })) {
    if (item.kind === 'problem') {
      damaged.add(item.offset)
      const problem = `${item.problem}: ${item.message}`
      // What was said before it was too much says nothing of the rest.
      if (item.problem === TOO_MUCH_WORK) closing = undefined
      if (problems.length < MAX_PROBLEMS || item.problem === TOO_MUCH_WORK) problems.push(problem)
      if (item.problem === 'fault' && faults.length < MAX_PROBLEMS) faults.push(problem)
      continue
    }
    if (damaged.has(item.offset)) continue
    const { record } = item
    const type = warcType(record)
    if (type === 'metadata' && warcField(record, 'content-type') === 'application/json')
      closing = readClosing(record.block)
    if (type !== 'response') continue
    if (pages.length >= maxPages)
      return { pages, closing: undefined, problems: [...problems, 'too many pages'], faults }
    const url = warcTarget(record)
    const { status, headers, body } = parseHttpBlock(record.block)
    if (url === undefined || status === undefined) problems.push('a response without a URL or a status')
    else pages.push({ url, status, headers, body: entityBody({ startLine: '', headers, body }), at: warcDate(record) })
  }
  return { pages, closing, problems, faults }
}

function readClosing(block: Uint8Array): Closing | undefined {
  const json = parsedJson(Buffer.from(block.buffer, block.byteOffset, block.length).toString('utf8'))
  const [sent, unchanged] = [wholeField(json, 'sent'), wholeField(json, 'unchanged')]
  if (json === undefined || sent === undefined || unchanged === undefined) return undefined
  const [rest, refused] = [urlList(json['rest']), urlList(json['refused'])]
  return { sent, unchanged, rest, refused, token: textField(json, 'token'), more: json['more'] === true }
}

function urlList(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, MAX_PAGES).filter((entry): entry is string => typeof entry === 'string')
}
