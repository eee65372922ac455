/** Where the tests' large real data stand: in `COMITY_SHARED`, or in a folder `shared` beside the repository. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The path of a file or folder of the shared data, or undefined when this machine does not have it. */
export function sharedData(path: string): string | undefined {
  const root = process.env['COMITY_SHARED'] ?? resolve(import.meta.dirname, '../../../../shared')
  const full = join(root, 'data', path)
  return existsSync(full) ? full : undefined
}
