/**
 * Command line: from words, COMITY_* variables and a config file to settings. Parse first, act after: nothing has
 * happened yet when this throws.
 *
 *   flag  >  variable  >  config file  >  default
 */
import { ownValue } from '@comity/protocol'
import { flagsOf, isSwitch, standsAlone } from './command.ts'
import type { Command, NamedFlag } from './command.ts'
import { readConfigFile } from './config-file.ts'
import { meantFlag } from './foreign-flags.ts'
import { BadValue, UsageError, sentence } from './usage-error.ts'

/** Which settings were given, and the words of those that a flag or a variable gave; a config file has no words. */
export type Said = ReadonlyMap<string, readonly string[] | undefined>

interface ParsedLine<Settings> {
  readonly settings: Settings
  readonly said: Said
  readonly operands: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

export function parseCommandLine<Settings>(
  command: Command<Settings>,
  argv: readonly string[],
  env: Environment,
): ParsedLine<Settings> {
  const flags = flagsOf(command)
  const { given, operands } = readWords(flags, argv)
  checkOperands(command, operands)
  const configPath = given.get('config')?.at(-1) ?? env['COMITY_CONFIG']
  const hasConfig = flags.some(({ key }) => key === 'config')
  const config = hasConfig && configPath ? readConfigFile(configPath, flags) : new Map<string, unknown>()
  const settings = flags.map((flag) => [
    flag.key,
    valueOf(flag, given.get(flag.key), ownValue(env, flag.variable), config),
  ])
  return { settings: Object.fromEntries(settings), said: saidOf(flags, given, env, config), operands }
}

function saidOf(
  flags: readonly NamedFlag[],
  given: ReadonlyMap<string, readonly string[]>,
  env: Environment,
  config: ReadonlyMap<string, unknown>,
): Said {
  const said = new Map<string, readonly string[] | undefined>()
  for (const flag of flags) {
    const words = given.get(flag.key) ?? variableWords(flag, ownValue(env, flag.variable))
    if (words !== undefined || config.has(flag.key)) said.set(flag.key, words)
  }
  return said
}

/** An empty variable is how shells and units unset one. */
function variableWords(flag: NamedFlag, variable: string | undefined): readonly string[] | undefined {
  if (variable === undefined || variable === '' || flag.parse === undefined) return undefined
  return flag.many ? variable.trim().split(/\s+/) : [variable]
}

function readWords(
  flags: readonly NamedFlag[],
  argv: readonly string[],
): { given: Map<string, string[]>; operands: string[] } {
  const given = new Map<string, string[]>()
  const operands: string[] = []
  const words = [...argv]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') return { given, operands: [...operands, ...words] }
    // A lone dash is standard input or output.
    if (!word.startsWith('-') || word === '-') {
      operands.push(word)
      continue
    }
    const [name, attached] = splitAtEquals(word)
    const { flag, isNegated } = flagNamed(name, flags)
    const text = standsAlone(flag) ? aloneText(flag, attached, isNegated, words[0]) : (attached ?? words.shift())
    if (text === undefined || (attached === undefined && !standsAlone(flag) && text.startsWith('--'))) {
      throw new UsageError(`--${flag.name} needs a value: --${flag.name} ${flag.argument}.`)
    }
    given.set(flag.key, [...(given.get(flag.key) ?? []), text])
  }
  return { given, operands }
}

function splitAtEquals(word: string): [name: string, attached: string | undefined] {
  const at = word.indexOf('=')
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

function flagNamed(word: string, flags: readonly NamedFlag[]): { flag: NamedFlag; isNegated: boolean } {
  const typed = flags.filter((flag) => flag.parse !== undefined)
  const flag = typed.find(({ name }) => word === `--${name}`)
  if (flag !== undefined) return { flag, isNegated: false }
  const negated = typed.find((one) => standsAlone(one) && word === `--no-${one.name}`)
  if (negated !== undefined) return { flag: negated, isNegated: true }
  const names = [...typed.flatMap((one) => (standsAlone(one) ? [one.name, `no-${one.name}`] : [one.name])), 'help']
  throw new UsageError(`There is no flag ${word}.${meantFlag(word, names)}`)
}

/** The value of a flag that needs no argument. `next` is the word behind it. */
function aloneText(
  flag: NamedFlag,
  attached: string | undefined,
  isNegated: boolean,
  next: string | undefined,
): string {
  const { name, bare } = flag
  if (attached !== undefined && (isSwitch(flag) || isNegated)) {
    const forms = `write --${name} or --no-${name}`
    throw new UsageError(`--${isNegated ? `no-${name}` : `${name} is a switch and`} takes no value: ${forms}.`)
  }
  if (isNegated) return 'false'
  if (attached === undefined && next !== undefined && bare?.looksAttachable(next) === true) {
    throw new UsageError(
      `"${next}" stands apart from --${name}, where it would be no value of it: write --${name}=${next}. ` +
        `A start page there needs its http://.`,
    )
  }
  return attached ?? bare?.text ?? 'true'
}

function checkOperands(command: Pick<Command, 'operands'>, operands: readonly string[]): void {
  for (const [i, { name, help, optional }] of command.operands.entries()) {
    if (!optional && operands[i] === undefined) throw new UsageError(`${name} is missing: ${help}.`)
  }
  const last = command.operands.at(-1)
  const extra = operands[command.operands.length]
  if (extra === undefined || last?.many) return
  throw new UsageError(
    `"${extra}" is one word too many. Quote what holds blanks, and put -- before what begins with a dash.`,
  )
}

function valueOf(
  flag: NamedFlag,
  given: readonly string[] | undefined,
  variable: string | undefined,
  config: ReadonlyMap<string, unknown>,
): unknown {
  if (given !== undefined) return parsed(flag, given, `--${flag.name}`)
  const words = variableWords(flag, variable)
  if (words !== undefined) return parsed(flag, words, flag.variable)
  return config.has(flag.key) ? config.get(flag.key) : flag.default
}

function parsed(flag: NamedFlag, texts: readonly string[], source: string): unknown {
  const parse = flag.parse!
  const values = (flag.many ? texts : texts.slice(-1)).map((text) => {
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof BadValue)) throw error
      throw new UsageError(sentence(`${source} ${flag.secret ? '' : `"${text}" `}${error.message}`))
    }
  })
  return flag.many ? values.flat() : values[0]
}
