/**
 * Record: one thing an agent has to say of one page, as JSON.
 *
 *   { "kind": "meta", "url": "https://…", "change": "updated", … }    facts; `change` and all else as the agent likes
 *   { "kind": "page", "url": … }                                      send this page whole
 *   { "kind": "difference", "url": … }                                send how this page differs from what was sent before
 *   { "kind": "postings", "url": …, "words": …, "text": … }           its words at their places (packages/index)
 *
 * Bodies never pass through an agent: of `page` and `difference` it only says the wish, and the site sends them by the way
 * it sends all pages. Each record goes out with the digest of the page it was made from, which the host adds.
 */
import { RECORD_KINDS } from './manifest.ts'
import type { AgentManifest, RecordKind } from './manifest.ts'

export interface AgentRecord {
  readonly kind: RecordKind
  readonly url: string
  readonly [field: string]: unknown
}

type CheckedRecord =
  | { readonly kind: 'record'; readonly record: AgentRecord }
  | { readonly kind: 'refused'; readonly problem: string }

/** The longest record: postings of a page of some two hundred thousand words. */
export const MAX_RECORD_CHARS: number = 2 << 20
const MAX_DEPTH = 16
const CHANGES: ReadonlySet<unknown> = new Set([undefined, 'created', 'updated', 'deleted'])

interface RecordScope {
  readonly emits: AgentManifest['emits']
  readonly isPage: (url: string) => boolean
  /** A page that was remembered and is not there any more; only facts can be told of it. */
  readonly isGone: (url: string) => boolean
}

/** Never throws. */
export function checkRecord(text: string, { emits, isPage, isGone }: RecordScope): CheckedRecord {
  if (text.length > MAX_RECORD_CHARS) return refused(`it has more than ${MAX_RECORD_CHARS} characters`)
  const read = readRecord(text)
  if (read.kind === 'refused') return read
  const { kind, url, change } = read.record
  if (!emits.includes(kind)) return refused(`its kind, ${kind}, is not declared in the manifest`)
  if (!isPage(url) && !(kind === 'meta' && isGone(url))) return refused(`there is no page ${url.slice(0, 200)} here`)
  if (!CHANGES.has(change)) return refused('its change is none of created, updated, deleted')
  return read
}

/** A record by its form alone. */
export function readRecord(text: string): CheckedRecord {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refused('it is no JSON object')
  const { kind, url } = value as { kind?: unknown; url?: unknown }
  const known = RECORD_KINDS.find((one) => one === kind)
  if (known === undefined) return refused(`its kind is none of ${RECORD_KINDS.join(', ')}`)
  if (typeof url !== 'string') return refused('it names no url')
  if (isDeeper(value, MAX_DEPTH)) return refused(`it is nested more than ${MAX_DEPTH} levels deep`)
  return { kind: 'record', record: value as AgentRecord }
}

const refused = (problem: string): CheckedRecord => ({ kind: 'refused', problem })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Whatever it is, it is no record.
    return undefined
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((one) => isDeeper(one, levels - 1))
}
