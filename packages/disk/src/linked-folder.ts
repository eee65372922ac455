/**
 * Linked folder: a folder that is kept elsewhere, behind a link, and what is written through it. People keep what is large on
 * another disk; but who packs a folder for somebody else can put a link in it, too, to a folder of theirs. So before anything is
 * written, the folder behind the link has to say for whom it is: in a file there, which only its owner can have put.
 *
 *   collection/warc ──link──▶ /big/warc
 *                              └ linked-from: one line, the path of `collection`
 *
 * Hard links are the same for single files: what is written in place changes under its other name as well.
 */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { entriesOf } from './foreign-entry.ts'
import { isLink, leadsOut } from './inside-folder.ts'

export const LINK_MARK = 'linked-from'
/** Longer than any path. */
const MAX_MARK_BYTES = 8_192

interface UnclaimedLink {
  readonly path: string
  /** Where it leads; undefined when that is nowhere. */
  readonly target: string | undefined
}

/** The first of these names in a folder that is a link to a folder that is not said to be linked from here. */
export function unclaimedLink(folder: string, names: readonly string[]): UnclaimedLink | undefined {
  for (const name of names) {
    const path = join(folder, name)
    if (!isLink(path) || !leadsOut(folder, path)) continue
    const target = realPath(path)
    if (target === undefined || claimOf(target) !== realPath(folder)) return { path, target }
  }
  return undefined
}

/** The folder that is said to be linked to this one. */
function claimOf(target: string): string | undefined {
  const mark = join(target, LINK_MARK)
  const stat = statSync(mark, { throwIfNoEntry: false })
  if (stat?.isFile() !== true || stat.size > MAX_MARK_BYTES) return undefined
  return realPath(readFileSync(mark, 'utf8').trim())
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    // It leads nowhere, or to where we may not look.
    return undefined
  }
}

/** The first file in a folder, or in the folders of it, that has another name somewhere, but for those that may. */
export function sharedFile(folder: string, mayBeShared: (name: string) => boolean): string | undefined {
  for (const name of namesIn(folder, mayBeShared)) {
    const path = join(folder, name)
    if (isShared(path)) return path
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) continue
    const shared = namesIn(path, mayBeShared).find((file) => isShared(join(path, file)))
    if (shared !== undefined) return join(path, shared)
  }
  return undefined
}

const namesIn = (folder: string, but: (name: string) => boolean): string[] =>
  entriesOf(folder).flatMap(({ name }) => (but(name) ? [] : [name]))

function isShared(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.nlink > 1
}
