/** ZIP directory: what a stranger's ZIP holds, read by whoever reads documents; what is wrong, when it cannot be. */
import { findZipDirectory, packEntries, readDirectoryBytes, TOO_MUCH_WORK, ZipEntries } from '@comity/protocol'
import type { ByteSource, DirectoryBytes, PackedEntries, ZipLimits } from '@comity/protocol'
import type { Documents } from './work.ts'

export type ReadDirectory =
  | { readonly kind: 'ok'; readonly entries: PackedEntries }
  | { readonly kind: 'bad'; readonly message: string }

export async function zipDirectory(
  source: ByteSource,
  limits: ZipLimits,
  documents: Documents,
): Promise<ZipEntries | string> {
  const found = await findZipDirectory(source, limits)
  if (typeof found === 'string') return found
  const read = await documents.work('directory', found)
  if (read === TOO_MUCH_WORK) return read
  return read.kind === 'bad' ? read.message : new ZipEntries(read.entries)
}

export function directoryOf(found: DirectoryBytes): ReadDirectory {
  const read = readDirectoryBytes(found)
  return read.kind === 'bad' ? read : { kind: 'ok', entries: packEntries(read.entries) }
}
