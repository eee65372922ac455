/**
 * Docroot walk: every file below a folder of a document root, folder by folder.
 *
 * Hidden names are not even entered. A symbolic link counts as what it leads to while that is within the root; one that
 * leads out is left alone. Below a folder that a link led to, links to further folders are not followed, for two of them
 * could lead to each other for ever. A folder that cannot be read is reported, so that its pages are not taken for deleted.
 */
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { codeOf } from '@comity/disk'
import { nameOf, systemPath, toOctets } from './docroot-path.ts'

export interface FoundFile {
  readonly octets: string
  /** It is the one that its folder answers with. */
  readonly isIndex: boolean
}

type Walked =
  | { readonly kind: 'files'; readonly files: readonly FoundFile[] }
  /** `folder` as octets, with the slash at its end. */
  | { readonly kind: 'unreadable'; readonly folder: string; readonly cause: unknown }

/** Deeper than any tree that somebody made on purpose. */
const MAX_DEPTH = 100

interface Folder {
  readonly octets: string
  readonly depth: number
  readonly isLinked: boolean
}

/** `root` must be a real path. `start` is '' or ends with a slash. */
export async function* walkDocroot(root: string, start: string, indexNames: readonly string[]): AsyncGenerator<Walked> {
  const indexes = indexNames.map(toOctets)
  const waiting: Folder[] = [{ octets: start, depth: 0, isLinked: false }]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    let entries: Dirent<Buffer>[]
    try {
      entries = await readdir(systemPath(root, folder.octets), { withFileTypes: true, encoding: 'buffer' })
    } catch (cause) {
      // A folder that went away while we looked has no files: its pages are gone, not unknown.
      if (!isMissing(cause)) yield { kind: 'unreadable', folder: folder.octets, cause }
      continue
    }
    const { files, folders } = await sortEntries(root, folder, entries)
    const index = indexes.find((name) => files.includes(name))
    yield {
      kind: 'files',
      files: files.map((name) => ({ octets: folder.octets + name, isIndex: name === index })),
    }
    waiting.push(...folders)
  }
}

async function sortEntries(
  root: string,
  { octets, depth, isLinked }: Folder,
  entries: readonly Dirent<Buffer>[],
): Promise<{ files: string[]; folders: Folder[] }> {
  const [files, folders]: [string[], Folder[]] = [[], []]
  for (const entry of entries) {
    const name = entry.name.toString('latin1')
    if (name.startsWith('.')) continue
    const isLink = entry.isSymbolicLink()
    const kind = isLink ? await kindAt(root, octets + name) : kindOf(entry)
    if (kind === 'file') files.push(name)
    else if (kind === 'folder' && depth < MAX_DEPTH && !(isLink && isLinked))
      folders.push({ octets: `${octets}${name}/`, depth: depth + 1, isLinked: isLinked || isLink })
  }
  return { files, folders }
}

type EntryKind = 'file' | 'folder' | 'other'

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): EntryKind {
  if (entry.isFile()) return 'file'
  return entry.isDirectory() ? 'folder' : 'other'
}

/** What a name below the root leads to; `other` for nothing, and for what stands outside the root or is hidden. */
export async function kindAt(root: string, octets: string): Promise<EntryKind> {
  if (nameOf(octets) === '') return 'folder'
  try {
    const target = await realpath(systemPath(root, octets), 'latin1')
    const inside = `${toOctets(root)}/`
    if (!target.startsWith(inside) || isHidden(target.slice(inside.length))) return 'other'
    return kindOf(await stat(Buffer.from(target, 'latin1')))
  } catch {
    // It leads nowhere, in a circle, or to where we may not look.
    return 'other'
  }
}

export const isHidden = (octets: string): boolean => octets.split('/').some((part) => part.startsWith('.'))

export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'
