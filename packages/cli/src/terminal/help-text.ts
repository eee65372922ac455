/** Help text: what `--help` prints and what the reference in the documents shows, both made from the flag tables. */
import { flagsOf, isSwitch } from '../command.ts'
import type { Command, NamedFlag, Operand } from '../command.ts'
import { EVERYWHERE } from '../everywhere.ts'
import { plain } from './terminal.ts'
import type { Paint } from './terminal.ts'

/** Where the explanations begin; a longer flag gets a line of its own. */
const COLUMN = 28
const WIDTH = 80

/** The list of commands. */
export function overview(commands: readonly Command[], paint: Paint = plain): string {
  const widest = Math.max(...commands.map(({ name }) => name.length))
  return [
    'comity: crawl the Web politely, and keep what you find.',
    '',
    `${paint('bold', 'Usage')}  comity COMMAND …`,
    '',
    ...commands.map(({ name, summary }) => `  ${paint('cyan', name.padEnd(widest))}  ${summary}`),
    '',
    `Try ${paint('cyan', 'comity demo')} first. ${paint('cyan', 'comity COMMAND --help')} shows flags and examples.`,
  ].join('\n')
}

export function helpText(command: Command, paint: Paint = plain): string {
  const flags = flagsOf(command)
  const typed = flags.filter((flag) => flag.parse !== undefined)
  const configured = flags.filter((flag) => flag.parse === undefined)
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', paint('bold', title), ...lines]
  return [
    ...wrap(`${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`, WIDTH),
    ...section('Usage', [`  ${usageOf(command)}`]),
    ...section(
      'What it works on',
      command.operands.flatMap(({ name, help }) => row(name, help, paint)),
    ),
    ...section(
      'Flags',
      typed.flatMap((flag) => row(flagHead(flag), explained(flag), paint)),
    ),
    ...section(
      EVERYWHERE.title,
      EVERYWHERE.rows.flatMap(([name, means]) => row(name, means, paint)),
    ),
    ...section(
      'In a config file only',
      configured.flatMap((flag) => row(`"${flag.key}"`, flag.help, paint)),
    ),
    ...(command.tables ?? []).flatMap(({ title, rows }) =>
      section(
        title,
        rows.flatMap(([name, means]) => row(name, means, paint)),
      ),
    ),
    ...section(
      'Examples',
      command.examples.flatMap(([line, does]) => [
        `  ${paint('cyan', line)}`,
        ...wrap(does, WIDTH - 6).map((part) => `      ${part}`),
      ]),
    ),
    ...[...(command.notes ?? []), ...settingNote(command)].flatMap((note) => ['', wrap(note, WIDTH).join('\n')]),
  ].join('\n')
}

/** The reference of all commands, in Markdown. */
export function reference(commands: readonly Command[]): string {
  const parts = commands.map((command) => `## comity ${command.name}\n\n\`\`\`text\n${helpText(command)}\n\`\`\`\n`)
  return ['# Commands', '', 'Made by `comity help --markdown` from the flag tables.', '', ...parts].join('\n')
}

/** `comity inspect DIR [URL] [flags]` */
function usageOf({ name, operands, flags }: Command): string {
  const rest = Object.keys(flags).length === 0 ? [] : ['[flags]']
  return ['comity', name, ...operands.map(operandHead), ...rest].join(' ')
}

function operandHead({ name, optional, many }: Operand): string {
  const head = many ? `${name}…` : name
  return optional ? `[${head}]` : head
}

function flagHead(flag: NamedFlag): string {
  if (flag.bare !== undefined) return `--${flag.name}[=${flag.argument}]`
  if (!isSwitch(flag)) return `--${flag.name} ${flag.argument}`
  return flag.default === true ? `--no-${flag.name}` : `--${flag.name}`
}

function explained({ help, shown, many }: NamedFlag): string {
  const extra = [...(shown === undefined ? [] : [`default: ${shown}`]), ...(many ? ['may be repeated'] : [])]
  return extra.length === 0 ? help : `${help} (${extra.join('; ')})`
}

function settingNote(command: Command): string[] {
  const typed = flagsOf(command).filter((flag) => flag.parse !== undefined)
  const example = typed.find((flag) => flag.key === 'maxPages') ?? typed.find((flag) => flag.key === 'json')
  if (example === undefined) return []
  const { variable, name, key } = example
  if (!('config' in command.flags)) return [`Every flag can also be set by a variable: ${variable} for --${name}.`]
  const ways = `a variable (${variable} for --${name}) or in a config file ("${key}")`
  return [`Every flag can also be set by ${ways}. Flags win, then variables, then the file.`]
}

function row(head: string, help: string, paint: Paint): string[] {
  const [first = '', ...rest] = wrap(help, WIDTH - COLUMN)
  const indent = ' '.repeat(COLUMN)
  const name = `  ${paint('cyan', head)}`
  const gap = COLUMN - head.length - 2
  const lines = gap < 2 ? [name, `${indent}${first}`] : [`${name}${' '.repeat(gap)}${first}`]
  return [...lines, ...rest.map((line) => `${indent}${line}`)]
}

export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
