/**
 * The manifest of an index: which segments count, which of their documents are gone, and how far the index has followed
 * its source. `index/index.json` is replaced by renaming, so a reader sees the old state or the new one, and a writer
 * that is killed leaves the old one in place with some files nobody names.
 */
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { pathInside, writeDurably } from '@comity/disk'
import { indexDamaged } from './errors.ts'

export interface SegmentEntry {
  /** `s12` for the file `s12.seg`. */
  readonly name: string
  readonly documents: number
  readonly bytes: number
  /** The file that says which documents are gone, when some are. */
  readonly gone?: string | undefined
  readonly goneCount: number
  /** It is packed as well as can be, and need not be written anew for that. */
  readonly isDense?: boolean | undefined
  /** Made of others, and of nothing new. Before this was noted, all that was dense was. */
  readonly isMerged?: boolean | undefined
}

export interface IndexManifest {
  /** Rises with every change. */
  readonly generation: number
  /** Number for the next file. */
  readonly nextName: number
  /** How far the index has followed its source; whoever feeds it says what it means. */
  readonly position: number
  readonly segments: readonly SegmentEntry[]
}

const FORMAT = 1
const NAME = 'index.json'
const EMPTY: IndexManifest = { generation: 0, nextName: 1, position: 0, segments: [] }

export const manifestPath = (dir: string): string => join(dir, NAME)
export const segmentPath = (dir: string, name: string): string => join(dir, `${name}.seg`)

/** The manifest of a folder; an empty one when there is none yet. */
export function readIndexManifest(dir: string): IndexManifest {
  const path = manifestPath(dir)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY
    throw error
  }
  const end = text.lastIndexOf('\n', text.length - 2)
  const [body, sum] = [text.slice(0, end + 1), text.slice(end + 1)]
  if (sum !== sumOf(body)) throw indexDamaged(path, 'it is not what was written')
  const { format, ...manifest } = JSON.parse(body) as IndexManifest & { format: number }
  if (format !== FORMAT) throw indexDamaged(path, `it has format ${format}, and this version of Comity reads ${FORMAT}`)
  const stranger = filesOf(manifest).find((file) => !FILE.test(file) || pathInside(dir, file) === undefined)
  if (stranger !== undefined)
    throw indexDamaged(path, `it names ${JSON.stringify(stranger)}, which is no file of an index`)
  return manifest
}

/** An index may come from a stranger together with its collection: it names files of its own folder, or none. */
const FILE = /^s\d+(?:\.seg|-\d+\.gone)$/

const filesOf = ({ segments }: IndexManifest): string[] =>
  segments.flatMap(({ name, gone }) => [`${name}.seg`, ...(gone === undefined ? [] : [gone])])

/** Put a manifest in place. Files it names must be durable already. */
export function writeIndexManifest(dir: string, manifest: IndexManifest): void {
  const body = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 1)}\n`
  writeDurably(manifestPath(dir), body + sumOf(body))
}

/** Remove files of ours that the manifest does not name, but not `unfinished` segments. Readers that hold them open may go on. */
export function removeUnnamed(dir: string, manifest: IndexManifest, unfinished: Iterable<string> = []): void {
  const named = new Set(filesOf(manifest))
  for (const name of unfinished) named.add(`${name}.seg`)
  for (const file of readdirSync(dir)) if (FILE.test(file) && !named.has(file)) rmSync(join(dir, file), { force: true })
}

const sumOf = (body: string): string => `sum ${crc32(body).toString(16).padStart(8, '0')}\n`
