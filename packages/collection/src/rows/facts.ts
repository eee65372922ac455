/**
 * Facts: the small things a collection remembers by name, each of one kind, which says what it has to be. Whoever uses a collection
 * keeps facts of its own beside those of the table here; `docs/collection-format.md` lists them all, and a test compares.
 */
import { isParameterName, urlRuleLimits } from '@comity/protocol'
import type { Instant, UrlRules } from '@comity/protocol'
import { collectionDamaged } from '../errors.ts'
import { isCount, isFlag, isInstant, isText, isListOf, isMaybe, isRecordOf } from './row-shape.ts'
import type { Shape } from './row-shape.ts'
import type { Opening, Taken } from './shard-lists.ts'
import type { State } from './state.ts'
import type { WarcState } from '../warc/warc-store.ts'

export interface FactKind<Value> {
  /** Part of the format, as are the names of its fields. */
  readonly name: string
  /** Of the record that it is or holds. */
  readonly fields: readonly string[]
  readonly isOne: (value: unknown) => value is Value
}

/** Made once, at the top of the module that keeps the fact. */
export function factKind<Value>(name: string, shape: Shape): FactKind<Value> {
  return { name, fields: shape.fields ?? [], isOne: (value): value is Value => shape(value) }
}

/** Those that more than one package knows. */
export interface Facts {
  readonly warc: WarcState
  /** False while somebody writes, and after that somebody was killed. */
  readonly closed: boolean
  /** Start pages; pages know theirs by its place in this list. */
  readonly seeds: readonly string[]
  /** Where start pages have moved to. */
  readonly moved: readonly string[]
  readonly forgottenSites: readonly string[]
  readonly forgettings: readonly { readonly at: Instant; readonly pages: number; readonly sites: number }[]
  /** The number of the last item of the inbox whose consequences are durable. */
  readonly inbox: number
  /** The words that the pages' similarity was stored for. */
  readonly topic: string
  /** Which kinds and types of pages the last run wanted, as JSON. */
  readonly types: string
  /** What crawls were told by whoever started them, as JSON; the command that does so knows its names. */
  readonly settings: string
  /** Which pages the last crawl was for: SHA-256 of its rules and start pages. */
  readonly scope: string
  /** Of one shard among several: what it has taken of each of the others' lists; see `shard-lists.ts`. */
  readonly taken: readonly Taken[]
  /** Of one shard among several: its openings, and where its lists were then. */
  readonly openings: readonly Opening[]
  /** What makes two URLs one of its pages; none in a collection from before it was kept. See `kept-url-rules.ts`. */
  readonly urlRules: UrlRules
}

const isNames: Shape = (value) =>
  Array.isArray(value) &&
  value.length <= urlRuleLimits.names &&
  value.every((name) => typeof name === 'string' && isParameterName(name))
const isSiteRules = isRecordOf({
  host: isMaybe(isText),
  origin: isMaybe(isText),
  dropParameters: isMaybe(isNames),
  keepParameters: isMaybe(isNames),
  dropSessionIds: isMaybe(isFlag),
})

export const FACTS: { readonly [Name in keyof Facts]: FactKind<Facts[Name]> } = {
  warc: factKind('warc', isRecordOf({ names: isListOf(isText), goodBytes: isCount })),
  closed: factKind('closed', isFlag),
  seeds: factKind('seeds', isListOf(isText)),
  moved: factKind('moved', isListOf(isText)),
  forgottenSites: factKind('forgottenSites', isListOf(isText)),
  forgettings: factKind('forgettings', isListOf(isRecordOf({ at: isInstant, pages: isCount, sites: isCount }))),
  inbox: factKind('inbox', isCount),
  topic: factKind('topic', isText),
  types: factKind('types', isText),
  scope: factKind('scope', isText),
  settings: factKind('settings', isText),
  taken: factKind('taken', isListOf(isRecordOf({ shard: isCount, epoch: isCount, position: isCount }))),
  openings: factKind('openings', isListOf(isRecordOf({ epoch: isCount, lengths: isListOf(isCount) }))),
  urlRules: factKind(
    'urlRules',
    isRecordOf({
      version: isCount,
      dropParameters: isNames,
      dropSessionIds: isFlag,
      maxLength: isCount,
      sites: (value) => Array.isArray(value) && value.length <= urlRuleLimits.sites && value.every(isSiteRules),
    }),
  ),
}

export function factOf<Value>(state: State, kind: FactKind<Value>): Value | undefined {
  return checkedFact(kind, state.meta.get(kind.name))
}

/** The value, if it is one of its kind; whoever wrote another did not write this collection with comity. */
export function checkedFact<Value>({ name, isOne }: FactKind<Value>, value: unknown): Value | undefined {
  if (value === undefined || isOne(value)) return value
  throw collectionDamaged(`What the collection remembers as \`${name}\` is not such as comity writes.`)
}

/** The names are checked where they become paths (`warcPath`). */
export const warcStateOf = (state: State): WarcState => factOf(state, FACTS.warc) ?? { names: [], goodBytes: 0 }
