/**
 * ChangeQuery: "give me all the pages that have changed since this date", and which of them, and how much of each
 * (002 §6.2, filtering interface). The semantics of RFC 6578 (sync-collection) in JSON: a token says how far the asker
 * is, an answer that is too long stops early and says so, a token that is too old means beginning anew.
 *
 *   QUERY /.well-known/comity/changes        or GET with the same names in the query string
 *   {"since":"7f3a.118","types":["text/html"],"prefix":"/docs/","fields":"meta","limit":1000}
 *
 *   fields: meta         application/x-ndjson, one change a line, the last line is {"token":…,"more":…}
 *   fields: page         application/warc as in `bulk/batch.ts`: the pages themselves, the closing holds the token
 *   fields: difference   the same, with 226 answers where the asker's version at `since` is still known
 *
 *   410 when the token is too old or not ours: ask again without `since`.
 */
import { ownValue } from '../lookup.ts'
import type { ChangeEntry, ChangeKind } from '../feeds/page-entry.ts'
import { parsedJson, shareField, textField, textsField, wholeField } from '../http/json-field.ts'
import type { JsonObject } from '../http/json-field.ts'
import { TOO_MUCH_WORK, WorkBudget, type TooMuchWork } from '../work-budget.ts'

export const CHANGES_PATH = '/.well-known/comity/changes'
export const CHANGES_TYPE = 'application/x-ndjson'
export const QUERY_TYPE = 'application/json'

const FIELDS = ['meta', 'difference', 'page'] as const
export type ChangeFields = (typeof FIELDS)[number]

export interface ChangeQuery {
  /** From an earlier answer; without it every page is told of, as it is now. */
  readonly since?: string | undefined
  /** Media types, `image/*` among them; without it all. */
  readonly types?: readonly string[] | undefined
  /** Path prefixes, any of them. */
  readonly prefixes?: readonly string[] | undefined
  readonly minBytes?: number | undefined
  readonly maxBytes?: number | undefined
  /** Importance as the site itself sees it, 0 to 1 (002 §6.1: a claim, good for an order within the site only). */
  readonly minImportance?: number | undefined
  readonly fields: ChangeFields
  /** At most so many pages; the site may send fewer. */
  readonly limit?: number | undefined
}

const MAX_LIST = 50
const NAMES = new Set(['since', 'types', 'prefixes', 'minBytes', 'maxBytes', 'minImportance', 'fields', 'limit'])

/** A question as somebody sent it, or what is wrong with it. */
export type ReadQuery = { readonly query: ChangeQuery } | { readonly problem: string }

export function writeChangeQuery(query: ChangeQuery): string {
  return JSON.stringify(query)
}

export function readChangeQuery(body: string): ReadQuery {
  if (body.trim() === '') return { query: { fields: 'meta' } }
  const json = parsedJson(body)
  return json === undefined ? { problem: 'the body is no JSON object' } : queryOf(json)
}

/** The same from a query string: `?since=…&types=text/html,image/*&fields=meta`. */
export function readChangeParameters(parameters: URLSearchParams): ReadQuery {
  const json = new Map<string, unknown>()
  for (const [name, value] of parameters) {
    if (name === 'types' || name === 'prefixes')
      json.set(
        name,
        value.split(',').filter((part) => part !== ''),
      )
    else json.set(name, name === 'since' || name === 'fields' ? value : Number(value))
  }
  return queryOf(Object.fromEntries(json))
}

function queryOf(json: JsonObject): ReadQuery {
  const unknown = Object.keys(json).find((name) => !NAMES.has(name))
  if (unknown !== undefined) return { problem: `"${unknown.slice(0, 40)}" is no filter: use ${[...NAMES].join(', ')}` }
  const fields = json['fields'] === undefined ? 'meta' : FIELDS.find((name) => name === json['fields'])
  if (fields === undefined) return { problem: `"fields" is one of ${FIELDS.join(', ')}` }
  const query: ChangeQuery = {
    since: textField(json, 'since'),
    types: textsField(json, 'types', MAX_LIST),
    prefixes: textsField(json, 'prefixes', MAX_LIST),
    minBytes: wholeField(json, 'minBytes'),
    maxBytes: wholeField(json, 'maxBytes'),
    minImportance: shareField(json, 'minImportance'),
    fields,
    limit: wholeField(json, 'limit'),
  }
  const bad = Object.entries(query).find(([name, value]) => value === undefined && ownValue(json, name) !== undefined)
  return bad === undefined ? { query } : { problem: `"${bad[0]}" has a value that it cannot have` }
}

