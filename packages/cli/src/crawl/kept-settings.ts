/**
 * Kept settings: a crawl goes on with what it was told before. What was typed stands in the collection, flag by flag, and holds for the
 * next run unless that says otherwise.
 *
 *   flag  >  variable  >  config file  >  kept  >  default
 *
 * What lets a crawl do more than it may anywhere, what is secret and what runs a program is not kept, as a collection may come from
 * somebody else; nor is the path of a file that can say any of it, as that file may have come along. Only that it was there is kept,
 * for the next run to say at once what it lacks.
 */
import { resolve } from 'node:path'
import { Collection, FACTS } from '@comity/collection'
import { flagsOf } from '../command.ts'
import type { NamedFlag } from '../command.ts'
import type { Said } from '../command-line.ts'
import { BadValue } from '../usage-error.ts'
import { shellWord, visible } from '../terminal/terminal.ts'
import { crawlFlags } from './flags.ts'
import type { CrawlSettings } from './flags.ts'

/** Of one run: how far it goes this time, and where things stand. */
const OF_ONE_RUN: ReadonlySet<string> = new Set(
  'into cluster name credentials natsCa seeds estimate revisit maxPages maxBytes json'.split(' '),
)
/** Of a file that can only take something away. */
const PATHS: ReadonlySet<string> = new Set(['doNotCrawl'])

/** Not kept, and what follows for a run without it. */
const LACKS: ReadonlyMap<string, string> = new Map([
  ['allowPrivate', 'private and loopback addresses are left alone'],
  ['ignoreRobots', 'robots.txt is asked for and heeded'],
  ['identity', 'requests are not signed'],
  ['proxy', 'it goes out directly'],
  ['hook', 'nothing is hooked in'],
  ['config', 'nothing that only its file says is in force'],
  ['ca', 'the usual authorities alone are trusted'],
])
const FILES: ReadonlyMap<string, string> = new Map([
  ['order', 'pages come in the usual order'],
  ['idf', 'all words weigh alike'],
])

export interface KeptSettings {
  /** As typed, by the names of settings. */
  readonly flags: ReadonlyMap<string, readonly string[]>
  /** Settings that were given and are not kept. */
  readonly lacks: readonly string[]
}

const NOTHING_KEPT: KeptSettings = { flags: new Map(), lacks: [] }
const MAX_CHARS = 100_000

/** What earlier runs were told. Nothing of a collection from before it was kept. */
export async function keptSettings(dir: string): Promise<KeptSettings> {
  await using collection = Collection.openReadOnly(dir)
  return readKept(collection.fact(FACTS.settings) ?? '')
}

export function readKept(text: string): KeptSettings {
  if (text === '' || text.length > MAX_CHARS) return NOTHING_KEPT
  const { flags, lacks } = (parsedJson(text) ?? {}) as { flags?: unknown; lacks?: unknown }
  const entries = typeof flags === 'object' && flags !== null ? Object.entries(flags) : []
  return {
    flags: new Map(
      entries.filter((entry): entry is [string, readonly string[]] => isTexts(entry[1]) && isKept(entry[0], entry[1])),
    ),
    lacks: isTexts(lacks) ? lacks : [],
  }
}

const isTexts = (one: unknown): one is readonly string[] =>
  Array.isArray(one) && one.every((part) => typeof part === 'string')

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A program, or a table of words. */
const isFileOf = (key: string, texts: readonly string[]): boolean =>
  (key === 'order' && texts.some((text) => /\.[cm]?[jt]s$/.test(text))) ||
  (key === 'idf' && texts.some((text) => text !== 'none' && text !== 'crawled'))

const isKept = (key: string, texts: readonly string[]): boolean =>
  !OF_ONE_RUN.has(key) && !LACKS.has(key) && !isFileOf(key, texts) && !(PATHS.has(key) && texts.includes('-'))

/** With what this run was told; as JSON, to be kept. */
export function settingsToKeep(before: KeptSettings, said: Said): string {
  const flags = new Map(before.flags)
  const lacks = new Set(before.lacks)
  for (const [key, texts] of said) {
    if (texts === undefined) continue
    if (isKept(key, texts)) flags.set(key, PATHS.has(key) ? texts.map((path) => resolve(path)) : texts)
    else if (isFileOf(key, texts)) flags.delete(key)
    if (LACKS.has(key) || isFileOf(key, texts)) lacks[texts.at(-1) === 'false' ? 'delete' : 'add'](key)
    else if (key === 'order' || key === 'idf') lacks.delete(key)
  }
  return JSON.stringify({ flags: Object.fromEntries(flags), lacks: [...lacks] })
}

interface GoneOnWith {
  readonly settings: CrawlSettings
  /** Sentences for whoever starts it. */
  readonly notes: readonly string[]
}

/** The settings of this run with those that are kept in the place of defaults. */
export function withKept(settings: CrawlSettings, said: Said, kept: KeptSettings, dir: string): GoneOnWith {
  const table = flagsOf({ flags: crawlFlags })
  const values = new Map<string, unknown>()
  const shown: string[] = []
  for (const [key, texts] of kept.flags) {
    const flag = table.find((one) => one.key === key)
    if (flag?.parse === undefined || said.has(key)) continue
    // What an older or newer version took is no reason not to go on.
    const value = valueOf(flag, texts)
    if (value === undefined) continue
    values.set(key, value)
    shown.push(...texts.map((text) => asTyped(flag, text)))
  }
  const lacks = kept.lacks.filter((key) => !said.has(key))
  const notes = [
    ...(shown.length === 0 ? [] : [`note: goes on with the settings of ${dir}: ${shown.join(' ')}`]),
    ...lacks.map((key) => {
      const name = table.find((one) => one.key === key)?.name ?? key
      const follows = LACKS.get(key) ?? FILES.get(key) ?? 'it is as usual'
      return `note: ${dir} was crawled with --${visible(name)}, which is not kept. Without it ${follows}: give it again if you want it.`
    }),
  ]
  return { settings: { ...settings, ...(Object.fromEntries(values) as Partial<CrawlSettings>) }, notes }
}

function valueOf(flag: NamedFlag, texts: readonly string[]): unknown {
  try {
    const values = (flag.many ? texts : texts.slice(-1)).map((text) => flag.parse!(text))
    return flag.many ? values.flat() : values[0]
  } catch (error) {
    if (error instanceof BadValue) return undefined
    throw error
  }
}

function asTyped(flag: NamedFlag, text: string): string {
  if (flag.argument !== undefined) return `--${flag.name} ${shellWord(visible(text))}`
  return text === 'false' ? `--no-${flag.name}` : `--${flag.name}`
}
