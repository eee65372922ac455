/**
 * Calls between processes: a site and its crawler run each in a process of its own, as only then the processor time of the
 * one is not that of the other.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownValue, textOf } from '@comity/protocol'

type Handlers = Readonly<Record<string, (argument: unknown) => Promise<unknown>>>
interface Reply {
  readonly result?: unknown
  readonly error?: string
}

/** In the process that works: one call after the other, until the caller hangs up. */
export function answerCalls(handlers: Handlers): void {
  process.on('message', (message: { readonly name: string; readonly argument: unknown }) => {
    const handler = ownValue(handlers, message.name)
    const work =
      handler === undefined ? Promise.reject(new Error(`nobody does ${message.name}`)) : handler(message.argument)
    work.then(
      (result) => process.send!({ result } satisfies Reply),
      (error: unknown) =>
        process.send!({ error: textOf(error instanceof Error ? error.stack : error) } satisfies Reply),
    )
  })
  process.on('disconnect', () => process.exit())
}

/** What one process has compiled the next need not: there are dozens of them. The folder is the one that Node itself uses. */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  ...process.env,
}

/** In the process that has it done. */
export class LabWorker implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #name: string

  /** `file` is beside this one. */
  constructor(file: string) {
    this.#name = file
    this.#child = fork(new URL(file, import.meta.url), { serialization: 'advanced', execArgv: [], env: ENVIRONMENT })
  }

  async call<Result>(name: string, argument?: unknown): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const ended = (code: number | null): void =>
      reject(new Error(`${this.#name} ended with ${code ?? 'a signal'} while it should ${name}`))
    this.#child.once('message', resolve)
    this.#child.once('exit', ended)
    try {
      this.#child.send({ name, argument }, (error) => error === null || reject(error))
      const { result, error } = await promise
      if (error !== undefined) throw new Error(`${this.#name}, ${name}: ${error}`)
      return result as Result
    } finally {
      this.#child.off('message', resolve)
      this.#child.off('exit', ended)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#child.once('exit', resolve)
    // Hung up, not killed: who is killed leaves nothing of what it has compiled.
    if (this.#child.connected) this.#child.disconnect()
    else this.#child.kill()
    await promise
  }
}

/** Milliseconds of processor time that this process has used, all its threads together. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
