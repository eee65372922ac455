/** A list that a flag names by a file, one item a line, and a config file may also spell out. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { asList, asString } from '../config-file.ts'
import { unreadableText } from '../system-failure.ts'
import { UsageError } from '../usage-error.ts'

export type ListSource =
  | { readonly kind: 'none' }
  | { readonly kind: 'items'; readonly items: readonly string[] }
  /** `-` is standard input. */
  | { readonly kind: 'file'; readonly path: string }

export const noList: ListSource = { kind: 'none' }

export const listFile = (path: string): ListSource => ({ kind: 'file', path })

export function listInConfig(json: unknown): ListSource {
  return typeof json === 'string' ? listFile(json) : { kind: 'items', items: asList(json).map(asString) }
}

/** Blank lines and lines that begin with # say nothing. */
export async function readList(source: ListSource): Promise<readonly string[]> {
  if (source.kind === 'none') return []
  if (source.kind === 'items') return source.items
  const lines = (await readTextFile(source.path)).split(/\r?\n/)
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
}

/** `-` is standard input. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return path === '-' ? await text(process.stdin) : await readFile(path, 'utf8')
  } catch (cause) {
    throw new UsageError(unreadableText(path === '-' ? 'Standard input' : path, cause), { cause })
  }
}
