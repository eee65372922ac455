/** Processes of the gate: each with a time limit, and with all that it said when it fails. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Said {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

const LIMIT_MS = 300_000

/** Nothing of ours leads a program that a stranger runs. */
export const strangersEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:COMITY_|NODE_(?:OPTIONS|PATH)$)/.test(name)))

export async function tried(command: string, args: readonly string[], folder: string): Promise<Said> {
  return await new Promise((done) => {
    const options = { cwd: folder, timeout: LIMIT_MS, maxBuffer: 2 ** 26, env: strangersEnvironment() }
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      done({ stdout, stderr: error === null || stderr !== '' ? stderr : error.message, code })
    })
  })
}

/** Must end well. */
export async function run(command: string, args: readonly string[], folder: string): Promise<Said> {
  const said = await tried(command, args, folder)
  if (said.code !== 0)
    throw new Error(`${[command, ...args].join(' ')}\nended with ${said.code}:\n${said.stderr}${said.stdout}`)
  return said
}

/** A program that goes on: works with its first line, then ends it as an orchestrator does, and gives its exit code. */
export async function whileRunning(
  command: string,
  args: readonly string[],
  folder: string,
  work: (firstLine: string) => Promise<void>,
): Promise<number> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], env: strangersEnvironment() })
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(LIMIT_MS) })
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      await work(line)
      child.kill('SIGTERM')
      const [code, signal] = (await ended) as [number | null, string | null]
      return code ?? fail(`${args.join(' ')} ended by ${signal}`)
    }
    return fail(`${args.join(' ')} said nothing`)
  } finally {
    child.kill('SIGKILL')
  }
}

function fail(message: string): never {
  throw new Error(message)
}
