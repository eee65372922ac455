/**
 * Arguments of a bench program: a table of flags with their defaults, which say what kind each is. The comment at the head of
 * the program is its `--help`. What cannot be meant ends it with a message and exit code 2, before anything is measured.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'

/** A number's flag takes whole numbers from 1 on, or any above 0 where its default is a fraction; or from `least` on. */
export type Default = number | string | boolean | readonly string[] | AtLeast

export interface AtLeast {
  readonly value: number
  readonly least: number
}

type ValueOf<Kind> = Kind extends boolean
  ? boolean
  : Kind extends string
    ? string
    : Kind extends readonly string[]
      ? string[]
      : number

export interface Arguments<Flags> {
  readonly flags: { readonly [Name in keyof Flags]: ValueOf<Flags[Name]> }
  readonly positionals: readonly string[]
}

/** `file` is the program's own; at most `most` arguments beside the flags are taken. */
export function readArguments<Flags extends Readonly<Record<string, Default>>>(
  file: string,
  defaults: Flags,
  most = 0,
): Arguments<Flags> {
  try {
    const options = optionsOf({ ...defaults, help: false })
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    if (values['help'] === true) {
      console.log(headerOf(file))
      process.exit(0)
    }
    if (positionals.length > most) throw new RangeError(`${positionals[most]} is one argument too many`)
    const flags = Object.entries(defaults).map(([name, kind]) => [name, valueOf(name, kind, values[name])])
    return { flags: Object.fromEntries(flags) as Arguments<Flags>['flags'], positionals }
  } catch (error) {
    return endWith(file, (error as Error).message)
  }
}

/** Something that is needed is not there, or is not what it should be. */
export function endWith(file: string, message: string): never {
  console.error(`${message}\n`)
  for (const line of usageOf(headerOf(file))) console.error(`  ${line}`)
  console.error(`  ${basename(file)} --help tells more`)
  process.exit(2)
}

type ParseOption = { type: 'string' | 'boolean'; multiple?: boolean }

function optionsOf(defaults: Readonly<Record<string, Default>>): { [name: string]: ParseOption } {
  const option = (kind: Default): ParseOption => ({
    type: typeof kind === 'boolean' ? 'boolean' : 'string',
    multiple: Array.isArray(kind),
  })
  return Object.fromEntries(Object.entries(defaults).map(([name, kind]) => [name, option(kind)]))
}

function valueOf(name: string, kind: Default, given: unknown): Default {
  if (isAtLeast(kind)) {
    const { value, least } = kind
    return numberOf(name, given ?? value, least, Number.isInteger(value) && Number.isInteger(least))
  }
  if (typeof kind !== 'number') return (given ?? kind) as Default
  const isWhole = Number.isInteger(kind)
  return numberOf(name, given ?? kind, isWhole ? 1 : Number.MIN_VALUE, isWhole)
}

const isAtLeast = (kind: Default): kind is AtLeast => typeof kind === 'object' && 'least' in kind

function numberOf(name: string, given: unknown, least: number, isWhole: boolean): number {
  const value = String(given).trim() === '' ? Number.NaN : Number(given)
  if (value >= least && Number.isFinite(value) && (!isWhole || Number.isInteger(value))) return value
  const wanted = isWhole
    ? `a whole number from ${least} on`
    : least > 1e-300
      ? `a number from ${least} on`
      : 'a number above 0'
  throw new RangeError(`--${name} is ${wanted}, not ${String(given)}`)
}

/** The first comment of a program, as text. */
function headerOf(file: string): string {
  const comment = /^\/\*\*\n(?<text>[\s\S]*?)\n \*\//.exec(readFileSync(file, 'utf8'))?.groups?.['text'] ?? ''
  return comment.replaceAll(/^ \* ?/gm, '')
}

const usageOf = (header: string): string[] =>
  header.split('\n').flatMap((line) => (/^ {2}(?:node|npm) /.test(line) ? [line.trim()] : []))
