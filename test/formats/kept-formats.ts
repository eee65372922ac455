/**
 * What users of an earlier version have on disk, kept in `fixtures/NAME-VERSION.tar.gz`, which every later version must still
 * open. They are unpacked for whoever looks at them and never changed: a format that grows gets another file beside these.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

export const FIXTURES: string = join(import.meta.dirname, 'fixtures')

/**
 * The collection with its index and its dead letters, and one that keeps URL rules; its inbox with what waits; and what else has state. Each with the SHA-256
 * of its file, so that nobody makes it again by mistake. `published-1` is a document root with its journal as `comity publish` wrote
 * them when every part of every list was a file beside the home page. `journal-2` and `gateway-3` have rows and a table whose sums tell
 * which of them were written together.
 */
export const KEPT = {
  'collection-1': '6d97b7919c804bd01b2b09a00bdee47b3c276ab282d9f840101530607c5cf68e',
  'collection-2': 'd3fb8e9797ef4bac30aacd5b9319fc637ba880ebde616e6eb6ee410dcf69964f',
  'inbox-1': '0d9aebba4767ec2145ad2a184cf418436b28c807f769c53b070caad6e290f5d5',
  'journal-1': '0485b536cb6ebcfa9dc742761a740e3f2e5002bf61564dc56368b4c0920d4698',
  'journal-2': '2a417e74b757225a4c2d2f3901156e5e13d5adfcd1176a45b8453a619af0b42f',
  'published-1': 'bfd72dc1db5f37e4bcca3f86be73d7ae3c2064449e8987df541d5be027426fc6',
  'gateway-1': '24877c27bbcea41b88bd106105d1ebb991959d125ada7f0c4896db290fd1d32a',
  'gateway-2': '54cf346e9a9673cd1ff41e57c76d9c1ec93811b287d4e24b9fea889c441af9ab',
  'gateway-3': 'a52459c837cd1587c0ccb51130a27f7af38fb357fe391c356037a71dc3a03c79',
  'agents-1': '893030abb11085d06f8c71fe30c76c36367fad7f4959defe3841275256d18057',
} as const
export type KeptFormat = keyof typeof KEPT

export const fileOf = (name: KeptFormat): string => join(FIXTURES, `${name}.tar.gz`)

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
