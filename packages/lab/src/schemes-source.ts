/** Where the year to replay is: a folder by its name, or one of the tests' large data. */
import { join } from 'node:path'
import { webUnreadable } from './lab-error.ts'
import { isYear } from './schemes-year.ts'

export const USUAL_YEAR = 'histories/openbsd-www-2004'

/** See CONTRIBUTING.md. Throws a LabError that says how to get one. */
export function yearFolder(name: string): string {
  const root = process.env['COMITY_SHARED']
  const folder = [name, ...(root === undefined ? [] : [join(root, 'data', name)])].find(isYear)
  if (folder !== undefined) return folder
  throw webUnreadable(
    name,
    'There is no such folder, or it holds no year of a site: events.tsv.gz (epoch, S/A/M/D, path, content, bytes) and blobs.tar.zst (each version, named by its content). Set COMITY_SHARED to a folder with data/histories/openbsd-www-2004, or name a folder with --web.',
  )
}
