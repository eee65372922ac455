/**
 * WACZ: a web archive in one ZIP file that can be served and read in parts (specs.webrecorder.net/wacz/1.1.1).
 *
 *   archive/*.warc.gz              the records, stored, so that an index can point into them
 *   indexes/index.cdx.gz, .idx     where each capture's record is: `archive/cdxj.ts`
 *   pages/pages.jsonl              the pages to begin with
 *   datapackage.json               every file above with its size and sum
 *   datapackage-digest.json        the sum of that file
 *
 * Here is what its small files say; pure.
 */
import { hash } from 'node:crypto'
import type { Instant } from '../instant.ts'

const WACZ_VERSION = '1.1.1'

/** Where things stand in the ZIP. */
export const WACZ_PATHS = {
  archive: 'archive/',
  index: 'indexes/index.cdx.gz',
  blocks: 'indexes/index.idx',
  pages: 'pages/pages.jsonl',
  package: 'datapackage.json',
  digest: 'datapackage-digest.json',
} as const

/** Whether an entry of that name is one of its WARC files (§5.1). */
export const isWaczArchive = (name: string): boolean => /^archive\/[^/]+\.warc(?:\.gz)?$/i.test(name)

export interface WaczResource {
  readonly path: string
  readonly bytes: number
  /** `sha256:` and 64 hexadecimal digits. */
  readonly hash: string
}

export interface WaczPackage {
  readonly title: string
  readonly software: string
  readonly created: Date
  readonly resources: readonly WaczResource[]
}

/** datapackage.json */
export function waczPackage({ title, software, created, resources }: WaczPackage): string {
  const listed = resources.map(({ path, bytes, hash: sum }) => {
    return { name: path.slice(path.lastIndexOf('/') + 1), path, hash: sum, bytes }
  })
  const whole = {
    profile: 'data-package',
    wacz_version: WACZ_VERSION,
    title,
    created: created.toISOString(),
    software,
    resources: listed,
  }
  return `${JSON.stringify(whole, undefined, 2)}\n`
}

/** datapackage-digest.json: whoever has this sum can tell whether anything in the file was changed. */
export function waczDigest(packageJson: string): string {
  return `${JSON.stringify({ path: WACZ_PATHS.package, hash: `sha256:${hash('sha256', packageJson)}` }, undefined, 2)}\n`
}

/** The first line of pages.jsonl. */
export const waczPagesHeader = ({ hasText }: { readonly hasText: boolean }): string =>
  JSON.stringify({ format: 'json-pages-1.0', id: 'pages', title: 'All pages', hasText })

export interface WaczPage {
  readonly id: string
  readonly url: string
  readonly at: Instant
  readonly title: string | undefined
  readonly text?: string | undefined
}

export function waczPageLine({ id, url, at, title, text }: WaczPage): string {
  return JSON.stringify({ id, url, ts: new Date(at).toISOString(), title: title ?? url, text })
}
