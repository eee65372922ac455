/**
 * Run comity: finds the command, parses its words, runs it, and turns what happened into an exit code. The commands are
 * listed in `commands.ts`; each is one file with one table of flags.
 *
 *   words ──▶ command-line.ts ──▶ settings ──▶ the command's `run` ──▶ exit code
 */
import { parseCommandLine } from './command-line.ts'
import { isCommand, loadCommand, loadCommands } from './commands.ts'
import { everywhere } from './everywhere.ts'
import { failureText, isWrongUse } from './failure-text.ts'
import { helpText, overview } from './terminal/help-text.ts'
import { plainly, quietly, sayEvents } from './terminal/loudness.ts'
import type { Terminal } from './terminal/terminal.ts'
import { versionLine } from './version.ts'

const DONE = 0
const FAILED = 1
const WRONG_USE = 2

/** Never rejects: whatever happened was said. */
export async function runComity(words: readonly string[], terminal: Terminal): Promise<number> {
  let name: string | undefined
  try {
    const { argv, wishes } = everywhere(words, terminal.env)
    const [first, ...rest] = argv
    name = first
    if (wishes.has('version')) return tell(versionLine(), terminal)
    if (name === undefined) return tell(overview(await loadCommands(), terminal.paint), terminal)
    const command = await loadCommand(name)
    if (wishes.has('help')) return tell(helpText(command, terminal.paint), terminal)
    const heard = wishes.has('quiet') ? quietly(terminal) : wishes.has('verbose') ? plainly(terminal) : terminal
    using _ = wishes.has('verbose') ? sayEvents(heard) : undefined
    return await command.run({ ...parseCommandLine(command, rest, terminal.env), terminal: heard })
  } catch (error) {
    terminal.say(failureText(error, terminal.errorPaint, name !== undefined && isCommand(name) ? name : undefined))
    return isWrongUse(error) ? WRONG_USE : FAILED
  }
}

function tell(text: string, terminal: Terminal): number {
  terminal.print(text)
  return DONE
}
