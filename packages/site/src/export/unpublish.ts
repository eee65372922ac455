/**
 * Unpublish: takes away what exports wrote, and nothing else. Which files these are stands in the manifest beside them; one that
 * somebody has edited since is somebody else's by now and stays. Of robots.txt our lines go, and the file when nothing else is in it.
 */
import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { codeOf } from '@comity/disk'
import { ExportFolder } from './folder.ts'
import { ownRobots } from './robots.ts'
import { exportUnwritable } from '../errors.ts'
import type { ExportPlace } from './static-export.ts'

export interface Unpublished {
  /** Paths from the host's root on. */
  readonly removed: readonly string[]
  /** Ours once, and edited by somebody since. */
  readonly left: readonly string[]
  /** Lines of ours were taken out of the owner's robots.txt. */
  readonly robots: boolean
}

/** `isDry`: only says what would be taken away. */
export async function unpublish({ into, docroot }: ExportPlace, isDry = false): Promise<Unpublished> {
  try {
    const folder = isDry ? await ExportFolder.look(into) : await ExportFolder.open(into)
    const { removed, left } = await folder.clear(isDry)
    const isShared = docroot !== undefined && resolve(docroot) === resolve(into)
    return { removed, left, robots: isShared && (await clearRobots(join(docroot, 'robots.txt'), isDry)) }
  } catch (cause) {
    throw codeOf(cause) === undefined ? cause : exportUnwritable(into, cause)
  }
}

async function clearRobots(file: string, isDry: boolean): Promise<boolean> {
  const before = await readFile(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
  const own = ownRobots(before)
  if (own.equals(before)) return false
  if (isDry) return true
  if (own.length === 0) await rm(file)
  else await replaceWith(file, own)
  return true
}

/** Whole, old or new, with the rights that it had. */
async function replaceWith(file: string, bytes: Uint8Array): Promise<void> {
  const part = `${file}.comity-part`
  await writeFile(part, bytes, { flush: true })
  await chmod(part, (await stat(file)).mode)
  await rename(part, file)
}
