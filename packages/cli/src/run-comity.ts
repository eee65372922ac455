/**
 * Run comity: finds the command, parses its words, runs it, and turns what happened into an exit code. The commands are
 * listed in `commands.ts`; each is one file with one table of flags.
 *
 *   words ──▶ command-line.ts ──▶ settings ──▶ the command's `run` ──▶ exit code
 */
import { asksForHelp, parseCommandLine } from './command-line.ts'
import { isCommand, loadCommand, loadCommands } from './commands.ts'
import { failureText, isWrongUse } from './failure-text.ts'
import { helpText, overview } from './terminal/help-text.ts'
import type { Terminal } from './terminal/terminal.ts'
import { versionLine } from './version.ts'

const DONE = 0
const FAILED = 1
const WRONG_USE = 2

/** Never rejects: whatever happened was said. */
export async function runComity([name, ...argv]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === '--version' || name === '-V') return tell(versionLine(), terminal)
  if (name === undefined || name === '--help' || name === '-h')
    return tell(overview(await loadCommands(), terminal.paint), terminal)
  try {
    const command = await loadCommand(name)
    if (asksForHelp(argv)) return tell(helpText(command, terminal.paint), terminal)
    return await command.run({ ...parseCommandLine(command, argv, terminal.env), terminal })
  } catch (error) {
    terminal.say(failureText(error, terminal.errorPaint, isCommand(name) ? name : undefined))
    return isWrongUse(error) ? WRONG_USE : FAILED
  }
}

function tell(text: string, terminal: Terminal): number {
  terminal.print(text)
  return DONE
}
