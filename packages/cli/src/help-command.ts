/** `comity help`: the list of commands, or what `comity COMMAND --help` says. */
import { off } from './command.ts'
import type { Call, Command } from './command.ts'
import { helpText, overview, reference } from './help-text.ts'
import { didYouMean } from './nearest-name.ts'
import { UsageError } from './usage-error.ts'

interface HelpSettings {
  readonly markdown: boolean
}

/** The list is asked for late, so that it may hold this command, too. */
export function createHelpCommand(list: () => readonly Command[]): Command<HelpSettings> {
  return {
    name: 'help',
    summary: 'explain a command',
    operands: [{ name: 'COMMAND', help: 'the command to explain', optional: true }],
    flags: { markdown: off('print the reference of all commands in Markdown') },
    examples: [['comity help crawl', 'the flags of crawl, with examples']],
    run: ({ settings, operands: [name], terminal }: Call<HelpSettings>) => {
      if (settings.markdown) terminal.print(reference(list()))
      else if (name === undefined) terminal.print(overview(list(), terminal.paint))
      else terminal.print(helpText(commandNamed(name, list()), terminal.paint))
      return Promise.resolve(0)
    },
  }
}

export function commandNamed(name: string, commands: readonly Command[]): Command {
  const command = commands.find((one) => one.name === name)
  if (command !== undefined) return command
  const names = commands.map((one) => one.name)
  throw new UsageError(`There is no command "${name}".${didYouMean(name, names)} The commands are ${names.join(', ')}.`)
}
