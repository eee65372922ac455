/** Running example: a program of `examples/` as somebody runs it, who reads what it prints and ends it when they have seen enough. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

export interface ExamplePlace {
  /** Where the examples stand. */
  readonly folder: string
  /** The program of the command. */
  readonly comity: string
  /** For what they write. */
  readonly scratch: string
}

const LIMIT_MS = 60_000

/** What one prints that ends by itself. */
export async function linesOf({ folder }: ExamplePlace, name: string, args: readonly string[]): Promise<string[]> {
  const path = join(folder, name)
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args], { timeout: LIMIT_MS })
  return stdout.trimEnd().split('\n')
}

export interface RunningExample {
  /** Its next line. */
  readonly next: () => Promise<string>
}

/** One that goes on: works with it, then ends it as Ctrl-C or an orchestrator does. */
export async function whileRunning(
  { folder }: ExamplePlace,
  name: string,
  args: readonly string[],
  work: (running: RunningExample) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [join(folder, name), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(LIMIT_MS) })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const line = await lines.next()
    if (line.done === true) throw new Error(`${name} says no more`)
    return line.value
  }
  try {
    await work({ next })
    child.kill('SIGTERM')
    const [code, signal] = (await ended) as [number | null, string | null]
    if (code !== 0 && signal !== 'SIGTERM') throw new Error(`${name} ended with ${code ?? signal}`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** One that nobody has at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
