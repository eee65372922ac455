/** What to run on: the year in a folder, by its name or of the tests' large data, or made sites. */
import { join } from 'node:path'
import { webUnreadable } from '../../lab-error.ts'
import { isYear } from '../../cooperating/year.ts'

const USUAL_YEAR = 'histories/openbsd-www-2004'
/** Sites of all sizes that need no files. */
export const MADE = 'made'

/** The year where it is, and made sites. */
export function usualSchemes(): readonly string[] {
  const root = process.env['COMITY_SHARED']
  return root !== undefined && isYear(join(root, 'data', USUAL_YEAR)) ? [USUAL_YEAR, MADE] : [MADE]
}

/** See CONTRIBUTING.md. Throws a LabError that says how to get one. */
export function yearFolder(name: string): string {
  const root = process.env['COMITY_SHARED']
  const folder = [name, ...(root === undefined ? [] : [join(root, 'data', name)])].find(isYear)
  if (folder !== undefined) return folder
  throw webUnreadable(
    name,
    'There is no such folder, or it holds no year of a site: events.tsv.gz (epoch, S/A/M/D, path, content, bytes) and blobs.tar.zst (each version, named by its content). Set COMITY_SHARED to a folder with data/histories/openbsd-www-2004, name a folder with --web, or use --web made.',
  )
}
