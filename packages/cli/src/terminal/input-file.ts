/** Named files: what is to be read is there and is no folder; what is to be written has a folder and is none. Before anything is made. */
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSystemFailure } from '../system-failure.ts'
import { UsageError } from '../usage-error.ts'

/** Throws what the system says of a name that is not there. `what`: such as "a WARC or WACZ file". */
export async function requireFile(path: string, what: string): Promise<void> {
  if ((await stat(path)).isDirectory()) throw new UsageError(`${path} is a folder: name ${what}.`)
}

/** A file is written there at the end: after all the work is no time to hear that it cannot be. */
export async function requireRoomFor(path: string): Promise<void> {
  const found = await statOf(path)
  if (found?.isDirectory() === true) throw new UsageError(`${path} is a folder: name a file in it.`)
  const folder = dirname(path)
  const parent = await statOf(folder)
  if (parent === undefined)
    throw new UsageError(`The folder ${folder} is not there: make it, or name another for ${path}.`)
  if (!parent.isDirectory()) throw new UsageError(`${folder} is no folder, so that ${path} cannot be in it.`)
}

const statOf = (path: string): Promise<Stats | undefined> =>
  stat(path).catch((error: unknown) => {
    if (isSystemFailure(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
    throw error
  })
