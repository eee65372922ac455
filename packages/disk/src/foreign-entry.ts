/**
 * Foreign entry: something in a folder that is not what its name says. Names that we choose ourselves are no safer than names
 * that we read (`inside-folder.ts`) in a folder that a stranger packed: `attempts-crawl.log` may be a link to somebody's keys,
 * which opening it would cut, and `collection.json` a pipe, which reading it would wait for for ever.
 *
 * Looked at once, before anything in the folder is opened: what a stranger sends does not change under our hands.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { leadsOut } from './inside-folder.ts'
import { codeOf } from './system-error.ts'

interface ForeignTerms {
  /** Folders that may be links to anywhere: people keep what is large on another disk. */
  readonly mayBeElsewhere: readonly string[]
  readonly sockets: readonly string[]
}

interface ForeignEntry {
  readonly path: string
  /** In words. */
  readonly is: string
}

/** The first in a folder or in the folders of it; undefined when there is none, or no such folder. */
export function foreignEntry(folder: string, { mayBeElsewhere, sockets }: ForeignTerms): ForeignEntry | undefined {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isSocket() && sockets.includes(entry.name)) continue
    const is = entry.isSymbolicLink() && mayBeElsewhere.includes(entry.name) ? undefined : oddityOf(folder, entry)
    if (is !== undefined) return { path, is }
    // Judged by where it stands: within a folder on another disk, links to its neighbours lead nowhere else.
    const odd = isFolder(path) ? oddIn(path) : undefined
    if (odd !== undefined) return odd
  }
  return undefined
}

function oddIn(folder: string): ForeignEntry | undefined {
  for (const entry of entriesOf(folder)) {
    const is = oddityOf(folder, entry)
    if (is !== undefined) return { path: join(folder, entry.name), is }
  }
  return undefined
}

function oddityOf(folder: string, entry: Dirent): string | undefined {
  if (entry.isFile() || entry.isDirectory()) return undefined
  if (!entry.isSymbolicLink()) return 'neither a file nor a folder'
  const path = join(folder, entry.name)
  if (leadsOut(folder, path)) return 'a link that leads out of it'
  return isPlain(path) ? undefined : 'a link to what is neither a file nor a folder'
}

function isPlain(path: string): boolean {
  const stat = statSync(realpathSync(path))
  return stat.isFile() || stat.isDirectory()
}

const UNREADABLE = new Set<unknown>(['ENOENT', 'ENOTDIR', 'EACCES'])

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** None when there is no such folder, or none that we may look into. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    // Whoever needs it says so better than we can.
    if (UNREADABLE.has(codeOf(error))) return []
    throw error
  }
}
