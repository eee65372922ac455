/** Machines of a torture: `comity cluster join` as processes, begun again with the same folder whenever they ended and are wanted. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { mainPath } from '../../../packages/cli/src/testing/spawned-comity.ts'
import { endWithUs } from './network.ts'
import type { Stand } from './network.ts'

export class TortureMachine {
  readonly into: string
  readonly stand: Stand
  readonly #place: readonly string[]
  #child: ChildProcess | undefined
  #watchdog: number | undefined
  #isWanted = false
  #restart: NodeJS.Timeout | undefined
  /** Ends that nobody asked for: its watchdog's, or a fault. */
  ends = 0

  constructor(into: string, stand: Stand, place: readonly string[]) {
    this.into = into
    this.stand = stand
    this.#place = place
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }
  get isRunning(): boolean {
    return this.#child !== undefined
  }

  start(): void {
    this.#isWanted = true
    clearTimeout(this.#restart)
    if (this.#child !== undefined) return
    const words = [
      ...this.stand.prefix,
      process.execPath,
      mainPath,
      'cluster',
      'join',
      ...this.#place,
      '--into',
      this.into,
    ]
    const child = spawn(words[0]!, words.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#child = child
    endWithUs(child)
    this.#watchdog = undefined
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#watchdog ??= Number(/by process (\d+)/.exec(text)?.[1] ?? Number.NaN) || undefined
      appendFileSync(`${this.into}.log`, `${new Date().toISOString()} ${text}`)
    })
    child.once('exit', (code, by) => {
      appendFileSync(`${this.into}.log`, `${new Date().toISOString()} ended: ${code ?? by}\n`)
      this.#child = undefined
      if (!this.#isWanted) return
      this.ends++
      this.#restart = setTimeout(() => this.start(), 500)
    })
  }

  /** kill -9; begun again after so long. */
  kill(downMs: number): void {
    this.#isWanted = false
    this.#child?.kill('SIGKILL')
    clearTimeout(this.#restart)
    this.#restart = setTimeout(() => this.start(), downMs)
  }

  /** SIGSTOP of the process, and of its watchdog when that is said; both go on after so long, if they are alive. */
  stop(ms: number, withWatchdog: boolean): void {
    const pids = [this.#child?.pid, withWatchdog ? this.#watchdog : undefined].filter((pid) => pid !== undefined)
    for (const pid of pids) signal(pid, 'SIGSTOP')
    setTimeout(() => pids.forEach((pid) => signal(pid, 'SIGCONT')), ms)
  }

  /** Ctrl-C: hands over. Resolves with how it ended. */
  async leave(withinMs: number): Promise<number | string | null> {
    this.#isWanted = false
    clearTimeout(this.#restart)
    const child = this.#child
    if (child === undefined) return 0
    const gone = once(child, 'exit')
    child.kill('SIGINT')
    const late = setTimeout(() => child.kill('SIGKILL'), withinMs)
    const [code, by] = (await gone) as [number | null, string | null]
    clearTimeout(late)
    return code ?? by
  }

  /** At once, for good. */
  end(): void {
    this.#isWanted = false
    clearTimeout(this.#restart)
    this.#child?.kill('SIGKILL')
  }
}

export const machinesOf = (stands: readonly Stand[], dir: string, place: readonly string[]): TortureMachine[] =>
  stands.map((stand, n) => new TortureMachine(join(dir, `machine-${n + 1}`), stand, place))

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended, killed by its watchdog.
  }
}
