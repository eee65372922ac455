/**
 * Watchdog: kills the process that started it when that gives no sign for too long. A process that is stopped keeps its connections open
 * while its leases end, and others may connect to the same addresses; killing it closes them.
 *
 *   node watchdog.ts PID MS      a byte on standard input is a sign; its end is the end of both
 */
import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { join } from 'node:path'
import type { Writable } from 'node:stream'

interface Watchdog extends Disposable {
  readonly pid: number
}

/** Where none can be started it is tried again, not all the time. */
const AGAIN_MS = 500

/** Watch this process. */
export function startWatchdog(killAfterMs: number): Watchdog {
  const program = join(import.meta.dirname, 'watchdog-process.ts')
  let isOver = false
  const begun = (): ChildProcessByStdio<Writable, null, null> => {
    const child = spawn(process.execPath, [program, `${process.pid}`, `${killAfterMs}`], {
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.stdin.on('error', () => undefined)
    child.on('error', () => undefined)
    // Without it we are not safe to be stopped: whoever killed it, there is another one.
    child.once('exit', () => {
      if (!isOver) setTimeout(() => (watching = begun()), AGAIN_MS).unref()
    })
    child.unref()
    return child
  }
  let watching = begun()
  const beat = setInterval(() => void watching.stdin.write('.'), killAfterMs / 6)
  beat.unref()
  return {
    get pid() {
      return watching.pid ?? 0
    },
    [Symbol.dispose]: () => {
      isOver = true
      clearInterval(beat)
      watching.stdin.end()
    },
  }
}
