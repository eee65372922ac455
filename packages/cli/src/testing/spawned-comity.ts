/** Spawned comity: the real command in a process of its own, for tests. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runComity } from '../run-comity.ts'
import { plain } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'

export const mainPath: string = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface SpawnOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  readonly onStart?: (child: ChildProcess) => void
  /** Each piece of its stderr, while it runs. */
  readonly onStderr?: (text: string, child: ChildProcess) => void
}

/** Runs it to its end. The caller's COMITY_* variables stay out. */
export function comity(
  args: readonly string[],
  { env = {}, input, onStart, onStderr }: SpawnOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [mainPath, ...args], { env: { ...cleanEnv(), ...env } })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err.push(text)
    onStderr?.(text, child)
  })
  onStart?.(child)
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout: out.join(''), stderr: err.join('') }))
  })
}

/** The same in this process, which takes a tenth of the time: for commands that end by themselves, and are tried many times. */
export async function comityHere(args: readonly string[], env: SpawnOptions['env'] = {}): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []]
  const terminal: Terminal = {
    env: { ...cleanEnv(), ...env },
    paint: plain,
    errorPaint: plain,
    liveColumns: () => undefined,
    print: (text) => out.push(`${text}\n`),
    say: (text) => err.push(`${text}\n`),
    draw: (text) => err.push(text),
    write: async (text) => void out.push(text),
  }
  const code = await runComity(args, terminal)
  return { code, signal: null, stdout: out.join(''), stderr: err.join('') }
}

/** Our own variables say how tests run, and nothing to a command. */
function cleanEnv(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:COMITY_|npm_|NO_COLOR)/.test(name)))
}

/** The last line on stdout, which `--json` makes one JSON object. */
export function lastJson({ stdout }: Ended): Record<string, unknown> {
  const json: Record<string, unknown> = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
  return json
}

export interface TemporaryFolder extends Disposable {
  at(name: string): string
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'comity-cli-'))
  return { at: (name) => join(path, name), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
