/**
 * Docroot name: does a file have this very name? Some file systems take other letters for the same name: of the other case
 * (those of Windows and macOS, and others where they are told to), of the other form of Unicode, with dots or blanks behind
 * them, or short for it (`WP-CON~1.PHP`). What is decided of a name has to be decided of the name that the file has.
 */
import { lstat, readdir } from 'node:fs/promises'
import { folderOf, nameOf, systemPath } from './docroot-path.ts'

/** Where every name has others besides; elsewhere it is tried. */
const FOLDING: ReadonlySet<NodeJS.Platform> = new Set(['win32', 'darwin'])

/** `octets` leads to something below the root. Costs a look at another name, and a list of each folder where that is there. */
export async function isNameOnDisk(root: string, octets: string): Promise<boolean> {
  if (!FOLDING.has(process.platform) && !(await hasOtherName(root, octets))) return true
  return await isListed(root, octets.endsWith('/') ? octets.slice(0, -1) : octets)
}

/** Each step is one of the names that its folder tells of. */
export async function isListed(root: string, octets: string): Promise<boolean> {
  if (octets === '') return true
  const folder = folderOf(octets)
  const names = await readdir(systemPath(root, folder), { encoding: 'buffer' })
  const isThere = names.some((name) => name.toString('latin1') === nameOf(octets))
  return isThere && (await isListed(root, folder.slice(0, -1)))
}

/** The same name with its letters of the other case, or in the other form of Unicode. */
export function otherNames(octets: string): readonly string[] {
  const name = Buffer.from(octets, 'latin1').toString('utf8')
  const swapped = octets.replaceAll(/[a-z]+|[A-Z]+/g, (letters) =>
    letters < 'a' ? letters.toLowerCase() : letters.toUpperCase(),
  )
  const forms = [name.normalize('NFC'), name.normalize('NFD')].map((form) => Buffer.from(form).toString('latin1'))
  return [...new Set([swapped, ...forms])].filter((other) => other !== octets)
}

async function hasOtherName(root: string, octets: string): Promise<boolean> {
  const found = await Promise.all(
    otherNames(octets).map(
      async (other) =>
        await lstat(systemPath(root, other)).then(
          () => true,
          () => false,
        ),
    ),
  )
  return found.includes(true)
}
