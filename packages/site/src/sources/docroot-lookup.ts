/**
 * Docroot lookup: the file that a request's path means, the other way round than a scan. What a scan would never call a page
 * because of its name (hidden files, backups, programs) is not found here either; whether a page may be listed is another
 * question, and asked elsewhere.
 *
 * A file is found under the name it has, percent-encoded in any way. Dot segments, empty steps and encoded slashes lead to
 * no file, and where the file system takes other letters for the same name, only its own ones are found.
 */
import { readFile, realpath, stat } from 'node:fs/promises'
import { pathSteps } from '@comity/protocol'
import { isNameOnDisk } from './docroot-name.ts'
import { defaultIndexRule, systemPath, toOctets, urlPathOf } from './docroot-path.ts'
import { isHidden, kindAt } from './docroot-walk.ts'
import { MAX_PATH } from '../journal/observation.ts'
import { fileVerdict } from '../privacy/privacy.ts'
import { publicRules } from '../privacy/public-rules.ts'

type Lookup =
  | { readonly kind: 'file'; readonly octets: string; readonly file: Buffer }
  /** A folder asked for without the slash at its end; `path` has it. */
  | { readonly kind: 'folder'; readonly path: string }

/** Names decide alone. */
const NO_RULES = publicRules()

/**
 * `path` is as in a request line, with or without a query. `root` may be a link that is set to another folder while we run, as
 * deployments do.
 */
export async function lookUp(
  docroot: string,
  path: string,
  indexNames: readonly string[] = defaultIndexRule.indexNames,
): Promise<Lookup | undefined> {
  const plain = path.split('?', 1)[0]!
  const octets = octetsOf(plain)
  if (octets === undefined || plain.length > MAX_PATH || isHidden(octets)) return undefined
  if (!fileVerdict([plain], NO_RULES).public) return undefined
  const root = await realpath(docroot)
  const isFolder = octets === '' || octets.endsWith('/')
  const names = isFolder ? indexNames.map((name) => `${octets}${toOctets(name)}`) : [octets]
  for (const name of names) {
    const kind = await kindAt(root, name)
    if (kind === 'other' || !(await isNameOnDisk(root, name))) continue
    if (kind === 'folder') return { kind: 'folder', path: urlPathOf(`${name}/`) }
    return { kind: 'file', octets: name, file: systemPath(root, name) }
  }
  return undefined
}

/** Below the root, as the file system has it; undefined for what no file can be called, and for ways out. */
function octetsOf(path: string): string | undefined {
  const steps = pathSteps(path)
  if (steps === undefined || steps.slice(0, -1).includes('')) return undefined
  return steps.some((step) => step === '..' || step === '.' || step.includes('/')) ? undefined : steps.join('/')
}

/** Bodies for lists and dumps; files above `maxBytes` are not read. */
export function docrootReader(root: string, maxBytes: number): (path: string) => Promise<Uint8Array | undefined> {
  return async (path) => {
    const found = await lookUp(root, path)
    if (found?.kind !== 'file' || (await stat(found.file)).size > maxBytes) return undefined
    return await readFile(found.file)
  }
}
