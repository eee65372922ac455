/**
 * What users of an earlier version have on disk, kept in `fixtures/NAME-VERSION.tar.gz`, which every later version must still
 * open. They are unpacked for whoever looks at them and never changed: a format that grows gets another file beside these.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

export const FIXTURES: string = join(import.meta.dirname, 'fixtures')

/** The collection with its index and its dead letters; its inbox with what waits; and what else has state. */
export type KeptFormat = 'collection-1' | 'inbox-1' | 'journal-1' | 'gateway-1' | 'agents-1'

const fileOf = (name: KeptFormat): string => join(FIXTURES, `${name}.tar.gz`)

/** `paths` are below `from`, and will be below where it is unpacked. */
export function keep(name: KeptFormat, from: string, ...paths: readonly string[]): void {
  mkdirSync(FIXTURES, { recursive: true })
  const nobody = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name']
  execFileSync('tar', [...nobody, '-C', from, '-czf', fileOf(name), ...paths])
}

/** The folder, which is made when it is not there. Modes and times are those of the day. */
export function unpack(into: string, ...names: readonly KeptFormat[]): string {
  mkdirSync(into, { recursive: true })
  for (const name of names) execFileSync('tar', ['--no-same-owner', '-C', into, '-xzf', fileOf(name)])
  return into
}
