/** `comity help`: the list of commands, or what `comity COMMAND --help` says. */
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { helpText, overview, reference } from './help-text.ts'

interface HelpSettings {
  readonly markdown: boolean
}

export function createHelpCommand(
  load: (name: string) => Promise<Command>,
  loadAll: () => Promise<readonly Command[]>,
): Command<HelpSettings> {
  return {
    name: 'help',
    summary: 'explain a command',
    operands: [{ name: 'COMMAND', help: 'the command to explain', optional: true }],
    flags: { markdown: off('print the reference of all commands in Markdown') },
    examples: [['comity help crawl', 'the flags of crawl, with examples']],
    run: async ({ settings, operands: [name], terminal }: Call<HelpSettings>) => {
      if (settings.markdown) terminal.print(reference(await loadAll()))
      else if (name === undefined) terminal.print(overview(await loadAll(), terminal.paint))
      else terminal.print(helpText(await load(name), terminal.paint))
      return 0
    },
  }
}
