/**
 * collection.json: what marks a directory as a collection, and which format it has.
 *
 * It is written last when a collection is made: where it stands, all the rest is there.
 */
import { existsSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  foreignEntry,
  LINK_MARK,
  makePrivateFolder,
  sharedFile,
  syncPath,
  unclaimedLink,
  writeDurably,
} from '@comity/disk'
import {
  CollectionError,
  collectionDamaged,
  collectionFormat,
  collectionMissing,
  notACollection,
  collectionLinked,
  collectionShared,
} from './errors.ts'
import { isWriteLock } from './lock.ts'

const FORMAT = 1

export interface Manifest {
  readonly format: number
  readonly created: string
  readonly software: string
}

const FOLDERS = ['state', 'warc', 'index']

export function readManifest(dir: string): Manifest {
  const path = join(dir, 'collection.json')
  if (!existsSync(path)) throw collectionMissing(dir)
  refuseForeign(dir)
  const manifest = parse(path)
  if (manifest.format !== FORMAT) throw collectionFormat(dir, manifest.format, FORMAT)
  const { created, software } = manifest as Partial<Record<keyof Manifest, unknown>>
  if (typeof created !== 'string' || Number.isNaN(Date.parse(created)) || typeof software !== 'string')
    throw collectionDamaged(`${path} does not say when it was made, and by what.`)
  return manifest
}

/** Refuse what is not ours before anything is written into it. */
export function ensureFolder(dir: string): void {
  const isCollection = existsSync(join(dir, 'collection.json'))
  if (!isCollection) makePrivateFolder(dir)
  // What is none is said first: whoever names the wrong folder need not hear of the links in it.
  if (!isCollection && !holdsOnlyBeginnings(dir)) throw notACollection(dir)
  if (isCollection) readManifest(dir)
  else refuseForeign(dir)
  refuseLinked(dir)
}

/** A collection may come from a stranger: whatever is opened in it afterwards stands in it, and is a file. */
function refuseForeign(dir: string): void {
  const foreign = foreignEntry(dir, { mayBeElsewhere: FOLDERS, sockets: ['crawl.sock'] })
  if (foreign === undefined) return
  const { path, is } = foreign
  throw collectionDamaged(`${path} is ${is}, which comity never makes. Remove it if you know what it is.`)
}

/**
 * Folders may be elsewhere, where that is said. Archives may have other names, as people publish them, and a lock has two
 * while it is made; nothing else may, as it is written in place.
 */
function refuseLinked(dir: string): void {
  const link = unclaimedLink(dir, FOLDERS)
  if (link !== undefined) throw collectionLinked(realpathSync(dir), link.path, link.target)
  const shared = sharedFile(dir, (name) => name === 'warc' || isWriteLock(name))
  if (shared !== undefined) throw collectionShared(shared)
}

/** Make the folders of a collection. Call with the lock held. */
export function makeFolders(dir: string): void {
  for (const folder of FOLDERS) makePrivateFolder(join(dir, folder), dir)
  syncPath(dir)
  syncPath(dirname(resolve(dir)))
}

/** The manifest, written unless it is there. Call with the lock held, when everything else is in place. */
export function ensureManifest(dir: string, software: string, created: Date): Manifest {
  const path = join(dir, 'collection.json')
  if (existsSync(path)) return readManifest(dir)
  const manifest: Manifest = { format: FORMAT, created: created.toISOString(), software }
  writeDurably(path, `${JSON.stringify(manifest, undefined, 2)}\n`)
  return manifest
}

/** In place of one that cannot be read. Says whether it was. */
export function renewManifest(dir: string, software: string, created: Date): boolean {
  try {
    readManifest(dir)
    return false
  } catch (error) {
    if (!(error instanceof CollectionError) || error.code !== 'COLLECTION_DAMAGED') throw error
    rmSync(join(dir, 'collection.json'))
    ensureManifest(dir, software, created)
    return true
  }
}

/** A crash while a collection was being made leaves only this behind. */
function holdsOnlyBeginnings(dir: string): boolean {
  return readdirSync(dir).every((name) => {
    const isBeginning = (file: string): boolean =>
      file === LINK_MARK || (name === 'state' && /^(?:data-1\.mdb(?:-lock)?|known)$/.test(file))
    if (FOLDERS.includes(name)) return readdirSync(join(dir, name)).every(isBeginning)
    return isWriteLock(name) || name === 'collection.json.new'
  })
}

function parse(path: string): Manifest {
  try {
    const manifest: Manifest | null = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof manifest === 'object' && manifest !== null) return manifest
  } catch (cause) {
    throw collectionDamaged(`${path} is not JSON.`, cause)
  }
  throw collectionDamaged(`${path} holds no JSON object.`)
}
