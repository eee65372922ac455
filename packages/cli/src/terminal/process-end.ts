/**
 * Process end: a command that failed ends its process, whatever timers, sockets and threads it has left, so that whoever
 * started it sees that and can start it again. One that is done ends by itself: what it has begun is brought to its end.
 */
import { failureText } from '../failure-text.ts'
import type { Terminal } from './terminal.ts'

const FAILED = 1
/** For what was said to reach whoever reads it: a pipe may be slow. */
const LAST_WORDS_MS = 2_000

/** A fault that nobody waited for: what it left undone is not known, so nothing more is done. */
export function endOnFaults(terminal: Terminal): void {
  process.on('uncaughtException', (error) => {
    terminal.say(failureText(error, terminal.errorPaint))
    endProcess(FAILED)
  })
}

export function endProcess(code: number): void {
  process.exitCode = code
  if (code === 0) return
  const exit = (): never => process.exit(code)
  setTimeout(exit, LAST_WORDS_MS).unref()
  process.stdout.write('', () => process.stderr.write('', exit))
}
