/**
 * Forget uploads: bodies that are still coming in, in parts (`body/upload-store.ts` of `@comity/receiver` keeps them). What is half
 * there cannot be read, so it goes with any page of its site; its sender is told that there is no such upload, and begins anew.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, syncPath } from '@comity/disk'

const BYTES = /^([\w-]{43})\.bin$/

/** Call with the lock of the inbox held. Gives how many there were; `isDry`: nothing is deleted. */
export function forgetUploads(dir: string, mayHold: (origin: string | undefined) => boolean, isDry: boolean): number {
  const folder = join(dir, 'uploads')
  const ids = namesIn(folder).flatMap((name) => BYTES.exec(name)?.[1] ?? [])
  const leaving = ids.filter((id) => mayHold(originIn(join(folder, `${id}.json`))))
  if (isDry || leaving.length === 0) return leaving.length
  // The bytes first: a record without them is removed when the uploads are opened.
  for (const id of leaving) for (const end of ['bin', 'json']) rmSync(join(folder, `${id}.${end}`), { force: true })
  syncPath(folder)
  return leaving.length
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Undefined when nobody can tell. */
function originIn(path: string): string | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const { origin } = (record ?? {}) as { readonly origin?: unknown }
    return typeof origin === 'string' ? origin : undefined
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
