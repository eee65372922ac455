/**
 * Inside folder: a name that was read from somewhere becomes a path here, or nothing does. Manifests, rows and packages may
 * come from a stranger together with the folder they stand in, and `../../.ssh/id_rsa`, `/etc/passwd`, `C:x` or a link are
 * names, too, to whoever only joins them to a folder.
 *
 * Taken is what is a name on every system: no slash of either kind, no drive or stream (`:`), no control character, no
 * device (`NUL`), no dot or blank at its end, which Windows drops.
 */
import { lstatSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'

/** What most file systems take. */
const MAX_NAME_BYTES = 255
/** Deeper than any tree of ours; each step is looked at. */
const MAX_STEPS = 100
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const NO_NAME = /[/\\:\0-\x1f\x7f]|[. ]$/
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** One name that stands for itself on every system. `.` and `..` are none. */
export function isPlainName(name: unknown): name is string {
  if (typeof name !== 'string' || name === '' || Buffer.byteLength(name) > MAX_NAME_BYTES) return false
  return !NO_NAME.test(name) && !DEVICE.test(name)
}

/** The path of a name in a folder; undefined when it is no plain name, or a link that leads out of the folder. */
export function pathInside(folder: string, name: unknown): string | undefined {
  return isPlainName(name) ? pathBelow(folder, name) : undefined
}

/** The same for names with slashes between them, all of them plain and none of them a link that leads out. */
export function pathBelow(folder: string, path: string): string | undefined {
  const names = path.split('/')
  if (names.length > MAX_STEPS || !names.every(isPlainName)) return undefined
  const paths = names.map((_, i) => join(folder, ...names.slice(0, i + 1)))
  return paths.some((one) => isLink(one) && leadsOut(folder, one)) ? undefined : paths.at(-1)
}

export const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

export function leadsOut(folder: string, link: string): boolean {
  try {
    const way = relative(realpathSync(folder), realpathSync(link))
    return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
  } catch {
    // It leads nowhere, or to where we may not look: nothing of ours either way.
    return true
  }
}
