/**
 * State trial: reading all of a state once, in a process of its own. The walk of `state-check.ts` finds what is no LMDB file; should
 * there be one that passes it and that LMDB dies of all the same, a child dies of it, and not whoever repairs. It also tells which rows cannot be read, and what the collection remembers, for whoever makes the state anew.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type StateTrial =
  | {
      readonly kind: 'read'
      /** Keys of rows that cannot be read, by table. */
      readonly damaged: Readonly<Record<string, readonly (number | string | readonly number[])[]>>
      /** What could be read of `meta`, as JSON has it. */
      readonly facts: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'unreadable'; readonly problem: string }

const PROGRAM = fileURLToPath(new URL('state-trial-program.ts', import.meta.url))
/** A slow disk reads some hundred gigabytes meanwhile. */
const PATIENCE_MS = 3_600_000
const MAX_OUTPUT = 256 << 20

export function tryState(path: string): StateTrial {
  const { status, signal, stdout, error } = spawnSync(process.execPath, [PROGRAM, path], {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
    timeout: PATIENCE_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (signal !== null) return { kind: 'unreadable', problem: `whoever reads it is ended by ${signal}` }
  if (error !== undefined || status !== 0) return { kind: 'unreadable', problem: error?.message ?? `it cannot be read` }
  return JSON.parse(stdout) as StateTrial
}
