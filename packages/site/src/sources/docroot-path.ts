/**
 * Docroot path: which file stands for which address.
 *
 * A file's name is octets, of which most are UTF-8 and some are not; so names are kept as "octets" here, one character
 * each (latin 1), and percent-encoded one by one. A folder's index file is the folder's address, or its own, or both, as
 * the server has it.
 */

export interface IndexRule {
  /** In the order the server looks for them. */
  readonly indexNames: readonly string[]
  /** What is listed for an index file: the folder's address, the file's, or both. */
  readonly indexPaths: 'folder' | 'file' | 'both'
}

export const defaultIndexRule: IndexRule = { indexNames: ['index.html', 'index.htm'], indexPaths: 'folder' }

/** All that may stand in a path for itself (RFC 3986 §3.3, pchar and the slash). */
const ENCODED = /[^\w\-.~!$&'()*+,;=:@/]/g

/** The path of a URL for a file, or folder, below the root: `a b/c` is `/a%20b/c`. */
export function urlPathOf(octets: string): string {
  return `/${octets.replace(ENCODED, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)}`
}

/** The addresses of a file. `isIndex`: it is the one that its folder answers with. */
export function pathsOfFile(octets: string, isIndex: boolean, { indexPaths }: IndexRule): readonly string[] {
  if (!isIndex || indexPaths === 'file') return [urlPathOf(octets)]
  const folder = urlPathOf(folderOf(octets))
  return indexPaths === 'folder' ? [folder] : [folder, urlPathOf(octets)]
}

/** With the slash at its end; '' for the root. */
export function folderOf(octets: string): string {
  return octets.slice(0, octets.lastIndexOf('/') + 1)
}

export function nameOf(octets: string): string {
  return octets.slice(octets.lastIndexOf('/') + 1)
}

export const toOctets = (name: string): string => Buffer.from(name, 'utf8').toString('latin1')

/** The path for the file system, exactly the octets it gave. */
export function systemPath(root: string, octets: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`, 'utf8'), Buffer.from(octets, 'latin1')])
}
