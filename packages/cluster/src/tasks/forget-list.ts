/**
 * ForgetList: what is to be forgotten everywhere: in each shard, in its copies, and in folders that shards have left behind. It stands in
 * the register and in the vault, and is gone through before a folder is crawled; a machine that was away does so when it comes back.
 */
import { isInstant, isListOf, isOneOf, isRecordOf, isText } from '@comity/collection'
import type { Message } from '../road/road.ts'

export interface ForgetEntry {
  /** Given once, by whoever asked for it. */
  readonly id: string
  readonly kind: 'page' | 'site'
  /** Canonical: a page's URL, or the origin of a site. */
  readonly name: string
  readonly at: number
}

export const FORGETS = 'forgets'
/** Of all time; they fit into a record. */
export const MAX_FORGETS = 2_000
const MAX_NAME_CHARS = 2_048
const MAX_RECORD_CHARS = 700_000

const isName = (value: unknown): boolean => isText(value) && (value as string).length <= MAX_NAME_CHARS
const isEntry = isRecordOf({ id: isText, kind: isOneOf('page', 'site'), name: isName, at: isInstant })
const isForgets = isRecordOf({ entries: isListOf(isEntry) })

/** What is none of ours is nothing. */
export const forgetsIn = (value: Message | undefined): readonly ForgetEntry[] =>
  value !== undefined && isForgets(value) ? (value['entries'] as readonly ForgetEntry[]).slice(0, MAX_FORGETS) : []

/** Both, each once, in the order in which they were asked for. */
export function joinedForgets(one: readonly ForgetEntry[], other: readonly ForgetEntry[]): readonly ForgetEntry[] {
  const all = new Map([...one, ...other].map((entry) => [entry.id, entry]))
  return [...all.values()].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
}

export const fitsRecord = (entries: readonly ForgetEntry[]): boolean =>
  entries.length <= MAX_FORGETS && JSON.stringify(entries).length <= MAX_RECORD_CHARS

/** What a folder still has to forget. */
export function toForget(all: readonly ForgetEntry[], done: readonly string[] = []): readonly ForgetEntry[] {
  const known = new Set(done)
  return all.filter(({ id }) => !known.has(id))
}