/** Whether a page is one of those asked for. */
export function isAskedFor(
  { types, prefixes, minBytes = 0, maxBytes = Infinity, minImportance = 0 }: ChangeQuery,
  page: {
    readonly path: string
    readonly type: string
    readonly bytes: number
    readonly importance?: number | undefined
  },
): boolean {
  if (types !== undefined && !types.some((wanted) => matchesType(wanted, page.type))) return false
  if (prefixes !== undefined && !prefixes.some((prefix) => page.path.startsWith(prefix))) return false
  return page.bytes >= minBytes && page.bytes <= maxBytes && (page.importance ?? 0) >= minImportance
}

/** `text/html`, `image/*` or `*` + `/*`. */
export function matchesType(wanted: string, type: string): boolean {
  const want = wanted.toLowerCase()
  if (want === '*/*') return true
  return want.endsWith('/*') ? type.startsWith(want.slice(0, -1)) : type === want
}

/** Ends an answer of metadata. */
export interface ChangesEnd {
  /** What to ask with next time. */
  readonly token: string
  /** There is more behind the token already. */
  readonly more: boolean
}

export function changeLine(entry: ChangeEntry): string {
  const { url, change, changedAt, modifiedAt, bytes, type, digest } = entry
  const line = { url, change, at: changedAt, modified: modifiedAt, bytes, type, digest }
  return `${JSON.stringify(line)}\n`
}

export function changesEndLine({ token, more }: ChangesEnd): string {
  return `${JSON.stringify({ token, more })}\n`
}

export interface ReadChanges {
  readonly entries: readonly ChangeEntry[]
  /** Undefined when the answer was cut off: what it holds is good, but there is no going on from it. */
  readonly end: ChangesEnd | undefined
  readonly unreadable: number
  /** Why it was not read to its end. */
  readonly problem?: TooMuchWork | undefined
}

const KINDS: readonly ChangeKind[] = ['created', 'updated', 'deleted']
const MAX_ENTRIES = 1_000_000

export function readChanges(
  body: string,
  maxEntries: number = MAX_ENTRIES,
  work: WorkBudget = WorkBudget.of('archive'),
): ReadChanges {
  const entries: ChangeEntry[] = []
  let end: ChangesEnd | undefined
  let unreadable = 0
  for (const text of linesOf(body)) {
    if (!work.spend('line')) return { entries, end: undefined, unreadable, problem: TOO_MUCH_WORK }
    const json = parsedJson(text)
    if (json === undefined) work.spend('badLine')
    const token = textField(json, 'token')
    if (token !== undefined) end = { token, more: json?.['more'] === true }
    else {
      const entry = entryOf(json)
      if (entry === undefined || entries.length >= maxEntries) unreadable++
      else entries.push(entry)
    }
  }
  return { entries, end, unreadable }
}

/** One after the other: a list of millions of empty ones takes more room than what they came in. */
function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    if (end > at) yield text.slice(at, end)
    at = end + 1
  }
}

function entryOf(json: JsonObject | undefined): ChangeEntry | undefined {
  const url = textField(json, 'url')
  const change = KINDS.find((kind) => kind === json?.['change'])
  if (url === undefined || change === undefined) return undefined
  return {
    url,
    change,
    changedAt: wholeField(json, 'at'),
    modifiedAt: wholeField(json, 'modified'),
    bytes: wholeField(json, 'bytes'),
    type: textField(json, 'type'),
    digest: textField(json, 'digest'),
  }
}
