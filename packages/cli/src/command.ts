/**
 * Command: a name, its operands and its flags as one table, and what it does. Parsing, `--help`, the reference in the
 * documents and the tests all read the table; nothing about a flag is said anywhere else.
 */
import type { Said } from './command-line.ts'
import type { Terminal } from './terminal/terminal.ts'
import { BadValue } from './usage-error.ts'

/** Settings by name: `maxPages` is --max-pages, COMITY_MAX_PAGES, and "maxPages" in a config file. */
export type FlagTable<Settings> = { readonly [Name in keyof Settings]-?: Flag<Settings[Name]> }

export interface Flag<Value> {
  /** What follows the flag, as help shows it: `DIR`, `N`. A flag without one is a switch. */
  readonly argument?: string
  readonly default: Value
  /** How help shows the default; without it none is shown. */
  readonly shown?: string
  readonly help: string
  /** Text to value; throws BadValue. A setting without it stands in config files only. */
  readonly parse?: (text: string) => Value
  /** JSON to value, where a config file says it in another way than the flag does; throws BadValue. */
  readonly read?: (json: unknown) => Value
  /** May be given several times; the lists are joined. */
  readonly many?: true
  /**
   * What the flag means without its argument, which is then attached by `=` or not given. A word behind it that looks as if it
   * should have been attached is refused, rather than taken for something else.
   */
  readonly bare?: { readonly text: string; readonly looksAttachable: (word: string) => boolean }
  /** The value is never repeated in a message. */
  readonly secret?: true
}

export interface Operand {
  /** `DIR`, `SEED` */
  readonly name: string
  readonly help: string
  readonly optional?: true
  /** Takes all the rest; stands last. */
  readonly many?: true
}

export interface HelpTable {
  readonly title: string
  readonly rows: readonly (readonly [name: string, means: string])[]
}

export interface Command<Settings = object> {
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  readonly operands: readonly Operand[]
  readonly flags: FlagTable<Settings>
  readonly examples: readonly (readonly [line: string, does: string])[]
  /** Names that a flag takes, each with what it means, for `--help`. */
  readonly tables?: readonly HelpTable[]
  /** Paragraphs for `--help`, after the flags. */
  readonly notes?: readonly string[]
  /** Does it. The number is the exit code. */
  run(call: Call<Settings>): Promise<number>
}

export interface Call<Settings> {
  readonly settings: Settings
  readonly said: Said
  readonly operands: readonly string[]
  readonly terminal: Terminal
}

/** One flag with its names. */
export interface NamedFlag extends Flag<unknown> {
  /** As in settings and config files. */
  readonly key: string
  /** Without the two dashes. */
  readonly name: string
  /** As an environment variable. */
  readonly variable: string
}

/** The rows of a flag table, in order. */
export function flagsOf(command: Pick<Command, 'flags'>): NamedFlag[] {
  return Object.entries(command.flags).map(([key, flag]: [string, Flag<unknown>]) => {
    const name = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return Object.assign({ key, name, variable: `COMITY_${name.toUpperCase().replaceAll('-', '_')}` }, flag)
  })
}

export const isSwitch = (flag: Flag<unknown>): boolean => flag.argument === undefined

/** Whether `--NAME` and `--no-NAME` say all that is needed. */
export const standsAlone = (flag: Flag<unknown>): boolean => isSwitch(flag) || flag.bare !== undefined

/** A switch that is off unless told. */
export const off = (help: string): Flag<boolean> => ({ default: false, help, parse: parseSwitch })

/** A switch that is on unless told; `--no-NAME` turns it off. */
export const on = (help: string): Flag<boolean> => ({ default: true, help, parse: parseSwitch })

/** `--json` comes from an argument list as `true`; variables and config files spell it out. */
export function parseSwitch(text: string): boolean {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true
  if (/^(?:0|false|no|off|)$/i.test(text)) return false
  throw new BadValue('is neither yes nor no: write true or false')
}
