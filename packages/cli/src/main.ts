/** comity: the command, in the process's own terminal. */
import { endOnFaults, endProcess } from './terminal/process-end.ts'
import { runComity } from './run-comity.ts'
import { processTerminal } from './terminal/terminal.ts'

const terminal = processTerminal()
endOnFaults(terminal)
endProcess(await runComity(process.argv.slice(2), terminal))
