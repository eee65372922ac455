/** The files that `comity agent` reads: bundles, results, key files. Each fault says which file, and what to do. */
import { readFileSync, statSync } from 'node:fs'
import { bundleUnreadable, MAX_BUNDLE_BYTES, readBundle, readResult, resultUnreadable } from '@comity/agent'
import type { AgentBundle, AgentResult } from '@comity/agent'
import { readKeySet, signingKeyOf } from '@comity/protocol'
import type { SigningKey } from '@comity/protocol'
import type { KeyObject } from 'node:crypto'
import { unreadableText } from '../system-failure.ts'
import { UsageError } from '../usage-error.ts'

/** The one file that a word works on; throws when there is none, or more. */
export function onlyFile(operands: readonly string[], what: string): string {
  const [file, extra] = operands
  if (file === undefined) throw new UsageError(`FILE is missing: ${what}.`)
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many: name ${what}.`)
  return file
}

export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new UsageError(unreadableText(path, cause), { cause })
  }
}

export function bundleOf(path: string): AgentBundle {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > MAX_BUNDLE_BYTES) throw bundleUnreadable(path, `it has more than ${MAX_BUNDLE_BYTES} bytes`)
  const read = readBundle(readBytes(path))
  if (read.kind === 'refused') throw bundleUnreadable(path, read.problem)
  return read.bundle
}

export function resultOf(path: string): AgentResult {
  const read = readResult(readBytes(path).toString('utf8'))
  if (read.kind === 'refused') throw resultUnreadable(path, read.problem)
  return read.result
}

/** The key of a file that signs now. */
export async function signingKeyIn(path: string | undefined, now: number): Promise<SigningKey> {
  if (path === undefined) throw new UsageError('Say whose word it is: --key FILE, as `comity keys new FILE` makes it.')
  const { KeyFile } = await import('@comity/site')
  return signingKeyOf(KeyFile.open(path, { now: () => now }).ring(), now)
}

export function publicKeysIn(path: string): KeyObject[] {
  const read = readKeySet(readBytes(path))
  if ('problem' in read) throw new UsageError(`${path} holds no public keys: ${read.problem}.`)
  if (read.keys.size === 0)
    throw new UsageError(
      `${path} holds no public Ed25519 key. What \`comity keys show\` prints does; private keys are not meant.`,
    )
  return [...read.keys.values()]
}
