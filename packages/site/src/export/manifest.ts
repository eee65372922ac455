/**
 * Export manifest: which files in somebody's folder are ours, and of which state of the site they are. It stands beside them,
 * so that it goes wherever they go. One that cannot be read is none: then nothing counts as ours, and nothing is overwritten.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, isPlainName } from '@comity/disk'
import type { Instant } from '@comity/protocol'

/** What is known of a file of ours. */
export interface OwnFile {
  /** Of its content: other bytes have another. */
  readonly name: string
  readonly sums: readonly string[]
  readonly bytes: number
  /** Whole seconds, as servers make validators of them. */
  readonly mtimeMs: Instant
}

export interface ExportManifest {
  readonly files: ReadonlyMap<string, OwnFile>
  /** Names all that the files were made of; empty while they are being changed. */
  readonly state: string
  /** The newest change when files were first written, and the journal that it is of; earlier versions did not say. */
  readonly begins?: { readonly journal: string; readonly number: number } | undefined
}

const MANIFEST = '.comity-files.json'
const VERSION = 1

export async function readManifest(dir: string): Promise<ExportManifest> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(join(dir, MANIFEST), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return { files: new Map(), state: '' }
    throw error
  }
  const { comity, files, state, begins } = (json ?? {}) as Readonly<Partial<Record<string, unknown>>>
  if (comity !== VERSION || typeof files !== 'object' || files === null) return { files: new Map(), state: '' }
  const own = Object.entries(files).flatMap(([path, one]) => (isOwnFile(path, one) ? [[path, one] as const] : []))
  return { files: new Map(own), state: typeof state === 'string' ? state : '', ...beginsOf(begins) }
}

function beginsOf(value: unknown): Pick<ExportManifest, 'begins'> {
  const { journal, number } = (value ?? {}) as { journal?: unknown; number?: unknown }
  const isOne = typeof journal === 'string' && Number.isSafeInteger(number)
  return isOne ? { begins: { journal, number: number as number } } : {}
}

/** All of it or nothing. */
export async function writeManifest(dir: string, { files, state, begins }: ExportManifest): Promise<void> {
  const text = `${JSON.stringify({ comity: VERSION, state, begins, files: Object.fromEntries(files) }, undefined, 1)}\n`
  const part = join(dir, `${MANIFEST}.part`)
  await writeFile(part, text, { flush: true })
  await rename(part, join(dir, MANIFEST))
}

export async function removeManifest(dir: string): Promise<void> {
  await rm(join(dir, MANIFEST), { force: true })
}

/** The folder is anybody's: no path of the manifest may lead out of it. */
function isOwnFile(path: string, value: unknown): value is OwnFile {
  const { name, sums, bytes, mtimeMs } = (value ?? {}) as Partial<Record<keyof OwnFile, unknown>>
  const isInside = path.startsWith('/') && path.slice(1).split('/').every(isPlainName)
  const hasSums = Array.isArray(sums) && sums.every((sum) => typeof sum === 'string')
  return isInside && hasSums && typeof name === 'string' && typeof bytes === 'number' && typeof mtimeMs === 'number'
}
