/**
 * Agent result: what one run emitted, as lines of JSON.
 *
 *   { "agent": "visible-text-change", "version": "1.0.0", "bundle": "sha-256:…", "at": 1794744000000,
 *     "pages": 652, "pagesDigest": "sha-256:…" }
 *   { "page": "sha-256:…", "record": { "kind": "meta", "url": "https://…", … } }      one a record, in the order emitted
 *   { "end": "done", "records": 12 }
 *
 * `page` is the digest of the page that the record was made from, null for one that is gone. A result without its last line
 * was cut, and is refused.
 */
import type { Instant } from '@comity/protocol'
import { MAX_RECORD_CHARS, readRecord } from './record.ts'
import type { AgentRecord } from './record.ts'
import type { EmittedRecord } from '../host/services.ts'

export interface ResultHead {
  readonly agent: string
  readonly version: string
  /** Digest of the bundle that ran. */
  readonly bundle: string
  readonly at: Instant
  readonly pages: number
  readonly pagesDigest: string
}

export interface ReportedRecord {
  readonly record: AgentRecord
  readonly page: string | undefined
}

export interface AgentResult {
  readonly head: ResultHead
  readonly records: readonly ReportedRecord[]
}

export type ReadResult =
  | { readonly kind: 'result'; readonly result: AgentResult }
  | { readonly kind: 'refused'; readonly problem: string }

const MAX_RESULT_CHARS: number = 256 << 20

const DIGEST = /^sha-256:[0-9a-f]{64}$/

export const headLine = (head: ResultHead): string => `${JSON.stringify(head)}\n`

/** With the record as the agent wrote it. */
export const recordLine = ({ page, text }: Pick<EmittedRecord, 'page' | 'text'>): string =>
  `{"page":${JSON.stringify(page ?? null)},"record":${text}}\n`

export const endLine = (records: number): string => `${JSON.stringify({ end: 'done', records })}\n`

/** Never throws. */
export function readResult(text: string): ReadResult {
  if (text.length > MAX_RESULT_CHARS) return refused(`it has more than ${MAX_RESULT_CHARS} characters`)
  const lines = text.split('\n')
  if (lines.pop() !== '') return refused('it is cut: its last line does not end')
  const head = readHead(lines.shift() ?? '')
  if (head === undefined) return refused('its first line does not tell which agent ran')
  const end = parsed(lines.pop() ?? '')
  if (end['end'] !== 'done' || end['records'] !== lines.length) return refused('it is cut: its last line is missing')
  const records: ReportedRecord[] = []
  for (const [i, line] of lines.entries()) {
    const record = readLine(line)
    if (typeof record === 'string') return refused(`its record ${i + 1} is none: ${record}`)
    records.push(record)
  }
  return { kind: 'result', result: { head, records } }
}

const refused = (problem: string): ReadResult => ({ kind: 'refused', problem })

function readHead(line: string): ResultHead | undefined {
  const { agent, version, bundle, at, pages, pagesDigest } = parsed(line)
  const isHead =
    typeof agent === 'string' &&
    typeof version === 'string' &&
    isDigest(bundle) &&
    isDigest(pagesDigest) &&
    Number.isSafeInteger(at) &&
    Number.isSafeInteger(pages)
  if (!isHead) return undefined
  return { agent, version, bundle, at: at as number, pages: pages as number, pagesDigest }
}

function readLine(line: string): ReportedRecord | string {
  if (line.length > MAX_RECORD_CHARS + 200) return 'it is too long'
  const { page, record } = parsed(line)
  if (page !== null && !isDigest(page)) return 'it does not tell the page it was made from'
  const read = readRecord(JSON.stringify(record) ?? '')
  return read.kind === 'refused' ? read.problem : { record: read.record, page: page ?? undefined }
}

const isDigest = (value: unknown): value is string => typeof value === 'string' && DIGEST.test(value)

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // No JSON: none of the lines a result has.
    return {}
  }
}
