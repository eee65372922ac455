/** Spawned comity: the real command in a process of its own, for tests. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const mainPath: string = fileURLToPath(new URL('main.ts', import.meta.url))

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
  const clean = Object.entries(process.env).filter(([name]) => !/^(?:COMITY_|npm_|NO_COLOR)/.test(name))
  const child = spawn(process.execPath, [mainPath, ...args], { env: { ...Object.fromEntries(clean), ...env } })
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
