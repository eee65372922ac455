/**
 * Config file: JSON that sets what flags set, by the same names (`maxPages` for --max-pages), and what no flag can say
 * well. Unknown names are refused: a setting that is silently not in force is worse than none.
 */
import { readFileSync, statSync } from 'node:fs'
import { ownValue, messageOf } from '@comity/protocol'
import type { NamedFlag } from './command.ts'
import { didYouMean } from './terminal/nearest-name.ts'
import { unreadableText } from './system-failure.ts'
import { BadValue, UsageError, sentence } from './usage-error.ts'

/** Nobody writes a larger one; a mistaken path to a disk image is not read into memory. */
const MAX_CONFIG_BYTES = 64 << 20

export function readConfigFile(path: string, flags: readonly NamedFlag[]): Map<string, unknown> {
  const json = parseJson(path)
  if (!isPlainObject(json)) throw new UsageError(`${path} must hold one JSON object: { "maxPages": 100, … }.`)
  return new Map(
    Object.entries(json).map(([key, value]) => {
      const flag = flags.find((one) => one.key === key && key !== 'config')
      const names = flags.map((one) => one.key)
      if (flag === undefined)
        throw new UsageError(`${path} sets "${key}", which is no setting.${didYouMean(key, names, quoted)}`)
      return [key, readSetting(flag, value, path)]
    }),
  )
}

/** Checks a JSON object key by key: `readers` has one function for every key that may stand in it. */
export function readObject<T>(
  json: unknown,
  readers: { readonly [K in keyof T]-?: (value: unknown) => T[K] },
): Partial<T> {
  if (!isPlainObject(json)) throw new BadValue('is not a JSON object')
  const known: Readonly<Record<string, (value: unknown) => unknown>> = readers
  const entries = Object.entries(json).map(([key, value]) => {
    const reader = ownValue(known, key)
    if (reader === undefined)
      throw new BadValue(`has "${key}", which is no setting.${didYouMean(key, Object.keys(known), quoted)}`)
    try {
      return [key, reader(value)]
    } catch (error) {
      if (error instanceof BadValue) throw new BadValue(`has "${key}", which ${error.message}`, { cause: error })
      throw error
    }
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value came from the reader of its key.
  return Object.fromEntries(entries) as Partial<T>
}

/** A reader for what a text or a bare number can say. */
export const asText = <T>(parse: (text: string) => T): ((json: unknown) => T) => {
  return (json) => {
    if (typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean') return parse(String(json))
    throw new BadValue('is neither a text nor a number')
  }
}

export function asList(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json
  throw new BadValue('is not a list: write [ … ]')
}

export function asString(json: unknown): string {
  if (typeof json === 'string') return json
  throw new BadValue('is not a text')
}

export const isPlainObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

function readSetting(flag: NamedFlag, json: unknown, path: string): unknown {
  try {
    if (flag.read !== undefined) return flag.read(json)
    const parse = asText(flag.parse!)
    return flag.many && Array.isArray(json) ? json.flatMap(parse) : parse(json)
  } catch (error) {
    if (error instanceof BadValue)
      throw new UsageError(sentence(`"${flag.key}" in ${path} ${error.message}`), { cause: error })
    throw error
  }
}

function parseJson(path: string): unknown {
  let text: string
  try {
    if (statSync(path).size > MAX_CONFIG_BYTES) throw new Error('it is too large to be one')
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new UsageError(unreadableText(`The config file ${path}`, cause), { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    // The parser's message quotes the text around the fault, which may be a password.
    const at = /position \d+(?: \(line \d+ column \d+\))?/.exec(messageOf(cause))?.[0]
    throw new UsageError(`The config file ${path} is not JSON${at === undefined ? '' : ` (at ${at})`}.`)
  }
}

const quoted = (name: string): string => `"${name}"`
