/** comity: the command, in the process's own terminal. */
import { runComity } from './run-comity.ts'
import { processTerminal } from './terminal.ts'

process.exitCode = await runComity(process.argv.slice(2), processTerminal())
