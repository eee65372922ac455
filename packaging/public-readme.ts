/**
 * Public README: that of a package as it is shown where packages are found. The map of the source stays in the repository, and links
 * that lead out of the package lead there.
 */
import { posix } from 'node:path'

export interface ReadmePlace {
  /** Of the package in the repository: `packages/site`. */
  readonly folder: string
  /** Where a file of this version can be read: the path follows. */
  readonly blobs: string
}

export function publicReadme(text: string, { folder, blobs }: ReadmePlace): string {
  const kept = text
    .split(/^(?=## )/m)
    .filter((section) => !section.startsWith('## Where things are'))
    .join('')
  const linked = kept.replaceAll(/\]\((?!https?:|#)(?<path>[^)\s]+)\)/g, (_, path: string) => {
    return `](${blobs}/${posix.join(folder, path)})`
  })
  return `${linked.trimEnd()}\n`
}
