/**
 * Shard command: what a machine of a cluster lets others run on the folder of a shard, as words of a command line that are made here.
 * Nothing that comes over the road becomes a path, a flag of its own, or a word before its flag's name.
 */
import type { Message, ShardCommand } from '@comity/cluster'
import { shardOf } from '@comity/cluster'
import { isCount, isFlag, isMaybe, isOneOf, isRecordOf, isText } from '@comity/collection'
import { ownValue, siteOf } from '@comity/protocol'

/** What can be written line by line. */
export const LINE_EXPORTS = ['jsonl', 'csv', 'errors', 'graph', 'nodes'] as const
export const EXPORT_SWITCHES = ['all', 'text', 'wholeText'] as const
export const EXPORT_FILTERS = ['site', 'type', 'lang', 'since', 'changedSince', 'status', 'where'] as const

const MAX_CHARS = 10_000
const isShort = (value: unknown): boolean => isText(value) && (value as string).length <= MAX_CHARS
const everyOf = <Value>(names: readonly string[], value: Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(names.map((name) => [name, value]))

const isExport = isRecordOf({
  what: isOneOf(...LINE_EXPORTS),
  ...everyOf(EXPORT_SWITCHES, isMaybe(isFlag)),
  ...everyOf(EXPORT_FILTERS, isMaybe(isShort)),
})
const isInspect = isRecordOf({ url: isMaybe(isShort), links: isCount, agent: isShort })
const isIndex = isRecordOf({ anew: isFlag, positions: isFlag })
const isForget = isRecordOf({ name: isShort, dryRun: isMaybe(isFlag) })

/** A machine's own program, run as it was. */
export const shardCommandOf =
  (shards: number) =>
  (dir: string, task: Message): ShardCommand | undefined => {
    const words = wordsOf(dir, task, shards)
    if (words === undefined) return undefined
    const writes = task['word'] === 'index' || (task['word'] === 'forget' && task['dryRun'] !== true)
    return { program: process.execPath, words: [process.argv[1]!, ...words], writes }
  }

/** The words behind the program's name; undefined for what is no task. */
export function wordsOf(dir: string, task: Message, shards: number): readonly string[] | undefined {
  const { word } = task
  if (word === 'export' && isExport(task)) return ['export', ...exportWords(task), '--', dir]
  if (word === 'inspect' && isInspect(task)) {
    const { url, links, agent } = task as { url?: string; links: number; agent: string }
    return ['inspect', '--json', `--links=${links}`, `--agent=${agent}`, '--', dir, ...(url === undefined ? [] : [url])]
  }
  if (word === 'index' && isIndex(task))
    return ['index', '--json', switchWord('anew', task), switchWord('positions', task), '--', dir]
  if (word === 'forget' && isForget(task)) return forgetWords(dir, task, shards)
  return undefined
}

function exportWords(task: Message): string[] {
  const switches = EXPORT_SWITCHES.filter((name) => task[name] === true).map(flagName)
  const filters = EXPORT_FILTERS.flatMap((name) =>
    task[name] === undefined ? [] : [`${flagName(name)}=${task[name] as string}`],
  )
  return [`--${task['what'] as string}=-`, ...switches, ...filters]
}

/** Where it is at home it is kept out from now on, known or not. */
function forgetWords(dir: string, task: Message, shards: number): readonly string[] {
  const name = task['name'] as string
  const [, shard] = /shard-(\d+)(?:\.before-\d+)?$/.exec(dir) ?? []
  const isHome = Number(shard) === shardOf(siteOf(name), shards)
  const dryRun = task['dryRun'] === true ? ['--dry-run'] : []
  return ['forget', '--json', isHome ? '--keep-out' : '--if-known', ...dryRun, '--', dir, name]
}

const switchWord = (name: string, task: Message): string => `--${ownValue(task, name) === true ? '' : 'no-'}${name}`

const flagName = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
