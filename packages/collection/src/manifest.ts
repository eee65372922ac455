/** collection.json: what marks a directory as a collection, and which format it has. */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectionDamaged, collectionFormat, collectionMissing, notACollection } from './errors.ts'

export const FORMAT = 1

export interface Manifest {
  readonly format: number
  readonly created: string
  readonly software: string
}

export function readManifest(dir: string): Manifest {
  const path = join(dir, 'collection.json')
  if (!existsSync(path)) throw collectionMissing(dir)
  const manifest = parse(path)
  if (manifest.format !== FORMAT) throw collectionFormat(dir, manifest.format, FORMAT)
  return manifest
}

/** Make the directory a collection unless it is one already. */
export function ensureManifest(dir: string, software: string, created: Date): Manifest {
  const path = join(dir, 'collection.json')
  if (existsSync(path)) return readManifest(dir)
  mkdirSync(dir, { recursive: true })
  // A crash while a collection was being made leaves only what we make ourselves.
  const ours = new Set(['state', 'warc', 'index', 'writer.lock', 'collection.json.new'])
  if (readdirSync(dir).some((name) => !ours.has(name))) throw notACollection(dir)
  for (const folder of ['state', 'warc', 'index']) mkdirSync(join(dir, folder), { recursive: true })
  const manifest: Manifest = { format: FORMAT, created: created.toISOString(), software }
  writeFileSync(`${path}.new`, `${JSON.stringify(manifest, undefined, 2)}\n`)
  renameSync(`${path}.new`, path)
  return manifest
}

function parse(path: string): Manifest {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest
  } catch (cause) {
    throw collectionDamaged(`${path} is not JSON.`, cause)
  }
}
